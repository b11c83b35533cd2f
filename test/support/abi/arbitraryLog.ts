import fc from 'fast-check';
import { type Abi, encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import type { AbiEvent } from '../../../src/core/abi/item.ts';
import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  type EventParameter,
  isHashed,
} from '../../../src/core/abi/type.ts';
import { toAbiJson, toViem, toViemValue } from './viemAbi.ts';

/** A log that viem has encoded, and what it says. */
export interface MadeLog {
  readonly event: AbiEvent;
  /** A hash stands for a hashed one. */
  readonly values: readonly AbiValue[];
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const hexOf = (minLength: number, maxLength: number) =>
  fc
    .uint8Array({ minLength, maxLength })
    .map((bytes): Hex => `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);

/** Small ones as often as those near the bounds of the type. */
function integer(min: bigint, max: bigint): fc.Arbitrary<bigint> {
  const near = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** 66n }));
  const within = (value: bigint) => (value < min ? min : value > max ? max : value);
  return fc.oneof(
    fc.bigInt({ min, max }),
    near.map((value) => within(value)),
    near.map((value) => within(-value)),
    near.map((value) => within(max - value)),
  );
}

export function arbitraryValue(type: AbiType): fc.Arbitrary<AbiValue> {
  switch (type.kind) {
    case 'uint':
      return integer(0n, 2n ** BigInt(type.bits) - 1n);
    case 'int':
      return integer(-(2n ** BigInt(type.bits - 1)), 2n ** BigInt(type.bits - 1) - 1n);
    case 'bool':
      return fc.boolean();
    case 'address':
      return hexOf(20, 20);
    case 'fixedBytes':
      return hexOf(type.size, type.size);
    case 'bytes':
      return hexOf(0, 70);
    case 'string':
      // Lone surrogates have no UTF-8.
      return fc.string({ unit: 'grapheme', maxLength: 24 });
    case 'array':
      return fc.array(arbitraryValue(type.item), {
        minLength: type.length ?? 0,
        maxLength: type.length ?? 3,
      });
    case 'tuple':
      return arbitraryValues(type.members);
  }
}

export function arbitraryValues(parameters: readonly AbiParameter[]): fc.Arbitrary<readonly AbiValue[]> {
  return fc.tuple(...parameters.map(({ type }) => arbitraryValue(type)));
}

/** Logs of an event; the hash of an indexed array or tuple, which viem does not make, is any. */
export function arbitraryLogOf(event: AbiEvent): fc.Arbitrary<MadeLog> {
  return fc
    .tuple(arbitraryValues(event.inputs), fc.array(hexOf(32, 32), { minLength: 4, maxLength: 4 }))
    .map(([given, hashes]) => {
      const topics: Hex[] = event.anonymous ? [] : [event.topic0];
      const values = event.inputs.map((input, index) => {
        const value = given[index] as AbiValue;
        if (!input.indexed) return value;
        const topic = topicOf(input, value) ?? (hashes[index % 4] as Hex);
        topics.push(topic);
        return isHashed(input) ? topic : value;
      });
      return { event, values, topics, data: dataOf(event, values) };
    });
}

/** The values that are not indexed, as viem encodes them. */
export function dataOf(event: AbiEvent, values: readonly AbiValue[]): Hex {
  const plain = event.inputs.map((input, index) => ({ input, value: values[index] as AbiValue }));
  const left = plain.filter(({ input }) => !input.indexed);
  return encodeAbiParameters(
    left.map(({ input }) => toViem(input)),
    left.map(({ input, value }) => toViemValue(input.type, value)),
  );
}

/** What viem makes of an indexed value; undefined where it makes nothing of such types. */
export function topicOf(input: EventParameter, value: AbiValue): Hex | undefined {
  if (input.type.kind === 'array' || input.type.kind === 'tuple') return undefined;
  const viem = toViem(input);
  if (!isHashed(input)) return encodeAbiParameters([viem], [toViemValue(input.type, value)]);
  const event = { kind: 'event', name: 'A', inputs: [input], anonymous: false, signature: '', topic0: '0x' };
  const abi: Abi = [toAbiJson(event as AbiEvent)] as unknown as Abi;
  // An empty text is to viem as none given.
  if (value === '' || value === '0x') return undefined;
  const [, topic] = encodeEventTopics({ abi, eventName: 'A', args: [value] } as Parameters<
    typeof encodeEventTopics
  >[0]);
  return topic as Hex;
}
