import { badInput } from '../../base/errors.ts';
import { createMessage, groupDigits } from '../../base/text.ts';
import { sortInSlices, type TimeSlices } from '../../base/timeSlices.ts';
import { createFloat64List, createUint32List } from '../store/bytes.ts';

/** What the logs of one group have together. */
export interface LogGroup {
  readonly count: number;
  /** Of the summed argument; undefined if none is summed. */
  readonly totals: NumberTotals | undefined;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

interface NumberTotals {
  readonly sum: bigint;
  readonly min: bigint;
  readonly max: bigint;
}

/** Counts and sums logs by the key of their group. A group has a number, from 0, by its first log. */
export interface LogGrouper {
  /** Number of groups. */
  readonly size: number;
  /**
   * Adds a log to the group of a key.
   *
   * @param value of the summed argument: for every log, or for none.
   * @returns the number of the group.
   * @throws AppError `badInput` if there are too many groups.
   */
  add(key: string | number, block: number, value?: bigint): number;
  /** @throws RangeError if there is no group of this number. */
  at(group: number): LogGroup;
  /** The numbers of the groups: the largest sum first, else the largest count; of equal ones, the earliest. */
  rank(options: RankOptions): Promise<Uint32Array>;
}

export interface RankOptions {
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal | undefined;
}

/** A million groups of accounts take about 600 MB. */
export const MAX_GROUPS = 1_000_000;

/**
 * Creates a grouper, whose groups take a few numbers each, whatever the number of logs. Sums are exact.
 *
 * @example
 * const grouper = createLogGrouper();
 * grouper.add('0x12', 7, 5n);
 * grouper.at(grouper.add('0x12', 9, -2n));
 * // { count: 2, totals: { sum: 3n, min: -2n, max: 5n }, firstBlock: 7, lastBlock: 9 }
 */
export function createLogGrouper({ field = 'groupBy', maxGroups = MAX_GROUPS } = {}): LogGrouper {
  const keys = createKeyNumbers();
  const counts = createUint32List();
  const firstBlocks = createFloat64List();
  const lastBlocks = createFloat64List();
  const sums: bigint[] = [];
  const minima: bigint[] = [];
  const maxima: bigint[] = [];

  function begin(block: number, value: bigint | undefined): void {
    if (counts.length >= maxGroups) throw createTooManyGroupsError(field, maxGroups);
    counts.push(1);
    firstBlocks.push(block);
    lastBlocks.push(block);
    if (value === undefined) return;
    sums.push(value);
    minima.push(value);
    maxima.push(value);
  }

  function addTo(group: number, block: number, value: bigint | undefined): void {
    counts.set(group, counts.at(group) + 1);
    if (block < firstBlocks.at(group)) firstBlocks.set(group, block);
    if (block > lastBlocks.at(group)) lastBlocks.set(group, block);
    if (value === undefined) return;
    sums[group] = (sums[group] ?? 0n) + value;
    if (value < (minima[group] ?? 0n)) minima[group] = value;
    if (value > (maxima[group] ?? 0n)) maxima[group] = value;
  }

  function compare(a: number, b: number): number {
    const [sumA = 0n, sumB = 0n] = [sums[a], sums[b]];
    if (sumA !== sumB) return sumA > sumB ? -1 : 1;
    const byCount = sums.length > 0 ? 0 : counts.at(b) - counts.at(a);
    return byCount || firstBlocks.at(a) - firstBlocks.at(b) || a - b;
  }

  return {
    get size() {
      return counts.length;
    },
    add(key, block, value) {
      const group = keys.numberOf(key);
      if (group === counts.length) begin(block, value);
      else addTo(group, block, value);
      return group;
    },
    at(group) {
      if (group < 0 || group >= counts.length) throw new RangeError(`There is no group ${group}.`);
      const [count, firstBlock, lastBlock] = [counts.at(group), firstBlocks.at(group), lastBlocks.at(group)];
      const [sum, min, max] = [sums[group], minima[group], maxima[group]];
      const hasTotals = sum !== undefined && min !== undefined && max !== undefined;
      return { count, totals: hasTotals ? { sum, min, max } : undefined, firstBlock, lastBlock };
    },
    rank(options) {
      const groups = new Uint32Array(counts.length);
      for (let group = 0; group < groups.length; group++) groups[group] = group;
      return sortInSlices(groups, compare, options);
    },
  };
}

/**
 * The error of a query with more groups than fit into memory.
 *
 * @example createTooManyGroupsError('groupBy', 1000).details.field // 'groupBy'
 */
export function createTooManyGroupsError(field: string, maxGroups: number) {
  return badInput(
    field,
    createMessage(
      'The logs have more than {0} groups. Group by a field with fewer values, or narrow the range.',
      groupDigits(maxGroups),
    ),
  );
}

/** Numbers keys from 0, in order of first appearance. */
export interface KeyNumbers {
  /** The number of a key, which is added if it is new. */
  numberOf(key: string | number): number;
}

/** A map copies itself as it grows. Copying one part of a million keys takes about a millisecond. */
const PARTS = 64;

/**
 * Creates numbers of keys, in parts, so that a million keys do not block the thread while a map grows.
 *
 * @param counter shared by those whose numbers must be different.
 * @example createKeyNumbers().numberOf('0x12') // 0
 */
export function createKeyNumbers(counter: KeyCounter = { count: 0 }): KeyNumbers {
  const parts = Array.from({ length: PARTS }, () => new Map<string | number, number>());
  return {
    numberOf(key) {
      const part = parts[getPart(key)];
      const known = part?.get(key);
      if (known !== undefined) return known;
      part?.set(key, counter.count);
      return counter.count++;
    },
  };
}

interface KeyCounter {
  count: number;
}

/** Amounts often end with zeros, and hex often begins alike. */
function getPart(key: string | number): number {
  if (typeof key === 'number') return (key ^ (key / PARTS)) & (PARTS - 1);
  const { length } = key;
  const middle = key.charCodeAt(length >> 1) * 31 + key.charCodeAt((length >> 1) + 1);
  return (middle * 31 + key.charCodeAt(length - 1) * 7 + key.charCodeAt(length >> 2)) & (PARTS - 1);
}
