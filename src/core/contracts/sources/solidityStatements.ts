import type { Draft, Within } from './draft.ts';
import { MOST_MEMBERS } from './limits.ts';
import { isName, readParameters } from './solidityParameters.ts';
import type { SourceContract, SourceImport, SourceItem, SourcePlace } from './sourceFacts.ts';

/** Words of a declaration, without its semicolon or brace, and what it is in. */
export interface Statement {
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
export function readContract(
  { words, place }: Statement,
  isAbstract: boolean,
): Omit<SourceContract, 'types' | 'items'> | undefined {
  const kind = kinds.get(words[0]);
  const name = words[1];
  if (!kind || !isName(name)) return undefined;
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
      if (bases.length < MOST_MEMBERS) bases.push(base);
      base = '';
    }
  }
  return base === '' ? bases : [...bases, base];
}

/** Takes what a statement declares into the draft; one that declares nothing of the ABI is passed over. */
export function addStatement(draft: Draft, statement: Statement): void {
  const { words, within } = statement;
  const [first, name, third] = words;
  if (first === 'event' || first === 'error' || first === 'function') {
    const item = readItem(statement, first);
    if (item) draft.addItem(item, within);
  } else if (first === 'import') {
    const imported = readImport(words);
    if (imported) draft.addImport(imported);
  } else if (first === 'type' && isName(name) && third === 'is') {
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
  const read = words[2] === '(' ? readParameters(words.slice(2)) : undefined;
  if (!isName(name) || !read) return undefined;
  const rest = words.slice(2 + read.end);
  const item = { kind, name, inputs: read.parameters, ...place };
  if (kind === 'event' && rest[0] === 'anonymous') return { ...item, anonymous: true };
  if (kind !== 'function') return rest.length === 0 ? item : undefined;
  if (!inInterface && !rest.includes('external') && !rest.includes('public')) return undefined;
  const returns = rest.indexOf('returns');
  const outputs = returns < 0 ? undefined : readParameters(rest.slice(returns + 1));
  return outputs ? { ...item, outputs: outputs.parameters } : item;
}

/** `uint256 constant COUNT = 4` */
function addConstant(draft: Draft, { words, within }: Statement): void {
  const equals = words.indexOf('=');
  const name = words[equals - 1];
  if (equals < 0 || !isName(name) || !words.slice(0, equals).includes('constant')) return;
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
  return words.includes('as') && isName(as) ? { path, as } : { path };
}

/** `A as B, C` */
function namesOf(words: readonly string[]): NonNullable<SourceImport['names']> {
  const names: (readonly [string, string])[] = [];
  for (const [index, name] of words.entries()) {
    const starts = index === 0 || words[index - 1] === ',';
    if (!starts || !isName(name) || names.length === MOST_MEMBERS) continue;
    const as = words[index + 1] === 'as' ? words[index + 2] : undefined;
    names.push([name, isName(as) ? as : name]);
  }
  return names;
}

/** The text of a literal. One with escapes is no path that anybody writes. */
function pathOf(literal: string | undefined): string | undefined {
  const path = /^(["'])([^\\]{1,1000})\1$/.exec(literal ?? '')?.[2];
  return path;
}
