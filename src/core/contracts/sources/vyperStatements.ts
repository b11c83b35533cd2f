import { MOST_MEMBERS } from './limits.ts';
import { isName } from './solidityParameters.ts';
import type { SourceImport, SourceItem, SourceParameter, SourcePlace, SourceType } from './sourceFacts.ts';
import { readVyperParameter, readVyperType } from './vyperTypes.ts';

/** `import a.b as c`, `from . import x`, `from ..a import (b as c, d)`: each name is a module. */
export function readVyperImports(words: readonly string[]): readonly SourceImport[] {
  const split = words[0] === 'from' ? words.indexOf('import') : 0;
  if (split < 0) return [];
  const from = words.slice(1, Math.max(split, 1)).join('');
  const prefix = from === '' || from.endsWith('.') ? from : `${from}.`;
  return partsOf(words.slice(split + 1).filter((word) => word !== '(' && word !== ')')).flatMap((part) => {
    const renamed = part.indexOf('as');
    const path = part.slice(0, renamed < 0 ? undefined : renamed).join('');
    const as = renamed < 0 ? path.slice(path.lastIndexOf('.') + 1) : part[renamed + 1];
    return isName(as) ? [{ path: prefix + path, as }] : [];
  });
}

/** `COUNT: constant(uint256) = 4`, `COUNT: public(constant(uint256)) = 4` */
export function readVyperConstant(words: readonly string[]): SourceType | undefined {
  const [name, colon] = words;
  const equals = words.indexOf('=');
  if (!isName(name) || colon !== ':' || !words.slice(2, equals).includes('constant')) return undefined;
  const value = words.slice(equals + 1).join('');
  return /^[\w$.+*-]{1,100}$/.test(value) ? { kind: 'constant', name, value } : undefined;
}

/**
 * `def deposit(assets: uint256, receiver: address = msg.sender) -> uint256:`. One with defaults is several in the ABI,
 * as each of them may be left out from the right.
 */
export function readVyperFunctions(words: readonly string[], place: SourcePlace): readonly SourceItem[] {
  const [, name, opening] = words;
  const close = closingOf(words, 2);
  if (!isName(name) || opening !== '(' || name.startsWith('__') || close === undefined) return [];
  const parts = partsOf(words.slice(3, close));
  const required = parts.findIndex((part) => part.includes('='));
  const inputs = parts.map((part) =>
    readVyperParameter(part.slice(0, part.includes('=') ? part.indexOf('=') : undefined)),
  );
  const outputs = readOutputs(words.slice(close + 1));
  if (!outputs || !inputs.every((input) => input !== undefined)) return [];
  const shortest = required < 0 ? inputs.length : required;
  return Array.from({ length: inputs.length - shortest + 1 }, (_, more) => ({
    ...{ kind: 'function', name, inputs: inputs.slice(0, shortest + more), ...place },
    ...(outputs.length > 0 && { outputs }),
  }));
}

function readOutputs(words: readonly string[]): readonly SourceParameter[] | undefined {
  if (words[0] !== '-' || words[1] !== '>') return [];
  const type = words.slice(2, words.lastIndexOf(':'));
  const types = type[0] === '(' ? partsOf(type.slice(1, -1)) : [type];
  const read = types.map(readVyperType);
  return read.every((each) => each !== undefined)
    ? read.map((each) => ({ name: '', type: each }))
    : undefined;
}

/** What stands between the commas that are in no bracket. */
function partsOf(words: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const word of words) {
    if (word === '(' || word === '[') depth++;
    else if (word === ')' || word === ']') depth--;
    if (word !== ',' || depth > 0) parts.at(-1)?.push(word);
    else if (parts.length < MOST_MEMBERS) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function closingOf(words: readonly string[], start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < words.length; at++) {
    if (words[at] === '(') depth++;
    else if (words[at] === ')' && --depth === 0) return at;
  }
  return undefined;
}
