import type { Hex } from '../../values/hex.ts';
import type { AbiParameter, AbiType, AbiValue } from '../abiType.ts';

/** A `bytes` among values. */
export interface NestedBytes {
  /** Indices from the values on, down through arrays and tuples. */
  readonly path: readonly number[];
  readonly data: Hex;
}

/**
 * All `bytes` among values, in order. As deep as their types are, which are bounded where they are read.
 *
 * @example [...nestedBytes([{ name: 'data', type: { kind: 'bytes', text: 'bytes' } }], ['0x12'])].length // 1
 */
export function* nestedBytes(
  inputs: readonly AbiParameter[],
  values: readonly AbiValue[],
): Generator<NestedBytes> {
  for (const [index, { type }] of inputs.entries()) {
    if (holdsBytes(type)) yield* bytesIn(type, values[index], [index]);
  }
}

function* bytesIn(
  type: AbiType,
  value: AbiValue | undefined,
  path: readonly number[],
): Generator<NestedBytes> {
  if (type.kind === 'bytes') {
    if (typeof value === 'string') yield { path, data: value as Hex };
    return;
  }
  if (!Array.isArray(value)) return;
  for (const [index, member] of value.entries()) {
    const inner =
      type.kind === 'array' ? type.item : type.kind === 'tuple' ? type.members[index]?.type : undefined;
    if (inner && holdsBytes(inner)) yield* bytesIn(inner, member, [...path, index]);
  }
}

/** So that an array of a million words is not walked through. */
function holdsBytes(type: AbiType): boolean {
  if (type.kind === 'array') return holdsBytes(type.item);
  if (type.kind === 'tuple') return type.members.some((member) => holdsBytes(member.type));
  return type.kind === 'bytes';
}
