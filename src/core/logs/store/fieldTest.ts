import { keccak256 } from 'ox/Hash';
import { parseEnumMember } from '../../abi/enums.ts';
import type { AbiType, AmountUnit } from '../../abi/type.ts';
import { type Address, type Hex, parseAddress, parseHexData } from '../../eth/hex.ts';
import { resolveUnit, type UnitsOf } from '../../tokens/amounts.ts';
import type { ArgumentReader, StoredArgument } from './argument.ts';
import { type BytePattern, createHexPatterns, createTextPattern, hasPattern } from './bytes.ts';
import type { FilterTermCondition, Operator } from './filterTerms.ts';
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

/** A condition on an argument. */
export type FieldCondition = Pick<FilterTermCondition, 'decimals' | 'operator' | 'value'>;

export interface NamedArgument extends StoredArgument {
  /** What it counts in logs of a contract; undefined for a bare integer. */
  readonly unitAt: (contract: Address) => AmountUnit | undefined;
}

/** Whether a text is the complete name, or any part of it. */
export type NamePart = 'whole' | 'part';

/** What is known of the events and addresses of stored rows; sorting and filtering follow what the user sees. */
export interface RowKnowledge {
  /** The argument in a column, by its index in the queried event. */
  argumentAt(index: number): StoredArgument | undefined;
  /** The arguments of this name in any row, one for each event. Case-insensitive, unless `exact`. */
  findArgumentsByName(name: string, as?: 'exact'): readonly NamedArgument[];
  /** The names of the arguments in any row, each once. */
  listArgumentNames(): readonly string[];
  /** Topics 0 of events by name. Case-insensitive. */
  findEventsByName(text: string, as: NamePart): readonly Hex[];
  /** Addresses by name. Case-insensitive. */
  findAddressesByName(text: string, as: NamePart): readonly Address[];
  /** The decimals in which arguments of logs of this contract are shown, each once. */
  listDecimals(contract: Address): readonly number[];
  /** The symbol and decimals of a token. */
  readonly unitsOf: UnitsOf;
}

/** Creates a test for the rows of a store. */
export type RowFilter = (store: LogStore) => (row: number) => boolean;

/** The items with exactly the name `text`, or, if there are none, all whose name contains it. */
export function findBestNamed<T>(
  text: string,
  find: (text: string, as: NamePart) => readonly T[],
): readonly T[] {
  const whole = find(text, 'whole');
  return whole.length > 0 ? whole : find(text, 'part');
}

/** What a test reads from. */
interface TestInput {
  readonly reader: ArgumentReader;
  readonly columns: LogColumns;
}

type MakeTest = (read: TestInput) => (row: number) => boolean;

/** Creates a test of an argument; undefined if the condition makes no sense for its type. */
export function createArgumentTest(
  argument: NamedArgument,
  { operator, value, decimals }: FieldCondition,
  knowledge: RowKnowledge,
): MakeTest | undefined {
  const { type } = argument;
  if (operator === '!=') {
    const makeEqual = createArgumentTest(argument, { operator: '=', value, decimals }, knowledge);
    return (
      makeEqual &&
      ((input) => {
        const isEqual = makeEqual(input);
        return (row) => input.reader.has(row) && !isEqual(row);
      })
    );
  }
  if (type.kind === 'uint' || type.kind === 'int') {
    const number = parseNumber(value) ?? parseOtherNumber(type, value);
    return number && createNumberTest(argument, { operator, number, decimals }, knowledge);
  }
  if (operator !== ':' && operator !== '=') return undefined;
  switch (type.kind) {
    case 'address':
      return createAddressTest(value, knowledge);
    case 'bool': {
      const expected = { true: 1n, 1: 1n, false: 0n, 0: 0n }[value.toLowerCase()];
      return expected === undefined ? undefined : createWordTest([toStoredWord(expected)]);
    }
    case 'fixedBytes':
    case 'string':
    case 'bytes':
      return createBytesTest(type, value);
    default:
      return undefined;
  }
}

/** A member of an enum, or hex. */
function parseOtherNumber(type: IntegerType, text: string): ParsedNumber | undefined {
  const { enumeration } = type;
  const lower = text.toLowerCase();
  const member =
    enumeration &&
    (parseEnumMember(enumeration, text) ??
      parseEnumMember(enumeration, enumeration.members.find((one) => one.toLowerCase() === lower) ?? ''));
  if (member !== undefined) return { digits: member, fraction: 0 };
  const isHex = type.decimals === undefined && /^0x[0-9a-f]{1,64}$/.test(lower);
  return isHex ? { digits: BigInt(lower), fraction: 0 } : undefined;
}

type IntegerType = Extract<AbiType, { readonly kind: 'uint' | 'int' }>;

function createNumberTest(
  { type, unitAt }: NamedArgument,
  {
    operator,
    number,
    decimals: given,
  }: Pick<FieldCondition, 'decimals' | 'operator'> & { readonly number: ParsedNumber },
  knowledge: RowKnowledge,
): MakeTest {
  const signed = type.kind === 'int';
  const ownDecimals = type.kind === 'uint' || type.kind === 'int' ? type.decimals : undefined;
  const createTest = (units: InUnits) => createComparison(operator, units, signed);
  return ({ reader, columns }) => {
    const found = createWord();
    const raw = createTest(toUnits(number, given ?? ownDecimals ?? 0));
    const byContract = new Map<number, (word: StoredWord) => boolean>();
    const testFor = (row: number) => {
      const contract = columns.bodies.addressAt(row);
      const cached = byContract.get(contract);
      if (cached) return cached;
      const unit = resolveUnit(unitAt(columns.addresses.at(contract)), knowledge.unitsOf);
      const decimals = given ?? unit?.decimals;
      const test = decimals === undefined ? raw : createTest(toUnits(number, decimals));
      byContract.set(contract, test);
      return test;
    };
    return (row) => reader.wordAt(row, found) && testFor(row)(found);
  };
}

/** A number outside of the type's range is above or below all its values. */
function createComparison(operator: Operator, { floor, isExact }: InUnits, signed: boolean) {
  const bound = toFittingWord(floor, signed);
  const compare = signed ? compareSigned : compareWords;
  const order = bound ? (word: StoredWord) => compare(word, bound) : () => (floor < 0n ? 1 : -1);
  return (word: StoredWord): boolean => {
    const side = order(word);
    switch (operator) {
      case '!=':
        return !isExact || side !== 0;
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

function createAddressTest(value: string, knowledge: RowKnowledge): MakeTest | undefined {
  const address = parseAddress(value);
  if (address) return createWordTest([toStoredWord(BigInt(address))]);
  if (/^0x[0-9a-f]{1,39}$/i.test(value))
    return createPatternTest(createHexPatterns(value.slice(2).toLowerCase()), 'word');
  const named = findBestNamed(value, knowledge.findAddressesByName);
  return named.length === 0 ? undefined : createWordTest(named.map((one) => toStoredWord(BigInt(one))));
}

function createBytesTest(type: AbiType, value: string): MakeTest {
  const data = type.kind === 'string' ? undefined : parseHexData(value);
  const hex = data ?? (/^0x[0-9a-f]+$/i.test(value) ? value.toLowerCase() : undefined);
  const patterns = hex ? createHexPatterns(hex.slice(2)) : [createTextPattern(value)];
  if (type.kind === 'fixedBytes') return createPatternTest(patterns, 'word');
  const hash = keccak256(data ?? new TextEncoder().encode(value), { as: 'Hex' });
  const isHash = createWordTest([toStoredWord(BigInt(hash))]);
  const inBytes = createPatternTest(patterns, 'bytes');
  return (input) => {
    const [hashTest, ofBytes] = [isHash(input), inBytes(input)];
    return (row) => (input.reader.bytesAt(row) === undefined ? hashTest(row) : ofBytes(row));
  };
}

function createWordTest(words: readonly StoredWord[]): MakeTest {
  return ({ reader }) => {
    const found = createWord();
    return (row) => reader.wordAt(row, found) && words.some((word) => equalWords(word, found));
  };
}

function createPatternTest(patterns: readonly BytePattern[], where: 'word' | 'bytes'): MakeTest {
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
