import type { SourceParameter } from './declarations.ts';

const NAME = /^[A-Za-z_$][\w$]*$/;
const DATA_LOCATIONS: ReadonlySet<string> = new Set(['memory', 'calldata', 'storage', 'payable']);

const FUNCTION_MODIFIERS: ReadonlySet<string> = new Set([
  'external',
  'internal',
  'public',
  'private',
  'pure',
  'view',
  'payable',
  'returns',
]);

/**
 * Parses parameters in parentheses; the first token is the opening one.
 *
 * @returns the parameters and the index after the closing parenthesis; undefined if they are malformed.
 */
export function parseSourceParameters(
  tokens: readonly string[],
): { readonly parameters: readonly SourceParameter[]; readonly end: number } | undefined {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token === '(' || token === '[') depth++;
    else if (token === ')' || token === ']') depth--;
    if (depth === 0) {
      const [only, ...others] = parts;
      const written = only?.length === 0 && others.length === 0 ? [] : parts;
      const parameters = written.map(parseSourceParameter);
      return parameters.every((parameter) => parameter !== undefined)
        ? { parameters, end: index + 1 }
        : undefined;
    }
    if (depth === 1 && token === ',') parts.push([]);
    else if (index > 0) parts.at(-1)?.push(token);
  }
  return undefined;
}

/** `uint256 indexed amount`, `Pool.Key[2] memory`; undefined if it is malformed. */
export function parseSourceParameter(tokens: readonly string[]): SourceParameter | undefined {
  const { type, end } = readType(tokens);
  if (type === '') return undefined;
  let indexed = false;
  let isStorage = false;
  let name = '';
  for (const token of tokens.slice(end)) {
    if (token === 'storage') isStorage = true;
    if (token === 'indexed') indexed = true;
    else if (isSourceName(token) && name === '') name = DATA_LOCATIONS.has(token) ? '' : token;
    else return undefined;
  }
  const written = isStorage && type.startsWith('mapping') ? readStoredType(tokens.slice(0, end)) : type;
  return { name, type: written, ...(indexed && { indexed }), ...(isStorage && { isStorage }) };
}

/** Reads the type that the tokens begin with, and the index after it. */
export function readType(tokens: readonly string[]): { readonly type: string; readonly end: number } {
  const [first] = tokens;
  if (first === 'mapping') return appendDimensions(tokens, { type: first, end: skipGroup(tokens, 1) });
  if (first === 'function') return readFunctionType(tokens);
  if (!isSourceName(first)) return { type: '', end: 0 };
  let type = first;
  let end = 1;
  while (tokens[end] === '.' && isSourceName(tokens[end + 1])) {
    type += `.${tokens[end + 1]}`;
    end += 2;
  }
  if (type === 'address' && tokens[end] === 'payable') end++;
  return appendDimensions(tokens, { type, end });
}

/** A type with the keys and values of mappings, without their names: `mapping(uint=>S[])[2]`. */
function readStoredType(tokens: readonly string[]): string {
  if (tokens[0] !== 'mapping') return readType(tokens).type;
  const end = skipGroup(tokens, 1);
  const group = tokens.slice(2, end - 1);
  const arrow = group.findIndex((token, at) => token === '=' && group[at + 1] === '>');
  const value = readStoredType(group.slice(arrow + 2));
  return appendDimensions(tokens, { type: `mapping(${readType(group).type}=>${value})`, end }).type;
}

function appendDimensions(
  tokens: readonly string[],
  { type, end }: { readonly type: string; readonly end: number },
): { readonly type: string; readonly end: number } {
  let written = type;
  let at = end;
  while (tokens[at] === '[') {
    const close = tokens.indexOf(']', at);
    if (close < 0) return { type: '', end: 0 };
    written += `${tokens.slice(at, close).join('')}]`;
    at = close + 1;
  }
  return { type: written, end: at };
}

/** `function (uint256) external returns (bool)`: only an external function type is an ABI type. */
function readFunctionType(tokens: readonly string[]): { readonly type: string; readonly end: number } {
  let end = skipGroup(tokens, 1);
  const first = end;
  while (FUNCTION_MODIFIERS.has(tokens[end] ?? '')) end = skipGroup(tokens, end + 1);
  const type = tokens.slice(first, end).includes('external') ? 'function' : 'function internal';
  return appendDimensions(tokens, { type, end });
}

/** The index after the group in parentheses that begins at `start`; `start` if none does. */
export function skipGroup(tokens: readonly string[], start: number): number {
  if (tokens[start] !== '(') return start;
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (tokens[at] === '(') depth++;
    else if (tokens[at] === ')' && --depth === 0) return at + 1;
  }
  return tokens.length;
}

export const isSourceName = (token: string | undefined): token is string =>
  token !== undefined && NAME.test(token);
