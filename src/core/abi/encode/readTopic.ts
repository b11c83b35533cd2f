import { type Hex, parseHexData } from '../../values/hex.ts';
import type { AbiType } from '../abiType.ts';
import { encodeTopic } from './encodeTopic.ts';
import { readValue } from './readValue.ts';

/**
 * The topic of an indexed parameter, from its value as people write it, as {@link readValue} does; text and bytes are
 * hashed. Of an array or a tuple the topic itself is taken: 32 bytes of hex.
 *
 * @throws AppError `badInput` for `field`.
 * @example readTopic({ kind: 'bool', text: 'bool' }, 'true', 'args.ok') // toAbiWord(1n)
 */
export function readTopic(type: AbiType, text: string, field: string): Hex {
  const isHashAlone = type.kind === 'array' || type.kind === 'tuple';
  const topic = isHashAlone ? parseHexData(text.trim(), 32) : undefined;
  return topic ?? encodeTopic(type, readValue(type, text, field));
}
