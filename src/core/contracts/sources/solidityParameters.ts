import type { SourceParameter } from './sourceFacts.ts';

const NAME = /^[A-Za-z_$][\w$]*$/;
const LOCATIONS: ReadonlySet<string> = new Set(['memory', 'calldata', 'storage', 'payable']);

export const isName = (word: string | undefined): word is string => word !== undefined && NAME.test(word);

/**
 * Parameters between two parentheses; the first of `words` is the opening one.
 *
 * @returns also the position behind the closing parenthesis; undefined where they are not written right.
 */
export function readParameters(
  words: readonly string[],
): { readonly parameters: readonly SourceParameter[]; readonly end: number } | undefined {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const [index, word] of words.entries()) {
    if (word === '(' || word === '[') depth++;
    else if (word === ')' || word === ']') depth--;
    if (depth === 0) {
      const [only, ...others] = parts;
      const written = only?.length === 0 && others.length === 0 ? [] : parts;
      const parameters = written.map(readParameter);
      return parameters.every((parameter) => parameter !== undefined)
        ? { parameters, end: index + 1 }
        : undefined;
    }
    if (depth === 1 && word === ',') parts.push([]);
    else if (index > 0) parts.at(-1)?.push(word);
  }
  return undefined;
}

/** `uint256 indexed amount`, `Pool.Key[2] memory`; undefined where it is none. */
export function readParameter(words: readonly string[]): SourceParameter | undefined {
  const { type, end } = readType(words);
  if (type === '') return undefined;
  let indexed = false;
  let name = '';
  for (const word of words.slice(end)) {
    if (word === 'indexed') indexed = true;
    else if (isName(word) && name === '') name = LOCATIONS.has(word) ? '' : word;
    else return undefined;
  }
  return { name, type, ...(indexed && { indexed }) };
}

/** The type that `words` begin with, and the position behind it. */
function readType(words: readonly string[]): { readonly type: string; readonly end: number } {
  const [first] = words;
  if (first === 'mapping') return { type: first, end: behindGroup(words, 1) };
  if (first === 'function') return readFunctionType(words);
  if (!isName(first)) return { type: '', end: 0 };
  let type = first;
  let end = 1;
  while (words[end] === '.' && isName(words[end + 1])) {
    type += `.${words[end + 1]}`;
    end += 2;
  }
  if (type === 'address' && words[end] === 'payable') end++;
  return withDimensions(words, { type, end });
}

function withDimensions(
  words: readonly string[],
  { type, end }: { readonly type: string; readonly end: number },
): { readonly type: string; readonly end: number } {
  let written = type;
  let at = end;
  while (words[at] === '[') {
    const close = words.indexOf(']', at);
    if (close < 0) return { type: '', end: 0 };
    written += `${words.slice(at, close).join('')}]`;
    at = close + 1;
  }
  return { type: written, end: at };
}

const FUNCTION_WORDS: ReadonlySet<string> = new Set([
  'external',
  'internal',
  'public',
  'private',
  'pure',
  'view',
  'payable',
  'returns',
]);

/** `function (uint256) external returns (bool)`: only an external one is a value that others can be given. */
function readFunctionType(words: readonly string[]): { readonly type: string; readonly end: number } {
  let end = behindGroup(words, 1);
  const first = end;
  while (FUNCTION_WORDS.has(words[end] ?? '')) end = behindGroup(words, end + 1);
  const type = words.slice(first, end).includes('external') ? 'function' : 'function internal';
  return withDimensions(words, { type, end });
}

/** Behind the group in parentheses that begins at `start`; `start` where none does. */
function behindGroup(words: readonly string[], start: number): number {
  if (words[start] !== '(') return start;
  let depth = 0;
  for (let at = start; at < words.length; at++) {
    if (words[at] === '(') depth++;
    else if (words[at] === ')' && --depth === 0) return at + 1;
  }
  return words.length;
}
