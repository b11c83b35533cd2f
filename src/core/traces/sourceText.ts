import { tokenizeSolidity } from '../project/source/tokens.ts';
import type { BuiltSource } from './readBuilds.ts';

/** A source with its positions: those of a compiler are bytes of UTF-8. */
export interface SourceText {
  readonly source: BuiltSource;
  /** The text of a range; undefined outside of the source. */
  slice(start: number, length: number): string | undefined;
  /** From 1. */
  lineAt(start: number): number;
  /** The innermost function, constructor or modifier around a position. */
  callableAt(start: number): Callable | undefined;
}

export interface Callable {
  readonly kind: 'function' | 'modifier' | 'constructor' | 'fallback' | 'receive';
  /** The name of a function or modifier, else the kind. */
  readonly name: string;
  /** The contract or library that declares it; undefined for a free function. */
  readonly contract: string | undefined;
  /** The line of its declaration, from 1. */
  readonly line: number;
}

export interface PlacedCallable extends Omit<Callable, 'line'> {
  readonly from: number;
  readonly to: number;
}

/**
 * Opens a source for positions of a compiler.
 *
 * @example
 * openSource({ path: 'A.sol', text: '/* ü *\/ contract A {}', isCurrent: true }).slice(9, 8) // 'contract'
 */
export function openSource(source: BuiltSource): SourceText {
  const bytes = new TextEncoder().encode(source.text);
  const decoder = new TextDecoder();
  let callables: readonly PlacedCallable[] | undefined;
  const lineAt = (start: number) => {
    let line = 1;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0 && at < start; at = bytes.indexOf(LINE_FEED, at + 1))
      line++;
    return line;
  };
  return {
    source,
    lineAt,
    slice(start, length) {
      if (start < 0 || length < 0 || start + length > bytes.length) return undefined;
      return decoder.decode(bytes.subarray(start, start + length));
    },
    callableAt(start) {
      callables ??= listCallables(source.text);
      const at = decoder.decode(bytes.subarray(0, start)).length;
      const found = callables.find(({ from, to }) => from <= at && at < to);
      if (!found) return undefined;
      const { from, to: _, ...callable } = found;
      return { ...callable, line: lineAt(new TextEncoder().encode(source.text.slice(0, from)).length) };
    },
  };
}

const LINE_FEED = 0x0a;
const CONTRACT_KEYWORDS: ReadonlySet<string> = new Set(['contract', 'library', 'interface']);
const CALLABLE_KEYWORDS: ReadonlySet<string> = new Set([
  ...['function', 'modifier', 'constructor', 'fallback', 'receive'],
]);

/**
 * The functions, modifiers and constructors with a body, by their offsets in the text.
 *
 * @example listCallables('function f() {}').length // 1
 */
export function listCallables(text: string): readonly PlacedCallable[] {
  const found: PlacedCallable[] = [];
  let contract: { readonly name: string; readonly depth: number } | undefined;
  let pending: { kind: Callable['kind']; name: string; from: number } | undefined;
  let open: (Omit<PlacedCallable, 'to'> & { readonly depth: number }) | undefined;
  let isContractNamed = true;
  let depth = 0;
  let parentheses = 0;
  for (const { kind, text: token, offset } of tokenizeSolidity(text)) {
    if (token === '{') {
      if (pending && !open && parentheses === 0) {
        open = { ...pending, contract: contract?.name, depth };
        pending = undefined;
      }
      depth++;
    } else if (token === '}') {
      depth--;
      if (open?.depth === depth) {
        const { depth: _, ...callable } = open;
        found.push({ ...callable, to: offset + 1 });
        open = undefined;
      }
      if (contract?.depth === depth) contract = undefined;
    } else if (token === '(') parentheses++;
    else if (token === ')') parentheses--;
    else if (token === ';' && parentheses === 0) pending = undefined;
    else if (kind !== 'word' || open) continue;
    else if (!isContractNamed) {
      contract = { name: token, depth };
      isContractNamed = true;
    } else if (pending && pending.name === '') pending.name = token;
    else if (CONTRACT_KEYWORDS.has(token) && !pending) isContractNamed = false;
    else if (CALLABLE_KEYWORDS.has(token) && !pending && parentheses === 0) {
      const isNamed = token === 'function' || token === 'modifier';
      pending = { kind: token as Callable['kind'], name: isNamed ? '' : token, from: offset };
    }
  }
  return found;
}
