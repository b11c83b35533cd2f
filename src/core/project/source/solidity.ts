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
const LOCATIONS: ReadonlySet<string> = new Set(['memory', 'calldata', 'storage', 'payable']);

export const isSourceName = (word: string | undefined): word is string =>
  word !== undefined && NAME.test(word);

/**
 * Parameters between two parentheses; the first of `words` is the opening one.
 *
 * @returns also the position behind the closing parenthesis; undefined where they are not written right.
 */
function parseSourceParameters(
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
      const parameters = written.map(parseSourceParameter);
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
function parseSourceParameter(words: readonly string[]): SourceParameter | undefined {
  const { type, end } = readType(words);
  if (type === '') return undefined;
  let indexed = false;
  let name = '';
  for (const word of words.slice(end)) {
    if (word === 'indexed') indexed = true;
    else if (isSourceName(word) && name === '') name = LOCATIONS.has(word) ? '' : word;
    else return undefined;
  }
  return { name, type, ...(indexed && { indexed }) };
}

/** The type that `words` begin with, and the position behind it. */
function readType(words: readonly string[]): { readonly type: string; readonly end: number } {
  const [first] = words;
  if (first === 'mapping') return { type: first, end: behindGroup(words, 1) };
  if (first === 'function') return readFunctionType(words);
  if (!isSourceName(first)) return { type: '', end: 0 };
  let type = first;
  let end = 1;
  while (words[end] === '.' && isSourceName(words[end + 1])) {
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

/** Words of a declaration, without its semicolon or brace, and what it is in. */
interface Statement {
  readonly words: readonly string[];
  readonly place: SourcePlace;
  readonly within: Within;
  /** Whether it is in an interface, whose functions are all called from outside. */
  readonly inInterface: boolean;
}

const kinds: ReadonlyMap<string | undefined, SourceContract['kind']> = new Map([
  ['contract', 'contract'],
  ['interface', 'interface'],
  ['library', 'library'],
]);

/** `contract Vault is ERC4626, Ownable(msg.sender)`, without the word `abstract`. */
function parseContract(
  { words, place }: Statement,
  isAbstract: boolean,
): Omit<SourceContract, 'types' | 'items'> | undefined {
  const kind = kinds.get(words[0]);
  const name = words[1];
  if (!kind || !isSourceName(name)) return undefined;
  return { kind: isAbstract ? 'abstract' : kind, name, bases: basesOf(words), ...place };
}

/** The names behind `is`, without the arguments of their constructors. */
function basesOf(words: readonly string[]): readonly string[] {
  if (words[2] !== 'is') return [];
  const bases: string[] = [];
  let depth = 0;
  let base = '';
  for (const word of [...words.slice(3), ',']) {
    if (word === '(') depth++;
    else if (word === ')') depth--;
    else if (depth > 0) continue;
    else if (word === 'layout') break;
    else if (word !== ',') base += word;
    else if (base !== '') {
      if (bases.length < MAX_MEMBERS) bases.push(base);
      base = '';
    }
  }
  return base === '' ? bases : [...bases, base];
}

/** Takes what a statement declares into the draft; one that declares nothing of the ABI is passed over. */
function addStatement(draft: SourceBuilder, statement: Statement): void {
  const { words, within } = statement;
  const [first, name, third] = words;
  if (first === 'event' || first === 'error' || first === 'function') {
    const item = readItem(statement, first);
    if (item) draft.addItem(item, within);
  } else if (first === 'import') {
    const imported = readImport(words);
    if (imported) draft.addImport(imported);
  } else if (first === 'type' && isSourceName(name) && third === 'is') {
    draft.addType({ kind: 'alias', name, type: words.slice(3).join('') }, within);
  } else {
    addConstant(draft, statement);
  }
}

function readItem(
  { words, place, inInterface }: Statement,
  kind: SourceItem['kind'],
): SourceItem | undefined {
  const name = words[1];
  const read = words[2] === '(' ? parseSourceParameters(words.slice(2)) : undefined;
  if (!isSourceName(name) || !read) return undefined;
  const rest = words.slice(2 + read.end);
  const item = { kind, name, inputs: read.parameters, ...place };
  if (kind === 'event' && rest[0] === 'anonymous') return { ...item, anonymous: true };
  if (kind !== 'function') return rest.length === 0 ? item : undefined;
  if (!inInterface && !rest.includes('external') && !rest.includes('public')) return undefined;
  const returns = rest.indexOf('returns');
  const outputs = returns < 0 ? undefined : parseSourceParameters(rest.slice(returns + 1));
  return outputs ? { ...item, outputs: outputs.parameters } : item;
}

/** `uint256 constant COUNT = 4` */
function addConstant(draft: SourceBuilder, { words, within }: Statement): void {
  const equals = words.indexOf('=');
  const name = words[equals - 1];
  if (equals < 0 || !isSourceName(name) || !words.slice(0, equals).includes('constant')) return;
  const value = words.slice(equals + 1).join('');
  if (/^[\w$.+*-]{1,100}$/.test(value)) draft.addType({ kind: 'constant', name, value }, within);
}

/** All forms of https://docs.soliditylang.org/en/latest/layout-of-source-files.html#importing-other-source-files */
function readImport(words: readonly string[]): SourceImport | undefined {
  const [, first] = words;
  if (first === '{') {
    const close = words.indexOf('}');
    const path = words[close + 1] === 'from' ? pathOf(words[close + 2]) : undefined;
    return path === undefined ? undefined : { path, names: namesOf(words.slice(2, close)) };
  }
  const path = pathOf(first === '*' ? words[5] : first);
  const as = words[3];
  if (path === undefined) return undefined;
  return words.includes('as') && isSourceName(as) ? { path, as } : { path };
}

/** `A as B, C` */
function namesOf(words: readonly string[]): NonNullable<SourceImport['names']> {
  const names: (readonly [string, string])[] = [];
  for (const [index, name] of words.entries()) {
    const starts = index === 0 || words[index - 1] === ',';
    if (!starts || !isSourceName(name) || names.length === MAX_MEMBERS) continue;
    const as = words[index + 1] === 'as' ? words[index + 2] : undefined;
    names.push([name, isSourceName(as) ? as : name]);
  }
  return names;
}

/** The text of a literal. One with escapes is no path that anybody writes. */
function pathOf(literal: string | undefined): string | undefined {
  const path = /^(["'])([^\\]{1,1000})\1$/.exec(literal ?? '')?.[2];
  return path;
}

/** Reserved words that stand in no body and no other declaration: whatever was not closed before them ends. */
const fresh: ReadonlyMap<string, 'contract' | 'file'> = new Map([
  ['event', 'contract'],
  ['struct', 'contract'],
  ['enum', 'contract'],
  ['contract', 'file'],
  ['interface', 'file'],
  ['library', 'file'],
]);

/** Reads the declarations of a Solidity source, in one pass, whatever the source is. */
export function createSolidityParser(source: string): SourceParser {
  const tokens = tokenizeSolidity(source);
  const draft = createSourceBuilder('solidity');
  const lineOf = createLineCounter(source);
  const uses = createUseReader({ emit: 'event', revert: 'error' }, (use) =>
    draft.addUse({ ...use, line: lineOf(use.offset), contract: within }),
  );
  /** What the last token was in. */
  let within: Within;
  let inInterface = false;
  let struct: { readonly name: string; readonly members: SourceParameter[] } | undefined;
  let braces = 0;
  /** The declaration so far; undefined where it is too long to be one. */
  let words: string[] | undefined = [];
  let length = 0;
  let offset = 0;
  let isAbstract = false;

  function begin(): void {
    words = [];
    length = 0;
  }

  function leave(): void {
    within = undefined;
    inInterface = false;
  }

  function statement(): Statement {
    return {
      words: words ?? [],
      place: { line: lineOf(offset), offset },
      within,
      inInterface,
    };
  }

  function append({ text, offset: at }: Token): void {
    if (!words) return;
    if (words.length === 0) offset = at;
    words.push(text);
    length += text.length + 1;
    if (length > MAX_SOURCE_DECLARATION_CHARS) words = undefined;
  }

  /** At an opening brace: what it opens. */
  function open(): void {
    const contract = within === undefined ? parseContract(statement(), isAbstract) : undefined;
    if (contract) {
      within = draft.addContract(contract);
      inInterface = contract.kind === 'interface';
    } else {
      braces = 1;
      const [kind, name = ''] = words ?? [];
      if (kind === 'struct') struct = { name, members: [] };
      else if (kind === 'enum') draft.addType({ kind, name }, within);
      else if (kind === 'function') addStatement(draft, statement());
    }
    begin();
  }

  function closeStruct(): void {
    if (struct) draft.addType({ kind: 'struct', ...struct }, within);
    struct = undefined;
  }

  function inStruct(token: Token, members: SourceParameter[]): void {
    if (token.text === '}') {
      braces = 0;
      closeStruct();
      begin();
    } else if (token.text === ';') {
      const member = words && parseSourceParameter(words);
      if (member && members.length < MAX_MEMBERS) members.push(member);
      else struct = undefined;
      begin();
    } else append(token);
  }

  function inBody(token: Token): void {
    if (token.text === '{') braces++;
    else if (token.text === '}') braces--;
    uses.take(token);
  }

  function outside(token: Token): void {
    const named = words?.[0] === 'import' || words?.[0] === 'using';
    if (token.text === ';') {
      if (words) addStatement(draft, statement());
      begin();
    } else if (named || (token.text !== '{' && token.text !== '}')) append(token);
    else if (token.text === '{') open();
    else {
      leave();
      begin();
    }
  }

  let previous = '';
  function take(token: Token): void {
    const level = token.kind === 'word' ? fresh.get(token.text) : undefined;
    if (level) {
      begin();
      braces = 0;
      struct = undefined;
      if (level === 'file') leave();
      isAbstract = previous === 'abstract';
    }
    previous = token.text;
    if (struct) inStruct(token, struct.members);
    else if (braces > 0) inBody(token);
    else outside(token);
  }

  return {
    next() {
      const { done, value } = tokens.next();
      if (value) take(value);
      return done !== true;
    },
    getFacts: () => draft.getFacts(),
  };
}
