import {
  createLineCounter,
  createSourceBuilder,
  MAX_MEMBERS,
  MAX_SOURCE_DECLARATION_CHARS,
  type SourceBuilder,
  type SourceContract,
  type SourceImport,
  type SourceItem,
  type SourceParameter,
  type SourceParser,
  type SourcePlace,
  type Within,
} from './declarations.ts';
import { createUseReader, type Token, tokenizeSolidity } from './tokens.ts';

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

const CONTRACT_KINDS: ReadonlyMap<string | undefined, SourceContract['kind']> = new Map([
  ['contract', 'contract'],
  ['interface', 'interface'],
  ['library', 'library'],
]);

/** Keywords that only begin declarations: anything still open before them is malformed, and ends. */
const DECLARATION_STARTS: ReadonlyMap<string, 'contract' | 'file'> = new Map([
  ['event', 'contract'],
  ['struct', 'contract'],
  ['enum', 'contract'],
  ['contract', 'file'],
  ['interface', 'file'],
  ['library', 'file'],
]);

/** Reads the declarations of any Solidity source, valid or not, in one pass. */
export function createSolidityParser(source: string): SourceParser {
  const stream = tokenizeSolidity(source);
  const builder = createSourceBuilder('solidity');
  const lineOf = createLineCounter(source);
  const uses = createUseReader({ emit: 'event', revert: 'error' }, (use) =>
    builder.addUse({ ...use, line: lineOf(use.offset), contract: within }),
  );
  /** The scope of the current token. */
  let within: Within;
  let inInterface = false;
  let struct: { readonly name: string; readonly members: SourceParameter[] } | undefined;
  let enumeration: { readonly name: string; readonly members: string[] } | undefined;
  let braces = 0;
  /** The current declaration; undefined if it is too long to be one. */
  let tokens: string[] | undefined = [];
  let length = 0;
  let offset = 0;
  let isAbstract = false;

  function beginDeclaration(): void {
    tokens = [];
    length = 0;
  }

  function leaveContract(): void {
    within = undefined;
    inInterface = false;
  }

  function getStatement(): Statement {
    return {
      tokens: tokens ?? [],
      place: { line: lineOf(offset), offset },
      within,
      inInterface,
    };
  }

  function append({ text, offset: at }: Token): void {
    if (!tokens) return;
    if (tokens.length === 0) offset = at;
    tokens.push(text);
    length += text.length + 1;
    if (length > MAX_SOURCE_DECLARATION_CHARS) tokens = undefined;
  }

  function openBrace(): void {
    const contract = within === undefined ? parseContract(getStatement(), isAbstract) : undefined;
    if (contract) {
      within = builder.addContract(contract);
      inInterface = contract.kind === 'interface';
    } else {
      braces = 1;
      const [kind, name = ''] = tokens ?? [];
      if (kind === 'struct') struct = { name, members: [] };
      else if (kind === 'enum') enumeration = { name, members: [] };
      else if (kind === 'function') addStatement(builder, getStatement());
    }
    beginDeclaration();
  }

  function closeStruct(): void {
    if (struct) builder.addType({ kind: 'struct', ...struct }, within);
    struct = undefined;
  }

  function takeInStruct(token: Token, members: SourceParameter[]): void {
    if (token.text === '}') {
      braces = 0;
      closeStruct();
      beginDeclaration();
    } else if (token.text === ';') {
      const member = tokens && parseSourceParameter(tokens);
      if (member && members.length < MAX_MEMBERS) members.push(member);
      else struct = undefined;
      beginDeclaration();
    } else append(token);
  }

  function takeInEnum({ kind, text }: Token, { name, members }: NonNullable<typeof enumeration>): void {
    if (text === '}') {
      braces = 0;
      builder.addType({ kind: 'enum', name, members }, within);
      enumeration = undefined;
      beginDeclaration();
    } else if (kind === 'word' && members.length < MAX_MEMBERS) members.push(text);
  }

  function takeInBody(token: Token): void {
    if (token.text === '{') braces++;
    else if (token.text === '}') braces--;
    uses.take(token);
  }

  function takeOutside(token: Token): void {
    const isImport = tokens?.[0] === 'import' || tokens?.[0] === 'using';
    if (token.text === ';') {
      if (tokens) addStatement(builder, getStatement());
      beginDeclaration();
    } else if (isImport || (token.text !== '{' && token.text !== '}')) append(token);
    else if (token.text === '{') openBrace();
    else {
      leaveContract();
      beginDeclaration();
    }
  }

  let previous = '';
  function take(token: Token): void {
    const level = token.kind === 'word' ? DECLARATION_STARTS.get(token.text) : undefined;
    if (level) {
      beginDeclaration();
      braces = 0;
      struct = undefined;
      enumeration = undefined;
      if (level === 'file') leaveContract();
      isAbstract = previous === 'abstract';
    }
    previous = token.text;
    if (struct) takeInStruct(token, struct.members);
    else if (enumeration) takeInEnum(token, enumeration);
    else if (braces > 0) takeInBody(token);
    else takeOutside(token);
  }

  return {
    next() {
      const { done, value } = stream.next();
      if (value) take(value);
      return done !== true;
    },
    getFacts: () => builder.getFacts(),
  };
}

/** The tokens of a declaration, without its semicolon or brace, and its scope. */
interface Statement {
  readonly tokens: readonly string[];
  readonly place: SourcePlace;
  readonly within: Within;
  /** Whether it is in an interface, whose functions are all external. */
  readonly inInterface: boolean;
}

/** `contract Vault is ERC4626, Ownable(msg.sender)`, without `abstract`. */
function parseContract(
  { tokens, place }: Statement,
  isAbstract: boolean,
): Omit<SourceContract, 'types' | 'items'> | undefined {
  const kind = CONTRACT_KINDS.get(tokens[0]);
  const name = tokens[1];
  if (!kind || !isSourceName(name)) return undefined;
  return { kind: isAbstract ? 'abstract' : kind, name, bases: parseBases(tokens), ...place };
}

/** The names after `is`, without constructor arguments. */
function parseBases(tokens: readonly string[]): readonly string[] {
  if (tokens[2] !== 'is') return [];
  const bases: string[] = [];
  let depth = 0;
  let base = '';
  for (const token of [...tokens.slice(3), ',']) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth > 0) continue;
    else if (token === 'layout') break;
    else if (token !== ',') base += token;
    else if (base !== '') {
      if (bases.length < MAX_MEMBERS) bases.push(base);
      base = '';
    }
  }
  return base === '' ? bases : [...bases, base];
}

function addStatement(builder: SourceBuilder, statement: Statement): void {
  const { tokens, within } = statement;
  const [first, name, third] = tokens;
  if (first === 'event' || first === 'error' || first === 'function') {
    const item = readItem(statement, first);
    if (item) builder.addItem(item, within);
  } else if (first === 'import') {
    const imported = readImport(tokens);
    if (imported) builder.addImport(imported);
  } else if (first === 'type' && isSourceName(name) && third === 'is') {
    builder.addType({ kind: 'alias', name, type: tokens.slice(3).join('') }, within);
  } else {
    addConstant(builder, statement);
  }
}

function readItem(
  { tokens, place, inInterface }: Statement,
  kind: SourceItem['kind'],
): SourceItem | undefined {
  const name = tokens[1];
  const read = tokens[2] === '(' ? parseSourceParameters(tokens.slice(2)) : undefined;
  if (!isSourceName(name) || !read) return undefined;
  const rest = tokens.slice(2 + read.end);
  const item = { kind, name, inputs: read.parameters, ...place };
  if (kind === 'event' && rest[0] === 'anonymous') return { ...item, anonymous: true };
  if (kind !== 'function') return rest.length === 0 ? item : undefined;
  if (!inInterface && !rest.includes('external') && !rest.includes('public')) return undefined;
  const returns = rest.indexOf('returns');
  const outputs = returns < 0 ? undefined : parseSourceParameters(rest.slice(returns + 1));
  return outputs ? { ...item, outputs: outputs.parameters } : item;
}

/** `uint256 constant COUNT = 4` */
function addConstant(builder: SourceBuilder, { tokens, within }: Statement): void {
  const equals = tokens.indexOf('=');
  const name = tokens[equals - 1];
  if (equals < 0 || !isSourceName(name) || !tokens.slice(0, equals).includes('constant')) return;
  const value = tokens.slice(equals + 1).join('');
  if (/^[\w$.+*-]{1,100}$/.test(value)) builder.addType({ kind: 'constant', name, value }, within);
}

/** All forms of https://docs.soliditylang.org/en/latest/layout-of-source-files.html#importing-other-source-files */
function readImport(tokens: readonly string[]): SourceImport | undefined {
  const [, first] = tokens;
  if (first === '{') {
    const close = tokens.indexOf('}');
    const path = tokens[close + 1] === 'from' ? parsePath(tokens[close + 2]) : undefined;
    return path === undefined ? undefined : { path, names: parseImportNames(tokens.slice(2, close)) };
  }
  const path = parsePath(first === '*' ? tokens[5] : first);
  const as = tokens[3];
  if (path === undefined) return undefined;
  return tokens.includes('as') && isSourceName(as) ? { path, as } : { path };
}

/** `A as B, C` */
function parseImportNames(tokens: readonly string[]): NonNullable<SourceImport['names']> {
  const names: (readonly [string, string])[] = [];
  for (const [index, name] of tokens.entries()) {
    const starts = index === 0 || tokens[index - 1] === ',';
    if (!starts || !isSourceName(name) || names.length === MAX_MEMBERS) continue;
    const as = tokens[index + 1] === 'as' ? tokens[index + 2] : undefined;
    names.push([name, isSourceName(as) ? as : name]);
  }
  return names;
}

/** The content of a string literal. Paths never have escapes. */
function parsePath(literal: string | undefined): string | undefined {
  return /^(["'])([^\\]{1,1000})\1$/.exec(literal ?? '')?.[2];
}

/**
 * Parses parameters in parentheses; the first token is the opening one.
 *
 * @returns the parameters and the index after the closing parenthesis; undefined if they are malformed.
 */
function parseSourceParameters(
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
function parseSourceParameter(tokens: readonly string[]): SourceParameter | undefined {
  const { type, end } = readType(tokens);
  if (type === '') return undefined;
  let indexed = false;
  let name = '';
  for (const token of tokens.slice(end)) {
    if (token === 'indexed') indexed = true;
    else if (isSourceName(token) && name === '') name = DATA_LOCATIONS.has(token) ? '' : token;
    else return undefined;
  }
  return { name, type, ...(indexed && { indexed }) };
}

/** Reads the type that the tokens begin with, and the index after it. */
function readType(tokens: readonly string[]): { readonly type: string; readonly end: number } {
  const [first] = tokens;
  if (first === 'mapping') return { type: first, end: skipGroup(tokens, 1) };
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
function skipGroup(tokens: readonly string[], start: number): number {
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
