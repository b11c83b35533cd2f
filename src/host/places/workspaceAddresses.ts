import type * as vscode from 'vscode';
import type { Address, TimeSlices } from '../../core/index.ts';
import type { FileLocation } from '../rowArguments.ts';
import { findAddresses } from './hexInText.ts';

/** Characters before an address that are looked at: a declaration is shorter. */
const MAX_DECLARATION_CHARS = 240;
const MAX_CONSTANT_NAME_CHARS = 64;

/** Code in which a name that is declared on the line of an address is a name for it. */
const CODE = /\.(?:sol|vy|yul|huff|[mc]?[jt]s|[jt]sx|py|rs|go)$/i;

/** What may stand between the sign after a name and the address: casts, `new`, a quotation mark. */
const CASTS = /^[\s('"`]*$/;
const WORD = /[A-Za-z_$][\w$]*/g;
/** Words that say that what they declare stays as it is. */
const CONSTANT = /\b(?:constant|immutable|const|final|static)\b/;
const UPPER_CASE = /^[A-Z][A-Z0-9_]*$/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#)/;

/** What stands before `offset` on its line, as far as it is looked at: the line may be the whole of a file. */
function getLineBefore(text: string, offset: number): string {
  const near = text.slice(Math.max(0, offset - MAX_DECLARATION_CHARS), offset);
  return near.slice(near.lastIndexOf('\n') + 1);
}

/** Whether names that are declared in a file of this name are names for addresses. */
export function isCodePath(path: string): boolean {
  return CODE.test(path);
}

/**
 * The name of the constant that is declared with the address at `offset`, on the same line: `address constant TREASURY =
 * 0x…`, `TREASURY: constant(address) = 0x…`, `const treasury = '0x…'`, `USDC: '0x…'`. Of what may change only a name in
 * upper case counts: `from: '0x…'` names a part in a call, not an address.
 */
export function findConstantName(text: string, offset: number): string | undefined {
  const before = getLineBefore(text, offset);
  if (COMMENT.test(before)) return undefined;
  const equals = before.lastIndexOf('=');
  const colon = before.lastIndexOf(':');
  const sign = Math.max(equals, colon);
  if (sign < 0 || /[=!<>]/.test(before[sign - 1] ?? '')) return undefined;
  if (!CASTS.test(withoutCasts(before.slice(sign + 1)))) return undefined;
  const name = declaredName(before.slice(0, sign), sign === equals);
  return name !== undefined && name.length <= MAX_CONSTANT_NAME_CHARS ? name : undefined;
}

/** `IERC20(` and `payable(` without their names. */
function withoutCasts(text: string): string {
  return text.replace(/[A-Za-z_$][\w$.]{0,80}\(/g, '(');
}

function declaredName(declaration: string, assigned: boolean): string | undefined {
  // What is declared last on the line: `{ FROM: '0x…', TO: '0x…' }`, `a = 1; b = 2`.
  const part = declaration.slice(
    Math.max(...[',', ';', '{', '('].map((sign) => opened(declaration, sign))) + 1,
  );
  const typed = assigned ? part.indexOf(':') : -1;
  const named = typed < 0 ? part : part.slice(0, typed);
  const name = named.match(WORD)?.at(-1);
  if (name === undefined) return undefined;
  return UPPER_CASE.test(name) && name.length > 1 ? name : CONSTANT.test(declaration) ? name : undefined;
}

/** The last place of `sign`, but for a parenthesis that is closed again: `constant(address)`. */
function opened(text: string, sign: string): number {
  const at = text.lastIndexOf(sign);
  return sign === '(' && at >= 0 && text.includes(')', at) ? -1 : at;
}

/** Characters behind an address that are looked at on its line, and above it for what it is a part of. */
const MAX_NEARBY_CHARS = 240;
const MAX_CONTEXT_CHARS = 2000;
const MAX_NAME_CHARS = 64;
const MAX_COMMENT_CHARS = 48;
/** Keys that say only that an address follows: what it is of stands around them. */
const MEANINGLESS_NAME =
  /^(?:address|addr|contract|contractaddress|account|value|id|proxy|deployedto|to|at)$/i;
const NAME_CHARACTER = /[\w$.-]/;
const HAS_LETTER = /\p{L}/u;

/**
 * The word beside an address, of `length` characters at `offset`, that says what it is: the key or the variable before
 * it, the cell before it in a table, the label behind it, or the comment at the end of its line.
 */
export function findNameNear(text: string, offset: number, length: number): string | undefined {
  const before = getLineBefore(text, offset);
  const start = offset - before.length;
  const near = text.slice(offset + length, offset + length + MAX_NEARBY_CHARS);
  const lineEnd = near.indexOf('\n');
  const behind = lineEnd < 0 ? near : near.slice(0, lineEnd);
  const key = keyBefore(before);
  const around =
    key !== undefined && MEANINGLESS_NAME.test(key)
      ? keyAround(text.slice(Math.max(0, start - MAX_CONTEXT_CHARS), start))
      : undefined;
  return around ?? key ?? labelBehind(behind) ?? cellBefore(before) ?? commentBehind(behind);
}

/** `treasury = `, `"treasury": "`, `TREASURY=`, `USDC: IERC20(`. */
function keyBefore(before: string): string | undefined {
  const opened = withoutOpening(before);
  const sign = opened.at(-1);
  if (sign !== '=' && sign !== ':') return undefined;
  const left = opened
    .slice(0, -1)
    .replace(/[ \t:]$/, '')
    .trimEnd();
  if ('=!<>'.includes(left.at(-1) ?? ' ')) return undefined;
  return nameAtEnd(left);
}

/** Without what opens a value: quotation marks, brackets, and names of functions and types that it is given to. */
function withoutOpening(before: string): string {
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

function nameAtEnd(left: string): string | undefined {
  const quote = left.at(-1) ?? '';
  if (quote === '"' || quote === "'") {
    const start = left.lastIndexOf(quote, left.length - 2);
    return start < 0 ? undefined : named(left.slice(start + 1, -1));
  }
  let start = left.length;
  while (start > 0 && NAME_CHARACTER.test(left.charAt(start - 1))) start--;
  return named(left.slice(start));
}

/** The key of what the line stands in: `"Treasury": {`, `[treasury]`, `treasury:`. */
function keyAround(above: string): string | undefined {
  for (const line of above.split('\n').reverse()) {
    const text = line.trim();
    if (text.startsWith('}') || text.startsWith(']')) return undefined;
    if (text.startsWith('[') && text.endsWith(']')) return nameAtEnd(text.slice(1, -1));
    const opens = text.endsWith('{') ? text.slice(0, -1).trimEnd() : text;
    if ((text.endsWith('{') || text.endsWith(':')) && opens.endsWith(':'))
      return nameAtEnd(opens.slice(0, -1).trimEnd());
  }
  return undefined;
}

/** `0x…": "Treasury"`. */
function labelBehind(behind: string): string | undefined {
  const text = behind.replace(/^["'`]/, '').trimStart();
  const value = /^[:=]/.test(text) ? text.slice(1).trimStart() : '';
  const quote = value.charAt(0);
  if (quote !== '"' && quote !== "'") return undefined;
  const end = value.indexOf(quote, 1);
  return end < 0 ? undefined : named(value.slice(1, end));
}

/** `Treasury,0x…`, `| Treasury | 0x…`. */
function cellBefore(before: string): string | undefined {
  const cells = before.split(before.includes('|') ? '|' : ',');
  const cell = cells.at(-2)?.trim();
  return cell === undefined || cells.at(-1)?.trim() || !/^[\p{L}\p{N} _.-]+$/u.test(cell)
    ? undefined
    : named(cell);
}

/** `0x…, // Treasury`. */
function commentBehind(behind: string): string | undefined {
  const start = behind.search(/\/\/|#/);
  if (start < 0 || /[\p{L}\p{N}]/u.test(behind.slice(0, start))) return undefined;
  const comment = behind
    .slice(start)
    .replace(/^[/#!]{1,4}/, '')
    .trim();
  return comment.length > MAX_COMMENT_CHARS ? undefined : named(comment);
}

function named(name: string): string | undefined {
  const trimmed = name.trim();
  const isName = trimmed.length <= MAX_NAME_CHARS && HAS_LETTER.test(trimmed) && !/^0x/i.test(trimmed);
  return isName ? trimmed : undefined;
}

/** The zero address, and the low ones at which chains have precompiled contracts. */
const LOW = /^0x0{36}/;
/** All bits of an address: a mask. */
const MASK = `0x${'f'.repeat(40)}`;
/** How proxies as of ERC-1167 and their makers begin, and what compilers of Solidity write. */
const BYTECODE = /^0x(?:3d602d80|363d3d37|5f5f365f|60806040|60c06040|60a06040)/;
/** Operations of assembly that take numbers; of an address none of them makes sense. */
const OPERATION = /\b(?:mstore8?|shl|shr|sar|and|or|xor|not|add|sub|byte|push20)\b/i;
const ASSEMBLY = /\.(?:sol|yul|huff)$/i;

/** Whether 40 digits of hex that stand at `offset` are none that anybody has: a special one, code, or a number. */
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
  // In Solidity an address is written with its checksum or in quotes.
  if (!ASSEMBLY.test(path) || written !== written.toLowerCase()) return false;
  const before = getLineBefore(text, offset);
  return !/["'/*]/.test(before) && OPERATION.test(before);
}

/** Where in the workspace an address stands: as a constant, or first. */
export interface Occurrence {
  readonly address: Address;
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
  /** Of the constant that is declared there with it. */
  readonly constant?: string | undefined;
}

/** An address in a file. */
export interface FileAddress {
  readonly address: Address;
  /** The line of a constant if there is one, else of what has a name, else the first; from 0. */
  readonly line: number;
  readonly constant?: string | undefined;
  /** What stands beside it there: the constant, a key, a label. */
  readonly name?: string | undefined;
  /** The lines that it stands on, in order: the first of them. */
  readonly lines: readonly number[];
}

/** A file with the addresses in it, in their order. */
export interface AddressFile {
  readonly uri: vscode.Uri;
  readonly addresses: readonly FileAddress[];
}

export interface WorkspaceAddresses {
  /** Each address once. */
  readonly occurrences: readonly Occurrence[];
  /** Each address in every file that it stands in. */
  readonly files: readonly AddressFile[];
  /** Addresses in all files together. */
  readonly count: number;
  /** Where an address stands, file by file. */
  occurrencesOf(address: Address): readonly FileLocation[];
  /** Why the search ended before its end, if it did. */
  readonly cut: 'addresses' | 'files' | undefined;
}

/** Of all files together, an address once for each file. */
export const MAX_ADDRESSES = 50_000;
const MAX_LINES_PER_ADDRESS = 100;

/** The addresses of one text, each once. */
export async function findFileAddresses(
  text: string,
  path: string,
  slices: TimeSlices,
): Promise<readonly FileAddress[]> {
  const found = new Map<Address, FileAddress & { readonly lines: number[] }>();
  const holdsNames = isCodePath(path);
  let line = 0;
  let lineEnd = text.indexOf('\n');
  for (const one of findAddresses(text)) {
    if (slices.isOver()) await slices.rest();
    if (found.size >= MAX_ADDRESSES) break;
    if (isNotAddress(one, text, path)) continue;
    const { address, offset, written } = one;
    for (; lineEnd >= 0 && lineEnd < offset; lineEnd = text.indexOf('\n', lineEnd + 1)) line++;
    const known = found.get(address);
    const lines = known?.lines ?? [];
    if (lines.at(-1) !== line && lines.length < MAX_LINES_PER_ADDRESS) lines.push(line);
    if (known?.constant !== undefined) continue;
    const constant = holdsNames ? findConstantName(text, offset) : undefined;
    const name =
      constant ?? (known?.name === undefined ? findNameNear(text, offset, written.length) : undefined);
    if (!known || name !== undefined) found.set(address, { address, line, constant, name, lines });
  }
  return [...found.values()];
}

/** Gathers the addresses of several texts. */
export function createAddressCollector() {
  const found = new Map<Address, Occurrence>();
  const files: AddressFile[] = [];
  const places = new Map<Address, { readonly uri: vscode.Uri; readonly lines: readonly number[] }[]>();
  let count = 0;
  return {
    /** Whether more have been met than are shown. */
    get isFull() {
      return count >= MAX_ADDRESSES;
    },
    add(addresses: readonly FileAddress[], uri: vscode.Uri): void {
      const taken = addresses.slice(0, MAX_ADDRESSES - count);
      if (taken.length === 0) return;
      count += taken.length;
      files.push({ uri, addresses: taken });
      for (const { address, line, constant, lines } of taken) {
        const inFiles = places.get(address);
        if (inFiles) inFiles.push({ uri, lines });
        else places.set(address, [{ uri, lines }]);
        const known = found.get(address);
        if (!known || (known.constant === undefined && constant !== undefined)) {
          found.set(address, { address, uri, line, constant });
        }
      }
    },
    result(filesCut: boolean): WorkspaceAddresses {
      const cut = count >= MAX_ADDRESSES ? 'addresses' : filesCut ? 'files' : undefined;
      const placesOf = (address: Address) =>
        (places.get(address) ?? []).flatMap((one) => one.lines.map((line) => ({ uri: one.uri, line })));
      return { occurrences: [...found.values()], files, count, occurrencesOf: placesOf, cut };
    },
  };
}
