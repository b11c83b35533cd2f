import { keccak256 } from 'ox/Hash';
import * as Rlp from 'ox/Rlp';
import type { Abortable } from '../../base/concurrency.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { concatBytes, writeHex } from '../../eth/bytes.ts';
import type { Hex } from '../../eth/hex.ts';
import { hashInSlices } from '../../eth/keccak.ts';

/** What RLP encodes: bytes, as hex or as an array, or a list (Yellow Paper, appendix B). */
export type RlpValue = Hex | Uint8Array | readonly RlpValue[];

/** @example encodeRlp(['0x01', '0x']) // Uint8Array.of(0xc2, 0x01, 0x80) */
export function encodeRlp(value: RlpValue): Uint8Array {
  return Rlp.from(value as Parameters<typeof Rlp.from>[0], { as: 'Bytes' });
}

/**
 * The RLP of a list whose items are encoded.
 *
 * @example encodeRlpList([Uint8Array.of(1)]) // Uint8Array.of(0xc1, 0x01)
 */
export function encodeRlpList(items: readonly Uint8Array[]): Uint8Array {
  const size = items.reduce((sum, { length }) => sum + length, 0);
  if (size <= 55) return concatBytes([Uint8Array.of(0xc0 + size), ...items]);
  const digits = toRlpInteger(BigInt(size));
  const length = new Uint8Array((digits.length - 2) / 2);
  writeHex(digits, length, 0);
  return concatBytes([Uint8Array.of(0xf7 + length.length), length, ...items]);
}

/**
 * The bytes of hex data, in slices.
 *
 * @throws the signal's reason when it aborts.
 * @example await toBytes('0x0102', work); // Uint8Array.of(1, 2)
 */
export async function toBytes(hex: Hex, { slices, signal }: SlicedWork): Promise<Uint8Array> {
  const bytes = new Uint8Array((hex.length - 2) / 2);
  for (let at = 0; at < bytes.length; at += CONVERTED_AT_ONCE) {
    writeHex(`0x${hex.slice(2 + 2 * at, 2 + 2 * (at + CONVERTED_AT_ONCE))}`, bytes, at);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return bytes;
}

/** In bytes. */
const CONVERTED_AT_ONCE = 64 * 1024;

/**
 * An integer as RLP takes it: big endian, without leading zeros.
 *
 * @example toRlpInteger(256n) // '0x0100'
 * @example toRlpInteger(0n) // '0x'
 */
export function toRlpInteger(value: bigint): Hex {
  if (value === 0n) return '0x';
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`;
}

export function hashBytes(bytes: Uint8Array): Hex {
  return keccak256(bytes, { as: 'Hex' });
}

interface Leaf {
  /** Half bytes of the key: the RLP of its index. */
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

/** For long work: rests when a slice of time is over, and stops when the signal aborts. */
export interface SlicedWork extends Abortable {
  readonly slices: TimeSlices;
}

/**
 * The root of the Merkle Patricia trie of a list, as block headers have it for transactions and receipts: the key of a
 * value is the RLP of its index (Yellow Paper, section 4.4.3 and appendix D).
 *
 * @throws the signal's reason when it aborts.
 * @example await computeListRoot([], work); // '0x56e81f17…b421'
 */
export async function computeListRoot(values: readonly Uint8Array[], work: SlicedWork): Promise<Hex> {
  const leaves: Leaf[] = [];
  for (const [index, value] of values.entries()) {
    leaves.push({ path: toPath(index), value });
    if (work.slices.isOver()) await work.slices.rest({ signal: work.signal });
  }
  return hashInSlices(encodeRlp(leaves.length === 0 ? '0x' : await buildNode(leaves, 0, work)), work);
}

function toPath(index: number): readonly number[] {
  return [...encodeRlp(toRlpInteger(BigInt(index)))].flatMap((byte) => [byte >> 4, byte & 15]);
}

/** The node of leaves whose paths are equal before `depth`. No path is the start of another. */
async function buildNode(leaves: readonly Leaf[], depth: number, work: SlicedWork): Promise<RlpValue> {
  const [first] = leaves;
  if (!first) return '0x';
  if (leaves.length === 1) return [encodePath(first.path.slice(depth), true), first.value];
  let shared = depth;
  while (leaves.every(({ path }) => path[shared] === first.path[shared])) shared++;
  if (shared > depth) {
    const child = await buildNode(leaves, shared, work);
    return [encodePath(first.path.slice(depth, shared), false), await toReference(child, work)];
  }
  const byNibble = Array.from({ length: 16 }, (): Leaf[] => []);
  for (const leaf of leaves) {
    byNibble[leaf.path[depth] ?? 0]?.push(leaf);
    if (work.slices.isOver()) await work.slices.rest({ signal: work.signal });
  }
  const children: RlpValue[] = [];
  for (const below of byNibble) {
    children.push(
      below.length === 0 ? '0x' : await toReference(await buildNode(below, depth + 1, work), work),
    );
  }
  return [...children, '0x'];
}

/** A node below 32 bytes stands in its parent, any other by its hash. */
async function toReference(node: RlpValue, { slices, signal }: SlicedWork): Promise<RlpValue> {
  if (slices.isOver()) await slices.rest({ signal });
  const encoded = encodeRlp(node);
  if (encoded.length < 32) return node;
  return encoded.length <= CONVERTED_AT_ONCE
    ? keccak256(encoded, { as: 'Bytes' })
    : hashInSlices(encoded, { slices, signal });
}

/** Half bytes with their hex prefix (Yellow Paper, appendix C). */
function encodePath(path: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  const nibbles = path.length % 2 === 0 ? [flag, 0, ...path] : [flag + 1, ...path];
  return Uint8Array.from({ length: nibbles.length / 2 }, (_, at) => {
    return ((nibbles[2 * at] ?? 0) << 4) | (nibbles[2 * at + 1] ?? 0);
  });
}
