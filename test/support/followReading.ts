import type {
  ChainClient,
  ConfirmationPolicy,
  Log,
  LogFilter,
  LogFollower,
  LogOrder,
} from '../../src/core/index.ts';

/** An answer that is followed, with its rows in the order of the chain. */
export interface FollowedQuery {
  readonly follower: LogFollower;
  readonly rows: readonly Log[];
  /** Brings it up to `head`. @returns rows that were taken back and did not come again. */
  advance(head: bigint): Promise<readonly Log[]>;
}

/** Reads a query to its end and follows it from there. */
export async function followQuery(
  client: Pick<ChainClient, 'openLogQuery' | 'followLogs'>,
  filter: LogFilter,
  { order = 'newestFirst', patience }: { readonly order?: LogOrder; readonly patience: ConfirmationPolicy },
): Promise<FollowedQuery> {
  const query = client.openLogQuery(filter, { order });
  const rows: Log[] = [];
  for await (const { logs } of query.rest()) rows.push(...logs);
  if (order === 'newestFirst') rows.reverse();
  const { verdict } = query;
  if (!verdict) throw new Error('There is no verdict.');
  const held = (fromBlock: bigint) => {
    const first = rows.findIndex(({ blockNumber }) => blockNumber >= fromBlock);
    return first < 0 ? rows.slice(-1) : rows.slice(Math.max(0, first - 1));
  };
  const follower = await client.followLogs(filter, { verdict, held, patience });
  return {
    follower,
    rows,
    async advance(head) {
      const lost: Log[] = [];
      for await (const { takenBackFrom, logs } of follower.advance(head)) {
        while (takenBackFrom !== undefined && (rows.at(-1)?.blockNumber ?? -1n) >= takenBackFrom) {
          lost.push(...rows.splice(-1));
        }
        rows.push(...logs);
      }
      const stay = new Set(rows.map(getLogKey));
      return lost.filter((log) => !stay.has(getLogKey(log)));
    },
  };
}

/** A row by its block and its place there. */
export function getLogKey({ blockHash, logIndex }: Log): string {
  return `${blockHash}:${logIndex}`;
}
