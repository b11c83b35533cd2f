import { keccak256 } from 'ox/Hash';
import type { AbiType } from '../../abi/abiType.ts';
import { parseAddress } from '../../values/address.ts';
import { type BytePattern, hasPattern, hexPatterns, textPattern } from '../../values/bytePattern.ts';
import { parseHexData } from '../../values/hex.ts';
import type { ArgumentReader } from './argumentReader.ts';
import type { LogColumns } from './packed/logColumns.ts';
import {
  compareSigned,
  compareWords,
  equalWords,
  newWord,
  type StoredWord,
  WORD_BYTES,
  wordOf,
} from './packed/storedWord.ts';
import { type NamedArgument, namedBest, type RowKnowledge } from './rowKnowledge.ts';
import { fittingWord, type InUnits, inUnits, readNumber, type TypedNumber } from './typedAmount.ts';

export type Operator = ':' | '=' | '<' | '>' | '<=' | '>=';

/** What is asked of an argument. */
export interface FieldQuestion {
  readonly operator: Operator;
  readonly value: string;
}

/** What a test reads. */
interface Read {
  readonly reader: ArgumentReader;
  readonly columns: LogColumns;
}

type MakeTest = (read: Read) => (row: number) => boolean;

/** What tells whether an argument of a row is as asked; undefined where the question makes no sense for its type. */
export function argumentTest(
  argument: NamedArgument,
  { operator, value }: FieldQuestion,
  knowledge: RowKnowledge,
): MakeTest | undefined {
  const { type } = argument;
  if (type.kind === 'uint' || type.kind === 'int') {
    const number = readNumber(value) ?? readHexNumber(value);
    return number && numberTest(argument, { operator, number }, knowledge);
  }
  if (operator !== ':' && operator !== '=') return undefined;
  switch (type.kind) {
    case 'address':
      return addressTest(value, knowledge);
    case 'bool': {
      const wanted = { true: 1n, 1: 1n, false: 0n, 0: 0n }[value.toLowerCase()];
      return wanted === undefined ? undefined : oneOf([wordOf(wanted)]);
    }
    case 'fixedBytes':
    case 'string':
    case 'bytes':
      return bytesTest(type, value);
    default:
      return undefined;
  }
}

function readHexNumber(text: string): TypedNumber | undefined {
  return /^0x[0-9a-f]{1,64}$/i.test(text) ? { digits: BigInt(text), fraction: 0 } : undefined;
}

function numberTest(
  { type, isAmount }: NamedArgument,
  { operator, number }: { readonly operator: Operator; readonly number: TypedNumber },
  knowledge: RowKnowledge,
): MakeTest {
  const signed = type.kind === 'int';
  const passing = (units: InUnits) => comparison(operator, units, signed);
  return ({ reader, columns }) => {
    const found = newWord();
    const raw = passing(inUnits(number, 0));
    const byContract = new Map<number, (word: StoredWord) => boolean>();
    const testFor = (row: number) => {
      const contract = columns.bodies.addressAt(row);
      const known = byContract.get(contract);
      if (known) return known;
      const decimals = knowledge.decimalsOf(columns.addresses.at(contract));
      const test = decimals === undefined ? raw : passing(inUnits(number, decimals));
      byContract.set(contract, test);
      return test;
    };
    return (row) => reader.wordAt(row, found) && (isAmount ? testFor(row) : raw)(found);
  };
}

/** A number that is none of the type's is above or below all of them. */
function comparison(operator: Operator, { floor, isExact }: InUnits, signed: boolean) {
  const bound = fittingWord(floor, signed);
  const compare = signed ? compareSigned : compareWords;
  const order = bound ? (word: StoredWord) => compare(word, bound) : () => (floor < 0n ? 1 : -1);
  return (word: StoredWord): boolean => {
    const side = order(word);
    switch (operator) {
      case ':':
      case '=':
        return isExact && side === 0;
      case '>':
        return side > 0;
      case '>=':
        return side > 0 || (isExact && side === 0);
      case '<':
        return side < 0 || (!isExact && side === 0);
      case '<=':
        return side <= 0;
    }
  };
}

function addressTest(value: string, knowledge: RowKnowledge): MakeTest | undefined {
  const address = parseAddress(value);
  if (address) return oneOf([wordOf(BigInt(address))]);
  if (/^0x[0-9a-f]{1,39}$/i.test(value)) return holding(hexPatterns(value.slice(2).toLowerCase()), 'word');
  const named = namedBest(value, knowledge.addressesNamed);
  return named.length === 0 ? undefined : oneOf(named.map((one) => wordOf(BigInt(one))));
}

function bytesTest(type: AbiType, value: string): MakeTest {
  const data = type.kind === 'string' ? undefined : parseHexData(value);
  const hex = data ?? (/^0x[0-9a-f]+$/i.test(value) ? value.toLowerCase() : undefined);
  const patterns = hex ? hexPatterns(hex.slice(2)) : [textPattern(value)];
  if (type.kind === 'fixedBytes') return holding(patterns, 'word');
  const hash = keccak256(data ?? new TextEncoder().encode(value), { as: 'Hex' });
  const isHash = oneOf([wordOf(BigInt(hash))]);
  const inBytes = holding(patterns, 'bytes');
  return (read) => {
    const [ofHash, ofBytes] = [isHash(read), inBytes(read)];
    return (row) => (read.reader.bytesAt(row) === undefined ? ofHash(row) : ofBytes(row));
  };
}

function oneOf(words: readonly StoredWord[]): MakeTest {
  return ({ reader }) => {
    const found = newWord();
    return (row) => reader.wordAt(row, found) && words.some((word) => equalWords(word, found));
  };
}

function holding(patterns: readonly BytePattern[], where: 'word' | 'bytes'): MakeTest {
  return ({ reader }) => {
    const found = newWord();
    const whole = new Uint8Array(WORD_BYTES);
    const wholeWord = (row: number) => {
      if (!reader.wordAt(row, found)) return undefined;
      whole.fill(0);
      whole.set(found.bytes.subarray(found.offset, found.offset + found.length), WORD_BYTES - found.length);
      return whole;
    };
    const bytesOf = where === 'word' ? wholeWord : reader.bytesAt;
    return (row) => {
      const bytes = bytesOf(row);
      return (
        bytes !== undefined &&
        patterns.some((pattern) => hasPattern(pattern, { bytes, offset: 0, length: bytes.length }))
      );
    };
  };
}
