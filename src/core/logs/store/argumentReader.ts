import type { Address } from '../../values/address.ts';
import { compareBytes } from '../../values/hexBytes.ts';
import { type LogColumns, topicIsOneOf } from './packed/logColumns.ts';
import {
  compareSigned,
  compareWords,
  newWord,
  type StoredWord,
  smallNumber,
  WORD_BYTES,
  wordKey,
} from './packed/storedWord.ts';
import {
  type ArgumentPlace,
  type StoredArgument,
  staticWords,
  type VersionedPlaces,
} from './storedArgument.ts';

/** Reads an argument off stored rows, without decoding them. */
export interface ArgumentReader {
  /** Whether the row is of the event, in a layout that is known. */
  has(row: number): boolean;
  /** Takes `word` for the value: its first word, its hash where only that is there. @returns false where it is missing. */
  wordAt(row: number, word: StoredWord): boolean;
  /** The bytes of a value that is as long as itself says, up to {@link MOST_BYTES}; undefined for any other. */
  bytesAt(row: number): Uint8Array | undefined;
  /** A number in the order of {@link compare}, often equal for rows that differ; infinite where the row has none. */
  keyOf(row: number): number;
  /** Whether rows with the same small key have the same value. */
  readonly hasExactKeys: boolean;
  /** Compares two rows that have it: integers as such, all else as bytes from the left. */
  compare(a: number, b: number): number;
}

/** So much of a longer value counts: more would make a sort wait for what nobody reads. */
const MOST_BYTES = 256;

export function createArgumentReader(columns: LogColumns, argument: StoredArgument): ArgumentReader {
  const { bodies, topics, addresses } = columns;
  const { places, type, versionsOf } = argument;
  const byContract = new Map<number, VersionedPlaces | undefined>();
  let lastContract = -1;
  let lastVersions: VersionedPlaces | undefined;
  const isItsTopic = topicIsOneOf(columns, [argument.topic0]);
  const signed = type.kind === 'int';
  const words = staticWords(type);
  const compareValues = signed ? compareSigned : compareWords;
  const first = newWord();
  const second = newWord();

  function placeOf(row: number): ArgumentPlace | undefined {
    const count = bodies.topicCountAt(row);
    if (count === 0 || !isItsTopic(bodies.topicAt(row, 0))) return undefined;
    const versions = versionsOf && versionsAt(row, versionsOf);
    if (!versions) return places[count];
    const place = versions.placeAt(columns.placeAt(row), count, () => columns.logAt(row));
    return place === 'plain' ? places[count] : place;
  }

  function versionsAt(row: number, find: NonNullable<StoredArgument['versionsOf']>) {
    const contract = bodies.addressAt(row);
    if (contract === lastContract) return lastVersions;
    lastContract = contract;
    if (!byContract.has(contract)) byContract.set(contract, find(addresses.at(contract) as Address));
    lastVersions = byContract.get(contract);
    return lastVersions;
  }

  function wordAt(row: number, word: StoredWord): boolean {
    const place = placeOf(row);
    if (place === undefined) return false;
    if (place.offset !== undefined) return bodies.dataWordAt(row, place.offset, word);
    topics.wordAt(bodies.topicAt(row, place.slot), word);
    return true;
  }

  function bytesAt(row: number): Uint8Array | undefined {
    const offset = placeOf(row)?.offset;
    if (words !== undefined || offset === undefined || !bodies.dataWordAt(row, offset, first))
      return undefined;
    const start = smallNumber(first);
    if (start === undefined || start % WORD_BYTES !== 0) return undefined;
    const hasLength = type.kind === 'string' || type.kind === 'bytes';
    if (hasLength && !bodies.dataWordAt(row, start, first)) return undefined;
    const length = hasLength ? smallNumber(first) : Number.POSITIVE_INFINITY;
    const data = bodies.dataBytesAt(row);
    const from = Math.min(data.length, hasLength ? start + WORD_BYTES : start);
    const take = Math.min(length ?? 0, MOST_BYTES, data.length - from);
    return data.bytes.slice(data.offset + from, data.offset + from + take);
  }

  function keyOf(row: number): number {
    if (words === undefined && placeOf(row)?.offset !== undefined) return keyOfBytes(bytesAt(row));
    return wordAt(row, first) ? wordKey(first, signed) : Number.POSITIVE_INFINITY;
  }

  function compare(a: number, b: number): number {
    const atA = placeOf(a);
    const atB = placeOf(b);
    if (words === undefined && atA?.offset !== undefined && atB?.offset !== undefined) {
      const bytesA = bytesAt(a) ?? new Uint8Array();
      const bytesB = bytesAt(b) ?? new Uint8Array();
      return compareBytes(
        { bytes: bytesA, offset: 0, length: bytesA.length },
        { bytes: bytesB, offset: 0, length: bytesB.length },
      );
    }
    if (atA?.slot !== undefined && atB?.slot !== undefined) {
      const numberA = bodies.topicAt(a, atA.slot);
      const numberB = bodies.topicAt(b, atB.slot);
      if (numberA === numberB) return 0;
    }
    if (!wordAt(a, first) || !wordAt(b, second)) return 0;
    const order = compareValues(first, second);
    if (order !== 0 || words === undefined || words <= 1) return order;
    return compareFurther(a, b, { offsetA: atA?.offset, offsetB: atB?.offset, words });
  }

  /** The words behind the first, of what is longer than one. */
  function compareFurther(
    a: number,
    b: number,
    at: {
      readonly offsetA: number | undefined;
      readonly offsetB: number | undefined;
      readonly words: number;
    },
  ): number {
    if (at.offsetA === undefined || at.offsetB === undefined) return 0;
    const end = Math.min(at.words * WORD_BYTES, MOST_BYTES);
    for (let skip = WORD_BYTES; skip < end; skip += WORD_BYTES) {
      if (!bodies.dataWordAt(a, at.offsetA + skip, first) || !bodies.dataWordAt(b, at.offsetB + skip, second))
        return 0;
      const order = compareWords(first, second);
      if (order !== 0) return order;
    }
    return 0;
  }

  return { has: (row) => wordAt(row, first), wordAt, bytesAt, keyOf, hasExactKeys: words === 1, compare };
}

/** From the first bytes, as if zeros followed them. */
function keyOfBytes(bytes: Uint8Array | undefined): number {
  if (!bytes) return Number.POSITIVE_INFINITY;
  let key = 0;
  for (let index = 0; index < WORD_BYTES; index++) key = key * 256 + (bytes[index] ?? 0);
  return key;
}
