// Follows a chain in a process whose memory holds nothing else. Run with --expose-gc; prints what it measured as JSON.
import {
  createChainClient,
  createLogStore,
  createRowSequence,
  type FetchLike,
  parseLogFilter,
  systemClock,
} from '../../src/core/index.ts';
import { memoryHeld } from './memoryHeld.ts';

export interface FollowedMany {
  readonly rows: number;
  readonly state: string;
  readonly blocks: number;
  /** Requests for logs while the chain grew by these blocks. */
  readonly requests: number;
  /** Of one block: asked for, compared, and put into the rows. */
  readonly msABlock: number;
  readonly bytesPerRow: number;
}

const BLOCKS = 2000;
const LOGS_A_BLOCK = 97;
const FIRST = 1000;
const ADDRESS = `0x${'c0de'.repeat(10)}` as const;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const quantity = (value: number) => `0x${value.toString(16)}`;

/** A node whose every block has as many logs. */
function createNode() {
  const node = { head: FIRST, requests: 0, fetch: answer as FetchLike };
  async function answer(_: unknown, init: { readonly body?: unknown } = {}) {
    const asked = JSON.parse(String(init.body));
    const calls = Array.isArray(asked) ? asked : [asked];
    const told = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, ...result(method, params) }));
    return Response.json(Array.isArray(asked) ? told : told[0]);
  }
  function result(method: string, [query]: readonly { fromBlock: string; toBlock: string }[] = []) {
    if (method === 'eth_blockNumber') return { result: quantity(node.head) };
    if (method === 'eth_chainId') return { result: '0x1' };
    if (method === 'web3_clientVersion') return { result: 'Geth/v1.16.1' };
    if (method !== 'eth_getLogs' || !query) return { error: { code: -32601, message: 'not offered' } };
    node.requests++;
    const to = Math.min(node.head, Number(query.toBlock));
    const logs = [];
    for (let block = Number(query.fromBlock); block <= to; block++) {
      for (let logIndex = 0; logIndex < LOGS_A_BLOCK; logIndex++) logs.push(logAt(block, logIndex));
    }
    return { result: logs };
  }
  return node;
}

function logAt(block: number, logIndex: number) {
  return {
    ...{ address: ADDRESS, removed: false, data: word(block * LOGS_A_BLOCK + logIndex) },
    ...{ blockHash: word(block + 1), blockNumber: quantity(block), logIndex: quantity(logIndex) },
    topics: [word(7), word(logIndex % 50), word((block + logIndex) % 500)],
    ...{ transactionHash: word(block * LOGS_A_BLOCK + logIndex + 2), transactionIndex: quantity(logIndex) },
  };
}

async function measure(): Promise<FollowedMany> {
  const node = createNode();
  const client = createChainClient({ url: 'http://node', fetch: node.fetch, clock: systemClock });
  const filter = parseLogFilter({ address: ADDRESS, fromBlock: FIRST });
  const store = createLogStore();
  const query = client.openLogQuery(filter);
  for await (const { logs } of query.rest()) store.append(logs);
  const { verdict } = query;
  if (!verdict) throw new Error('There is no verdict.');
  const sequence = createRowSequence(store, verdict.order);
  const held = (fromBlock: bigint) => sequence.keysFrom(fromBlock);
  const follower = await client.followLogs(filter, {
    verdict,
    loadedRows: held,
    confirmation: { times: 1, ms: 0 },
  });
  const [rows, asked, before] = [sequence.count, node.requests, await memoryHeld()];
  const begun = performance.now();
  for (let block = 0; block < BLOCKS; block++) {
    node.head++;
    for await (const { removedFrom, logs } of follower.advance(BigInt(node.head))) {
      if (removedFrom !== undefined) sequence.takeBack(removedFrom);
      sequence.add(logs);
    }
  }
  const msABlock = (performance.now() - begun) / BLOCKS;
  const bytes = (await memoryHeld()) - before;
  const came = sequence.count - rows;
  return {
    ...{ rows: came, state: follower.verdict.state, blocks: BLOCKS, requests: node.requests - asked },
    ...{ msABlock, bytesPerRow: bytes / came },
  };
}

console.log(JSON.stringify(await measure()));
