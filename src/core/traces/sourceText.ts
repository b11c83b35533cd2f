import type { SliceOptions } from '../base/timeSlices.ts';
import { countUpTo } from '../base/values.ts';
import { tokenizeSolidity } from '../project/source/tokens.ts';
import type { BuiltSource } from './readBuilds.ts';

/** A source with its positions: those of a compiler are bytes of UTF-8. */
export interface SourceText {
  readonly source: BuiltSource;
  /** Whether a range is in the source. */
  has(start: number, length: number): boolean;
  /** The text of a range, at most {@link MAX_TEXT_BYTES} of it; undefined outside of the source. */
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

/** A statement or expression that is longer is cut: a range of a map can be the whole source. */
export const MAX_TEXT_BYTES = 4 * 1024;

/**
 * Opens a source for positions of a compiler: reads its lines and functions once, so that each position costs a binary
 * search.
 *
 * @throws the reason of the signal when it aborts.
 * @example
 * const source = await openSource({ path: 'A.sol', text: '/* ü *\/ contract A {}', isCurrent: true }, { slices });
 * source.slice(9, 8); // 'contract'
 */
export async function openSource(source: BuiltSource, options: SliceOptions): Promise<SourceText> {
  const bytes = encoder.encode(source.text);
  const decoder = new TextDecoder();
  const callables = toBytes(source.text, await listCallables(source.text, options));
  const lines: number[] = [0];
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    lines.push(at + 1);
    if (options.slices.isOver()) await options.slices.rest(options);
  }
  const lineAt = (start: number) =>
    Math.max(
      1,
      countUpTo(lines, start, (line) => line),
    );
  const has = (start: number, length: number) => start >= 0 && length >= 0 && start + length <= bytes.length;
  return {
    ...{ source, has, lineAt },
    slice(start, length) {
      if (!has(start, length)) return undefined;
      return decoder.decode(bytes.subarray(start, start + Math.min(length, MAX_TEXT_BYTES)));
    },
    callableAt(start) {
      const found = callables[countUpTo(callables, start, ({ from }) => from) - 1];
      if (!found || start >= found.to) return undefined;
      const { from, to: _, ...callable } = found;
      return { ...callable, line: lineAt(from) };
    },
  };
}

const encoder = new TextEncoder();

/** Offsets in the text as offsets in UTF-8. The callables follow one another, none is inside of another. */
function toBytes(text: string, callables: readonly PlacedCallable[]): readonly PlacedCallable[] {
  let chars = 0;
  let bytes = 0;
  const toByte = (offset: number) => {
    bytes += encoder.encode(text.slice(chars, offset)).length;
    chars = offset;
    return bytes;
  };
  return callables.map((callable) => ({ ...callable, from: toByte(callable.from), to: toByte(callable.to) }));
}

const LINE_FEED = 0x0a;
const CONTRACT_KEYWORDS: ReadonlySet<string> = new Set(['contract', 'library', 'interface']);
const CALLABLE_KEYWORDS: ReadonlySet<string> = new Set([
  ...['function', 'modifier', 'constructor', 'fallback', 'receive'],
]);

/**
 * The functions, modifiers and constructors with a body, by their offsets in the text, in its order.
 *
 * @throws the reason of the signal when it aborts.
 * @example (await listCallables('function f() {}', { slices })).length // 1
 */
export async function listCallables(
  text: string,
  { slices, signal }: SliceOptions,
): Promise<readonly PlacedCallable[]> {
  const found: PlacedCallable[] = [];
  let contract: { readonly name: string; readonly depth: number } | undefined;
  let pending: { kind: Callable['kind']; name: string; from: number } | undefined;
  let open: (Omit<PlacedCallable, 'to'> & { readonly depth: number }) | undefined;
  let isContractNamed = true;
  let depth = 0;
  let parentheses = 0;
  for (const { kind, text: token, offset } of tokenizeSolidity(text)) {
    if (slices.isOver()) await slices.rest({ signal });
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
