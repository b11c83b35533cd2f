import { asRecord, isRecord, type PlainRecord } from '../base/values.ts';
import type { BuiltCode, CodeGap, CodeRange } from './builtCode.ts';

/** Places of libraries and immutable variables in one code: real code has some hundred. */
const MAX_PLACES = 10_000;

/**
 * Reads code as solc writes it. Undefined references are as empty ones.
 *
 * https://docs.soliditylang.org/en/latest/using-the-compiler.html#output-description
 *
 * @example readCode({ object: '0x6000' }).digits // '6000'
 */
export function readCode({ object, sourceMap, linkReferences, immutableReferences }: PlainRecord): BuiltCode {
  const digits = typeof object === 'string' ? object.replace(/^0x/, '').toLowerCase() : '';
  const gaps = [...readLibraries(linkReferences), ...readImmutables(immutableReferences)];
  const hasPlaceholders = gaps.every(({ kind }) => kind !== 'library') && digits.includes('__');
  return {
    digits: digits.replace(PLACEHOLDER, '0'.repeat(40)).replace(/[^0-9a-f]/g, '0'),
    gaps: limitPlaces(hasPlaceholders ? [...gaps, ...findPlaceholders(object as string)] : gaps),
    sourceMap: typeof sourceMap === 'string' ? sourceMap : '',
  };
}

function readLibraries(references: unknown): readonly CodeGap[] {
  return Object.entries(asRecord(references)).flatMap(([file, libraries]) =>
    Object.entries(asRecord(libraries)).map(
      ([name, places]): CodeGap => ({ kind: 'library', id: `${file}:${name}`, places: readPlaces(places) }),
    ),
  );
}

function readImmutables(references: unknown): readonly CodeGap[] {
  return Object.entries(asRecord(references)).map(
    ([id, places]): CodeGap => ({ kind: 'immutable', id, places: readPlaces(places) }),
  );
}

/** `__$…$__` with a hash, or before 0.5 the name of the library. */
const PLACEHOLDER = /__.{38}/g;

/** Files of deployments have no references. */
function findPlaceholders(object: string): readonly CodeGap[] {
  const offset = object.startsWith('0x') ? 2 : 0;
  const found = new Map<string, CodeRange[]>();
  for (const { 0: whole, index } of object.matchAll(PLACEHOLDER)) {
    const id = whole.slice(2).replace(/(?<!_)_+$/, '');
    const places = found.get(id) ?? [];
    places.push({ start: (index - offset) / 2, length: 20 });
    found.set(id, places);
  }
  return [...found].map(([id, places]): CodeGap => ({ kind: 'library', id, places }));
}

function limitPlaces(gaps: readonly CodeGap[]): readonly CodeGap[] {
  let left = MAX_PLACES;
  return gaps.slice(0, MAX_PLACES).map((gap) => {
    const places = gap.places.slice(0, left);
    left -= places.length;
    return { ...gap, places };
  });
}

function readPlaces(value: unknown): readonly CodeRange[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (range): range is CodeRange => isRecord(range) && isCount(range.start) && isCount(range.length),
  );
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
