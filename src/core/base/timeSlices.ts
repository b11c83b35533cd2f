import type { Clock } from './clock.ts';
import type { Abortable } from './concurrency.ts';

export interface TimeSlices {
  /** Whether the slice is used up: then call {@link rest}. */
  isOver(): boolean;
  /** Lets everything that is queued run, then starts a new slice. Rejects with the signal's reason when it aborts. */
  rest(options?: Abortable): Promise<void>;
}

/**
 * Slices of `ms` milliseconds, as exact as the clock.
 *
 * @example
 * const slices = createTimeSlices(systemClock);
 * for (const row of rows) {
 *   write(row);
 *   if (slices.isOver()) await slices.rest({ signal });
 * }
 */
export function createTimeSlices(clock: Clock, ms = 8): TimeSlices {
  let end = clock.elapsed() + ms;
  return {
    isOver: () => clock.elapsed() >= end,
    async rest(options) {
      await clock.sleep(0, options);
      end = clock.elapsed() + ms;
    },
  };
}

/**
 * Visits each value, and rests whenever a slice is used up: for lists of any length that others send.
 *
 * @throws the signal's reason when it aborts, and what `visit` throws.
 * @example await forEachInSlices(rows, (row) => write(row), { slices, signal });
 */
export async function forEachInSlices<T>(
  values: Iterable<T>,
  visit: (value: T) => void,
  { slices, signal }: SliceOptions,
): Promise<void> {
  for (const value of values) {
    visit(value);
    if (slices.isOver()) await slices.rest({ signal });
  }
}

/** What one source (an answer, a file, a trace) may cost in all, in the unit that its user counts. */
export interface Budget {
  readonly left: number;
  /** Takes `amount` away. Takes nothing and returns false if less than that is left. */
  pay(amount: number): boolean;
}

/**
 * A budget of `most` bytes, steps, places: for work that a short text can name without carrying it.
 *
 * @example
 * const budget = createBudget(MAX_PLACES);
 * for (const place of places) {
 *   if (!budget.pay(1)) return leftOut(place);
 *   search(place);
 * }
 */
export function createBudget(most: number): Budget {
  let left = most;
  return {
    get left() {
      return left;
    },
    pay(amount) {
      if (!(amount <= left)) return false;
      left -= amount;
      return true;
    },
  };
}

/**
 * Takes the steps of a generator, rests whenever a slice is used up, and resolves to the result.
 *
 * @throws the signal's reason when it aborts, and what a step throws.
 */
export async function runInSlices<T>(
  steps: Generator<void, T>,
  { slices, signal }: SliceOptions,
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slices.isOver()) await slices.rest({ signal });
  }
}

/** All values of a generator, made in slices of time. @throws the signal's reason when it aborts. */
export async function collectInSlices<T>(values: Iterable<T>, options: SliceOptions): Promise<readonly T[]> {
  const all: T[] = [];
  await forEachInSlices(values, (value) => all.push(value), options);
  return all;
}

/** Bytes as text, with U+FFFD for what is not UTF-8. @throws the signal's reason when it aborts. */
export async function decodeInSlices(bytes: Uint8Array, { slices, signal }: SliceOptions): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let start = 0; start < bytes.length; start += MAX_DECODED_BYTES) {
    text += decoder.decode(bytes.subarray(start, start + MAX_DECODED_BYTES), { stream: true });
    if (slices.isOver()) await slices.rest({ signal });
  }
  return text + decoder.decode();
}

/** Decoding these takes some milliseconds. */
const MAX_DECODED_BYTES = 2 * 1024 * 1024;

/** Takes all steps of a generator at once, and returns the result: for input that is known to be small. */
export function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs `work` when its turn comes, and resolves to its result. */
export type WorkQueue = <T>(work: () => T | Promise<T>, options?: TurnOptions) => Promise<T>;

/**
 * Runs pieces of work, of some milliseconds each, one after the other. They come in bursts: otherwise their memory and
 * their time slices would add up within one round of the event loop. After each used-up slice, everything else that is
 * queued runs first.
 */
export function createWorkQueue(clock: Clock): WorkQueue {
  const slices = createTimeSlices(clock, SLICE_MS);
  const waiting: (() => Promise<void>)[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    await undefined;
    while (waiting.length > 0) {
      if (slices.isOver()) await slices.rest();
      await waiting.shift()?.();
    }
    isRunning = false;
  }

  return (work, { ahead = false } = {}) =>
    new Promise((resolve, reject) => {
      const task = async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      if (ahead) waiting.unshift(task);
      else waiting.push(task);
      if (!isRunning) void run();
    });
}

interface TurnOptions {
  /** Runs before everything that waits: for work that frees memory which the others would add to. Default false. */
  readonly ahead?: boolean;
}

/** Short, since one piece of work takes several times as long. */
const SLICE_MS = 1;

/**
 * Sorts `values` in place, in slices of time. `compare` must never return 0 for two different values. Needs the memory
 * of a second copy.
 *
 * @returns the sorted values: `values` itself or an array of the same length.
 * @throws the signal's reason when it aborts; `values` then are in no order.
 */
export async function sortInSlices(
  values: Uint32Array,
  compare: Compare,
  { slices, signal }: SliceOptions,
): Promise<Uint32Array> {
  for (let start = 0; start < values.length; start += RUN_LENGTH) {
    values.subarray(start, start + RUN_LENGTH).sort(compare);
    if (slices.isOver()) await slices.rest({ signal });
  }
  let source = values;
  let target: Uint32Array = new Uint32Array(values.length > RUN_LENGTH ? values.length : 0);
  for (let width = RUN_LENGTH; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      await mergeRuns({ source, target, start, middle, end }, compare, { slices, signal });
    }
    [source, target] = [target, source];
  }
  return source;
}

/** A sorted copy of a list of any length, in slices of time; equal values stay in their order. */
export async function toSortedInSlices<T>(
  values: readonly T[],
  compare: (one: T, other: T) => number,
  options: SliceOptions,
): Promise<readonly T[]> {
  const order = await sortInSlices(
    new Uint32Array(values.length).map((_, index) => index),
    (one, other) => compare(values[one] as T, values[other] as T) || one - other,
    options,
  );
  return Array.from(order, (index) => values[index] as T);
}

/** Values that are sorted or merged without checking the clock: about a millisecond. */
const RUN_LENGTH = 1024;
const CHECK_EVERY = 256;

type Compare = (a: number, b: number) => number;

/** What a loop in slices needs. */
export interface SliceOptions {
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal | undefined;
}

async function mergeRuns(
  { source, target, start, middle, end }: Runs,
  compare: Compare,
  { slices, signal }: SliceOptions,
): Promise<void> {
  const at = (index: number) => source[index] ?? 0;
  if (middle >= end || compare(at(middle - 1), at(middle)) < 0) {
    target.set(source.subarray(start, end), start);
    return;
  }
  let left = start;
  let right = middle;
  for (let out = start; out < end; out++) {
    const takeLeft = right >= end || (left < middle && compare(at(left), at(right)) < 0);
    target[out] = takeLeft ? at(left++) : at(right++);
    if (out % CHECK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
  }
}

interface Runs {
  readonly source: Uint32Array;
  readonly target: Uint32Array;
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

/**
 * Merges two sorted lists. Made for few values into many: it costs a binary search for each of `few` and one copy of
 * `many`.
 *
 * @throws the signal's reason when it aborts.
 */
export async function mergeInSlices(
  { many, few }: { readonly many: Uint32Array; readonly few: Uint32Array },
  compare: Compare,
  { slices, signal }: SliceOptions,
): Promise<Uint32Array> {
  const merged = new Uint32Array(many.length + few.length);
  let copied = 0;
  for (let index = 0; index < few.length; index++) {
    const value = few[index] ?? 0;
    const place = findFirstAbove(many, { from: copied, value }, compare);
    merged.set(many.subarray(copied, place), copied + index);
    merged[place + index] = value;
    copied = place;
    if (index % CHECK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
  }
  merged.set(many.subarray(copied), copied + few.length);
  return merged;
}

/** Index of the first of the sorted `values`, from `from` on, that comes after `value`. */
function findFirstAbove(
  values: Uint32Array,
  { from, value }: { readonly from: number; readonly value: number },
  compare: Compare,
): number {
  let low = from;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(values[middle] ?? 0, value) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
