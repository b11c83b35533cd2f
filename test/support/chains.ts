import { MemoryIndex } from '../../localnet/index/memoryIndex.ts';
import type { FetchLike, Hex } from '../../src/core/index.ts';
import { createRow } from './fakeFetch.ts';

interface Block {
  readonly hash: string;
  readonly rows: number;
}

/** A state that the chain was in. */
export type ChainState = readonly Block[];

interface Machines {
  /** How many blocks the machine lacks that answers the next request; default none. */
  readonly behind?: () => number;
  /** The state that this machine has, before it lacks blocks; by default the last one that the chain was in. */
  readonly stateOf?: (states: readonly ChainState[]) => ChainState | undefined;
  /** Called before each request is answered: the chain may change then. */
  readonly onRequest?: () => void;
  /** Blocks are served by number, with their hashes. */
  readonly headers?: boolean;
  /** What the next request fails with, if it does. */
  readonly failure?: () => Response | undefined;
  /** Blocks that an answer may be of. */
  readonly mostBlocks?: number;
  /** Takes one call a request. */
  readonly oneCall?: boolean;
  /** Blocks above the head are refused, not left out. */
  readonly refusesBeyond?: boolean;
}

interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [{ readonly fromBlock: string; readonly toBlock: string }];
}

/** A chain that grows, is reorganised and is served by machines that may be behind. */
export function createGrowingChain(machines: Machines = {}) {
  let made = 0;
  let blocks: ChainState = [newBlock(0)];
  const states: ChainState[] = [blocks];
  let asked = 0;
  let requests = 0;

  function newBlock(rows: number): Block {
    return { hash: `0x${(++made).toString(16).padStart(64, '0')}`, rows };
  }

  function become(next: ChainState): void {
    blocks = next;
    states.push(next);
  }

  const fetch: FetchLike = async (_url, { body }) => {
    if (body === undefined) return Response.json('Page not found', { status: 404 });
    requests++;
    machines.onRequest?.();
    const failure = machines.failure?.();
    if (failure) return failure;
    const state = machines.stateOf?.(states) ?? blocks;
    const known = state.slice(0, Math.max(1, state.length - (machines.behind?.() ?? 0)));
    const calls: RpcCall | readonly RpcCall[] = JSON.parse(body);
    if (!('length' in calls)) return Response.json(answer(calls, known));
    if (machines.oneCall) return Response.json(refusal(null, -32600, 'Batch requests are not supported'));
    return Response.json(calls.map((call) => answer(call, known)));
  };

  function answer({ id, method, params }: RpcCall, known: ChainState): object {
    const head = known.length - 1;
    if (method === 'eth_blockNumber') return { jsonrpc: '2.0', id, result: `0x${head.toString(16)}` };
    if (method === 'web3_clientVersion') return { jsonrpc: '2.0', id, result: 'Geth/v1.17.0' };
    if (method === 'eth_getBlockByNumber' && machines.headers) {
      const number = params[0] as unknown as string;
      const hash = known[Number(number)]?.hash;
      return { jsonrpc: '2.0', id, result: hash === undefined ? null : { number, hash } };
    }
    if (method !== 'eth_getLogs') return refusal(id, -32601, 'the method does not exist/is not available');
    asked++;
    const [from, to] = [Number(params[0].fromBlock), Number(params[0].toBlock)];
    if (machines.refusesBeyond && to > head) {
      return refusal(id, -32602, 'block range extends beyond current head block');
    }
    if (machines.mostBlocks !== undefined && to - from >= machines.mostBlocks) {
      return refusal(id, -32602, `exceed maximum block range ${machines.mostBlocks}`);
    }
    return { jsonrpc: '2.0', id, result: rowsOf(known, from, to) };
  }

  return {
    fetch,
    /** Every state that it was in. */
    states,
    get head() {
      return blocks.length - 1;
    },
    /** Requests for logs so far. */
    get asked() {
      return asked;
    },
    /** HTTP requests so far. */
    get requests() {
      return requests;
    },
    mine(...rows: readonly number[]) {
      become([...blocks, ...rows.map(newBlock)]);
    },
    /** The last `depth` blocks give way to others. */
    reorganise(depth: number, ...rows: readonly number[]) {
      become([...blocks.slice(0, Math.max(1, blocks.length - depth)), ...rows.map(newBlock)]);
    },
    keys: () => getRowKeys(blocks),
  };
}

function refusal(id: number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function rowsOf(blocks: ChainState, from: number, to: number): readonly object[] {
  return blocks
    .slice(from, to + 1)
    .flatMap(({ hash, rows }, at) =>
      Array.from({ length: rows }, (_, index) =>
        createRow(from + at, index, { blockHash: hash, transactionHash: hash }),
      ),
    );
}

/** The rows of the blocks through `last`, each by its block and its place there. */
export function getRowKeys(blocks: ChainState, last = blocks.length - 1): readonly string[] {
  return blocks
    .slice(0, last + 1)
    .flatMap(({ hash, rows }) => Array.from({ length: rows }, (_, index) => `${hash}:${index}`));
}

const hex = (value: number, bytes: number): Hex => `0x${value.toString(16).padStart(bytes * 2, '0')}`;

export const TIMED_ADDRESS = hex(0xa1, 20);
export const TIMED_TOPIC = hex(0x7001, 32);
/** Seconds since the Unix epoch of the first block; ten more for each behind it. */
export const FIRST_SECOND = 1_793_491_200;

/** The time of a block of {@link timedChain}, in milliseconds. */
export const timeOfBlock = (block: number) => (FIRST_SECOND + block * 10) * 1000;

/** A chain of so many blocks with a log in each, made ten seconds apart from 2026-11-01 on. */
export function timedChain(blocks: number): MemoryIndex {
  const index = new MemoryIndex();
  for (let number = 0; number < blocks; number++) {
    const log = { logIndex: 0, address: TIMED_ADDRESS, topics: [TIMED_TOPIC], data: hex(number, 32) };
    index.addBlock({
      ...{ number, hash: hex(number + 1, 32), timestamp: FIRST_SECOND + number * 10 },
      transactions: [{ hash: hex(number + 10_000, 32), logs: [log] }],
    });
  }
  return index;
}

/** What the node behind an explorer answers about headers of such a chain. */
export function forwardHeaders(index: MemoryIndex) {
  return async (method: string, [block]: readonly unknown[]) => {
    const found = method === 'eth_getBlockByNumber' ? index.blocksAt(Number(block))[0] : undefined;
    if (!found) return { result: null };
    return { result: { number: hexQuantity(found.number), timestamp: hexQuantity(found.timestamp) } };
  };
}

const hexQuantity = (value: number) => `0x${value.toString(16)}`;
