import type { AbiParameter, AbiType, AbiValue } from '../../abi/abiType.ts';
import { isHashed } from '../../abi/decode/isHashed.ts';
import type { DecodedLog } from '../../abi/decode/logDecoder.ts';
import { rawReasonText } from '../../abi/decode/rawReason.ts';
import { plainText } from '../../values/plainText.ts';
import type { Json, JsonObject } from './answer.ts';

/** Characters of a text of a stranger that are given. */
const LONGEST_TEXT = 200;
/** Bytes of a value that are given: more than a call with a few arguments has. */
const MOST_BYTES = 256;
/** Items of an array that are given. */
const MOST_ITEMS = 20;

/**
 * Text that somebody wrote on the chain or told a server, marked as data: plain, and cut with a mark that it is.
 *
 * @example chainText('USDC') // { chainText: 'USDC' }
 */
export function chainText(text: string): JsonObject {
  const plain = plainText(text, LONGEST_TEXT);
  const isCut = plain.endsWith('…') && (text.length > LONGEST_TEXT || !text.trimEnd().endsWith('…'));
  return { chainText: plain, ...(isCut && { truncated: true }) };
}

/**
 * Bytes as hex; of long ones the beginning.
 *
 * @example chainBytes('0x1234') // '0x1234'
 */
export function chainBytes(hex: string): Json {
  const bytes = (hex.length - 2) / 2;
  if (bytes <= MOST_BYTES) return hex;
  return { hex: hex.slice(0, 2 + 2 * MOST_BYTES), bytes, truncated: true };
}

/** A decoded value as JSON: integers as decimal strings, texts marked as data, long ones cut. */
export function chainValue(type: AbiType, value: AbiValue): Json {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (type.kind === 'string') return chainText(value);
    return type.kind === 'bytes' ? chainBytes(value) : value;
  }
  if (type.kind === 'array') {
    const items = value.slice(0, MOST_ITEMS).map((item) => chainValue(type.item, item));
    return value.length > MOST_ITEMS ? { items, of: value.length, truncated: true } : items;
  }
  return type.kind === 'tuple' ? chainArguments(type.members, value) : null;
}

/** Values by the names of their parameters; a list of both where names are missing or stand twice. */
export function chainArguments(parameters: readonly AbiParameter[], values: readonly AbiValue[]): Json {
  const given = parameters.map((parameter, place) => {
    const value = values[place] ?? '';
    const hash = 'indexed' in parameter && isHashed(parameter as never);
    return {
      parameter,
      value: hash ? { hashOf: parameter.type.text, hash: String(value) } : chainValue(parameter.type, value),
    };
  });
  const names = new Set(parameters.map(({ name }) => name));
  if (names.size === parameters.length && !names.has('') && !names.has('__proto__')) {
    return Object.fromEntries(given.map(({ parameter, value }) => [parameter.name, value]));
  }
  return given.map(({ parameter: { name, type }, value }) => ({ name, type: type.text, value }));
}

/** What a log says: event, arguments and who knows it; else why that is not known. */
export function chainEvent(decoded: DecodedLog): JsonObject {
  if ('reason' in decoded) return { event: null, why: plainText(rawReasonText(decoded.reason), 300) };
  const { event, values, origin } = decoded;
  return {
    event: event.name,
    args: chainArguments(event.inputs, values),
    abi: plainText(`${origin.trust}: ${origin.from}`, 160),
  };
}
