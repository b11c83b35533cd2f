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

/** Where an argument is in a log: its topic, or its first word in the data, by the byte at which that begins. */
type ArgumentPlace =
  | { readonly slot: number; readonly offset?: undefined }
  | { readonly slot?: undefined; readonly offset: number };

/** An argument of an event as it is found in stored rows, without decoding them. */
export interface StoredArgument {
  /** Of the rows that have it. */
  readonly topic0: Hex;
  readonly type: AbiType;
  /**
   * By the number of topics that a log has, 1 to 4: events of one signature may differ in what is indexed. Undefined
   * where none is known.
   */
  readonly places: readonly (ArgumentPlace | undefined)[];
  /** Where it is in rows of a contract that has several versions; undefined for one that has one. */
  readonly versionsOf?: ((address: Address) => VersionedPlaces | undefined) | undefined;
}

/** Where an argument is, by the version of a contract that was in force. */
interface VersionedPlaces {
  /** @param topics how many the row has. @param log makes the whole of it, which few need. */
  placeAt(at: LogPosition, topics: number, log: () => Log): ArgumentPlace | undefined | 'plain';
}

/**
 * Where the argument `index` of an event is, of which the layouts that may be meant are given, the most trusted first.
 * Undefined where none of them has it, or they are anonymous.
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

/** Where the parameter `index` of an event is in its logs. */
function getArgumentPlace({ inputs }: AbiEvent, index: number): ArgumentPlace {
  const before = inputs.slice(0, index);
  if (inputs[index]?.indexed) return { slot: 1 + before.filter(({ indexed }) => indexed).length };
  const words = before
    .filter(({ indexed }) => !indexed)
    .reduce((sum, { type }) => sum + (countStaticWords(type) ?? 1), 0);
  return { offset: words * WORD_BYTES };
}

/**
 * How many words a value of the type takes; undefined where that depends on the value, of which there is the offset then:
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

/** Reads an argument off stored rows, without decoding them. */
export interface ArgumentReader {
  /** Whether the row is of the event, in a layout that is known. */
  has(row: number): boolean;
  /** Takes `word` for the value: its first word, its hash where only that is there. @returns false where it is missing. */
  wordAt(row: number, word: StoredWord): boolean;
  /** The bytes of a value that is as long as itself says, up to {@link MAX_COMPARED_BYTES}; undefined for any other. */
  bytesAt(row: number): Uint8Array | undefined;
  /** A number in the order of {@link compare}, often equal for rows that differ; infinite where the row has none. */
  keyOf(row: number): number;
  /** Whether rows with the same small key have the same value. */
  readonly hasExactKeys: boolean;
  /** Compares two rows that have it: integers as such, all else as bytes from the left. */
  compare(a: number, b: number): number;
}

/** So much of a longer value counts: more would make a sort wait for what nobody reads. */
const MAX_COMPARED_BYTES = 256;

export function createArgumentReader(columns: LogColumns, argument: StoredArgument): ArgumentReader {
  const { bodies, topics, addresses } = columns;
  const { places, type, versionsOf } = argument;
  const byContract = new Map<number, VersionedPlaces | undefined>();
  let lastContract = -1;
  let lastVersions: VersionedPlaces | undefined;
  const isItsTopic = createTopicTest(columns, [argument.topic0]);
  const signed = type.kind === 'int';
  const words = countStaticWords(type);
  const compareValues = signed ? compareSigned : compareWords;
  const first = createWord();
  const second = createWord();

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

  function keyOf(row: number): number {
    if (words === undefined && placeOf(row)?.offset !== undefined) return keyOfBytes(bytesAt(row));
    return wordAt(row, first) ? toWordKey(first, signed) : Number.POSITIVE_INFINITY;
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
    const end = Math.min(at.words * WORD_BYTES, MAX_COMPARED_BYTES);
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

/**
 * Compares rows by an argument; those that do not have it come last in either direction. Of the rows from `from` to
 * `through`, which are compared most, a number each is kept at hand, so that their bytes are read only where two are
 * nearly the same.
 */
export function createArgumentComparator(
  reader: ArgumentReader,
  { from, through, sign }: { readonly from: number; readonly through: number; readonly sign: 1 | -1 },
): (a: number, b: number) => number {
  const keys = new Float64Array(through - from).fill(Number.NaN);

  function keyOf(row: number): number {
    const kept = row < from ? undefined : keys[row - from];
    if (kept !== undefined && !Number.isNaN(kept)) return kept;
    const key = reader.keyOf(row);
    if (kept !== undefined) keys[row - from] = key;
    return key;
  }

  return (a, b) => {
    const keyA = keyOf(a);
    const keyB = keyOf(b);
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
export interface ArgumentVersions {
  readonly lookup: VersionedLookup;
  readonly decoder: LogDecoder;
  readonly chainId: number;
}

/** Where an argument is by the number of topics: to be decoded where several events may be meant. */
type Places = readonly (ArgumentPlace | 'decode' | undefined)[];

/**
 * An argument, also in rows of upgraded contracts: there it is where the event has it that the row is decoded by.
 *
 * @param indexIn which parameter of an event it is; undefined where the event has none such.
 * @example
 * createVersionedArgument(argument, (event) => event.inputs.findIndex(({ name }) => name === 'to'), { lookup, decoder, chainId: 1 });
 */
export function createVersionedArgument<Argument extends StoredArgument>(
  argument: Argument,
  indexIn: (event: AbiEvent) => number | undefined,
  { lookup, decoder, chainId }: ArgumentVersions,
): Argument {
  const { topic0, type } = argument;

  function placeIn(event: AbiEvent): ArgumentPlace | undefined {
    const index = event.topic0 === topic0 && !event.anonymous ? indexIn(event) : undefined;
    const own = index === undefined ? undefined : event.inputs[index]?.type;
    return index !== undefined && own?.text === type.text ? getArgumentPlace(event, index) : undefined;
  }

  function versionsOf(address: Address): VersionedPlaces | undefined {
    const versions = lookup.versionsAt?.({ address, chainId });
    if (!versions || versions.isUnversioned(topic0)) return undefined;
    const byVersion = new Map<number, Places | 'plain'>();
    const placesOf = (version: number): Places | 'plain' => {
      const known = byVersion.get(version) ?? placesIn(versions.candidateTiers(topic0, version));
      byVersion.set(version, known);
      return known;
    };
    return {
      placeAt({ block, transaction, log: index }, topics, log) {
        const places = placesOf(versions.versionAt(block, transaction, index));
        if (places === 'plain') return places;
        const place = places[topics];
        if (place !== 'decode') return place;
        const decoded = decoder.decode(log());
        return 'event' in decoded ? placeIn(decoded.event) : undefined;
      },
    };
  }

  function placesIn({ tiers, against, mustAgree }: CandidateTiers): Places | 'plain' {
    if (!mustAgree) return 'plain';
    const decisive = tiers.find((tier) => tier.length > 0) ?? [];
    const places: (ArgumentPlace | 'decode' | undefined)[] = [];
    const only: (AbiEvent | undefined)[] = [];
    for (const { item } of [...decisive, ...against]) {
      const topics = topicCount(item);
      const isFirst = only[topics] === undefined;
      only[topics] ??= item;
      places[topics] = isFirst && decisive.some((one) => one.item === item) ? placeIn(item) : 'decode';
    }
    return places;
  }

  return { ...argument, versionsOf };
}

function topicCount({ inputs, anonymous }: AbiEvent): number {
  return inputs.filter(({ indexed }) => indexed).length + (anonymous ? 0 : 1);
}
