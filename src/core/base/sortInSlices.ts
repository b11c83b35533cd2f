import type { TimeSlices } from './timeSlices.ts';

type Compare = (a: number, b: number) => number;

interface InSlices {
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal | undefined;
}

/** Values that are sorted, or merged, without a look at the clock: about a millisecond. */
const RUN = 1024;
const LOOK_EVERY = 256;

/**
 * Sorts `values` in place, in slices of time. `compare` must tell any two apart. Takes as much memory again.
 *
 * @returns the sorted values: `values` itself or an array of the same length.
 * @throws the signal's reason when it aborts; `values` then are in no order.
 */
export async function sortInSlices(
  values: Uint32Array,
  compare: Compare,
  { slices, signal }: InSlices,
): Promise<Uint32Array> {
  for (let start = 0; start < values.length; start += RUN) {
    values.subarray(start, start + RUN).sort(compare);
    if (slices.isOver()) await slices.rest({ signal });
  }
  let source = values;
  let target: Uint32Array = new Uint32Array(values.length > RUN ? values.length : 0);
  for (let width = RUN; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      await mergeRuns({ source, target, start, middle, end }, compare, { slices, signal });
    }
    [source, target] = [target, source];
  }
  return source;
}

interface Runs {
  readonly source: Uint32Array;
  readonly target: Uint32Array;
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

async function mergeRuns(
  { source, target, start, middle, end }: Runs,
  compare: Compare,
  { slices, signal }: InSlices,
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
    if (out % LOOK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
  }
}

/**
 * Both lists as one. Made for few values into many: it costs a search for each of `few` and one copy of `many`.
 *
 * @throws the signal's reason when it aborts.
 */
export async function mergeInSlices(
  { many, few }: { readonly many: Uint32Array; readonly few: Uint32Array },
  compare: Compare,
  { slices, signal }: InSlices,
): Promise<Uint32Array> {
  const merged = new Uint32Array(many.length + few.length);
  let taken = 0;
  for (let index = 0; index < few.length; index++) {
    const value = few[index] ?? 0;
    const place = firstAbove(many, { from: taken, value }, compare);
    merged.set(many.subarray(taken, place), taken + index);
    merged[place + index] = value;
    taken = place;
    if (index % LOOK_EVERY === 0 && slices.isOver()) await slices.rest({ signal });
  }
  merged.set(many.subarray(taken), taken + few.length);
  return merged;
}

/** Index of the first of the sorted `values`, from `from` on, that comes after `value`. */
function firstAbove(
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
