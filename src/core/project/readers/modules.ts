import { pushAll } from '../../base/values.ts';
import { readAddressMap } from './addressLists.ts';
import { isAbiList, parseAnyAbi } from './anyAbi.ts';
import {
  type ContractFacts,
  type DeploymentFacts,
  emptyFacts,
  type FactsFile,
  type FactsInSteps,
  type LabelFacts,
  readChainId,
  readContractAddress,
  readName,
} from './facts.ts';
import { findChainInPath, getFileStem } from './fileKind.ts';
import {
  BEFORE_REGEXP,
  isComment,
  isQuote,
  replaceEscapes,
  skipBlank,
  skipComment,
  skipExpression,
  skipQuoted,
  skipRegExp,
} from './moduleScan.ts';

/** Characters. Generated modules of real projects have up to 2 MB. */
const MAX_MODULE_CHARS = 3 * 1_024 * 1_024;
/** Names of constants that describe a kind instead of naming a contract. */
const GENERIC_NAME =
  /^(?:default|abis?|address(?:es)?|(?:deployed|external)?contracts?|deployments?|config|constants|chains|networks)$/i;
const NAME_SUFFIX = /_?(?:abi|address(?:es)?|config|contracts?)$/i;

/**
 * Reads ABIs, addresses and maps of them in the constants of a TypeScript or JavaScript module: an `as const` ABI, the output
 * of wagmi, the `deployedContracts` of Scaffold-ETH. Literals are parsed; nothing is executed.
 */
export function* readModule({ path, text }: FactsFile): FactsInSteps {
  if (text.length > MAX_MODULE_CHARS) return { ...emptyFacts, truncation: 'It is larger than 3 MiB.' };
  if (!/0x[0-9a-fA-F]{40}|\btype\b|\b(?:event|function|error) /.test(text)) return emptyFacts;
  const contracts: ContractFacts[] = [];
  const deployments = new Map<string, DeploymentFacts>();
  const labels: LabelFacts[] = [];
  let truncation: string | undefined;
  const constants = parseConstants(text);
  const chainId = readChainId(constants.get('CHAIN_ID') ?? constants.get('chainId')) ?? findChainInPath(path);
  for (const [constant, value] of constants) {
    yield;
    const name = toName(constant);
    const abi = Array.isArray(value) ? parseAbiOrLines(value) : [];
    if (abi.length > 0) {
      contracts.push({
        name: name ?? getFileStem(path),
        source: undefined,
        line: undefined,
        abi,
        itemLines: undefined,
      });
      continue;
    }
    const address = readContractAddress(value);
    if (address && chainId === undefined) {
      if (name !== undefined) labels.push({ address, name, chainId });
      continue;
    }
    const facts = yield* readAddressMap(value, { chainId, name });
    pushAll(contracts, facts.contracts);
    pushAll(labels, facts.labels);
    truncation ??= facts.truncation;
    for (const deployment of facts.deployments) {
      deployments.set(`${deployment.chainId} ${deployment.address}`, deployment);
    }
  }
  return {
    contracts,
    deployments: [...deployments.values()],
    labels,
    ...(truncation !== undefined && { truncation }),
  };
}

function toName(constant: string): string | undefined {
  if (GENERIC_NAME.test(constant)) return undefined;
  const name = constant.replace(NAME_SUFFIX, '');
  return readName(name || constant);
}

/** The items of a list that is an ABI, as JSON or as strings; empty for any other list. */
function parseAbiOrLines(list: readonly unknown[]): ContractFacts['abi'] {
  const isAbi = isAbiList(list) || list.some((line) => typeof line === 'string' && isAbiList([line]));
  return isAbi ? parseAnyAbi(list) : [];
}

/** The value of an expression that is not a literal. */
const UNRESOLVED = Symbol('unknown');

/** A position in a module, which only moves forward. */
interface ModuleCursor {
  readonly text: string;
  at: number;
  /** Values that may still be read. */
  budget: number;
  /** Constants before the cursor, by name. */
  readonly constants: ReadonlyMap<string, Constant>;
}

interface Constant {
  readonly value: unknown;
  /** Number of values in it, including those of constants in it. */
  readonly size: number;
}

/** Values in one module: an ABI of 2,000 items has 50,000. */
const MAX_VALUES = 1_000_000;
/** A declaration at the beginning of a line. A default export has no name. */
const DECLARATION =
  /(?:export\s{1,8})?(?:const|let|var)\s{1,8}([A-Za-z_$][\w$]{0,127})\s{0,8}(?::[^=;\n]{0,200})?=(?![=>])|export\s{1,8}default\s|(?:module\.)?exports(?:\.([A-Za-z_$][\w$]{0,127}))?\s{0,8}=(?![=>])/y;
/**
 * The constants of a module that are literals, by name; `default` is the default export. Nothing is executed. Follows
 * https://tc39.es/ecma262/#sec-ecmascript-language-lexical-grammar as far as literals need it.
 */
export function parseConstants(text: string): ReadonlyMap<string, unknown> {
  const constants = new Map<string, Constant>();
  const cursor: ModuleCursor = { text, at: 0, budget: MAX_VALUES, constants };
  let previousSign = '';
  while (cursor.at < text.length && cursor.budget > 0) {
    const sign = text[cursor.at] ?? '';
    if (isStartOfLine(text, cursor.at) && 'eclvm'.includes(sign)) {
      DECLARATION.lastIndex = cursor.at;
      const found = DECLARATION.exec(text);
      if (found) {
        cursor.at += found[0].length;
        const budgetBefore = cursor.budget;
        const value = parseLiteral(cursor);
        const name = found[1] ?? found[2] ?? 'default';
        if (value !== UNRESOLVED) constants.set(name, { value, size: budgetBefore - cursor.budget });
        previousSign = '';
        continue;
      }
    }
    if (isQuote(sign)) cursor.at = skipQuoted(text, cursor.at);
    else if (isComment(text, cursor.at)) {
      cursor.at = skipComment(text, cursor.at);
      continue;
    } else if (sign === '/' && BEFORE_REGEXP.includes(previousSign)) cursor.at = skipRegExp(text, cursor.at);
    else cursor.at++;
    if (sign > ' ') previousSign = sign;
  }
  return new Map([...constants].map(([name, { value }]) => [name, value]));
}

/** Parses a text that is a single literal, such as JSON with comments; undefined if it is not. */
export function parseLiteralText(text: string): unknown {
  const value = parseLiteral({ text, at: 0, budget: MAX_VALUES, constants: new Map() });
  return value === UNRESOLVED ? undefined : value;
}

function isStartOfLine(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 0x0a;
}

/** Nested lists and objects; ABIs and address books have up to twelve levels. */
const MAX_LITERAL_DEPTH = 64;
/**
 * Calls of JavaScript, viem, ox, ethers and web3 that return their first argument, an ABI or an item from its lines, or an
 * address with its checksum. Also with the name of the module: `ethers.utils.getAddress`.
 */
const TRANSPARENT_CALL =
  /(?:(?:[A-Za-z_$][\w$]{0,31}\.){0,3}(?:parseAbi|parseAbiItem|getAddress|checksumAddress|toChecksumAddress|defineConst)|Object\.freeze|(?:new\s{1,8})(?:[A-Za-z_$][\w$]{0,31}\.){0,2}Interface|(?:[A-Za-z_$][\w$]{0,31}\.){0,2}(?:Interface|Abi(?:Item|Event|Function|Error)?|Address)\.(?:from|checksum))\s{0,8}(?=\()/y;
const LITERAL_NAMES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

const NUMBER =
  /[-+]?(?:0[xX][0-9a-fA-F_]{1,64}|[0-9][0-9_]{0,64}(?:\.[0-9]{0,32})?(?:[eE][-+]?[0-9]{1,3})?)n?/y;
const IDENTIFIER = /[A-Za-z_$][\w$]{0,127}/y;
/**
 * Parses the literal at the cursor: an object, a list, a string without interpolation, a number, a boolean, null, or a
 * constant of the module. Nothing is executed: anything else is `UNRESOLVED`, alone or in a list, and is dropped from an
 * object. A type after it (`as const`, `satisfies X`) is skipped.
 *
 * @param depth the number of lists and objects around it.
 */
function parseLiteral(cursor: ModuleCursor, depth = 0): unknown {
  cursor.at = skipBlank(cursor.text, cursor.at);
  if (depth > MAX_LITERAL_DEPTH || cursor.budget-- <= 0) return giveUp(cursor, depth);
  const value = readPrimary(cursor, depth);
  return value === UNRESOLVED ? giveUp(cursor, depth) : finishValue(cursor, value, depth);
}

function readPrimary(cursor: ModuleCursor, depth: number): unknown {
  const sign = cursor.text[cursor.at];
  if (sign === '{') return readObject(cursor, depth);
  if (sign === '[') return readItems(cursor, depth);
  if (isQuote(sign)) return parseString(cursor);
  const isCall = matchAt(TRANSPARENT_CALL, cursor) !== undefined;
  if (cursor.text[cursor.at] === '(') {
    cursor.at++;
    const value = parseLiteral(cursor, depth + 1);
    cursor.at = skipBlank(cursor.text, cursor.at);
    // Of other arguments, such as the chain of a checksum, the value does not depend.
    while (isCall && cursor.text[cursor.at] === ',') cursor.at = skipExpression(cursor.text, cursor.at + 1);
    if (cursor.text[cursor.at] !== ')') return UNRESOLVED;
    cursor.at++;
    return value;
  }
  const number = matchAt(NUMBER, cursor);
  if (number !== undefined) return Number(number.replaceAll(/[_n]/g, ''));
  const word = matchAt(IDENTIFIER, cursor);
  if (word === undefined) return UNRESOLVED;
  if (LITERAL_NAMES.has(word)) return LITERAL_NAMES.get(word);
  return resolveConstant(cursor, word);
}

/** Returns `value` unless it is an operand: `'a' + b` is not `'a'`. */
function finishValue(cursor: ModuleCursor, value: unknown, depth: number): unknown {
  const { text } = cursor;
  const next = skipBlank(text, cursor.at);
  const sign = text[next];
  if (sign === undefined || ',;)]}'.includes(sign)) return value;
  if (/^(?:as|satisfies)\b/.test(text.slice(next, next + 10))) {
    if (depth > 0) cursor.at = skipExpression(text, next, true);
    return value;
  }
  // A statement may end with its line.
  if (depth === 0 && text.slice(cursor.at, next).includes('\n') && /[\w$@]/.test(sign)) return value;
  return giveUp(cursor, depth);
}

function readItems(cursor: ModuleCursor, depth: number): unknown {
  const items: unknown[] = [];
  cursor.at++;
  while (!isEnd(cursor, ']')) {
    if (cursor.text.startsWith('...', cursor.at)) {
      cursor.at += 3;
      const more = parseLiteral(cursor, depth + 1);
      if (Array.isArray(more)) for (const each of more) if (cursor.budget-- > 0) items.push(each);
    } else items.push(parseLiteral(cursor, depth + 1));
    if (!skipComma(cursor, ']')) return UNRESOLVED;
  }
  cursor.at++;
  return items;
}

function readObject(cursor: ModuleCursor, depth: number): unknown {
  // Without a prototype, `__proto__` is a name like any other.
  const members: Record<string, unknown> = Object.create(null);
  cursor.at++;
  while (!isEnd(cursor, '}')) {
    readMember(cursor, members, depth);
    if (!skipComma(cursor, '}')) return UNRESOLVED;
  }
  cursor.at++;
  return members;
}

function readMember(cursor: ModuleCursor, members: Record<string, unknown>, depth: number): void {
  if (cursor.text.startsWith('...', cursor.at)) {
    cursor.at += 3;
    const more = parseLiteral(cursor, depth + 1);
    if (typeof more !== 'object' || more === null) return;
    for (const [name, value] of Object.entries(more)) if (cursor.budget-- > 0) members[name] = value;
    return;
  }
  const name = parseKey(cursor);
  cursor.at = skipBlank(cursor.text, cursor.at);
  const sign = cursor.text[cursor.at];
  if (name !== undefined && sign === ':') {
    cursor.at++;
    const value = parseLiteral(cursor, depth + 1);
    if (value !== UNRESOLVED) members[name] = value;
  } else if (name !== undefined && (sign === ',' || sign === '}')) {
    const value = resolveConstant(cursor, name);
    if (value !== UNRESOLVED) members[name] = value;
  } else cursor.at = skipExpression(cursor.text, cursor.at);
}

function isEnd(cursor: ModuleCursor, close: string): boolean {
  cursor.at = skipBlank(cursor.text, cursor.at);
  return cursor.at >= cursor.text.length || cursor.text[cursor.at] === close;
}

/** Skips a comma; returns false unless the list or object continues or ends with `close`. */
function skipComma(cursor: ModuleCursor, close: string): boolean {
  cursor.at = skipBlank(cursor.text, cursor.at);
  if (cursor.text[cursor.at] === ',') {
    cursor.at++;
    return true;
  }
  return cursor.text[cursor.at] === close;
}

/** Skips the rest of a nested value. At depth 0 the end of the statement is unknown, so nothing is skipped. */
function giveUp(cursor: ModuleCursor, depth: number): typeof UNRESOLVED {
  if (depth > 0) cursor.at = skipExpression(cursor.text, cursor.at);
  return UNRESOLVED;
}

/** The name of a member. A computed one counts by its last part, which names the network: `[mainnet.id]`, `[ChainId.BASE]`. */
function parseKey(cursor: ModuleCursor): string | undefined {
  const { text } = cursor;
  if (isQuote(text[cursor.at])) {
    const name = parseString(cursor);
    return typeof name === 'string' ? name : undefined;
  }
  if (text[cursor.at] !== '[') {
    const number = matchAt(NUMBER, cursor);
    return number === undefined
      ? matchAt(IDENTIFIER, cursor)
      : String(Number(number.replaceAll(/[_n]/g, '')));
  }
  const end = skipExpression(text, cursor.at + 1);
  const written = text.slice(cursor.at + 1, Math.min(end, cursor.at + 200)).trim();
  cursor.at = text[end] === ']' ? end + 1 : end;
  const path = written.replace(/\.id$/, '').replaceAll(/["'`]/g, '');
  return /^[\w$.-]{1,128}$/.test(path) ? path.slice(path.lastIndexOf('.') + 1) : undefined;
}

/** The string or template at the cursor; `UNRESOLVED` if it has an interpolation. */
function parseString(cursor: ModuleCursor): unknown {
  const from = cursor.at;
  cursor.at = skipQuoted(cursor.text, from);
  const written = cursor.text.slice(from, cursor.at);
  if (written.length < 2 || written.at(-1) !== written[0]) return UNRESOLVED;
  const inner = written.slice(1, -1);
  if (written[0] === '`' && inner.includes('$' + '{')) return UNRESOLVED;
  return inner.includes('\\') ? replaceEscapes(inner) : inner;
}

/** Matches a sticky pattern at the cursor, and moves it behind the match. */
function matchAt(pattern: RegExp, cursor: ModuleCursor): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

/** Resolves a constant. Each use costs its full size, because readers of the result visit it each time. */
function resolveConstant(cursor: ModuleCursor, name: string): unknown {
  const constant = cursor.constants.get(name);
  if (constant === undefined || constant.size > cursor.budget) return UNRESOLVED;
  cursor.budget -= constant.size;
  return constant.value;
}
