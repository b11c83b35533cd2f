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
import { isSourceName } from './solidityTypes.ts';
import { createUseReader, tokenizeVyper, type VyperToken } from './tokens.ts';
import { findDecimalType } from './vyperVersion.ts';

/** Types with another name in the ABI: https://docs.vyperlang.org/en/latest/types.html */
const RENAMED_TYPES: ReadonlyMap<string, string> = new Map([
  ['String', 'string'],
  ['Bytes', 'bytes'],
  ['HashMap', 'mapping'],
  // Before 0.2.0: https://docs.vyperlang.org/en/v0.1.0-beta.16/types.html
  ['map', 'mapping'],
  ['timestamp', 'uint256'],
  ['timedelta', 'uint256'],
  ['wei_value', 'uint256'],
]);
/** Declarations and decorators that 0.4.0 has brought. */
const NEW_STATEMENTS: ReadonlySet<string> = new Set(['exports', 'flag', 'initializes', 'uses']);
/** What declares an event before 0.2.0; the first releases have `__log__`. */
const EVENT_CALLS: ReadonlySet<string> = new Set(['event', '__log__']);
/** Their length is not part of the ABI type. */
const UNBOUNDED_TYPES: ReadonlySet<string> = new Set(['String', 'Bytes', 'string', 'bytes']);

/** Reads the declarations of any Vyper source, valid or not, in one pass. */
export function createVyperParser(path: string, source: string): SourceParser {
  const stream = tokenizeVyper(source);
  const builder = createSourceBuilder('vyper');
  const isInterface = path.endsWith('.vyi');
  const name = getBaseName(path).replace(/\.vyi?$/, '');
  const modules: string[] = [];
  const exported: string[] = [];
  const file = builder.addContract({
    kind: isInterface ? 'interface' : 'contract',
    name,
    bases: modules,
    exports: exported,
    line: 1,
    offset: 0,
  });
  let decimal = findDecimalType(source);
  const lineOf = createLineCounter(source);
  const uses = createUseReader({ log: 'event', raise: 'error' }, (use) =>
    builder.addUse({ ...use, line: lineOf(use.offset), contract: file }),
  );
  let block: Block | undefined;
  /** The current line; undefined if it is too long to be a declaration. */
  let tokens: string[] | undefined = [];
  let length = 0;
  let place: SourcePlace = { line: 1, offset: 0 };
  let indent = 0;
  let isExternal = isInterface;
  let isView = false;

  function endBlock(): void {
    if (!block) return;
    const { kind, name, members, ...at } = block;
    if (kind === 'struct') builder.addType({ kind, name, members }, undefined);
    else if (kind === 'enum')
      builder.addType({ kind, name, members: members.map((member) => member.name) }, undefined);
    else builder.addItem({ kind, name, inputs: members, ...at }, file);
    block = undefined;
  }

  function takeBlockLine({ kind, name: ofBlock, members }: Block, line: readonly string[]): void {
    if (line[0] === 'pass' || line[0] === '.') return;
    const member = kind === 'enum' ? parseVyperMember(line) : parseVyperParameter(line);
    if (member && members.length < MAX_MEMBERS) members.push(member);
    else if (line[0]?.[0] !== '"') {
      // The bits of the members are then unknown, but not the type.
      if (kind === 'enum') builder.addType({ kind, name: ofBlock, members: [] }, undefined);
      block = undefined;
    }
  }

  function takeDeclaration(line: readonly string[]): void {
    const [first, second] = line;
    if (first === '@') {
      isExternal ||= second === 'external' || second === 'public';
      isView ||= second === 'view' || second === 'pure' || second === 'constant';
      if (second === 'deploy') decimal ??= 'int168';
      return;
    }
    if (NEW_STATEMENTS.has(first ?? '') && line.includes(':')) decimal ??= 'int168';
    if (line[2] === ':' && isSourceName(second)) {
      if (first === 'event' || first === 'error' || first === 'struct') {
        block = { kind: first, name: second, members: [], ...place };
      } else if (first === 'enum' || first === 'flag') {
        block = { kind: 'enum', name: second, members: [], ...place };
      } else if (first === 'interface' || first === 'contract') {
        builder.addContract({ kind: 'interface', name: second, bases: [], ...place });
      }
    } else if (first === 'contract' && isSourceName(second)) {
      builder.addContract({ kind: 'interface', name: second, bases: [], ...place });
    } else if ((first === 'exports' || first === 'initializes' || first === 'uses') && second === ':') {
      const names = parseModuleNames(line.slice(2));
      const isExport = first === 'exports';
      for (const each of names.slice(0, MAX_MEMBERS - modules.length)) {
        modules.push(isExport ? each.replace(/\.\w+$/, '') : each);
        if (isExport) exported.push(each);
      }
    } else if (second === ':' && EVENT_CALLS.has(line[2] ?? '') && isSourceName(first)) {
      decimal ??= 'fixed168x10';
      const item = parseEventCall(line, place);
      if (item) builder.addItem(item, file);
    } else if (first === 'import' || first === 'from') {
      for (const imported of parseVyperImports(line)) builder.addImport(imported);
    } else if (first === 'def' && isExternal) {
      // Since 0.4.0 a constructor is not external.
      if (second === '__init__') decimal ??= 'fixed168x10';
      for (const item of parseVyperFunctions(line, place))
        builder.addItem(isView ? { ...item, isView } : item, file);
    } else {
      const constant = parseVyperConstant(line);
      if (constant) builder.addType(constant, undefined);
      const getter = parseVyperGetter(line, place);
      if (getter) builder.addItem(getter, file);
    }
    isExternal = isInterface;
    isView = false;
  }

  function endLine(): void {
    const line = tokens ?? [];
    if (indent > 0 && block) takeBlockLine(block, line);
    else if (indent === 0 && line.length > 0) {
      endBlock();
      takeDeclaration(line);
    }
  }

  function take(token: VyperToken): void {
    if (token.indent !== undefined) {
      endLine();
      tokens = [];
      length = 0;
      indent = token.indent;
      place = indent === 0 ? { line: lineOf(token.offset), offset: token.offset } : place;
    }
    if (indent > 0 && !block) {
      uses.take(token);
      return;
    }
    tokens?.push(token.text);
    length += token.text.length + 1;
    if (length > MAX_SOURCE_DECLARATION_CHARS) tokens = undefined;
  }

  return {
    next() {
      const { done, value } = stream.next();
      if (value) take(value);
      return done !== true;
    },
    getFacts() {
      endLine();
      tokens = [];
      endBlock();
      return { ...builder.getFacts(), ...(decimal && { decimal }) };
    },
  };
}

/** A declaration with one member a line. */
interface Block extends SourcePlace {
  readonly kind: 'event' | 'error' | 'struct' | 'enum';
  readonly name: string;
  readonly members: SourceParameter[];
}

/** `base`, `base[other := other]`, `base.__interface__`, `(base.move, base.owner)` */
function parseModuleNames(tokens: readonly string[]): readonly string[] {
  return splitAtCommas(tokens[0] === '(' ? tokens.slice(1, -1) : tokens).flatMap((part) => {
    const bracket = part.indexOf('[');
    const name = part.slice(0, bracket < 0 ? undefined : bracket).join('');
    return /^[\w$]+(?:\.[\w$]+)*$/.test(name) ? [name] : [];
  });
}

/** An event of Vyper before 0.2.0: `Paid: event({by: indexed(address), amount: uint256(wei)})`. */
function parseEventCall(tokens: readonly string[], place: SourcePlace): SourceItem | undefined {
  const [name] = tokens;
  const [opening, brace] = tokens.slice(3);
  const [lastBrace, closing] = tokens.slice(-2);
  const isCall = opening === '(' && brace === '{' && lastBrace === '}' && closing === ')';
  if (!isSourceName(name) || !isCall) return undefined;
  const inputs = splitAtCommas(tokens.slice(5, -2)).map(parseVyperParameter);
  if (!inputs.every((input) => input !== undefined)) return undefined;
  return { kind: 'event', name, inputs, ...place };
}

/** `import a.b as c`, `from . import x`, `from ..a import (b as c, d)`: each name is a module. */
function parseVyperImports(tokens: readonly string[]): readonly SourceImport[] {
  const split = tokens[0] === 'from' ? tokens.indexOf('import') : 0;
  if (split < 0) return [];
  const from = tokens.slice(1, Math.max(split, 1)).join('');
  const prefix = from === '' || from.endsWith('.') ? from : `${from}.`;
  return splitAtCommas(tokens.slice(split + 1).filter((token) => token !== '(' && token !== ')')).flatMap(
    (part) => {
      const asIndex = part.indexOf('as');
      const path = part.slice(0, asIndex < 0 ? undefined : asIndex).join('');
      const as = asIndex < 0 ? path.slice(path.lastIndexOf('.') + 1) : part[asIndex + 1];
      return isSourceName(as) ? [{ path: prefix + path, as }] : [];
    },
  );
}

/** `COUNT: constant(uint256) = 4`, `COUNT: public(constant(uint256)) = 4` */
function parseVyperConstant(tokens: readonly string[]): SourceType | undefined {
  const [name, colon] = tokens;
  const equals = tokens.indexOf('=');
  if (!isSourceName(name) || colon !== ':' || !tokens.slice(2, equals).includes('constant')) return undefined;
  const value = tokens.slice(equals + 1).join('');
  return /^[\w$.+*-]{1,100}$/.test(value) ? { kind: 'constant', name, value } : undefined;
}

/**
 * The getter of `amounts: public(HashMap[address, uint256[3]])`: each key of a mapping and each index of a list is an
 * input. https://docs.vyperlang.org/en/stable/scoping-and-declarations.html#declaring-public-variables
 * Since 0.4.2 it may be `reentrant`, on either side of `public`.
 */
function parseVyperGetter(tokens: readonly string[], place: SourcePlace): SourceItem | undefined {
  const [name, colon, wrapper] = tokens;
  const access = wrapper === 'reentrant' ? 4 : 2;
  const close = tokens[access] === 'public' ? findClosing(tokens, access + 1) : undefined;
  if (!isSourceName(name) || colon !== ':' || close === undefined) return undefined;
  let declared = tokens.slice(access + 2, close);
  while (VARIABLE_KINDS.has(declared[0] ?? '') && declared[1] === '(') declared = declared.slice(2, -1);
  const inputs: SourceParameter[] = [];
  const type = readGetterType(declared, inputs);
  if (type === undefined || inputs.length > MAX_MEMBERS) return undefined;
  return { kind: 'function', name, inputs, outputs: [{ name: '', type }], isView: true, ...place };
}

const VARIABLE_KINDS: ReadonlySet<string> = new Set(['constant', 'immutable', 'reentrant', 'transient']);

/** The type that a getter returns, of a type as written; adds its keys and indexes to `inputs`. */
function readGetterType(tokens: readonly string[], inputs: SourceParameter[]): string | undefined {
  const [first] = tokens;
  if (inputs.length > MAX_MEMBERS) return undefined;
  if (first === 'HashMap' || first === 'map') {
    const [key, value = []] = splitAtCommas(tokens.slice(2, -1));
    const type = key && parseVyperType(key);
    if (type === undefined) return undefined;
    inputs.push({ name: '', type });
    return readGetterType(value, inputs);
  }
  const type = parseVyperType(tokens);
  const [item, ...indexes] = type?.split('[') ?? [];
  for (const _ of indexes) inputs.push({ name: '', type: 'uint256' });
  return item;
}

/**
 * `def deposit(assets: uint256, receiver: address = msg.sender) -> uint256:`. A function with defaults is several ABI
 * functions, as its last parameters may be omitted one by one.
 */
function parseVyperFunctions(tokens: readonly string[], place: SourcePlace): readonly SourceItem[] {
  const [, name, opening] = tokens;
  const close = findClosing(tokens, 2);
  if (!isSourceName(name) || opening !== '(' || name.startsWith('__') || close === undefined) return [];
  const parts = splitAtCommas(tokens.slice(3, close));
  const firstDefault = parts.findIndex((part) => part.includes('='));
  const inputs = parts.map((part) =>
    parseVyperParameter(part.slice(0, part.includes('=') ? part.indexOf('=') : undefined)),
  );
  const outputs = readOutputs(tokens.slice(close + 1));
  if (!outputs || !inputs.every((input) => input !== undefined)) return [];
  const requiredCount = firstDefault < 0 ? inputs.length : firstDefault;
  return Array.from({ length: inputs.length - requiredCount + 1 }, (_, more) => ({
    kind: 'function',
    name,
    inputs: inputs.slice(0, requiredCount + more),
    ...place,
    ...(outputs.length > 0 && { outputs }),
  }));
}

function readOutputs(tokens: readonly string[]): readonly SourceParameter[] | undefined {
  if (tokens[0] !== '-' || tokens[1] !== '>') return [];
  const type = tokens.slice(2, tokens.lastIndexOf(':'));
  const types = type[0] === '(' ? splitAtCommas(type.slice(1, -1)) : [type];
  const read = types.map(parseVyperType);
  return read.every((each) => each !== undefined)
    ? read.map((each) => ({ name: '', type: each }))
    : undefined;
}

/** Splits at commas outside of brackets. */
function splitAtCommas(tokens: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token === '(' || token === '[' || token === '{') depth++;
    else if (token === ')' || token === ']' || token === '}') depth--;
    if (token !== ',' || depth > 0) parts.at(-1)?.push(token);
    else if (parts.length < MAX_MEMBERS) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function findClosing(tokens: readonly string[], start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (tokens[at] === '(') depth++;
    else if (tokens[at] === ')' && --depth === 0) return at;
  }
  return undefined;
}

interface ParsedType {
  readonly type: string;
  readonly end: number;
}

/** A member of a flag; undefined if it is malformed. */
function parseVyperMember([name, ...others]: readonly string[]): SourceParameter | undefined {
  return isSourceName(name) && others.length === 0 ? { name, type: '' } : undefined;
}

/** `amount: uint256`, `sender: indexed(address)`; undefined if it is malformed. */
function parseVyperParameter(tokens: readonly string[]): SourceParameter | undefined {
  const [name, colon, first] = tokens;
  if (!isSourceName(name) || colon !== ':') return undefined;
  const indexed = first === 'indexed' && tokens[3] === '(' && tokens.at(-1) === ')';
  const type = parseVyperType(indexed ? tokens.slice(4, -1) : tokens.slice(2));
  return type === undefined ? undefined : { name, type, ...(indexed && { indexed }) };
}

/** A type in the form of {@link SourceParameter}: `DynArray[Order, 8]` is `Order[]`. Undefined if it is malformed. */
function parseVyperType(tokens: readonly string[]): string | undefined {
  const read = readType(tokens, 0, 0);
  return read?.end === tokens.length ? read.type : undefined;
}

function readType(tokens: readonly string[], start: number, depth: number): ParsedType | undefined {
  const first = tokens[start];
  if (!isSourceName(first) || depth > MAX_NESTING_DEPTH) return undefined;
  if (first === 'DynArray') return readDynArray(tokens, start, depth);
  let type = RENAMED_TYPES.get(first) ?? first;
  // Before 0.2.0 a unit may follow, `uint256(wei)`; a mapping was `map(address, uint256)`.
  let at = skipUnit(tokens, start + 1);
  while (tokens[at] === '.' && isSourceName(tokens[at + 1])) {
    type += `.${tokens[at + 1]}`;
    at += 2;
  }
  if (UNBOUNDED_TYPES.has(first) || first === 'HashMap') at = skipBrackets(tokens, at);
  return appendLengths(tokens, { type, end: at });
}

function readDynArray(tokens: readonly string[], start: number, depth: number): ParsedType | undefined {
  const item = tokens[start + 1] === '[' ? readType(tokens, start + 2, depth + 1) : undefined;
  if (!item || tokens[item.end] !== ',') return undefined;
  return appendLengths(tokens, { type: `${item.type}[]`, end: skipBrackets(tokens, start + 1) });
}

function appendLengths(tokens: readonly string[], { type, end }: ParsedType): ParsedType {
  let written = type;
  let at = end;
  while (tokens[at] === '[') {
    const close = skipBrackets(tokens, at);
    written += tokens.slice(at, close).join('');
    at = close;
  }
  return { type: written, end: at };
}

function skipUnit(tokens: readonly string[], start: number): number {
  return tokens[start] === '(' ? (findClosing(tokens, start) ?? tokens.length) + 1 : start;
}

function skipBrackets(tokens: readonly string[], start: number): number {
  if (tokens[start] !== '[') return start;
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (tokens[at] === '[') depth++;
    else if (tokens[at] === ']' && --depth === 0) return at + 1;
  }
  return tokens.length;
}
