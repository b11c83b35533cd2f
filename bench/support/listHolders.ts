// Makes the holders of a token of its logs, in a process whose memory holds nothing else. Run with --expose-gc and the
// arguments URL and ADDRESS; prints what it measured as JSON.
import { fetch } from 'undici';
import {
  type Address,
  AppError,
  createChainClient,
  fetchState,
  type Hex,
  parseLogFilter,
  systemClock,
} from '../../src/core/index.ts';
import { memoryHeld } from './memoryHeld.ts';
import { timed } from './stats.ts';

export interface ListedHolders {
  readonly rows: number;
  readonly state: string;
  /** All logs, which are dropped. */
  readonly loadMs: number;
  readonly holdersMs: number;
  /** Heap and array buffers, less what was there before. */
  readonly bytes: number;
}

const BLOCK_HASH: Hex = `0x${'ab'.repeat(32)}`;
const ROUNDS = 3;

async function measure(url: string, address: Address): Promise<ListedHolders> {
  const open = () => createChainClient({ fetch: fetch as never, clock: systemClock, url });
  const block = await open().getBlockNumber();
  const load = async () => {
    const query = open().openLogQuery(parseLogFilter({ address, fromBlock: 0, toBlock: String(block) }));
    for await (const page of query.rest()) void page;
  };
  const list = () => {
    const client = open();
    const notServed = async () => {
      throw new AppError('notServed', 'There is no state.');
    };
    // The server has logs alone: what is compared with calls depends on a node, and on no number of logs.
    const calls: Parameters<typeof fetchState>[1]['client'] = {
      openLogQuery: client.openLogQuery,
      getBlockHash: async () => BLOCK_HASH,
      fetchTokenUnits: async () => undefined,
      fetchTransferStandard: async () => 'erc20',
      requireCode: async () => undefined,
      callAtBlock: notServed,
      getBlockNumber: notServed,
      getCode: notServed,
      fetchProxy: notServed,
    };
    const query = { kind: 'holders', address, owner: undefined, block } as const;
    return fetchState(query, { client: calls, clock: systemClock });
  };
  await load();
  const loads: number[] = [];
  const lists: number[] = [];
  const before = await memoryHeld();
  let state = await list();
  const bytes = (await memoryHeld()) - before;
  for (let round = 0; round < ROUNDS; round++) {
    loads.push(await timed(load));
    lists.push(
      await timed(async () => {
        state = await list();
      }),
    );
  }
  const { rows, verdict } = state;
  return {
    ...{ rows: rows.length, state: verdict.state, bytes },
    loadMs: Math.min(...loads),
    holdersMs: Math.min(...lists),
  };
}

const [url, address] = process.argv.slice(2);
if (url === undefined || address === undefined) {
  throw new Error('Usage: node --expose-gc listHolders.ts URL ADDRESS');
}
console.log(JSON.stringify(await measure(url, address as Address)));
