import type { Address, Hex } from '../eth/hex.ts';
import type { BuiltCode, CodeGap } from '../traces/builtCode.ts';
import { type CodeMetadata, findCodeMetadata, findMetadataAround, parseMetadata } from './codeMetadata.ts';

/** Deployed code that is the built code, but for what is listed. */
export interface MatchedCode {
  readonly isSame: true;
  /**
   * Of the block at the end: `hash` if both have the same hash of all sources; `none` if they are the same without one, so
   * that comments and names cannot be compared; `different` also if only one of them has a block.
   */
  readonly metadata: 'hash' | 'none' | 'different';
  readonly filled: readonly FilledGap[];
  /** Blocks inside of the built code that differ, as hex digits: each must be that of a contract of the same build. */
  readonly embedded: readonly EmbeddedBlock[];
}

interface EmbeddedBlock {
  /** In bytes. */
  readonly offset: number;
  readonly digits: string;
}

export interface CodeMismatch {
  readonly isSame: false;
  /** The first byte that differs. */
  readonly offset: number;
}

/** What a deployment wrote into a place of the code. */
export interface FilledGap {
  readonly kind: CodeGap['kind'];
  readonly id: string;
  /** Its first place in the code, in bytes. */
  readonly offset: number;
  readonly value: Hex;
}

/**
 * Compares code with that of a build, by what compilers leave open and nothing else: places of libraries and immutable
 * variables, all of one with the same value; the address in a library's own code; and blocks with a hash of the metadata.
 *
 * @param code in lower case.
 * @param address where it is deployed; undefined if any address fits in the code of a library.
 * @example matchCode({ digits: '6000', gaps: [], sourceMap: '' }, '0x6001', undefined) // { isSame: false, offset: 1 }
 */
export function matchCode(
  built: BuiltCode,
  code: Hex,
  address: Address | undefined,
): MatchedCode | CodeMismatch {
  const deployed = code.slice(2);
  if (built.tail) return matchWithTail(built, deployed);
  const [one, other] = splitBoth(built.digits, deployed);
  const { digits, filled } = fillGaps(built, one.body, { deployed: other.body, address });
  const embedded: EmbeddedBlock[] = [];
  let end = 0;
  for (;;) {
    const at = findDifference(digits, other.body, end);
    if (at === undefined) break;
    const block = findMetadataAround(digits, at, end);
    const isBlock = block && parseMetadata(other.body, block.from)?.to === block.to;
    // Behind an instruction that ends all execution, or another block.
    const isData =
      isBlock && (block.from === end || (isInvalid(digits, block.from) && isInvalid(other.body, block.from)));
    if (!isBlock || !isData) return { isSame: false, offset: at >> 1 };
    embedded.push({ offset: block.from >> 1, digits: digits.slice(block.from, block.to) });
    end = block.to;
  }
  return { isSame: true, metadata: compareBlocks(one.block, other.block), filled, embedded };
}

/**
 * Compares the input of a creation with the creation code of a build; arguments of the constructor follow the code.
 *
 * @example matchCreation({ digits: '6000', gaps: [], sourceMap: '' }, '0x600001').isSame // true
 */
export function matchCreation(built: BuiltCode, input: Hex): MatchedCode | CodeMismatch {
  const { digits, gaps, sourceMap } = built;
  return matchCode({ digits, gaps, sourceMap }, `0x${input.slice(2, 2 + digits.length)}`, undefined);
}

interface SplitCode {
  readonly body: string;
  readonly block: { readonly digits: string; readonly metadata: CodeMetadata } | undefined;
}

function splitBoth(built: string, deployed: string): readonly [SplitCode, SplitCode] {
  const one = split(built);
  const other = split(deployed);
  // Solidity puts INVALID before a block, and without one leaves it out.
  if (one.block && !other.block) return [dropInvalid(one, other), other];
  return !one.block && other.block ? [one, dropInvalid(other, one)] : [one, other];
}

function split(digits: string): SplitCode {
  const metadata = findCodeMetadata(digits);
  if (!metadata) return { body: digits, block: undefined };
  return { body: digits.slice(0, metadata.from), block: { digits: digits.slice(metadata.from), metadata } };
}

function dropInvalid(longer: SplitCode, { body }: SplitCode): SplitCode {
  const isLonger = longer.body.length === body.length + 2 && longer.body.endsWith(INVALID);
  return isLonger ? { ...longer, body: longer.body.slice(0, -2) } : longer;
}

const INVALID = 'fe';

const isInvalid = (digits: string, before: number) => digits.slice(before - 2, before) === INVALID;

function compareBlocks(one: SplitCode['block'], other: SplitCode['block']): MatchedCode['metadata'] {
  if (one?.digits !== other?.digits) return 'different';
  return one?.metadata.hash ? 'hash' : 'none';
}

/** The built code with what is in the deployed code at the first place of each gap. */
function fillGaps(
  { gaps }: BuiltCode,
  body: string,
  { deployed, address }: { readonly deployed: string; readonly address: Address | undefined },
): { readonly digits: string; readonly filled: readonly FilledGap[] } {
  const filled: FilledGap[] = [];
  const values: { readonly at: number; readonly value: string }[] = [];
  const taken = new Set<number>();
  if (body.startsWith(LIBRARY_START))
    values.push({ at: 2, value: address?.slice(2) ?? deployed.slice(2, 42) });
  for (const { kind, id, places } of gaps) {
    const { digits: size, push } = GAP_KINDS[kind];
    const zeros = '0'.repeat(size);
    // A compiler fills in what an instruction pushes: nothing else is left open, whatever a file says.
    const found = places
      .map(({ start }) => 2 * start)
      .filter((at) => !taken.has(at) && body.startsWith(zeros, at) && body.slice(at - 2, at) === push);
    const [first] = found;
    if (first === undefined) continue;
    const isOwnAddress = id === LIBRARY_ADDRESS && address !== undefined;
    const value = isOwnAddress ? address.slice(2).padStart(size, '0') : deployed.slice(first, first + size);
    if (value.length < size) continue;
    for (const at of found) {
      taken.add(at);
      values.push({ at, value });
    }
    if (id !== LIBRARY_ADDRESS) filled.push({ kind, id, offset: first >> 1, value: `0x${value}` });
  }
  let digits = '';
  let end = 0;
  for (const { at, value } of values.sort((a, b) => a.at - b.at)) {
    if (at < end) continue;
    digits += body.slice(end, at) + value;
    end = at + value.length;
  }
  return { digits: digits + body.slice(end), filled };
}

/** `PUSH20 0; ADDRESS; EQ`: solc puts the address of a library at its start when it is deployed. */
const LIBRARY_START = `73${'0'.repeat(40)}3014`;
/** The same as an immutable variable, of the pipeline with Yul. */
const LIBRARY_ADDRESS = 'library_deploy_address';
const GAP_KINDS = {
  library: { digits: 40, push: '73' },
  immutable: { digits: 64, push: '7f' },
} as const satisfies Record<CodeGap['kind'], { readonly digits: number; readonly push: string }>;

/** Vyper appends immutable variables to its code. */
function matchWithTail({ digits, tail }: BuiltCode, deployed: string): MatchedCode | CodeMismatch {
  const at = findDifference(digits, deployed.slice(0, digits.length), 0);
  if (at !== undefined) return { isSame: false, offset: at >> 1 };
  const values = deployed.slice(digits.length);
  const names = tail?.names ?? [];
  const size = 2 * (tail?.bytes ?? values.length / 2);
  if (values.length !== size)
    return { isSame: false, offset: (digits.length + Math.min(size, values.length)) >> 1 };
  const parts =
    names.length > 0
      ? names
      : Array.from({ length: Math.ceil(size / 64) }, (_, index) => ({
          ...{ name: '', offset: 32 * index, length: 32 },
        }));
  const filled = parts.map(
    ({ name, offset, length }): FilledGap => ({
      ...{ kind: 'immutable', id: name, offset: (digits.length >> 1) + offset },
      value: `0x${values.slice(2 * offset, 2 * (offset + length))}`,
    }),
  );
  return { isSame: true, metadata: 'none', filled, embedded: [] };
}

/** The first position where two texts differ, from a position on; undefined if they are equal. */
function findDifference(one: string, other: string, from: number): number | undefined {
  const length = Math.max(one.length, other.length);
  for (let start = from; start < length; start += CHUNK) {
    if (one.slice(start, start + CHUNK) === other.slice(start, start + CHUNK)) continue;
    let at = start;
    while (one[at] === other[at]) at++;
    return at;
  }
  return undefined;
}

const CHUNK = 4096;
