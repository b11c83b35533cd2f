import type { Hex } from '../../values/hex.ts';
import type { AbiEvent } from '../abiItem.ts';
import type { AbiValue, EventParameter } from '../abiType.ts';
import { type DecodeFault, isDecodeFault } from './decodeFault.ts';
import { compileParameters } from './readAll.ts';
import { type Cursor, type ReadWord, readHash, wordReader } from './words.ts';

/** What of a log tells its values. */
export interface LogBody {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export type DecodeEvent = (log: LogBody) => readonly AbiValue[] | DecodeFault;

const NOT_TOPIC: DecodeFault = { fault: 'notHex', detail: 'a topic is not 32 bytes in hex' };
const OTHER_EVENT: DecodeFault = { fault: 'topic0', detail: 'its topic0 is of another event' };

/**
 * Makes what decodes logs of an event, strictly (see `decodeParameters`): for use again and again. Values are in the
 * order of the inputs, of hex in lower case, as logs have it; an indexed `string`, `bytes`, array or tuple gives its topic, which is a hash (`isHashed`).
 *
 * @example
 * compileEvent(event)({ topics: log.topics, data: log.data });
 */
export function compileEvent(event: AbiEvent): DecodeEvent {
  const { inputs, topic0 } = event;
  const first = event.anonymous ? 0 : 1;
  const count = first + inputs.filter(({ indexed }) => indexed).length;
  const readData = compileParameters(inputs.filter(({ indexed }) => !indexed));
  const slots = inputs.map((input) => (input.indexed ? topicReader(input) : undefined));
  return ({ topics, data }) => {
    if (topics.length !== count) return otherCount(topics.length, count);
    if (first === 1 && topics[0] !== topic0) return OTHER_EVENT;
    const plain = readData(data);
    if (count === first || isDecodeFault(plain)) return plain;
    const cursor: Cursor = { text: '', tail: 0, fault: undefined };
    const values: AbiValue[] = [];
    let nextTopic = first;
    let nextPlain = 0;
    for (const readTopic of slots) {
      if (readTopic === undefined) {
        values.push(plain[nextPlain++] as AbiValue);
        continue;
      }
      const topic = topics[nextTopic++];
      if (topic?.length !== 66 || !topic.startsWith('0x')) return NOT_TOPIC;
      cursor.text = topic;
      const value = readTopic(cursor, 2);
      if (value === undefined) return cursor.fault ?? NOT_TOPIC;
      values.push(value);
    }
    return values;
  };
}

function topicReader({ type }: EventParameter): ReadWord {
  return wordReader(type) ?? readHash;
}

function otherCount(count: number, expected: number): DecodeFault {
  return { fault: 'topicCount', detail: `it has ${topicsText(count)} instead of ${expected}` };
}

function topicsText(count: number): string {
  return count === 1 ? '1 topic' : `${count} topics`;
}
