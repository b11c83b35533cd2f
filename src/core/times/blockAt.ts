import { AppError } from '../base/errors.ts';
import type { KnownTime, TimeSource } from './knownTime.ts';

/** Which block is meant: the last one at or before a moment, or the first one at or after it. */
export type Closest = 'before' | 'after';

/** The block nearest to a moment. */
export interface BlockAtTime {
  /** Above the newest block where the chain has not reached the moment, and 0 where it begins after it. */
  readonly block: bigint;
  /** When it was made, in milliseconds since the Unix epoch; undefined where nothing tells, or it is still to be. */
  readonly time: number | undefined;
  /** What told. */
  readonly source: TimeSource;
  /** That the moment is after the newest block, or before the first. */
  readonly outside?: 'afterHead' | 'beforeFirst';
}

type Times = ReadonlyMap<bigint, KnownTime>;

interface Sought {
  readonly time: number;
  readonly closest: Closest;
  readonly head: bigint;
  /** What the explorer says that it is: looked at, not believed. */
  readonly told: bigint | undefined;
  /** Undefined where nothing tells. */
  readonly timesOf: (blocks: readonly bigint[]) => Promise<Times | undefined>;
}

/** Blocks that are looked at together: a request of headers, and 2^53 blocks in 13 steps. */
const LOOKED_AT = 15;
const MOST_STEPS = 60;

/** A stretch in which the order of times changes sides: `low` is before the moment, `high` is not. */
interface Stretch {
  readonly low: bigint;
  readonly high: bigint;
}

/**
 * The block nearest to a moment: the one that the explorer names, where the times of it and of its neighbours bear it
 * out; else found by the times of blocks, ever closer. Where times go back and forth the answer is the first such block
 * that is met from below, or the last from above, so that a range holds more rather than less.
 *
 * @throws AppError `notServed` for the field `blockTime` where nothing tells, or nothing of the blocks in between.
 */
export async function findBlockAt(sought: Sought): Promise<BlockAtTime> {
  const { head, told, closest } = sought;
  const near = told === undefined ? between({ low: 0n, high: head }) : [told - 1n, told, told + 1n];
  const first = [0n, ...near, head].filter((block) => block >= 0n && block <= head);
  const times = await sought.timesOf([...new Set(first)]);
  if (!times || times.size === 0) return asTold(sought);
  const known = new Map(times);
  let stretch = narrow({ low: -1n, high: head + 1n }, known, sought);
  for (let step = 0; stretch.high - stretch.low > 1n; step++) {
    const found = await sought.timesOf(between(stretch));
    const closer = found && narrow(stretch, found, sought);
    if (!closer || !isCloser(closer, stretch) || step === MOST_STEPS) throw untold(stretch);
    for (const [block, time] of found ?? []) known.set(block, time);
    stretch = closer;
  }
  const block = closest === 'after' ? stretch.high : stretch.low;
  const at = known.get(block < 0n ? 0n : block);
  const source = block === told ? 'getblocknobytime' : sourceOf(known, stretch);
  if (block < 0n) return { block: 0n, time: at?.time, source, outside: 'beforeFirst' };
  if (block > head) return { block, time: undefined, source, outside: 'afterHead' };
  return { block, time: at?.time, source, ...outsideOf(block, at, sought) };
}

/** Where the only way to times is the explorer's word for a block, that is what there is. */
function asTold({ told, head }: Sought): BlockAtTime {
  if (told === undefined) {
    throw new AppError(
      'notServed',
      'This endpoint does not tell when blocks were made: it has no block headers (eth_getBlockByNumber), and no explorer beside it answers for them. Give blocks by their numbers.',
      { field: 'blockTime' },
    );
  }
  return { block: told > head ? head : told, time: undefined, source: 'getblocknobytime' };
}

function outsideOf(
  block: bigint,
  at: KnownTime | undefined,
  { time, closest, head }: Sought,
): Pick<BlockAtTime, 'outside'> {
  if (at === undefined) return {};
  if (closest === 'before' && block === head && at.time < time) return { outside: 'afterHead' };
  return closest === 'after' && block === 0n && at.time > time ? { outside: 'beforeFirst' } : {};
}

/** Whether a block is on the far side of the moment: not one that is to be left behind. */
function isPast({ time, closest }: Pick<Sought, 'time' | 'closest'>, at: KnownTime): boolean {
  return closest === 'after' ? at.time >= time : at.time > time;
}

/** The part of a stretch in which the sides change, as far as these times show. */
function narrow({ low, high }: Stretch, times: Times, sought: Sought): Stretch {
  const inside = [...times].filter(([block]) => block > low && block < high);
  const looked = inside
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([block, at]) => ({ block, isPast: isPast(sought, at) }));
  const last = looked.findLastIndex((one) => !one.isPast) + 1;
  const first = looked.findIndex((one) => one.isPast);
  const place = sought.closest === 'before' ? last : first < 0 ? looked.length : first;
  return { low: looked[place - 1]?.block ?? low, high: looked[place]?.block ?? high };
}

function isCloser(closer: Stretch, than: Stretch): boolean {
  return closer.high - closer.low < than.high - than.low;
}

/** Blocks inside of a stretch, evenly apart. */
function between({ low, high }: Stretch): readonly bigint[] {
  const parts = BigInt(LOOKED_AT + 1);
  const blocks = Array.from(
    { length: LOOKED_AT },
    (_, place) => low + ((high - low) * BigInt(place + 1)) / parts,
  );
  return [...new Set(blocks)].filter((block) => block > low && block < high);
}

function sourceOf(known: Times, { low, high }: Stretch): TimeSource {
  const at = known.get(low) ?? known.get(high) ?? [...known.values()][0];
  return at?.source ?? 'eth_getBlockByNumber';
}

function untold({ low, high }: Stretch): AppError {
  const words = `This endpoint does not tell when the blocks between ${low} and ${high} were made. Give blocks by their numbers.`;
  return new AppError('notServed', words, { field: 'blockTime' });
}
