import { writeHex } from '../eth/bytes.ts';
import type { Hex } from '../eth/hex.ts';

/** The code of a contract as a compiler wrote it, with the places where deployed code differs. */
export interface BuiltCode {
  /** Hex digits without `0x`; placeholders of libraries are zeros. */
  readonly digits: string;
  /** Libraries and immutable variables: bytes that are filled in later. */
  readonly gaps: readonly CodeRange[];
  /** As solc and Vyper write it; empty if the build has none. */
  readonly sourceMap: string;
  /** Whether immutable variables follow the code, as in Vyper, and are no gaps in it. */
  readonly hasTail?: boolean;
}

/** In bytes. */
export interface CodeRange {
  readonly start: number;
  readonly length: number;
}

/** How deployed code equals built code: `exact` with a hash of all sources in the metadata, `code` but for the metadata. */
export type BuildMatch = 'exact' | 'code';

/**
 * Compares runtime code with that of a build. Libraries, immutable variables and the address in the code of a library do
 * not count. The metadata has a hash of all sources: if only that differs, so do comments or names. Without it, contracts
 * of several files may have the same code.
 *
 * @example matchRuntime({ digits: '6000', gaps: [], sourceMap: '' }, '0x6000') // 'code'
 */
export function matchRuntime(built: BuiltCode, code: Hex): BuildMatch | undefined {
  const { digits, hasTail = false } = built;
  if (hasTail) return matchCreation(built, code);
  if (digits === '' || code.length - 2 !== digits.length) return undefined;
  const gaps = digits.startsWith(LIBRARY_START) ? [...built.gaps, LIBRARY_ADDRESS] : built.gaps;
  return matchDigits(digits, code.slice(2), gaps);
}

/**
 * Compares the input of a creation with the creation code of a build; arguments of the constructor follow the code.
 *
 * @example matchCreation({ digits: '6000', gaps: [], sourceMap: '' }, '0x600001') // 'code'
 */
export function matchCreation({ digits, gaps }: BuiltCode, input: Hex): BuildMatch | undefined {
  if (digits === '' || input.length - 2 < digits.length) return undefined;
  return matchDigits(digits, input.slice(2, 2 + digits.length), gaps);
}

/** `PUSH20 0; ADDRESS; EQ`: solc puts the address of a library at its start when it is deployed. */
const LIBRARY_START = `73${'0'.repeat(40)}3014`;
const LIBRARY_ADDRESS: CodeRange = { start: 1, length: 20 };

function matchDigits(built: string, deployed: string, gaps: readonly CodeRange[]): BuildMatch | undefined {
  const one = fillGaps(built, gaps);
  const other = fillGaps(deployed, gaps);
  const metadata = findMetadata(built);
  if (one === other) return metadata && hasSourceHash(built, metadata) ? 'exact' : 'code';
  if (!metadata) return undefined;
  return fillGaps(one, [metadata]) === fillGaps(other, [metadata]) ? 'code' : undefined;
}

function fillGaps(digits: string, gaps: readonly CodeRange[]): string {
  let filled = '';
  let at = 0;
  for (const { start, length } of gaps.toSorted((a, b) => a.start - b.start)) {
    if (2 * start < at || 2 * (start + length) > digits.length) continue;
    filled += digits.slice(at, 2 * start) + '0'.repeat(2 * length);
    at = 2 * (start + length);
  }
  return filled + digits.slice(at);
}

/** The CBOR of solc at the end of code; its length is in the last two bytes. */
function findMetadata(digits: string): CodeRange | undefined {
  const length = Number.parseInt(digits.slice(-4), 16);
  const start = digits.length / 2 - 2 - length;
  // A CBOR map with one to five entries.
  return length > 0 && start > 0 && /^a[1-5]/.test(digits.slice(2 * start, 2 * start + 2))
    ? { start, length }
    : undefined;
}

/** `ipfs`, `bzzr0` or `bzzr1` as a key; compilers leave it out if they are told to. */
function hasSourceHash(digits: string, { start }: CodeRange): boolean {
  return /(?:6469706673|65627a7a7230|65627a7a7231)/.test(digits.slice(2 * start));
}

/** Where an instruction comes from. Offsets are bytes of UTF-8. */
export interface MapEntry {
  readonly start: number;
  readonly length: number;
  /** The ID of the source; -1 for none. */
  readonly file: number;
  /** `i` into a function, `o` out of one. */
  readonly jump: string;
}

/** Code with its source map. */
export interface CodeMap {
  /** The opcode at a program counter. */
  opcodeAt(counter: number): number;
  /** Undefined for an instruction that has none, and outside of the code. */
  entryAt(counter: number): MapEntry | undefined;
  /** How many instructions push a program counter: those that may jump there. A number of the source may look so. */
  countPushes(counter: number): number;
}

/** The largest code of a chain has some 100 KiB; each instruction has one entry. */
const MAX_CODE_BYTES = 1024 * 1024;
const JUMP = 0x56;
const JUMPI = 0x57;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/**
 * Reads a source map of solc or Vyper: one entry for each instruction, in which an empty field repeats that of the entry
 * before. Vyper has one for each byte since 0.4.0.
 *
 * https://docs.soliditylang.org/en/latest/internals/source_mappings.html
 *
 * @example createCodeMap({ digits: '600000', gaps: [], sourceMap: '5:2:0:-;7' }).entryAt(2)?.start // 7
 */
export function createCodeMap({ digits, sourceMap }: BuiltCode): CodeMap {
  const bytes = new Uint8Array(Math.min(digits.length / 2, MAX_CODE_BYTES));
  writeHex(`0x${digits.slice(0, 2 * bytes.length)}`, bytes, 0);
  const entries = parseEntries(sourceMap, bytes.length);
  const entryOf = new Int32Array(bytes.length).fill(-1);
  const pushes = new Map<number, number>();
  const targetSize = findTargetSize(bytes);
  let index = 0;
  for (let counter = 0; counter < bytes.length; index++) {
    // What follows the last entry is data.
    const isMapped = index < entries.length;
    if (isMapped) entryOf[counter] = index;
    const opcode = bytes[counter] ?? 0;
    const size = opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0;
    if (isMapped && size > 0 && size === targetSize) {
      let value = 0;
      for (let at = counter + 1; at <= counter + size; at++) value = value * 256 + (bytes[at] ?? 0);
      pushes.set(value, (pushes.get(value) ?? 0) + 1);
    }
    counter += 1 + size;
  }
  // Vyper before 0.4.0 has one entry more than instructions.
  const isByByte = entries.length > index + 1;
  return {
    opcodeAt: (counter) => bytes[counter] ?? 0,
    // solc leaves parts of the first entry out.
    entryAt: (counter) => entries[isByByte ? counter : (entryOf[counter] ?? -1)],
    countPushes: (counter) => pushes.get(counter) ?? 0,
  };
}

/** The bytes that solc pushes for each place to jump to: as many as the longest needs. */
function findTargetSize(bytes: Uint8Array): number | undefined {
  for (let counter = 0; counter < bytes.length; ) {
    const opcode = bytes[counter] ?? 0;
    const size = opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0;
    counter += 1 + size;
    const next = bytes[counter];
    if (size > 0 && (next === JUMP || next === JUMPI)) return size;
  }
  return undefined;
}

function parseEntries(sourceMap: string, maxEntries: number): readonly MapEntry[] {
  const entries: MapEntry[] = [];
  let entry: MapEntry = { start: 0, length: 0, file: -1, jump: '-' };
  let at = 0;
  while (at <= sourceMap.length && sourceMap !== '' && entries.length < maxEntries) {
    const semicolon = sourceMap.indexOf(';', at);
    const end = semicolon < 0 ? sourceMap.length : semicolon;
    if (end > at) {
      const [start, length, file, jump] = sourceMap.slice(at, end).split(':');
      entry = {
        start: start ? Number(start) : entry.start,
        length: length ? Number(length) : entry.length,
        file: file ? Number(file) : entry.file,
        jump: jump || entry.jump,
      };
    }
    entries.push(entry);
    at = end + 1;
  }
  return entries;
}
