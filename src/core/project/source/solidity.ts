import { pushAll } from '../../base/values.ts';
import { createCallReader, takeHead } from './callReader.ts';
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
  type SourceUsing,
  type Within,
} from './declarations.ts';
import {
  isSourceName,
  parseSourceParameter,
  parseSourceParameters,
  readType,
  skipGroup,
} from './solidityTypes.ts';
import { addNamedUnits, addUnit, readUnits, type SourceUnit } from './sourceUnits.ts';
import { createUseReader, type Token, tokenizeSolidity } from './tokens.ts';

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
  const stream = tokenizeSolidity(source, (start, end) => {
    if (tokens?.length === 0 && (braces === 0 || struct)) pushAll(units, readUnits(source, start, end));
  });
  const builder = createSourceBuilder('solidity');
  const lineOf = createLineCounter(source);
  const uses = createUseReader({ emit: 'event', revert: 'error' }, (use) =>
    builder.addUse({
      ...{ ...use, line: lineOf(use.offset), contract: within },
      ...(body !== '' && { function: body }),
    }),
  );
  const calls = createCallReader();
  /** The scope of the current token. */
  let within: Within;
  let inInterface = false;
  let contractName = '';
  /** Whether functions are told apart: in a library, or outside of contracts. */
  let areApart = true;
  /** The name of the function that the current body is of; empty if it is not told apart. */
  let body = '';
  let struct: { readonly name: string; readonly members: SourceParameter[] } | undefined;
  let enumeration: { readonly name: string; readonly members: string[] } | undefined;
  let braces = 0;
  /** The current declaration; undefined if it is too long to be one. */
  let tokens: string[] | undefined = [];
  /** Of the doc comment before it. */
  let units: SourceUnit[] = [];
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
    areApart = true;
  }

  function getStatement(): Statement {
    return {
      tokens: tokens ?? [],
      place: { line: lineOf(offset), offset },
      ...{ within, inInterface, contractName, units },
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
      contractName = contract.name;
      areApart = contract.kind === 'library';
    } else {
      braces = 1;
      const [kind, name = ''] = tokens ?? [];
      beginBody(kind, name);
      if (kind === 'struct') struct = { name, members: [] };
      else if (kind === 'enum') enumeration = { name, members: [] };
      else if (kind === 'function' || tokens?.includes('=')) addStatement(builder, getStatement());
    }
    beginDeclaration();
  }

  function beginBody(kind: string | undefined, name: string): void {
    body = areApart && (kind === 'function' || kind === 'modifier') && isSourceName(name) ? name : '';
    calls.takeNames();
    const head = tokens?.slice(skipGroup(tokens, tokens.indexOf('('))) ?? [];
    const returns = head.indexOf('returns');
    if (kind === 'function' || kind === 'constructor')
      takeHead(returns < 0 ? head : head.slice(0, returns), calls);
  }

  /** What the value of a variable calls. */
  function takeValue(): void {
    const equals = within === undefined || areApart ? -1 : (tokens?.indexOf('=') ?? -1);
    if (!tokens || equals < 0) return;
    takeHead(tokens.slice(equals), calls);
    endBody();
  }

  function endBody(): void {
    const names = calls.takeNames();
    if (body !== '' || names.length > 0) builder.addFunction({ name: body, calls: names }, within);
    body = '';
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
      const member = tokens && addUnit(parseSourceParameter(tokens), units);
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
    calls.take(token);
    if (braces === 0) endBody();
  }

  function takeOutside(token: Token): void {
    const isImport = tokens?.[0] === 'import' || tokens?.[0] === 'using';
    if (token.text === ';') {
      if (tokens) addStatement(builder, getStatement());
      takeValue();
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
      if (braces > 0 && !struct && !enumeration) endBody();
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
    if (units.length > 0 && (token.text === ';' || token.text === '{' || token.text === '}')) units = [];
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
  /** Of the contract that it is in. */
  readonly contractName: string;
  readonly units: readonly SourceUnit[];
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

/** The names after `is`, without constructor arguments; `layout at …` may come before or after them. */
function parseBases(tokens: readonly string[]): readonly string[] {
  const is = tokens.indexOf('is', 2);
  if (is < 0) return [];
  const bases: string[] = [];
  let depth = 0;
  let base = '';
  const list = [...tokens.slice(is + 1), ','];
  for (const [index, token] of list.entries()) {
    if (token === '(' || token === '{') depth++;
    else if (token === ')' || token === '}') depth--;
    else if (depth > 0) continue;
    else if (token === 'layout' && list[index + 1] === 'at') break;
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
  // A variable may have the type of a function, which has no name.
  if (first === 'event' || first === 'error' || (first === 'function' && name !== '(')) {
    const item = readItem(statement, first);
    if (item) builder.addItem(item, within);
  } else if (first === 'import') {
    const imported = readImport(tokens);
    if (imported) builder.addImport(imported);
  } else if (first === 'using') {
    const using = readUsing(tokens);
    if (using) builder.addUsing(using, within);
  } else if (first === 'type' && isSourceName(name) && third === 'is') {
    builder.addType({ kind: 'alias', name, type: tokens.slice(3).join('') }, within);
  } else {
    addConstant(builder, statement);
    const getter = readGetter(statement);
    if (getter) builder.addItem(getter, within);
  }
}

const VISIBILITIES: ReadonlySet<string> = new Set(['external', 'public', 'internal', 'private']);

function readItem(
  { tokens, place, within, inInterface, contractName, units }: Statement,
  kind: SourceItem['kind'],
): SourceItem | undefined {
  const name = tokens[1];
  const read = tokens[2] === '(' ? parseSourceParameters(tokens.slice(2)) : undefined;
  if (!isSourceName(name) || !read) return undefined;
  const rest = tokens.slice(2 + read.end);
  const item = { kind, name, inputs: addNamedUnits(read.parameters, units), ...place };
  if (kind === 'event' && rest[0] === 'anonymous') return { ...item, anonymous: true };
  if (kind !== 'function') return rest.length === 0 ? item : undefined;
  const returns = rest.indexOf('returns');
  // A function that it returns has a visibility and `view` of its own.
  const head = returns < 0 ? rest : rest.slice(0, returns);
  const visibility = head.find((token) => VISIBILITIES.has(token));
  const isOldConstructor = visibility !== 'external' && name === contractName;
  if (!inInterface && (within === undefined || isOldConstructor)) return undefined;
  // Without one it is public, as before Solidity 0.5.
  if (!inInterface && (visibility === 'internal' || visibility === 'private')) return undefined;
  const isView = head.some((token) => token === 'view' || token === 'pure' || token === 'constant');
  const viewed: SourceItem = isView ? { ...item, isView } : item;
  const outputs = returns < 0 ? undefined : parseSourceParameters(rest.slice(returns + 1));
  if (!outputs) return viewed;
  const named = addNamedUnits(outputs.parameters, units);
  const only = named.length === 1 ? addUnit(named[0], units) : undefined;
  return { ...viewed, outputs: only ? [only] : named };
}

/**
 * The getter of a public variable, `mapping(address => uint256[]) public amounts`: each key of a mapping and each index
 * of an array is an input. https://docs.soliditylang.org/en/latest/contracts.html#getter-functions
 */
function readGetter({ tokens, place, within, units }: Statement): SourceItem | undefined {
  const equals = tokens.indexOf('=', skipGroup(tokens, 1));
  const declared = equals < 0 ? tokens : tokens.slice(0, equals);
  const name = declared.at(-1);
  if (within === undefined || !declared.slice(0, -1).includes('public') || !isSourceName(name))
    return undefined;
  const { end } = readType(declared);
  // A function without a name has no variable.
  if (end === declared.length) return undefined;
  const inputs: SourceParameter[] = [];
  const output = addUnit(readGetterOutput(declared.slice(0, end), inputs), units);
  if (!output || inputs.length > MAX_MEMBERS) return undefined;
  return { kind: 'function', name, inputs, outputs: [output], isView: true, isGetter: true, ...place };
}

/** What a getter returns, of a type as written and the name of a mapping's values; adds its keys and indexes to `inputs`. */
function readGetterOutput(tokens: readonly string[], inputs: SourceParameter[]): SourceParameter | undefined {
  const { type, end } = readType(tokens);
  const [item = '', ...indexes] = type.split('[');
  for (const _ of indexes) inputs.push({ name: '', type: 'uint256' });
  const name = tokens[end];
  if (item !== 'mapping')
    return item === '' ? undefined : { name: isSourceName(name) ? name : '', type: item };
  const group = tokens.slice(2, skipGroup(tokens, 1) - 1);
  const arrow = group.findIndex((token, at) => token === '=' && group[at + 1] === '>');
  const key = arrow < 0 ? undefined : parseSourceParameter(group.slice(0, arrow));
  if (!key) return undefined;
  inputs.push(key);
  return readGetterOutput(group.slice(arrow + 2), inputs);
}

/** `uint256 constant COUNT = 4` */
function addConstant(builder: SourceBuilder, { tokens, within }: Statement): void {
  const equals = tokens.indexOf('=');
  const name = tokens[equals - 1];
  if (equals < 0 || !isSourceName(name) || !tokens.slice(0, equals).includes('constant')) return;
  const value = tokens.slice(equals + 1).join('');
  if (/^[\w$.+*/%&|^~<>()-]{1,100}$/.test(value)) builder.addType({ kind: 'constant', name, value }, within);
}

/** `using L for T`, `using {f, L.g, add as +} for T global` */
function readUsing(tokens: readonly string[]): SourceUsing | undefined {
  const end = tokens.indexOf('for');
  if (end < 0) return undefined;
  const names: string[] = [];
  const operators: (readonly [string, string])[] = [];
  const list = tokens.slice(1, end).filter((token) => token !== '{' && token !== '}');
  for (const part of list.join(' ').split(',').slice(0, MAX_MEMBERS)) {
    const [name = '', operator] = part
      .replaceAll(/ ?\. ?/g, '.')
      .trim()
      .split(' as ');
    if (!name.split('.').every(isSourceName)) continue;
    if (operator === undefined) names.push(name);
    else operators.push([operator[0] ?? '', name]);
  }
  return {
    names,
    ...(operators.length > 0 && { operators }),
    ...(tokens.at(-1) === 'global' && { isGlobal: true }),
  };
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
