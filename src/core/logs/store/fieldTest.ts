import { keccak256 } from 'ox/Hash';
import type { AbiType } from '../../abi/type.ts';
import { type Address, type Hex, parseAddress, parseHexData } from '../../eth/hex.ts';
import type { ArgumentReader, StoredArgument } from './argument.ts';
import { type BytePattern, createHexPatterns, createTextPattern, hasPattern } from './bytes.ts';
import type { LogColumns, LogStore } from './logStore.ts';
import {
  compareSigned,
  compareWords,
  createWord,
  equalWords,
  type InUnits,
  type ParsedNumber,
  parseNumber,
  type StoredWord,
  toFittingWord,
  toStoredWord,
  toUnits,
  WORD_BYTES,
} from './word.ts';

export type Operator = ':' | '=' | '<' | '>' | '<=' | '>=';

/** What is asked of an argument. */
export interface FieldCondition {
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
export function createArgumentTest(
  argument: NamedArgument,
  { operator, value }: FieldCondition,
  knowledge: RowKnowledge,
): MakeTest | undefined {
  const { type } = argument;
  if (type.kind === 'uint' || type.kind === 'int') {
    const number = parseNumber(value) ?? readHexNumber(value);
    return number && numberTest(argument, { operator, number }, knowledge);
  }
  if (operator !== ':' && operator !== '=') return undefined;
  switch (type.kind) {
    case 'address':
      return addressTest(value, knowledge);
    case 'bool': {
      const wanted = { true: 1n, 1: 1n, false: 0n, 0: 0n }[value.toLowerCase()];
      return wanted === undefined ? undefined : oneOf([toStoredWord(wanted)]);
    }
    case 'fixedBytes':
    case 'string':
    case 'bytes':
      return bytesTest(type, value);
    default:
      return undefined;
  }
}

function readHexNumber(text: string): ParsedNumber | undefined {
  return /^0x[0-9a-f]{1,64}$/i.test(text) ? { digits: BigInt(text), fraction: 0 } : undefined;
}

function numberTest(
  { type, isAmount }: NamedArgument,
  { operator, number }: { readonly operator: Operator; readonly number: ParsedNumber },
  knowledge: RowKnowledge,
): MakeTest {
  const signed = type.kind === 'int';
  const passing = (units: InUnits) => comparison(operator, units, signed);
  return ({ reader, columns }) => {
    const found = createWord();
    const raw = passing(toUnits(number, 0));
    const byContract = new Map<number, (word: StoredWord) => boolean>();
    const testFor = (row: number) => {
      const contract = columns.bodies.addressAt(row);
      const known = byContract.get(contract);
      if (known) return known;
      const decimals = knowledge.decimalsOf(columns.addresses.at(contract));
      const test = decimals === undefined ? raw : passing(toUnits(number, decimals));
      byContract.set(contract, test);
      return test;
    };
    return (row) => reader.wordAt(row, found) && (isAmount ? testFor(row) : raw)(found);
  };
}

/** A number that is none of the type's is above or below all of them. */
function comparison(operator: Operator, { floor, isExact }: InUnits, signed: boolean) {
  const bound = toFittingWord(floor, signed);
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
  if (address) return oneOf([toStoredWord(BigInt(address))]);
  if (/^0x[0-9a-f]{1,39}$/i.test(value))
    return holding(createHexPatterns(value.slice(2).toLowerCase()), 'word');
  const named = findBestNamed(value, knowledge.findAddressesByName);
  return named.length === 0 ? undefined : oneOf(named.map((one) => toStoredWord(BigInt(one))));
}

function bytesTest(type: AbiType, value: string): MakeTest {
  const data = type.kind === 'string' ? undefined : parseHexData(value);
  const hex = data ?? (/^0x[0-9a-f]+$/i.test(value) ? value.toLowerCase() : undefined);
  const patterns = hex ? createHexPatterns(hex.slice(2)) : [createTextPattern(value)];
  if (type.kind === 'fixedBytes') return holding(patterns, 'word');
  const hash = keccak256(data ?? new TextEncoder().encode(value), { as: 'Hex' });
  const isHash = oneOf([toStoredWord(BigInt(hash))]);
  const inBytes = holding(patterns, 'bytes');
  return (read) => {
    const [ofHash, ofBytes] = [isHash(read), inBytes(read)];
    return (row) => (read.reader.bytesAt(row) === undefined ? ofHash(row) : ofBytes(row));
  };
}

function oneOf(words: readonly StoredWord[]): MakeTest {
  return ({ reader }) => {
    const found = createWord();
    return (row) => reader.wordAt(row, found) && words.some((word) => equalWords(word, found));
  };
}

function holding(patterns: readonly BytePattern[], where: 'word' | 'bytes'): MakeTest {
  return ({ reader }) => {
    const found = createWord();
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

/** What is known of the events and addresses of stored rows: by that they are sorted and filtered as they are read. */
export interface RowKnowledge {
  /** The argument that a column shows, by its place in the event that is asked for. */
  argumentAt(index: number): StoredArgument | undefined;
  /** The arguments of this name that rows may have, one for each event. Letter case does not count. */
  findArgumentsByName(name: string): readonly NamedArgument[];
  /** Topics 0 of events that are named so; letter case does not count. */
  findEventsByName(text: string, as: NamePart): readonly Hex[];
  /** Addresses that are named so; letter case does not count. */
  findAddressesByName(text: string, as: NamePart): readonly Address[];
  /** The decimals in which amounts of this contract are shown. */
  decimalsOf(contract: Address): number | undefined;
}

/** Whether a text is the whole of a name, or anything in it. */
export type NamePart = 'whole' | 'part';

export interface NamedArgument extends StoredArgument {
  /** Whether it is shown in the units of the contract that emitted it. */
  readonly isAmount: boolean;
}

/**
 * What is named by `text` where a name is asked for: all of that name, or where there is none, all with it in theirs.
 */
export function findBestNamed<T>(
  text: string,
  find: (text: string, as: NamePart) => readonly T[],
): readonly T[] {
  const whole = find(text, 'whole');
  return whole.length > 0 ? whole : find(text, 'part');
}

/** Makes for a store what tells whether a row of it passes. */
export type RowFilter = (store: LogStore) => (row: number) => boolean;
