import type { Clock } from '../../base/clock.ts';

/** Newest blocks that the machines behind one address have named. */
interface Heads {
  note(head: bigint): void;
  /** The one that was named last. */
  last(): bigint;
  /** The newest, if it is so far ahead of the first that this was named by a machine that is behind. */
  ahead(): bigint | undefined;
}

/** A chain may be so many blocks further when the next answer comes, and one more for each of these milliseconds. */
const USUAL_BLOCKS = 2n;
const QUICKEST_BLOCK_MS = 250;

export function createHeads(clock: Clock): Heads {
  let first: { readonly head: bigint; readonly at: number } | undefined;
  let newest = 0n;
  let last = 0n;
  return {
    note(head) {
      first ??= { head, at: clock.elapsed() };
      if (head > newest) newest = head;
      last = head;
    },
    last: () => last,
    ahead() {
      if (!first) return undefined;
      const mayHaveCome = USUAL_BLOCKS + BigInt(Math.floor((clock.elapsed() - first.at) / QUICKEST_BLOCK_MS));
      return newest > first.head + mayHaveCome ? newest : undefined;
    },
  };
}
