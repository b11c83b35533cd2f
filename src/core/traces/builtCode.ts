import type { SliceOptions } from '../base/timeSlices.ts';
import { writeHex } from '../eth/bytes.ts';

/** The code of a contract as a compiler wrote it, with the places where deployed code differs. */
export interface BuiltCode {
  /** Hex digits without `0x`; placeholders of libraries are zeros. */
  readonly digits: string;
  readonly gaps: readonly CodeGap[];
  /** As solc and Vyper write it; empty if the build has none. */
  readonly sourceMap: string;
  /** Of Vyper, where immutable variables follow the code and are no gaps in it. */
  readonly tail?: ImmutableTail;
}

/** A library or an immutable variable: places that are filled with one value later. */
export interface CodeGap {
  readonly kind: 'immutable' | 'library';
  /** `src/Math.sol:Math`, or the ID of the variable in the syntax tree. */
  readonly id: string;
  readonly places: readonly CodeRange[];
}

export interface ImmutableTail {
  /** Undefined if the build does not say how long it is. */
  readonly bytes: number | undefined;
  /** Empty if the build does not name the variables; offsets are from the end of the code. */
  readonly names: readonly { readonly name: string; readonly offset: number; readonly length: number }[];
}

/** In bytes. */
export interface CodeRange {
  readonly start: number;
  readonly length: number;
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
 * @throws the reason of the signal when it aborts.
 * @example
 * (await createCodeMap({ digits: '600000', gaps: [], sourceMap: '5:2:0:-;7' }, { slices })).entryAt(2)?.start // 7
 */
export async function createCodeMap(
  { digits, sourceMap }: BuiltCode,
  { slices, signal }: SliceOptions,
): Promise<CodeMap> {
  const bytes = new Uint8Array(Math.min(digits.length / 2, MAX_CODE_BYTES));
  writeHex(`0x${digits.slice(0, 2 * bytes.length)}`, bytes, 0);
  const entries = await parseEntries(sourceMap, bytes.length, { slices, signal });
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
    if (slices.isOver()) await slices.rest({ signal });
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

async function parseEntries(
  sourceMap: string,
  maxEntries: number,
  { slices, signal }: SliceOptions,
): Promise<readonly MapEntry[]> {
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
    if (slices.isOver()) await slices.rest({ signal });
  }
  return entries;
}
