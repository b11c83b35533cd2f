import { createRandom, type Random } from '../../localnet/chain/random.ts';
import {
  type AbiEvent,
  type AbiType,
  type AbiValue,
  encodeParameters,
  encodeTopic,
  type Hex,
} from '../../src/core/index.ts';

export interface BenchLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** As many logs, of the events in turn; the same at every run. */
export function makeLogs(events: readonly AbiEvent[], count: number): readonly BenchLog[] {
  const random = createRandom(1);
  const logs = Array.from({ length: count }, (_, index) => makeLog(events[index % events.length], random));
  // As they come from a server: each text in one piece.
  return JSON.parse(JSON.stringify(logs));
}

function makeLog(event: AbiEvent | undefined, random: Random): BenchLog {
  if (event === undefined) throw new Error('There are no events to make logs of.');
  const values = event.inputs.map(({ type }) => randomValue(type, random));
  const topics = event.inputs.flatMap(({ type, indexed }, index) =>
    indexed ? [encodeTopic(type, values[index] as AbiValue)] : [],
  );
  const data = encodeParameters(
    event.inputs.filter(({ indexed }) => !indexed),
    values.filter((_, index) => !event.inputs[index]?.indexed),
  );
  // Contracts are few: tokens and pools.
  const address = `0x${'c0'.repeat(19)}${hexOf(1, random)}` as const;
  return { address, topics: [event.topic0, ...topics], data };
}

function randomValue(type: AbiType, random: Random): AbiValue {
  switch (type.kind) {
    case 'uint':
    case 'int':
      // Amounts of a token with 18 decimals are the common case.
      return BigInt(`0x${hexOf(Math.min(type.bits / 8, 12), random)}`) >> BigInt(1 + random.below(24));
    case 'bool':
      return random.below(2) === 1;
    case 'address':
      return `0x${hexOf(20, random)}`;
    case 'fixedBytes':
      return `0x${hexOf(type.size, random)}`;
    case 'bytes':
      return `0x${hexOf(random.below(100), random)}`;
    case 'string':
      return 'ipfs://metadata/'.repeat(1 + random.below(3));
    case 'array':
      return Array.from({ length: type.length ?? 1 + random.below(3) }, () => randomValue(type.item, random));
    case 'tuple':
      return type.members.map((member) => randomValue(member.type, random));
  }
}

function hexOf(bytes: number, random: Random): string {
  return Array.from({ length: bytes }, () => random.below(256).toString(16).padStart(2, '0')).join('');
}
