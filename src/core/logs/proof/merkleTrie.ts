import { keccak256 } from 'ox/Hash';
import * as Rlp from 'ox/Rlp';
import type { Abortable } from '../../base/concurrency.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import type { Hex } from '../../eth/hex.ts';

/** What RLP encodes: bytes, as hex or as an array, or a list (Yellow Paper, appendix B). */
export type RlpValue = Hex | Uint8Array | readonly RlpValue[];

/** @example encodeRlp(['0x01', '0x']) // Uint8Array.of(0xc2, 0x01, 0x80) */
export function encodeRlp(value: RlpValue): Uint8Array {
  return Rlp.from(value as Parameters<typeof Rlp.from>[0], { as: 'Bytes' });
}

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
  const leaves = values.map((value, index) => ({ path: toPath(index), value }));
  return hashBytes(encodeRlp(leaves.length === 0 ? '0x' : await buildNode(leaves, 0, work)));
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
  const children: RlpValue[] = [];
  for (let nibble = 0; nibble < 16; nibble++) {
    const below = leaves.filter(({ path }) => path[depth] === nibble);
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
  return encoded.length < 32 ? node : keccak256(encoded, { as: 'Bytes' });
}

/** Half bytes with their hex prefix (Yellow Paper, appendix C). */
function encodePath(path: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  const nibbles = path.length % 2 === 0 ? [flag, 0, ...path] : [flag + 1, ...path];
  return Uint8Array.from({ length: nibbles.length / 2 }, (_, at) => {
    return ((nibbles[2 * at] ?? 0) << 4) | (nibbles[2 * at + 1] ?? 0);
  });
}
