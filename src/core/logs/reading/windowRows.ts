import { lesser } from '../../values/lesser.ts';
import { mergeLogs } from '../asking/mergeLogs.ts';
import { createRoom, type Room } from '../guards/room.ts';
import type { Log } from '../query/log.ts';
import type { VerdictReason } from '../query/verdict.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import { middleOf } from './smallerRange.ts';

/** All rows of one part of a window. */
export interface WholeAnswer {
  readonly logs: readonly Log[];
  readonly doubts: readonly VerdictReason[];
}

/** What has come in of a window that gets shorter while it is read: the room that it takes counts its rows so far. */
interface WindowRows {
  readonly room: Room;
  /** Last block of the window. */
  readonly through: bigint;
  isMissing(part: ServerFilter): boolean;
  /** Where the answers together are too much, half of the blocks is enough, which need not be asked for again. */
  keep(part: ServerFilter, answer: WholeAnswer): void;
  /** The window ends at `block`, or before it. */
  endAt(block: bigint): void;
  /** From here on only what is of the first block counts. */
  becomeOneBlock(): void;
  /** The rows of the blocks through {@link through} in order, with `more` that no part is whole by. */
  logs(more: readonly (readonly Log[])[]): readonly Log[];
  doubts(): readonly VerdictReason[];
  /** Heights at which rows of a fork may have come. */
  addForks(blocks: readonly bigint[]): void;
  /** Doubts about those through {@link through}. */
  forks(): readonly VerdictReason[];
}

/** @param mostBytes as {@link createRoom} takes it. */
export function createWindowRows(
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
  mostBytes: () => number,
): WindowRows {
  const whole = new Map<ServerFilter, WholeAnswer>();
  const room = createRoom(mostBytes);
  const forkedAt = new Set<bigint>();
  let through = toBlock;
  let oneBlock = fromBlock === toBlock;

  function shrinkTo(block: bigint): void {
    through = block;
    for (const [part, { logs, doubts }] of whole) whole.set(part, { logs: upTo(logs, block), doubts });
    room.takeAnew([...whole.values()].map(({ logs }) => logs));
  }

  return {
    room,
    get through() {
      return through;
    },
    isMissing: (part) => !whole.has(part),
    keep(part, answer) {
      whole.set(part, answer);
      while (room.over && through > fromBlock) shrinkTo(middleOf(fromBlock, through));
    },
    endAt(block) {
      through = lesser(through, block);
    },
    becomeOneBlock() {
      if (!oneBlock) shrinkTo(fromBlock);
      oneBlock = true;
    },
    logs(more) {
      const parts = [...[...whole.values()].map(({ logs }) => logs), ...more];
      return mergeLogs(parts.map((logs) => upTo(logs, through)));
    },
    doubts: () => [...whole.values()].flatMap(({ doubts }) => doubts),
    addForks(blocks) {
      for (const block of blocks) forkedAt.add(block);
    },
    forks: () =>
      [...forkedAt].filter((block) => block <= through).map((block) => ({ code: 'forkRows', block })),
  };
}

function upTo(logs: readonly Log[], through: bigint): readonly Log[] {
  const last = logs[logs.length - 1];
  return last && last.blockNumber > through ? logs.filter((log) => log.blockNumber <= through) : logs;
}
