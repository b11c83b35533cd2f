import {
  type ChainClient,
  formatIsoTime,
  type Log,
  type LogFilter,
  type LogsInBlocks,
  MAX_BLOCK_TIMES,
} from '../core/index.ts';
import { say } from './line/output.ts';

/** When the blocks of rows were made, as a line says it. */
export interface RowTimes {
  /** Asks for the times that these rows do not bring along, and forgets those of the rows before. */
  read(logs: readonly Log[]): Promise<void>;
  /** In ISO 8601; null where nothing tells. */
  textOf(log: Log): string | null;
}

/**
 * The times of the rows that `client` gives for `filter`, of which it is asked for as many blocks at once as it takes.
 */
export function createRowTimes(
  client: Pick<ChainClient, 'blockTimes'>,
  filter: LogFilter,
  { signal }: { readonly signal: AbortSignal },
): RowTimes {
  const logs = logsIn(filter);
  let times = new Map<bigint, number>();
  let isTold = true;

  async function ask(blocks: readonly bigint[]): Promise<void> {
    let wanted = blocks;
    while (isTold && wanted.length > 0) {
      const some = wanted.slice(0, MAX_BLOCK_TIMES);
      const found = await client.blockTimes(some, { signal, logs });
      if (!found) {
        isTold = false;
        say('the endpoint does not tell when blocks were made: rows without a time have null');
        return;
      }
      const told = some.flatMap((block) => {
        const known = found.get(block);
        return known ? [[block, known.time] as const] : [];
      });
      for (const [block, time] of told) times.set(block, time);
      // Some answers are of a part of what was asked. What one with nothing was about is not asked again.
      const left = told.length > 0 ? some.filter((block) => !times.has(block)) : [];
      wanted = [...left, ...wanted.slice(some.length)];
    }
  }

  return {
    async read(rows) {
      const blocks = new Set(
        rows.flatMap(({ time, blockNumber }) => (time === undefined ? [blockNumber] : [])),
      );
      times = new Map([...times].filter(([block]) => blocks.has(block)));
      await ask([...blocks].filter((block) => !times.has(block)));
    },
    textOf: (log) => formatIsoTime(log.time ?? times.get(log.blockNumber)) ?? null,
  };
}

/** What is the same of all rows, by which an explorer finds them again. */
function logsIn({ addresses, topics: [first] }: LogFilter): LogsInBlocks {
  return {
    ...(addresses.length === 1 && { address: addresses[0] }),
    ...(first?.length === 1 && { topic0: first[0] }),
  };
}
