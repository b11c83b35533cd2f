import type { CandidateTiers, LogPosition, VersionedLookup } from '../../abi/candidates.ts';
import type { AbiEvent } from '../../abi/item.ts';
import type { LogDecoder } from '../../abi/logDecoder.ts';
import type { AbiType } from '../../abi/type.ts';
import { compareBytes } from '../../eth/bytes.ts';
import type { Address, Hex } from '../../eth/hex.ts';
import type { Log } from '../log.ts';
import { createTopicTest, type LogColumns } from './logStore.ts';
import {
  compareSigned,
  compareWords,
  createWord,
  isExactKey,
  type StoredWord,
  toSmallNumber,
  toWordKey,
  WORD_BYTES,
} from './word.ts';

/** Where an argument is in a log: its topic, or the byte offset of its first word in the data. */
type ArgumentPlace =
  | { readonly slot: number; readonly offset?: undefined }
  | { readonly slot?: undefined; readonly offset: number };

/** How to find an argument of an event in stored rows, without decoding them. */
export interface StoredArgument {
  /** Of the rows that have it. */
  readonly topic0: Hex;
  readonly type: AbiType;
  /**
   * By the number of topics of a log, 1 to 4, as events with one signature may index different parameters.
   * Undefined if no layout with that number is known.
   */
  readonly places: readonly (ArgumentPlace | undefined)[];
  /** Its place in rows of a contract with several versions; undefined for a contract with one version. */
  readonly versionsOf?: ((address: Address) => VersionedPlaces | undefined) | undefined;
}

/** The place of an argument, by the version of a contract that was in force. */
interface VersionedPlaces {
  /**
   * @param topics the row's number of topics.
   * @param log creates the complete log, which few rows need.
   */
  placeAt(at: LogPosition, topics: number, log: () => Log): ArgumentPlace | undefined | 'plain';
}

/**
 * Where the argument `index` of an event is. `layouts` are its possible layouts, the most trusted first. Undefined
 * if none of them has that argument, or if they are anonymous.
 *
 * @example toStoredArgument([], 0) // undefined
 */
export function toStoredArgument(layouts: readonly AbiEvent[], index: number): StoredArgument | undefined {
  const named = layouts.filter(({ anonymous }) => !anonymous);
  const first = named.find(({ inputs }) => inputs[index] !== undefined);
  const type = first?.inputs[index]?.type;
  if (!first || !type) return undefined;
  const places: (ArgumentPlace | undefined)[] = [];
  for (const layout of named) {
    if (layout.signature !== first.signature) continue;
    const topics = 1 + layout.inputs.filter(({ indexed }) => indexed).length;
    places[topics] ??= getArgumentPlace(layout, index);
  }
  return { topic0: first.topic0, type, places };
}

function getArgumentPlace({ inputs }: AbiEvent, index: number): ArgumentPlace {
  const before = inputs.slice(0, index);
  if (inputs[index]?.indexed) return { slot: 1 + before.filter(({ indexed }) => indexed).length };
  const words = before
    .filter(({ indexed }) => !indexed)
    .reduce((sum, { type }) => sum + (countStaticWords(type) ?? 1), 0);
  return { offset: words * WORD_BYTES };
}

/**
 * Number of words of the type; undefined for a dynamic type, which has an offset in its place:
 * https://docs.soliditylang.org/en/latest/abi-spec.html#formal-specification-of-the-encoding
 */
function countStaticWords(type: AbiType): number | undefined {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return undefined;
    case 'array': {
      const words = type.length === undefined ? undefined : countStaticWords(type.item);
      return words === undefined ? undefined : words * (type.length ?? 0);
    }
    case 'tuple': {
      let sum = 0;
      for (const { type: member } of type.members) {
        const words = countStaticWords(member);
        if (words === undefined) return undefined;
        sum += words;
      }
      return sum;
    }
    default:
      return 1;
  }
}

/** Reads an argument from stored rows, without decoding them. */
export interface ArgumentReader {
  /** Whether the row belongs to the event, in a known layout. */
  has(row: number): boolean;
  /**
   * Points `word` at the value: its first word, or its hash if only that is in the log.
   *
   * @returns false if it is missing.
   */
  wordAt(row: number, word: StoredWord): boolean;
  /** The number of the topic that is the value or its hash; undefined if the value is in the data, or missing. */
  topicAt(row: number): number | undefined;
  /** The bytes of a dynamic value, up to {@link MAX_COMPARED_BYTES}; undefined for a static one. */
  bytesAt(row: number): Uint8Array | undefined;
  /** A number in the order of {@link compare}, often equal for different values; infinite if the row has no value. */
  keyOf(row: number): number;
  /** Whether rows with the same small key have the same value. */
  readonly hasExactKeys: boolean;
  /** Compares two rows that have the argument: integers by value, everything else as bytes from the left. */
  compare(a: number, b: number): number;
}

/** Of one value. Comparing more would slow down a sort for differences that nobody reads. */
const MAX_COMPARED_BYTES = 256;

export function createArgumentReader(columns: LogColumns, argument: StoredArgument): ArgumentReader {
  const { bodies, topics, addresses } = columns;
  const { places, type, versionsOf } = argument;
  const byContract = new Map<number, VersionedPlaces | undefined>();
  let lastContract = -1;
  let lastVersions: VersionedPlaces | undefined;
  const isEventTopic = createTopicTest(columns, [argument.topic0]);
  const signed = type.kind === 'int';
  const words = countStaticWords(type);
  const compareValues = signed ? compareSigned : compareWords;
  const first = createWord();
  const second = createWord();

  function findPlace(row: number): ArgumentPlace | undefined {
    const count = bodies.topicCountAt(row);
    if (count === 0 || !isEventTopic(bodies.topicAt(row, 0))) return undefined;
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
    const place = findPlace(row);
    if (place === undefined) return false;
    if (place.offset !== undefined) return bodies.dataWordAt(row, place.offset, word);
    topics.wordAt(bodies.topicAt(row, place.slot), word);
    return true;
  }

  function topicAt(row: number): number | undefined {
    const slot = findPlace(row)?.slot;
    return slot === undefined ? undefined : bodies.topicAt(row, slot);
  }

  function bytesAt(row: number): Uint8Array | undefined {
    const offset = findPlace(row)?.offset;
    if (words !== undefined || offset === undefined || !bodies.dataWordAt(row, offset, first))
      return undefined;
    const start = toSmallNumber(first);
    if (start === undefined || start % WORD_BYTES !== 0) return undefined;
    const hasLength = type.kind === 'string' || type.kind === 'bytes';
    if (hasLength && !bodies.dataWordAt(row, start, first)) return undefined;
    const length = hasLength ? toSmallNumber(first) : Number.POSITIVE_INFINITY;
    const data = bodies.dataBytesAt(row);
    const from = Math.min(data.length, hasLength ? start + WORD_BYTES : start);
    const take = Math.min(length ?? 0, MAX_COMPARED_BYTES, data.length - from);
    return data.bytes.slice(data.offset + from, data.offset + from + take);
  }

  function getKey(row: number): number {
    if (words === undefined && findPlace(row)?.offset !== undefined) return toBytesKey(bytesAt(row));
    return wordAt(row, first) ? toWordKey(first, signed) : Number.POSITIVE_INFINITY;
  }

  function compare(a: number, b: number): number {
    const placeA = findPlace(a);
    const placeB = findPlace(b);
    if (words === undefined && placeA?.offset !== undefined && placeB?.offset !== undefined) {
      const bytesA = bytesAt(a) ?? new Uint8Array();
      const bytesB = bytesAt(b) ?? new Uint8Array();
      return compareBytes(
        { bytes: bytesA, offset: 0, length: bytesA.length },
        { bytes: bytesB, offset: 0, length: bytesB.length },
      );
    }
    if (placeA?.slot !== undefined && placeB?.slot !== undefined) {
      const numberA = bodies.topicAt(a, placeA.slot);
      const numberB = bodies.topicAt(b, placeB.slot);
      if (numberA === numberB) return 0;
    }
    if (!wordAt(a, first) || !wordAt(b, second)) return 0;
    const order = compareValues(first, second);
    if (order !== 0 || words === undefined || words <= 1) return order;
    return compareFurther(a, b, { offsetA: placeA?.offset, offsetB: placeB?.offset, words });
  }

  /** Compares the words after the first, for values of several words. */
  function compareFurther(
    a: number,
    b: number,
    offsets: {
      readonly offsetA: number | undefined;
      readonly offsetB: number | undefined;
      readonly words: number;
    },
  ): number {
    if (offsets.offsetA === undefined || offsets.offsetB === undefined) return 0;
    const end = Math.min(offsets.words * WORD_BYTES, MAX_COMPARED_BYTES);
    for (let skip = WORD_BYTES; skip < end; skip += WORD_BYTES) {
      if (
        !bodies.dataWordAt(a, offsets.offsetA + skip, first) ||
        !bodies.dataWordAt(b, offsets.offsetB + skip, second)
      )
        return 0;
      const order = compareWords(first, second);
      if (order !== 0) return order;
    }
    return 0;
  }

  return {
    has: (row) => wordAt(row, first),
    wordAt,
    topicAt,
    bytesAt,
    keyOf: getKey,
    hasExactKeys: words === 1,
    compare,
  };
}

/** From the first bytes, padded with zeros. */
function toBytesKey(bytes: Uint8Array | undefined): number {
  if (!bytes) return Number.POSITIVE_INFINITY;
  let key = 0;
  for (let index = 0; index < WORD_BYTES; index++) key = key * 256 + (bytes[index] ?? 0);
  return key;
}

/**
 * Compares rows by an argument; rows without it come last in either direction. The rows from `from` to `through`
 * are compared most, so their keys are cached: their bytes are only read if two keys are nearly equal.
 */
export function createArgumentComparator(
  reader: ArgumentReader,
  { from, through, sign }: { readonly from: number; readonly through: number; readonly sign: 1 | -1 },
): (a: number, b: number) => number {
  const keys = new Float64Array(through - from).fill(Number.NaN);

  function getKey(row: number): number {
    const cached = row < from ? undefined : keys[row - from];
    if (cached !== undefined && !Number.isNaN(cached)) return cached;
    const key = reader.keyOf(row);
    if (cached !== undefined) keys[row - from] = key;
    return key;
  }

  return (a, b) => {
    const keyA = getKey(a);
    const keyB = getKey(b);
    if (keyA === keyB) {
      const isSame = keyA === Number.POSITIVE_INFINITY || (reader.hasExactKeys && isExactKey(keyA));
      return isSame ? 0 : sign * reader.compare(a, b);
    }
    if (keyA === Number.POSITIVE_INFINITY) return 1;
    if (keyB === Number.POSITIVE_INFINITY) return -1;
    return keyA < keyB ? -sign : sign;
  };
}

/** What is known of the versions of contracts. */
interface ArgumentVersions {
  readonly lookup: VersionedLookup;
  readonly decoder: LogDecoder;
  readonly chainId: number;
}

/** The place of an argument, by the number of topics; `decode` if several events are possible. */
type Places = readonly (ArgumentPlace | 'decode' | undefined)[];

/**
 * An argument that is also found in rows of upgraded contracts: at its place in the event that the row is decoded
 * by.
 *
 * @param findIndex the index of the parameter in an event; undefined if the event does not have it.
 * @example
 * createVersionedArgument(argument, (event) => event.inputs.findIndex(({ name }) => name === 'to'), { lookup, decoder, chainId: 1 });
 */
export function createVersionedArgument<Argument extends StoredArgument>(
  argument: Argument,
  findIndex: (event: AbiEvent) => number | undefined,
  { lookup, decoder, chainId }: ArgumentVersions,
): Argument {
  const { topic0, type } = argument;

  function findPlace(event: AbiEvent): ArgumentPlace | undefined {
    const index = event.topic0 === topic0 && !event.anonymous ? findIndex(event) : undefined;
    const parameter = index === undefined ? undefined : event.inputs[index]?.type;
    return index !== undefined && parameter?.text === type.text ? getArgumentPlace(event, index) : undefined;
  }

  function versionsOf(address: Address): VersionedPlaces | undefined {
    const versions = lookup.versionsAt?.({ address, chainId });
    if (!versions || versions.isUnversioned(topic0)) return undefined;
    const byVersion = new Map<number, Places | 'plain'>();
    const getPlaces = (version: number): Places | 'plain' => {
      const cached = byVersion.get(version) ?? findPlaces(versions.candidateTiers(topic0, version));
      byVersion.set(version, cached);
      return cached;
    };
    return {
      placeAt({ block, transaction, log: index }, topics, log) {
        const places = getPlaces(versions.versionAt(block, transaction, index));
        if (places === 'plain') return places;
        const place = places[topics];
        if (place !== 'decode') return place;
        const decoded = decoder.decode(log());
        return 'event' in decoded ? findPlace(decoded.event) : undefined;
      },
    };
  }

  function findPlaces({ tiers, against, mustAgree }: CandidateTiers): Places | 'plain' {
    if (!mustAgree) return 'plain';
    const decisive = tiers.find((tier) => tier.length > 0) ?? [];
    const places: (ArgumentPlace | 'decode' | undefined)[] = [];
    const only: (AbiEvent | undefined)[] = [];
    for (const { item } of [...decisive, ...against]) {
      const topics = countTopics(item);
      const isFirst = only[topics] === undefined;
      only[topics] ??= item;
      places[topics] = isFirst && decisive.some((one) => one.item === item) ? findPlace(item) : 'decode';
    }
    return places;
  }

  return { ...argument, versionsOf };
}

function countTopics({ inputs, anonymous }: AbiEvent): number {
  return inputs.filter(({ indexed }) => indexed).length + (anonymous ? 0 : 1);
}
