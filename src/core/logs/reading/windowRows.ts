import { mergeLogs } from '../asking/mergeLogs.ts';
import { createRoom, type Room } from '../guards/room.ts';
import { type Direction, middleOf, type Span } from '../query/direction.ts';
import type { Log } from '../query/log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import type { ServerFilter } from '../server/serverFilters.ts';

/** All rows of one part of a window. */
export interface WholeAnswer {
  readonly logs: readonly Log[];
  readonly doubts: readonly VerdictReason[];
}

/** What has come in of a window that gets shorter while it is read: the room that it takes counts its rows so far. */
interface WindowRows {
  readonly room: Room;
  /** Last block of the window, in the order of reading. */
  readonly through: bigint;
  isMissing(part: ServerFilter): boolean;
  /** Where the answers together are too much, half of the blocks is enough, which need not be asked for again. */
  keep(part: ServerFilter, answer: WholeAnswer): void;
  /** The window ends at `block`, or before it. */
  endAt(block: bigint): void;
  /** From here on only what is of the first block counts. */
  becomeOneBlock(): void;
  /** The rows of the blocks through {@link through} in the order of reading, with `more` that no part is whole by. */
  logs(more: readonly (readonly Log[])[]): readonly Log[];
  doubts(): readonly VerdictReason[];
  /** Heights at which rows of a fork may have come. */
  addForks(blocks: readonly bigint[]): void;
  /** Doubts about those through {@link through}. */
  forks(): readonly VerdictReason[];
}

/** @param mostBytes as {@link createRoom} takes it. */
export function createWindowRows(
  direction: Direction,
  { first, last }: Span,
  mostBytes: () => number,
): WindowRows {
  const whole = new Map<ServerFilter, WholeAnswer>();
  const room = createRoom(mostBytes);
  const forkedAt = new Set<bigint>();
  let through = last;
  let oneBlock = first === last;
  const isBeyond = (block: bigint) => direction.distance(through, block) > 0n;

  function shrinkTo(block: bigint): void {
    through = block;
    for (const [part, { logs, doubts }] of whole) whole.set(part, { logs: within(logs), doubts });
    room.takeAnew([...whole.values()].map(({ logs }) => logs));
  }

  function within(logs: readonly Log[]): readonly Log[] {
    const ends = [logs[0], logs[logs.length - 1]];
    const reachesBeyond = ends.some((log) => log && isBeyond(log.blockNumber));
    return reachesBeyond ? logs.filter((log) => !isBeyond(log.blockNumber)) : logs;
  }

  return {
    room,
    get through() {
      return through;
    },
    isMissing: (part) => !whole.has(part),
    keep(part, answer) {
      whole.set(part, answer);
      while (room.over && through !== first) shrinkTo(middleOf(direction, { first, last: through }));
    },
    endAt(block) {
      through = direction.nearer(through, block);
    },
    becomeOneBlock() {
      if (!oneBlock) shrinkTo(first);
      oneBlock = true;
    },
    logs(more) {
      const parts = [...[...whole.values()].map(({ logs }) => logs), ...more];
      return direction.inOrder(mergeLogs(parts.map(within)));
    },
    doubts: () => [...whole.values()].flatMap(({ doubts }) => doubts),
    addForks(blocks) {
      for (const block of blocks) forkedAt.add(block);
    },
    forks: () =>
      [...forkedAt].filter((block) => !isBeyond(block)).map((block) => ({ code: 'forkRows', block })),
  };
}
