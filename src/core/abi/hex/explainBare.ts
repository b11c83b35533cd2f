import type { Hex } from '../../values/hex.ts';
import { writeHex } from '../../values/hexBytes.ts';
import type { AbiParameter, AbiType, AbiValue } from '../abiType.ts';
import { arrayOf } from '../abiTypes.ts';
import { isDecodeFault } from '../decode/decodeFault.ts';
import { decodeParameters } from '../decode/decodeParameters.ts';
import { type Explaining, explainNested } from './explainData.ts';
import type { BareMeaning } from './hexMeaning.ts';

const WORD_DIGITS = 64;
/** A list of words is for a person to look at; what is longer is none. */
const MOST_WORDS = 256;
/** Below stand counts, amounts and flags: an address with so many zeros in front is not met. */
const LEAST_ADDRESS = 1n << 96n;
/** -2^127, as a word: a hash is hardly ever so near to zero. */
const LEAST_NEGATIVE = (1n << 256n) - (1n << 127n);
const READABLE = /^[\x21-\x7e][\x20-\x7e]*$/;

const uint256: AbiType = { kind: 'uint', bits: 256, text: 'uint256' };
const int256: AbiType = { kind: 'int', bits: 256, text: 'int256' };
const address: AbiType = { kind: 'address', text: 'address' };
const bytes32: AbiType = { kind: 'fixedBytes', size: 32, text: 'bytes32' };
const string: AbiType = { kind: 'string', text: 'string' };
const bytes: AbiType = { kind: 'bytes', text: 'bytes' };

/**
 * What one word may be: an address, a text, a number. The bytes as they are need no words.
 *
 * @example explainWord(toAbiWord(5n)).map(({ values }) => values[0]) // [5n]
 */
export function explainWord(word: Hex): readonly BareMeaning[] {
  const value = BigInt(word);
  const text = paddedText(word);
  const readings: (readonly [AbiType, AbiValue])[] = [];
  if (value >= LEAST_ADDRESS && value < 1n << 160n) readings.push([address, `0x${word.slice(-40)}`]);
  if (text !== undefined) readings.push([string, text]);
  if (value >= LEAST_NEGATIVE) readings.push([int256, BigInt.asIntN(256, value)]);
  readings.push([uint256, value]);
  return readings.map(([type, read]) => bare('word', [type], [read]));
}

/** The text of a `bytes32` that is filled up with zeros. */
function paddedText(word: Hex): string | undefined {
  const codes = new Uint8Array(WORD_DIGITS / 2);
  writeHex(word, codes, 0);
  const end = codes.findLastIndex((code) => code !== 0) + 1;
  const text = String.fromCharCode(...codes.subarray(0, end));
  return READABLE.test(text) ? text : undefined;
}

/**
 * What several words may be: one value as `abi.encode` writes it, where its offset and length fit to the last byte, or
 * else the words that they are.
 *
 * @example
 * explainBlob(data, explaining).map(({ inputs }) => inputs[0]?.type.text); // ['string', 'bytes', 'bytes32']
 */
export function explainBlob(data: Hex, explaining: Explaining): readonly BareMeaning[] {
  const readings = [
    string,
    bytes,
    arrayOf(bytes, undefined),
    arrayOf(string, undefined),
    arrayOf(address, undefined),
    arrayOf(uint256, undefined),
  ];
  const meanings = readings.flatMap((type): readonly BareMeaning[] => {
    const inputs = [{ name: '', type }];
    const values = decodeParameters(inputs, data);
    if (isDecodeFault(values) || !isLikely(type, values[0])) return [];
    return [{ kind: 'blob', inputs, values, nested: explainNested(inputs, values, explaining) }];
  });
  const words = wordsOf(data);
  return words
    ? [
        ...meanings,
        bare(
          'blob',
          words.map(() => bytes32),
          words,
        ),
      ]
    : meanings;
}

function bare(kind: 'word' | 'blob', types: readonly AbiType[], values: readonly AbiValue[]): BareMeaning {
  const inputs: readonly AbiParameter[] = types.map((type) => ({ name: '', type }));
  return { kind, inputs, values, nested: [] };
}

/** Not empty, as what holds nothing fits many types, and with no small numbers among addresses. */
function isLikely(type: AbiType, value: AbiValue | undefined): boolean {
  if (value === undefined || value === '' || value === '0x') return false;
  if (!Array.isArray(value)) return true;
  const ofAddresses = type.kind === 'array' && type.item.kind === 'address';
  return value.length > 0 && (!ofAddresses || value.every((item) => BigInt(item) >= LEAST_ADDRESS));
}

function wordsOf(data: Hex): readonly Hex[] | undefined {
  const count = (data.length - 2) / WORD_DIGITS;
  if (count > MOST_WORDS) return undefined;
  return Array.from({ length: count }, (_, index): Hex => {
    const start = 2 + index * WORD_DIGITS;
    return `0x${data.slice(start, start + WORD_DIGITS)}`;
  });
}
