import { keccak256 } from 'ox/Hash';
import { createChainClient, type FetchLike } from '../../src/core/index.ts';
import { createTestClock } from './clocks.ts';

/** A log of a made-up chain. */
export interface ChainLog {
  readonly block: number;
  /** Position in its block. */
  readonly place: number;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

export interface Chain {
  readonly head: number;
  /** In the order of the chain. */
  readonly logs: readonly ChainLog[];
  /** Every nth block has one more log, of a contract that nobody asks for. */
  readonly busyEvery?: number | undefined;
  /** Blocks from here on, up to the next one, belong to another fork than those of a chain with another name. */
  readonly forks?: readonly { readonly from: number; readonly name: number }[];
}

/** What sets a node apart from one that returns every log. */
export interface NodeTraits {
  /** Undefined: it does not say. */
  readonly name?: string | undefined;
  readonly batches: boolean;
  /** What it says if a range has more blocks. */
  readonly width?:
    | { readonly maxBlocks: number; readonly code: number; readonly message: string }
    | undefined;
  readonly maxLogs?: number | undefined;
  /** It lacks older blocks: it refuses them with this error, or leaves their logs out without one. */
  readonly pruned?:
    | {
        readonly below: number;
        /** The first block that it lacks. Default: the first one of the chain. */
        readonly from?: number | undefined;
        readonly error: { readonly code: number; readonly message: string } | undefined;
        /** Contracts whose logs it has of every block. */
        readonly keeps?: readonly string[] | undefined;
        /** A request for so many blocks at most goes to a node that has them. */
        readonly unlessWithin?: number | undefined;
      }
    | undefined;
  /** It refuses `eth_getLogs` without an address. */
  readonly needsAddress?: boolean | undefined;
  /** What it does with requests for headers. Default: it returns them. */
  readonly headers?: 'limited' | 'missing' | 'newOnly' | undefined;
  /** Blooms that say nothing, in place of those of the logs. */
  readonly blooms?: 'empty' | 'full' | undefined;
  /** Most calls in one request, and the form in which it refuses more. */
  readonly maxBatch?: { readonly calls: number; readonly form: BatchRefusal } | undefined;
  /** Every nth request reaches a machine that is behind. It refuses later blocks, or leaves them out. */
  readonly lag?: { readonly every: number; readonly blocks: number; readonly refuses: boolean } | undefined;
  /** Every nth request fails with an internal error. */
  readonly failEvery?: number | undefined;
  /** What it does with its `nth` log. */
  readonly flaw?: { readonly nth: number; readonly kind: RowFlaw } | undefined;
  readonly nullEvery?: number | undefined;
  /** What a log index counts. */
  readonly index: 'block' | 'transaction' | 'nothing';
  /** Block times grow, or fall. */
  readonly times?: 'fall' | undefined;
  /** It leaves out the nth log of all lists of logs. */
  readonly drops?: number | undefined;
  /** What a contract returns to a call with this data; undefined if it reverts. */
  readonly call?: ((data: string, state: ChainState) => string | undefined) | undefined;
  /** The code of an address. */
  readonly code?: ((address: string, state: ChainState) => string) | undefined;
  /** Which state it returns for a block. Default: that of each block that it has. */
  readonly states?:
    | { readonly kind: 'now' | 'clamped' }
    | { readonly kind: 'latestOnly'; readonly error: RpcError }
    | { readonly kind: 'newest'; readonly count: number; readonly error: RpcError }
    | undefined;
  /** What it says of a state whose block it has not seen; null: it returns null. */
  readonly unseen?: RpcError | null | undefined;
}

/** A chain after a block. */
export interface ChainState {
  readonly chain: Chain;
  readonly block: number;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
}

type BatchRefusal = 'list' | 'object' | 'one' | 'status' | 'null';

type RowFlaw = 'removed' | 'noBlock' | 'noHash' | 'noIndex' | 'twice';

const quantity = (value: number) => `0x${value.toString(16)}`;
const word = (value: number, salt = 0) =>
  `0x${salt.toString(16).padStart(8, 'a')}${value.toString(16).padStart(56, '0')}`;
/** Seconds since the Unix epoch. */
export const timeOf = (block: number, times?: NodeTraits['times']) =>
  1_700_000_000 + 12 * (times === 'fall' ? -block : block);

/** Behind all other logs of its block. */
const BUSY = { place: 900, address: `0x${'bb'.repeat(20)}`, topics: [word(0xbb)], data: '0x' };

/** The logs of these blocks, both inclusive, in the order of the chain. */
function listLogs({ logs, busyEvery }: Chain, from: number, to: number, filter: FilterParams = {}) {
  const own = logs.filter((log) => log.block >= from && log.block <= to && matches(filter, log));
  const others: ChainLog[] = [];
  if (busyEvery === undefined || !matches(filter, { ...BUSY, block: 0 })) return own;
  for (let block = Math.ceil(from / busyEvery) * busyEvery; block <= to; block += busyEvery)
    others.push({ ...BUSY, block });
  return [...own, ...others].sort((one, other) => one.block - other.block || one.place - other.place);
}

/** A `fetch` that reaches a node with these traits, and the chain that it has at a request, by its number from 1. */
export function createAnyNode(chainAt: Chain | ((request: number) => Chain), traits: NodeTraits): FetchLike {
  let requests = 0;

  const chainNow = () => (typeof chainAt === 'function' ? chainAt(requests) : chainAt);
  const hashOf = ({ forks }: Chain, block: number) =>
    word(block, forks?.findLast(({ from }) => block >= from)?.name);

  function toRow(current: Chain, log: ChainLog, nth: number): readonly object[] {
    const hash = hashOf(current, log.block);
    const transaction = Math.floor(log.place / 2);
    const index = { block: log.place, transaction: log.place % 2, nothing: 0 }[traits.index];
    const row = {
      ...{ address: log.address, topics: log.topics, data: log.data, blockNumber: quantity(log.block) },
      ...{
        blockHash: hash,
        transactionHash: `${hash.slice(0, -4)}${transaction.toString(16).padStart(4, '0')}`,
      },
      ...{ transactionIndex: quantity(transaction), logIndex: quantity(index), removed: false },
    };
    switch (nth === traits.flaw?.nth ? traits.flaw.kind : undefined) {
      case 'removed':
        return [{ ...row, removed: true }];
      case 'noBlock':
        return [{ ...row, blockNumber: null }];
      case 'noHash':
        return [{ ...row, blockHash: null }];
      case 'noIndex':
        return [{ ...row, logIndex: null }];
      case 'twice':
        return [row, row];
      default:
        return [row];
    }
  }

  function isPruned({ block, address }: ChainLog): boolean {
    const { pruned } = traits;
    const lacksBlock = pruned !== undefined && block >= (pruned.from ?? 0) && block < pruned.below;
    return lacksBlock && !pruned.keeps?.includes(address);
  }

  function getLogs(current: Chain, head: number, [filter = {}]: readonly FilterParams[]): object {
    const [from, to] = [filter.fromBlock, filter.toBlock].map((tag) =>
      tag?.startsWith('0x') ? Number(tag) : head,
    );
    if (from === undefined || to === undefined) return { error: { code: -32602, message: 'no range' } };
    const { width, pruned, maxLogs, lag } = traits;
    if (traits.needsAddress && filter.address === undefined)
      return { error: { code: -32701, message: 'Please specify an address in your request' } };
    if (pruned?.error && from < pruned.below) return { error: pruned.error };
    if (width && to - from + 1 > width.maxBlocks)
      return { error: { code: width.code, message: width.message } };
    if (to > head && (lag?.refuses ?? true))
      return { error: { code: -32602, message: 'block range extends beyond current head block' } };
    const found = listLogs(current, from, Math.min(to, head), filter).flatMap((log) => {
      const nth = current.logs.indexOf(log);
      if (nth === traits.drops) return [];
      const isLeftOut = isPruned(log) && to - from + 1 > (pruned?.unlessWithin ?? 0);
      return isLeftOut ? [] : toRow(current, log, nth);
    });
    if (maxLogs !== undefined && found.length > maxLogs && from < to)
      return { error: { code: -32005, message: `query returned more than ${maxLogs} results` } };
    return { result: traits.nullEvery && requests % traits.nullEvery === 0 ? null : found };
  }

  /** The block whose state is returned for a block or tag, or another response. */
  function findState(tag: unknown, head: number): number | object {
    const { states, unseen = { code: -32000, message: 'header not found' } } = traits;
    if (tag === 'latest') return head;
    if (states?.kind === 'latestOnly') return { error: states.error };
    const block = Number(tag);
    if (states?.kind === 'now') return head;
    if (block > head)
      return states?.kind === 'clamped' ? head : unseen ? { error: unseen } : { result: null };
    return states?.kind === 'newest' && block <= head - states.count ? { error: states.error } : block;
  }

  function readState({ method, params }: Omit<RpcCall, 'id'>, current: Chain, head: number): object {
    const [target, tag] = params;
    const block = findState(tag, head);
    if (typeof block === 'object') return block;
    const state = { chain: current, block };
    if (method === 'eth_getCode')
      return traits.code
        ? { result: traits.code(target as string, state) }
        : { error: { code: -32601, message: `the method ${method} does not exist` } };
    const { to, data } = target as { readonly to: string; readonly data: string };
    if (traits.code?.(to, state) === '0x') return { result: '0x' };
    const result = traits.call?.(data, state);
    return result === undefined
      ? { error: { code: 3, message: 'execution reverted', data: '0x' } }
      : { result };
  }

  function answerCall({ id, method, params }: RpcCall): object {
    const current = chainNow();
    const isBehind = traits.lag !== undefined && requests % traits.lag.every === 0;
    const head = Math.max(0, current.head - (isBehind ? (traits.lag?.blocks ?? 0) : 0));
    const reply = (answer: object) => ({ jsonrpc: '2.0', id, ...answer });
    if (traits.failEvery && requests % traits.failEvery === 0)
      return reply({ error: { code: -32603, message: 'Internal error' } });
    switch (method) {
      case 'eth_blockNumber':
        return reply({ result: quantity(head) });
      case 'web3_clientVersion':
        return reply(
          traits.name === undefined
            ? { error: { code: -32601, message: 'the method web3_clientVersion does not exist' } }
            : { result: traits.name },
        );
      case 'eth_getLogs':
        return reply(getLogs(current, head, params as readonly FilterParams[]));
      case 'eth_getBlockByNumber': {
        const block = Number(params[0]);
        if (traits.headers === 'limited')
          return reply({ error: { code: -32029, message: 'Too many requests, reason: call rate limit' } });
        if (traits.headers === 'newOnly' && block < current.head / 2)
          return reply({ error: { code: -32002, message: 'Requested resource not available' } });
        if (block > head || traits.headers === 'missing') return reply({ result: null });
        return reply({
          result: {
            ...{ number: quantity(block), hash: hashOf(current, block), transactions: [] },
            ...{
              timestamp: quantity(timeOf(block, traits.times)),
              logsBloom: traits.blooms
                ? `0x${(traits.blooms === 'full' ? 'f' : '0').repeat(512)}`
                : bloomOf(listLogs(current, block, block)),
            },
          },
        });
      }
      case 'eth_call':
      case 'eth_getCode':
        return reply(readState({ method, params }, current, head));
      default:
        return reply({ error: { code: -32601, message: `the method ${method} does not exist` } });
    }
  }

  return async (_url, { body }) => {
    if (body === undefined) return Response.json('Page not found', { status: 404 });
    requests++;
    const calls = JSON.parse(body);
    if (!Array.isArray(calls)) return Response.json(answerCall(calls));
    const { maxBatch } = traits;
    if (traits.batches && maxBatch && calls.length > maxBatch.calls) return refuseBatch(calls, maxBatch);
    return traits.batches
      ? Response.json(calls.map(answerCall))
      : Response.json({
          jsonrpc: '2.0',
          id: null,
          error: { code: -32600, message: 'batches are not supported' },
        });
  };
}

/** As dRPC with a list and with an object, geth, a proxy, and Besu. */
function refuseBatch(
  calls: readonly RpcCall[],
  { calls: most, form }: NonNullable<NodeTraits['maxBatch']>,
): Response {
  const error = { code: 31, message: `Batch of more than ${most} requests are not allowed on free tier` };
  const refusal = { code: -32600, message: 'batch too large' };
  const answers = {
    list: () =>
      Response.json(
        calls.map(({ id }) => ({ jsonrpc: '2.0', id, error })),
        { status: 500 },
      ),
    object: () => Response.json(error, { status: 500 }),
    one: () => Response.json([{ jsonrpc: '2.0', id: calls[0]?.id, error: refusal }]),
    status: () => Response.json({ jsonrpc: '2.0', id: null, error: refusal }, { status: 400 }),
    null: () => Response.json(calls.map(() => ({ jsonrpc: '2.0', id: null, error }))),
  };
  return answers[form]();
}

const bitsOf = new Map<string, readonly number[]>();

/** The bloom of a block with these logs (Yellow Paper, section 4.4.3). */
function bloomOf(logs: readonly Pick<ChainLog, 'address' | 'topics'>[]): string {
  const bloom = new Uint8Array(256);
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    for (const bit of findBits(value))
      bloom[255 - (bit >> 3)] = (bloom[255 - (bit >> 3)] ?? 0) | (1 << (bit & 7));
  }
  return `0x${Buffer.from(bloom).toString('hex')}`;
}

function findBits(value: string): readonly number[] {
  const known = bitsOf.get(value);
  if (known) return known;
  const hash = Buffer.from(keccak256(value as `0x${string}`, { as: 'Bytes' }));
  const bits = [0, 2, 4].map((at) => hash.readUInt16BE(at) % 2048);
  bitsOf.set(value, bits);
  return bits;
}

/** The client of a node, on a clock whose waits pass at once, and the chains that the node has, one after the other. */
export function openNode({ chain, node, reorg }: AnyNode) {
  const from = reorg ? chain.head - reorg.depth + 1 : 0;
  const other = reorg && {
    ...chain,
    logs: [
      ...chain.logs.filter(({ block }) => block < from),
      ...reorg.others.filter(({ block }) => block >= from),
    ],
    forks: [{ from, name: 1 }],
  };
  const chainAt = (request: number) => (other && request > reorg.atRequest ? other : chain);
  const fetch = createAnyNode(chainAt, node);
  const client = createChainClient({ fetch, clock: createTestClock(), url: 'http://node.test/' });
  return { chains: other ? [chain, other] : [chain], client };
}

export interface AnyNode {
  readonly chain: Chain;
  readonly node: NodeTraits;
  /** From a request on, the last `depth` blocks have the logs of `others`. */
  readonly reorg?:
    | { readonly atRequest: number; readonly depth: number; readonly others: readonly ChainLog[] }
    | undefined;
}

interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface FilterParams {
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

/** Whether a log has these addresses and topics. */
export function matches(
  { address, topics = [] }: Pick<FilterParams, 'address' | 'topics'>,
  log: ChainLog,
): boolean {
  if (address !== undefined && ![address].flat().includes(log.address)) return false;
  return topics.every((values, slot) => {
    const topic = log.topics[slot];
    return values === null || (topic !== undefined && [values].flat().includes(topic));
  });
}
