import type { AbiType } from '../../abi/abiType.ts';
import { toAbiWord } from '../../abi/abiWord.ts';
import { readTopic } from '../../abi/encode/readTopic.ts';
import { parseAbiItem } from '../../abi/read/parseAbiItem.ts';
import { badInput, isAppError } from '../../base/errors.ts';
import { parseAddress } from '../../values/address.ts';
import { type Hex, parseHexData } from '../../values/hex.ts';

/** A topic as a person wrote it. */
export interface TopicText {
  readonly topic: Hex;
  /** As what it was read; undefined for a topic that is written in full. */
  readonly type: AbiType | undefined;
}

const UINT: AbiType = { kind: 'uint', bits: 256, text: 'uint256' };
const INT: AbiType = { kind: 'int', bits: 256, text: 'int256' };
const BOOL: AbiType = { kind: 'bool', text: 'bool' };
const ADDRESS: AbiType = { kind: 'address', text: 'address' };

/**
 * The types that the topic at a position (1 to 3) of an event can have: one where the declaration says `indexed`, else
 * those of the parameters that may stand there, each once; none where nothing is known of it.
 *
 * @example topicTypes('Transfer(address,address,uint256)', 2).map(({ text }) => text) // ['address', 'uint256']
 */
export function topicTypes(event: string, position: number): readonly AbiType[] {
  const typed = event.trim();
  if (typed === '' || /^0x/i.test(typed)) return [];
  const item = parseAbiItem(/^event\s/.test(typed) ? typed : `event ${typed}`);
  if (item?.kind !== 'event') return [];
  const indexed = item.inputs.filter((input) => input.indexed);
  const able = indexed.length > 0 ? indexed.slice(position - 1, position) : item.inputs.slice(position - 1);
  return [...new Map(able.map(({ type }) => [type.text, type])).values()];
}

/**
 * Reads a topic as people write it: 32 bytes of hex as they are, else a value of one of the types, text and bytes as their
 * hash. Without a type an address, an integer (decimal or short hex) or a bool, as one word.
 *
 * @throws AppError `badInput` for `field`.
 * @example readTopicText('-1', [], 'topic1').topic // '0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff'
 */
export function readTopicText(text: string, types: readonly AbiType[], field: string): TopicText {
  const typed = text.trim();
  const whole = parseHexData(typed, 32);
  if (whole) return { topic: whole, type: undefined };
  const isAddress = parseAddress(typed) !== undefined;
  const [only, ...others] = types;
  if (only && others.length === 0 && !isAddress) return { topic: readTopic(only, text, field), type: only };
  for (const type of types.length === 0 ? wordTypes(typed) : inOrder(types, isAddress)) {
    const topic = topicOf(type, text, field);
    if (topic) return { topic, type };
  }
  const address = parseAddress(typed);
  if (address) return { topic: toAbiWord(address), type: ADDRESS };
  if (types.length > 0) {
    const names = types.map(({ text: name }) => name).join(', ');
    const message = `Not a value of ${names}. Write one, or 0x and 64 hex digits.`;
    throw badInput(field, message, { code: 'notTopicOfTypes', values: [names] });
  }
  throw badInput(field, 'Not a topic: write an address, a number, true or false, or 0x and hex digits.', {
    code: 'notTopicOrAddress',
  });
}

function wordTypes(typed: string): readonly AbiType[] {
  return parseAddress(typed) ? [ADDRESS] : [BOOL, typed.startsWith('-') ? INT : UINT];
}

/** What takes any text comes last, and before it what takes any bytes. */
function inOrder(types: readonly AbiType[], isAddress: boolean): readonly AbiType[] {
  const rank = ({ kind }: AbiType) => {
    if (kind === 'string') return 3;
    if (kind === 'bytes') return 2;
    return isAddress && kind === 'address' ? 0 : 1;
  };
  return types.toSorted((a, b) => rank(a) - rank(b));
}

function topicOf(type: AbiType, text: string, field: string): Hex | undefined {
  try {
    return readTopic(type, text, field);
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}
