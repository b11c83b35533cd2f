import type { AbiParameter, AbiType, AbiValue } from '../abiType.ts';
import { hasHead, readBytes, readString, tooLong } from './longValues.ts';
import { type Cursor, failed, type ReadWord, smallUint, WORD, wordReader } from './words.ts';

/** How values of one type are read. */
export interface ValueReader {
  /** Characters in the head: of the value itself, or of the offset that says where it is. */
  readonly head: number;
  /** Whether the value stands in the tail, and an offset in the head. */
  readonly dynamic: boolean;
  /** Reads the value at `at`, which for a dynamic one is the tail; moves the tail behind it. */
  readonly read: ReadWord;
}

/**
 * What reads values of a type, strictly: only the encoding that the compilers write, in which tails lie in order and
 * without gaps, so that no part of the data is read twice and the time follows from its length. Undefined for a type
 * whose values take no space (an array of no items), of which a few bytes would stand for any number.
 */
export function valueReader(type: AbiType): ValueReader | undefined {
  const word = wordReader(type);
  if (word) return { head: WORD, dynamic: false, read: word };
  switch (type.kind) {
    case 'string':
      return { head: WORD, dynamic: true, read: readString };
    case 'array':
      return arrayReader(type.item, type.length);
    case 'tuple':
      return tupleReader(type.members);
    default:
      return { head: WORD, dynamic: true, read: readBytes };
  }
}

/** Reads one value after the other, the heads first. */
export function tupleReader(members: readonly AbiParameter[]): ValueReader | undefined {
  const readers: ValueReader[] = [];
  for (const { type } of members) {
    const reader = valueReader(type);
    if (reader === undefined) return undefined;
    readers.push(reader);
  }
  if (readers.length === 0) return undefined;
  const head = readers.reduce((sum, reader) => sum + reader.head, 0);
  if (readers.some(({ dynamic }) => dynamic)) {
    return { head: WORD, dynamic: true, read: (cursor, at) => readTuple(cursor, at, { readers, head }) };
  }
  return { head, dynamic: false, read: (cursor, at) => readStatic(cursor, at, readers) };
}

/** Members and the size of all their heads. */
interface Sequence {
  readonly readers: readonly ValueReader[];
  readonly head: number;
}

/** Values with tails; `base` is where their offsets count from. */
function readTuple(cursor: Cursor, base: number, { readers, head }: Sequence): AbiValue[] | undefined {
  if (!hasHead(cursor, base, head)) return undefined;
  cursor.tail = base + head;
  const values: AbiValue[] = [];
  let at = base;
  for (const reader of readers) {
    const value = readMember(cursor, { reader, base, at });
    if (value === undefined) return undefined;
    values.push(value);
    at += reader.head;
  }
  return values;
}

function readStatic(cursor: Cursor, from: number, readers: readonly ValueReader[]): AbiValue[] | undefined {
  const values: AbiValue[] = [];
  let at = from;
  for (const reader of readers) {
    const value = reader.read(cursor, at);
    if (value === undefined) return undefined;
    values.push(value);
    at += reader.head;
  }
  return values;
}

function arrayReader(type: AbiType, length: number | undefined): ValueReader | undefined {
  const reader = length === 0 ? undefined : valueReader(type);
  if (reader === undefined) return undefined;
  if (length === undefined) {
    return { head: WORD, dynamic: true, read: (cursor, at) => readList(cursor, at, reader) };
  }
  if (reader.dynamic) {
    return { head: WORD, dynamic: true, read: (cursor, at) => readItems(cursor, at, { reader, length }) };
  }
  const read: ReadWord = (cursor, at) => readStaticItems(cursor, at, { reader, length });
  return { head: reader.head * length, dynamic: false, read };
}

interface Items {
  readonly reader: ValueReader;
  readonly length: number;
}

/** A length and as many items. */
function readList(cursor: Cursor, at: number, reader: ValueReader): AbiValue[] | undefined {
  if (!hasHead(cursor, at, WORD)) return undefined;
  const length = smallUint(cursor.text, at);
  // Compared by what is there before anything is made: the length is whatever the sender wrote.
  if (length < 0 || length * reader.head > cursor.text.length - at - WORD) return tooLong(cursor, 'an array');
  return readItems(cursor, at + WORD, { reader, length });
}

function readItems(cursor: Cursor, base: number, items: Items): AbiValue[] | undefined {
  const { reader, length } = items;
  const head = reader.head * length;
  if (!hasHead(cursor, base, head)) return undefined;
  cursor.tail = base + head;
  if (!reader.dynamic) return readStaticItems(cursor, base, items);
  const values: AbiValue[] = [];
  for (let index = 0; index < length; index++) {
    const value = readMember(cursor, { reader, base, at: base + index * reader.head });
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function readStaticItems(cursor: Cursor, from: number, { reader, length }: Items): AbiValue[] | undefined {
  const values: AbiValue[] = [];
  for (let index = 0; index < length; index++) {
    const value = reader.read(cursor, from + index * reader.head);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

interface Member {
  readonly reader: ValueReader;
  readonly base: number;
  readonly at: number;
}

function readMember(cursor: Cursor, { reader, base, at }: Member): AbiValue | undefined {
  if (!reader.dynamic) return reader.read(cursor, at);
  // In characters the offset is twice as far.
  if (2 * smallUint(cursor.text, at) === cursor.tail - base) return reader.read(cursor, cursor.tail);
  return failed(cursor, { fault: 'offset', detail: 'an offset is not the one that the encoding has there' });
}
