import { getBaseName } from '../layout.ts';
import {
  createLineCounter,
  createSourceBuilder,
  MAX_MEMBERS,
  MAX_NESTING_DEPTH,
  MAX_SOURCE_DECLARATION_CHARS,
  type SourceImport,
  type SourceItem,
  type SourceParameter,
  type SourceParser,
  type SourcePlace,
  type SourceType,
} from './declarations.ts';
import { isSourceName } from './solidity.ts';
import { createUseReader, tokenizeVyper, type VyperToken } from './tokens.ts';

/** `import a.b as c`, `from . import x`, `from ..a import (b as c, d)`: each name is a module. */
function parseVyperImports(words: readonly string[]): readonly SourceImport[] {
  const split = words[0] === 'from' ? words.indexOf('import') : 0;
  if (split < 0) return [];
  const from = words.slice(1, Math.max(split, 1)).join('');
  const prefix = from === '' || from.endsWith('.') ? from : `${from}.`;
  return partsOf(words.slice(split + 1).filter((word) => word !== '(' && word !== ')')).flatMap((part) => {
    const renamed = part.indexOf('as');
    const path = part.slice(0, renamed < 0 ? undefined : renamed).join('');
    const as = renamed < 0 ? path.slice(path.lastIndexOf('.') + 1) : part[renamed + 1];
    return isSourceName(as) ? [{ path: prefix + path, as }] : [];
  });
}

/** `COUNT: constant(uint256) = 4`, `COUNT: public(constant(uint256)) = 4` */
function parseVyperConstant(words: readonly string[]): SourceType | undefined {
  const [name, colon] = words;
  const equals = words.indexOf('=');
  if (!isSourceName(name) || colon !== ':' || !words.slice(2, equals).includes('constant')) return undefined;
  const value = words.slice(equals + 1).join('');
  return /^[\w$.+*-]{1,100}$/.test(value) ? { kind: 'constant', name, value } : undefined;
}

/**
 * `def deposit(assets: uint256, receiver: address = msg.sender) -> uint256:`. One with defaults is several in the ABI,
 * as each of them may be left out from the right.
 */
function parseVyperFunctions(words: readonly string[], place: SourcePlace): readonly SourceItem[] {
  const [, name, opening] = words;
  const close = closingOf(words, 2);
  if (!isSourceName(name) || opening !== '(' || name.startsWith('__') || close === undefined) return [];
  const parts = partsOf(words.slice(3, close));
  const required = parts.findIndex((part) => part.includes('='));
  const inputs = parts.map((part) =>
    parseVyperParameter(part.slice(0, part.includes('=') ? part.indexOf('=') : undefined)),
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
  const read = types.map(parseVyperType);
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
    else if (parts.length < MAX_MEMBERS) parts.push([]);
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
function parseVyperParameter(words: readonly string[]): SourceParameter | undefined {
  const [name, colon, first] = words;
  if (!isSourceName(name) || colon !== ':') return undefined;
  const indexed = first === 'indexed' && words[3] === '(' && words.at(-1) === ')';
  const type = parseVyperType(indexed ? words.slice(4, -1) : words.slice(2));
  return type === undefined ? undefined : { name, type, ...(indexed && { indexed }) };
}

/** A type as {@link SourceParameter} has it: `DynArray[Order, 8]` is `Order[]`. Undefined where it is none. */
function parseVyperType(words: readonly string[]): string | undefined {
  const read = readType(words, 0, 0);
  return read?.end === words.length ? read.type : undefined;
}

function readType(words: readonly string[], start: number, depth: number): ReadType | undefined {
  const first = words[start];
  if (!isSourceName(first) || depth > MAX_NESTING_DEPTH) return undefined;
  if (first === 'DynArray') return readDynArray(words, start, depth);
  let type = renamed.get(first) ?? first;
  let at = start + 1;
  while (words[at] === '.' && isSourceName(words[at + 1])) {
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

/** A declaration with a line for each member. */
interface Block extends SourcePlace {
  readonly kind: 'event' | 'error' | 'struct';
  readonly name: string;
  readonly members: SourceParameter[];
}

/** Reads the declarations of a Vyper source, in one pass, whatever the source is. */
export function createVyperParser(path: string, source: string): SourceParser {
  const tokens = tokenizeVyper(source);
  const draft = createSourceBuilder('vyper');
  const isInterface = path.endsWith('.vyi');
  const name = getBaseName(path).replace(/\.vyi?$/, '');
  const file = draft.addContract({
    ...{ kind: isInterface ? 'interface' : 'contract', name, bases: [], line: 1, offset: 0 },
  });
  const lineOf = createLineCounter(source);
  const uses = createUseReader({ log: 'event', raise: 'error' }, (use) =>
    draft.addUse({ ...use, line: lineOf(use.offset), contract: file }),
  );
  let block: Block | undefined;
  /** The line so far; undefined where it is too long to be a declaration. */
  let words: string[] | undefined = [];
  let length = 0;
  let place: SourcePlace = { line: 1, offset: 0 };
  let indent = 0;
  let isExternal = isInterface;

  function endBlock(): void {
    if (!block) return;
    const { kind, name, members, ...at } = block;
    if (kind === 'struct') draft.addType({ kind, name, members }, undefined);
    else draft.addItem({ kind, name, inputs: members, ...at }, file);
    block = undefined;
  }

  function inBlock({ members }: Block, line: readonly string[]): void {
    if (line[0] === 'pass' || line[0] === '.') return;
    const member = parseVyperParameter(line);
    if (member && members.length < MAX_MEMBERS) members.push(member);
    else if (line[0]?.[0] !== '"') block = undefined;
  }

  function declaration(line: readonly string[]): void {
    const [first, second] = line;
    if (first === '@') {
      isExternal ||= second === 'external';
      return;
    }
    if (line[2] === ':' && isSourceName(second)) {
      if (first === 'event' || first === 'error' || first === 'struct') {
        block = { kind: first, name: second, members: [], ...place };
      } else if (first === 'enum' || first === 'flag') {
        draft.addType({ kind: 'enum', name: second }, undefined);
      } else if (first === 'interface') {
        draft.addContract({ kind: 'interface', name: second, bases: [], ...place });
      }
    } else if (first === 'import' || first === 'from') {
      for (const imported of parseVyperImports(line)) draft.addImport(imported);
    } else if (first === 'def' && isExternal) {
      for (const item of parseVyperFunctions(line, place)) draft.addItem(item, file);
    } else {
      const constant = parseVyperConstant(line);
      if (constant) draft.addType(constant, undefined);
    }
    isExternal = isInterface;
  }

  function endLine(): void {
    const line = words ?? [];
    if (indent > 0 && block) inBlock(block, line);
    else if (indent === 0 && line.length > 0) {
      endBlock();
      declaration(line);
    }
  }

  function take(token: VyperToken): void {
    if (token.indent !== undefined) {
      endLine();
      words = [];
      length = 0;
      indent = token.indent;
      place = indent === 0 ? { line: lineOf(token.offset), offset: token.offset } : place;
    }
    if (indent > 0 && !block) {
      uses.take(token);
      return;
    }
    words?.push(token.text);
    length += token.text.length + 1;
    if (length > MAX_SOURCE_DECLARATION_CHARS) words = undefined;
  }

  return {
    next() {
      const { done, value } = tokens.next();
      if (value) take(value);
      return done !== true;
    },
    getFacts() {
      endLine();
      words = [];
      endBlock();
      return draft.getFacts();
    },
  };
}
