import { fetch } from 'undici';
import { startExplorer } from '../localnet/explorer/server.ts';
import { MemoryIndex } from '../localnet/index/memoryIndex.ts';
import { startNode } from '../localnet/node/server.ts';
import { hold } from '../scripts/support/script.ts';
import { createChainClient, type FetchLike, type Hex, systemClock } from '../src/core/index.ts';
import { atMost, type Benchmark, type Row } from './support/benchmark.ts';

const BLOCKS = 2000;
/** Rows of a high window, each of a block of its own. */
const SCREEN = 60;
const SECONDS = 12;
const hex = (value: number, bytes: number): Hex => `0x${value.toString(16).padStart(bytes * 2, '0')}`;
const address = hex(0xa1, 20);

interface Served {
  readonly rpcUrl: string;
  stop(): Promise<void>;
}

/** Requests that the times of a screen take, and the block at a moment, by what an endpoint has. */
export const blockTimes: Benchmark = {
  name: 'block-times',
  async run(resources) {
    const index = chainOfBlocks();
    const forward = async (method: string, [block]: readonly unknown[]) => {
      const found = method === 'eth_getBlockByNumber' ? index.blocksAt(Number(block))[0] : undefined;
      return { result: found ? { timestamp: `0x${found.timestamp.toString(16)}` } : null };
    };
    const servers: Readonly<Record<string, Promise<Served>>> = {
      'node, headers': startNode({ index, profile: 'besu' }),
      'explorer v11.2': startExplorer({ index, dialect: 'v11.2', forward }),
      'explorer v5.1.4, three methods': startExplorer({ index, dialect: 'v5.1.4' }),
    };
    const rows: Row[] = [];
    for (const [what, starting] of Object.entries(servers)) {
      const server = await hold(resources, starting, (started) => started.stop());
      rows.push(await screenRow(what, server.rpcUrl), await momentRow(what, server.rpcUrl));
    }
    return [
      {
        title: 'Times of blocks',
        how: `Requests of a new client: for the times of ${SCREEN} blocks with a log each, and for the block at a moment of ${BLOCKS} blocks.`,
        columns: ['', 'requests'],
        rows,
      },
    ];
  },
};

async function screenRow(what: string, url: string): Promise<Row> {
  const { client, requests } = countedClient(url);
  const blocks = Array.from({ length: SCREEN }, (_, place) => BigInt(1000 + place));
  const times = await client.fetchBlockTimes(blocks, { logs: { address } });
  if (times?.size !== SCREEN) throw new Error(`${what}: ${times?.size} of ${SCREEN} times are known.`);
  return rowOf(`times of a screen, ${what}`, requests(), 1);
}

/** The newest block is asked for as well. Where there are no headers, each neighbour is a request. */
async function momentRow(what: string, url: string): Promise<Row> {
  const { client, requests } = countedClient(url);
  const { block } = await client.findBlockAt({ time: 1234 * SECONDS * 1000, closest: 'before' });
  if (block !== 1234n) throw new Error(`${what}: the moment was found in block ${block}.`);
  return rowOf(`block at a moment, ${what}`, requests(), what.includes('three methods') ? 8 : 5);
}

function rowOf(what: string, requests: number, limit: number): Row {
  return {
    cells: [what, String(requests)],
    figures: { what, requests },
    budget: atMost(requests, limit, 'requests', true),
  };
}

function countedClient(url: string) {
  let requests = 0;
  const counting: FetchLike = async (target, init) => {
    requests++;
    return (await fetch(target, init)) as unknown as Response;
  };
  return {
    client: createChainClient({ url, fetch: counting, clock: systemClock }),
    requests: () => requests,
  };
}

function chainOfBlocks(): MemoryIndex {
  const index = new MemoryIndex();
  for (let number = 0; number < BLOCKS; number++) {
    const log = { logIndex: 0, address, topics: [], data: '0x' as const };
    index.addBlock({
      ...{ number, hash: hex(number + 1, 32), timestamp: number * SECONDS },
      transactions: [{ hash: hex(number + BLOCKS + 1, 32), logs: [log] }],
    });
  }
  return index;
}
