import { DEEPEST_NESTING } from './limits.ts';
import { isName } from './solidityParameters.ts';
import type { SourceParameter } from './sourceFacts.ts';

/** Types that have another name in the ABI: https://docs.vyperlang.org/en/latest/types.html */
const renamed: ReadonlyMap<string, string> = new Map([
  ['String', 'string'],
  ['Bytes', 'bytes'],
  ['HashMap', 'mapping'],
  ['decimal', 'int168'],
]);
/** Of a length that is not part of the type in the ABI. */
const unbounded: ReadonlySet<string> = new Set(['String', 'Bytes', 'string', 'bytes']);

interface ReadType {
  readonly type: string;
  readonly end: number;
}

/** `amount: uint256`, `sender: indexed(address)`; undefined where it is none. */
export function readVyperParameter(words: readonly string[]): SourceParameter | undefined {
  const [name, colon, first] = words;
  if (!isName(name) || colon !== ':') return undefined;
  const indexed = first === 'indexed' && words[3] === '(' && words.at(-1) === ')';
  const type = readVyperType(indexed ? words.slice(4, -1) : words.slice(2));
  return type === undefined ? undefined : { name, type, ...(indexed && { indexed }) };
}

/** A type as {@link SourceParameter} has it: `DynArray[Order, 8]` is `Order[]`. Undefined where it is none. */
export function readVyperType(words: readonly string[]): string | undefined {
  const read = readType(words, 0, 0);
  return read?.end === words.length ? read.type : undefined;
}

function readType(words: readonly string[], start: number, depth: number): ReadType | undefined {
  const first = words[start];
  if (!isName(first) || depth > DEEPEST_NESTING) return undefined;
  if (first === 'DynArray') return readDynArray(words, start, depth);
  let type = renamed.get(first) ?? first;
  let at = start + 1;
  while (words[at] === '.' && isName(words[at + 1])) {
    type += `.${words[at + 1]}`;
    at += 2;
  }
  if (unbounded.has(first) || first === 'HashMap') at = behindBrackets(words, at);
  return withLengths(words, { type, end: at });
}

function readDynArray(words: readonly string[], start: number, depth: number): ReadType | undefined {
  const item = words[start + 1] === '[' ? readType(words, start + 2, depth + 1) : undefined;
  if (!item || words[item.end] !== ',') return undefined;
  return withLengths(words, { type: `${item.type}[]`, end: behindBrackets(words, start + 1) });
}

function withLengths(words: readonly string[], { type, end }: ReadType): ReadType {
  let written = type;
  let at = end;
  while (words[at] === '[') {
    const behind = behindBrackets(words, at);
    written += words.slice(at, behind).join('');
    at = behind;
  }
  return { type: written, end: at };
}

function behindBrackets(words: readonly string[], start: number): number {
  if (words[start] !== '[') return start;
  let depth = 0;
  for (let at = start; at < words.length; at++) {
    if (words[at] === '[') depth++;
    else if (words[at] === ']' && --depth === 0) return at + 1;
  }
  return words.length;
}
