import type * as vscode from 'vscode';
import { type Address, compareValues, type TimeSlices } from '../../core/index.ts';
import type { FileLocation } from '../rowArguments.ts';
import { findAddresses } from './hexInText.ts';

/** The place in the workspace that is shown for an address: its constant, else its first name, else the first. */
export interface Occurrence {
  readonly address: Address;
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
  /** The name of the constant that is declared there. */
  readonly constant?: string | undefined;
  /** The constant, key or label next to it. */
  readonly name?: string | undefined;
}

export interface FileAddress {
  readonly address: Address;
  /** From 0: the line of its constant, else of its first name, else the first. */
  readonly line: number;
  readonly constant?: string | undefined;
  /** The constant, key or label next to it. */
  readonly name?: string | undefined;
  /** Its first lines, in order. */
  readonly lines: readonly number[];
}

export interface WorkspaceAddresses {
  /** Each address once. */
  readonly occurrences: readonly Occurrence[];
  /** {@link occurrences} by path and line; last what only records of deployments have. */
  sortedOccurrences(): readonly Occurrence[];
  /** Every place of an address, file by file; last those in records of deployments. */
  occurrencesOf(address: Address): readonly FileLocation[];
  /** The limit that ended the search early. */
  readonly cut: 'addresses' | 'files' | undefined;
}

/** Over all files, an address once for each file. */
export const MAX_ADDRESSES = 50_000;
const MAX_LINES_PER_ADDRESS = 100;

/** Finds the addresses of one text, each once. */
export async function findFileAddresses(
  text: string,
  path: string,
  slices: TimeSlices,
): Promise<readonly FileAddress[]> {
  const found = new Map<Address, FileAddress & { readonly lines: number[] }>();
  const isCode = isCodePath(path);
  let line = 0;
  let lineEnd = text.indexOf('\n');
  for (const match of findAddresses(text)) {
    if (slices.isOver()) await slices.rest();
    if (found.size >= MAX_ADDRESSES) break;
    if (isNotAddress(match, text, path)) continue;
    const { address, offset, written } = match;
    for (; lineEnd >= 0 && lineEnd < offset; lineEnd = text.indexOf('\n', lineEnd + 1)) line++;
    const earlier = found.get(address);
    const lines = earlier?.lines ?? [];
    if (lines.at(-1) !== line && lines.length < MAX_LINES_PER_ADDRESS) lines.push(line);
    if (earlier?.constant !== undefined) continue;
    const constant = isCode ? findConstantName(text, offset) : undefined;
    const name =
      constant ?? (earlier?.name === undefined ? findNameNear(text, offset, written.length) : undefined);
    if (!earlier || name !== undefined) found.set(address, { address, line, constant, name, lines });
  }
  return [...found.values()];
}

/** Collects the addresses of several files. */
export function createAddressCollector() {
  const found = new Map<Address, Occurrence>();
  const places = new Map<Address, { readonly uri: vscode.Uri; readonly lines: readonly number[] }[]>();
  let count = 0;
  return {
    get isFull() {
      return count >= MAX_ADDRESSES;
    },
    add(addresses: readonly FileAddress[], uri: vscode.Uri): void {
      const accepted = addresses.slice(0, MAX_ADDRESSES - count);
      if (accepted.length === 0) return;
      count += accepted.length;
      for (const { address, line, constant, name, lines } of accepted) {
        const filesOfAddress = places.get(address);
        if (filesOfAddress) filesOfAddress.push({ uri, lines });
        else places.set(address, [{ uri, lines }]);
        const earlier = found.get(address);
        // In a record, a key such as `from` describes a call, not the address.
        const occurrence = { address, uri, line, constant, name: isBroadcast(uri) ? undefined : name };
        if (!earlier || getRank(occurrence) > getRank(earlier)) found.set(address, occurrence);
      }
    },
    result(filesCut: boolean): WorkspaceAddresses {
      const cut = count >= MAX_ADDRESSES ? 'addresses' : filesCut ? 'files' : undefined;
      const occurrencesOf = (address: Address) =>
        (places.get(address) ?? [])
          .toSorted((a, b) => Number(isBroadcast(a.uri)) - Number(isBroadcast(b.uri)))
          .flatMap((one) => one.lines.map((line) => ({ uri: one.uri, line })));
      const occurrences = [...found.values()];
      let sorted: readonly Occurrence[] | undefined;
      const sortedOccurrences = () => {
        sorted ??= occurrences.toSorted(byPlace);
        return sorted;
      };
      return { occurrences, sortedOccurrences, occurrencesOf, cut };
    },
  };
}

/** The higher one is shown. */
function getRank({ constant, name, uri }: Occurrence): number {
  if (constant !== undefined) return 3;
  if (isBroadcast(uri)) return 0;
  return name === undefined ? 1 : 2;
}

/** A record of Foundry scripts: it repeats for each run what the Contracts view shows. */
function isBroadcast({ path }: vscode.Uri): boolean {
  return path.includes('/broadcast/') && path.endsWith('.json');
}

function byPlace(a: Occurrence, b: Occurrence): number {
  return (
    Number(isBroadcast(a.uri)) - Number(isBroadcast(b.uri)) ||
    compareValues(a.uri.path, b.uri.path) ||
    a.line - b.line
  );
}

/** The zero address and the addresses of precompiles. */
const LOW = /^0x0{36}/;
/** All bits of an address: a mask. */
const MASK = `0x${'f'.repeat(40)}`;
/** How ERC-1167 proxies, their deployment code, and Solidity bytecode begin. */
const BYTECODE = /^0x(?:3d602d80|363d3d37|5f5f365f|60806040|60c06040|60a06040)/;
/** Assembly operations on numbers, which never take an address. */
const OPERATION = /\b(?:mstore8?|shl|shr|sar|and|or|xor|not|add|sub|byte|push20)\b/i;
const ASSEMBLY = /\.(?:sol|yul|huff)$/i;

/** Whether 40 hex digits at `offset` are not an account: a precompile, a mask, bytecode or a number. */
function isNotAddress(
  {
    address,
    written,
    offset,
  }: { readonly address: Address; readonly written: string; readonly offset: number },
  text: string,
  path: string,
): boolean {
  if (LOW.test(address) || address === MASK || BYTECODE.test(address)) return true;
  // Solidity requires a checksum on address literals, so that lower-case hex outside of quotes is a number.
  if (!ASSEMBLY.test(path) || written !== written.toLowerCase()) return false;
  const before = getLineBefore(text, offset);
  return !/["'/*]/.test(before) && OPERATION.test(before);
}

/** Languages in which a constant that is declared as an address names that address. */
const CODE = /\.(?:sol|vy|yul|huff|[mc]?[jt]s|[jt]sx|py|rs|go)$/i;

/** Whether constants in a file at `path` count as names of addresses. */
export function isCodePath(path: string): boolean {
  return CODE.test(path);
}

/** Scan only this much before an address: declarations are shorter. */
const MAX_DECLARATION_CHARS = 240;

/** The text before `offset` on its line, bounded because one line may be a whole file. */
function getLineBefore(text: string, offset: number): string {
  const near = text.slice(Math.max(0, offset - MAX_DECLARATION_CHARS), offset);
  return near.slice(near.lastIndexOf('\n') + 1);
}

/** What may stand between the sign after a name and the address, besides the names of casts. */
const CASTS = /^[\s('"`]*$/;
const WORD = /[A-Za-z_$][\w$]*/g;
/** Keywords of declarations whose value does not change. */
const CONSTANT = /\b(?:constant|immutable|const|final|static)\b/;
const UPPER_CASE = /^[A-Z][A-Z0-9_]*$/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#)/;

const MAX_CONSTANT_NAME_CHARS = 64;

/**
 * The name of the constant that is declared with the address at `offset` on the same line: `address constant
 * TREASURY = 0x…`, `TREASURY: constant(address) = 0x…`, `const treasury = '0x…'`, `USDC: '0x…'`. A variable counts
 * only if its name is in upper case: `from: '0x…'` names a field of a call, not an address.
 */
export function findConstantName(text: string, offset: number): string | undefined {
  const before = getLineBefore(text, offset);
  if (COMMENT.test(before)) return undefined;
  const equals = before.lastIndexOf('=');
  const colon = before.lastIndexOf(':');
  const sign = Math.max(equals, colon);
  if (sign < 0 || /[=!<>]/.test(before[sign - 1] ?? '')) return undefined;
  if (!CASTS.test(stripCasts(before.slice(sign + 1)))) return undefined;
  const name = findDeclaredName(before.slice(0, sign), sign === equals);
  return name !== undefined && name.length <= MAX_CONSTANT_NAME_CHARS ? name : undefined;
}

/** Removes the names of casts, such as `IERC20(` and `payable(`. */
function stripCasts(text: string): string {
  return text.replace(/[A-Za-z_$][\w$.]{0,80}\(/g, '(');
}

function findDeclaredName(declaration: string, isAssigned: boolean): string | undefined {
  // The last declaration on the line: `{ FROM: '0x…', TO: '0x…' }`, `a = 1; b = 2`.
  const part = declaration.slice(
    Math.max(...[',', ';', '{', '('].map((sign) => lastOpen(declaration, sign))) + 1,
  );
  const typeStart = isAssigned ? part.indexOf(':') : -1;
  const left = typeStart < 0 ? part : part.slice(0, typeStart);
  const name = left.match(WORD)?.at(-1);
  if (name === undefined) return undefined;
  return UPPER_CASE.test(name) && name.length > 1 ? name : CONSTANT.test(declaration) ? name : undefined;
}

/** The last index of `sign`, except of a parenthesis that is closed again: `constant(address)`. */
function lastOpen(text: string, sign: string): number {
  const at = text.lastIndexOf(sign);
  return sign === '(' && at >= 0 && text.includes(')', at) ? -1 : at;
}

/** Scan this much after an address on its line, and this much above the line for the enclosing key. */
const MAX_NEARBY_CHARS = 240;
const MAX_CONTEXT_CHARS = 2000;
const MAX_NAME_CHARS = 64;
const MAX_COMMENT_CHARS = 48;
/** Keys that say only that an address follows; the enclosing key says which. */
const MEANINGLESS_NAME =
  /^(?:address|addr|contract|contractaddress|account|value|id|proxy|deployedto|to|at)$/i;
const NAME_CHARACTER = /[\w$.-]/;
const HAS_LETTER = /\p{L}/u;

/**
 * The word next to an address (`length` characters at `offset`) that names it: the key or variable before it, the
 * table cell before it, the label after it, or the comment at the end of its line.
 */
export function findNameNear(text: string, offset: number, length: number): string | undefined {
  const before = getLineBefore(text, offset);
  const start = offset - before.length;
  const near = text.slice(offset + length, offset + length + MAX_NEARBY_CHARS);
  const lineEnd = near.indexOf('\n');
  const after = lineEnd < 0 ? near : near.slice(0, lineEnd);
  const key = findKeyBefore(before);
  const enclosing =
    key !== undefined && MEANINGLESS_NAME.test(key)
      ? findKeyAround(text.slice(Math.max(0, start - MAX_CONTEXT_CHARS), start))
      : undefined;
  return enclosing ?? key ?? findLabelAfter(after) ?? findCellBefore(before) ?? findCommentAfter(after);
}

/** `treasury = `, `"treasury": "`, `TREASURY=`, `USDC: IERC20(`. */
function findKeyBefore(before: string): string | undefined {
  const stripped = stripOpening(before);
  const sign = stripped.at(-1);
  if (sign !== '=' && sign !== ':') return undefined;
  const left = stripped
    .slice(0, -1)
    .replace(/[ \t:]$/, '')
    .trimEnd();
  if ('=!<>'.includes(left.at(-1) ?? ' ')) return undefined;
  return findNameAtEnd(left);
}

/** Removes what opens a value: quotation marks, brackets, and the names of casts and functions around it. */
function stripOpening(before: string): string {
  let end = before.length;
  const trim = () => {
    while (end > 0 && ' \t\'"`[{'.includes(before.charAt(end - 1))) end--;
  };
  trim();
  for (let casts = 0; casts < 4 && before.charAt(end - 1) === '('; casts++) {
    end--;
    while (end > 0 && /[\w$.!]/.test(before.charAt(end - 1))) end--;
    trim();
  }
  return before.slice(0, end);
}

function findNameAtEnd(left: string): string | undefined {
  const quote = left.at(-1) ?? '';
  if (quote === '"' || quote === "'") {
    const start = left.lastIndexOf(quote, left.length - 2);
    return start < 0 ? undefined : toName(left.slice(start + 1, -1));
  }
  let start = left.length;
  while (start > 0 && NAME_CHARACTER.test(left.charAt(start - 1))) start--;
  return toName(left.slice(start));
}

/** The key that encloses the line: `"Treasury": {`, `[treasury]`, `treasury:`. */
function findKeyAround(above: string): string | undefined {
  for (const line of above.split('\n').reverse()) {
    const text = line.trim();
    if (text.startsWith('}') || text.startsWith(']')) return undefined;
    if (text.startsWith('[') && text.endsWith(']')) return findNameAtEnd(text.slice(1, -1));
    const opens = text.endsWith('{') ? text.slice(0, -1).trimEnd() : text;
    if ((text.endsWith('{') || text.endsWith(':')) && opens.endsWith(':'))
      return findNameAtEnd(opens.slice(0, -1).trimEnd());
  }
  return undefined;
}

/** `0x…": "Treasury"`. */
function findLabelAfter(after: string): string | undefined {
  const text = after.replace(/^["'`]/, '').trimStart();
  const value = /^[:=]/.test(text) ? text.slice(1).trimStart() : '';
  const quote = value.charAt(0);
  if (quote !== '"' && quote !== "'") return undefined;
  const end = value.indexOf(quote, 1);
  return end < 0 ? undefined : toName(value.slice(1, end));
}

/** `Treasury,0x…`, `| Treasury | 0x…`. */
function findCellBefore(before: string): string | undefined {
  const cells = before.split(before.includes('|') ? '|' : ',');
  const cell = cells.at(-2)?.trim();
  return cell === undefined || cells.at(-1)?.trim() || !/^[\p{L}\p{N} _.-]+$/u.test(cell)
    ? undefined
    : toName(cell);
}

/** `0x…, // Treasury`. */
function findCommentAfter(after: string): string | undefined {
  const start = after.search(/\/\/|#/);
  if (start < 0 || /[\p{L}\p{N}]/u.test(after.slice(0, start))) return undefined;
  const comment = after
    .slice(start)
    .replace(/^[/#!]{1,4}/, '')
    .trim();
  return comment.length > MAX_COMMENT_CHARS ? undefined : toName(comment);
}

function toName(name: string): string | undefined {
  const trimmed = name.trim();
  const isName = trimmed.length <= MAX_NAME_CHARS && HAS_LETTER.test(trimmed) && !/^0x/i.test(trimmed);
  return isName ? trimmed : undefined;
}
