import assert from 'node:assert/strict';
import { keccak256 } from 'ox/Hash';
import { encodeParameters } from '../../src/core/abi/encode.ts';
import { type AbiEvent, parseAbiItem } from '../../src/core/abi/item.ts';
import type { AbiValue } from '../../src/core/abi/type.ts';
import { type Address, type Hex, type Log, toAbiWord } from '../../src/core/index.ts';

/** The event that a declaration is of. */
export function eventOf(text: string): AbiEvent {
  const item = parseAbiItem(text);
  return item?.kind === 'event' ? item : assert.fail(text);
}

interface Place {
  readonly address?: Address;
  readonly block?: bigint;
}

/** A log of an event with these values; of indexed ones integers, addresses, strings and bytes4. */
export function logOfEvent(event: AbiEvent, values: readonly AbiValue[], place: Place = {}): Log {
  const { address = `0x${'5f'.repeat(20)}`, block = 1n } = place;
  const valueAt = (index: number) => values[index] ?? assert.fail(`There is no value ${index}.`);
  const indexes = [...event.inputs.keys()];
  const indexed = indexes.filter((index) => event.inputs[index]?.indexed);
  const others = indexes.filter((index) => !indexed.includes(index));
  const hash = `0x${'99'.repeat(32)}` as const;
  return {
    address,
    topics: [...(event.anonymous ? [] : [event.topic0]), ...indexed.map((index) => topicOf(valueAt(index)))],
    data: encodeParameters(
      others.map((index) => event.inputs[index] ?? assert.fail()),
      others.map(valueAt),
    ),
    ...{ blockNumber: block, blockHash: hash, logIndex: 3, transactionHash: hash, transactionIndex: 0 },
  };
}

function topicOf(value: AbiValue): Hex {
  if (typeof value === 'bigint') return toAbiWord(value);
  const text = String(value);
  if (/^0x[0-9a-f]{8}$/.test(text)) return `0x${text.slice(2).padEnd(64, '0')}`;
  if (text.startsWith('0x')) return toAbiWord(text as Hex);
  return keccak256(new TextEncoder().encode(text), { as: 'Hex' });
}
