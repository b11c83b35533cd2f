import fc from 'fast-check';
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
  /** Blocks from here on belong to another fork than those of a chain with another name. */
  readonly fork?: { readonly from: number; readonly name: number };
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
        readonly error: { readonly code: number; readonly message: string } | undefined;
        /** Contracts whose logs it has of every block. */
        readonly keeps?: readonly string[] | undefined;
        /** A request for one block goes to a node that has it. */
        readonly isInRangesOnly?: boolean | undefined;
      }
    | undefined;
  /** It refuses `eth_getLogs` without an address. */
  readonly needsAddress?: boolean | undefined;
  /** What it does with requests for headers. Default: it returns them. */
  readonly headers?: 'limited' | 'missing' | undefined;
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
  /** From this request on, another chain takes the place of the first one. */
  readonly reorg?: { readonly atRequest: number; readonly chain: Chain } | undefined;
  /** Block times grow, or fall. */
  readonly times?: 'fall' | undefined;
  /** What a contract returns to a call with this data; undefined if it reverts. */
  readonly call?: ((data: string) => string | undefined) | undefined;
}

type BatchRefusal = 'list' | 'object' | 'one' | 'status' | 'null';

type RowFlaw = 'removed' | 'noBlock' | 'noHash' | 'noIndex' | 'twice';

const quantity = (value: number) => `0x${value.toString(16)}`;
const word = (value: number, salt = 0) =>
  `0x${salt.toString(16).padStart(8, 'a')}${value.toString(16).padStart(56, '0')}`;
/** Seconds since the Unix epoch. */
export const timeOf = (block: number, times?: NodeTraits['times']) =>
  1_700_000_000 + 12 * (times === 'fall' ? -block : block);

/** A `fetch` that reaches a node with `chain` and these traits. */
export function createAnyNode(chain: Chain, traits: NodeTraits): FetchLike {
  let requests = 0;

  const chainNow = () => (traits.reorg && requests > traits.reorg.atRequest ? traits.reorg.chain : chain);
  const hashOf = ({ fork }: Chain, block: number) => word(block, fork && block >= fork.from ? fork.name : 0);

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
    return pruned !== undefined && block < pruned.below && !pruned.keeps?.includes(address);
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
    const found = current.logs.flatMap((log, nth) => {
      const isLeftOut = isPruned(log) && !(pruned?.isInRangesOnly && from === to);
      const isServed = log.block >= from && log.block <= Math.min(to, head) && !isLeftOut;
      return isServed && matches(filter, log) ? toRow(current, log, nth) : [];
    });
    if (maxLogs !== undefined && found.length > maxLogs && from < to)
      return { error: { code: -32005, message: `query returned more than ${maxLogs} results` } };
    return { result: traits.nullEvery && requests % traits.nullEvery === 0 ? null : found };
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
        if (block > head || traits.headers === 'missing') return reply({ result: null });
        return reply({
          result: {
            ...{ number: quantity(block), hash: hashOf(current, block), transactions: [] },
            ...{
              timestamp: quantity(timeOf(block, traits.times)),
              logsBloom: traits.blooms
                ? `0x${(traits.blooms === 'full' ? 'f' : '0').repeat(512)}`
                : bloomOf(current.logs.filter((log) => log.block === block)),
            },
          },
        });
      }
      case 'eth_call': {
        const result = traits.call?.((params[0] as { readonly data: string }).data);
        return reply(
          result === undefined
            ? { error: { code: 3, message: 'execution reverted', data: '0x' } }
            : { result },
        );
      }
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
    head: chain.head,
    logs: [
      ...chain.logs.filter(({ block }) => block < from),
      ...reorg.others.filter(({ block }) => block >= from),
    ],
    fork: { from, name: 1 },
  };
  const fetch = createAnyNode(chain, {
    ...node,
    ...(reorg && other && { reorg: { atRequest: reorg.atRequest, chain: other } }),
  });
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

const refusals = [
  { code: -32000, message: 'maximum [from, to] blocks distance: {}' },
  { code: -32701, message: 'exceed maximum block range: {}' },
  { code: -32000, message: 'query must be smaller than size {}' },
  {
    code: -32602,
    message: 'block range is larger than max block range, block range = 9999, max block range = {}',
  },
  { code: -32602, message: 'query block range exceeds server limit, narrow your filter: 5.' },
  { code: -39999, message: 'computer says no' },
];
const prunedErrors = [
  { code: 4444, message: 'pruned history unavailable' },
  { code: -32000, message: 'seek with txNum=19 but data before txNum=26 is not available' },
  { code: -32001, message: 'gone' },
];

/** Mostly not, so that many nodes have few traits. */
export const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** A reorg during a query, or none; `others` are the logs, or what makes them, that take the place of the last ones. */
export const anyReorg = <T>(others: fc.Arbitrary<T>) =>
  seldom(
    fc.record({
      atRequest: fc.integer({ min: 1, max: 12 }),
      depth: fc.integer({ min: 1, max: 20 }),
      others,
    }),
  );

/** Traits of any node with a chain up to `head`. */
export const anyTraits = (head: number): fc.Arbitrary<NodeTraits> =>
  fc
    .record({
      name: seldom(fc.constant('Geth/v1.17.0')),
      batches: fc.boolean(),
      width: seldom(
        fc
          .tuple(fc.integer({ min: 8, max: 300 }), fc.constantFrom(...refusals))
          .map(([maxBlocks, { code, message }]) => ({
            maxBlocks,
            code,
            message: message.replace('{}', `${maxBlocks}`),
          })),
      ),
      maxLogs: seldom(fc.integer({ min: 5, max: 30 })),
      pruned: seldom(
        fc.oneof(
          fc.record({
            below: fc.integer({ min: 1, max: head }),
            error: fc.constantFrom(...prunedErrors),
          }),
          fc.record({
            below: fc.integer({ min: 1, max: head }),
            error: fc.constant(undefined),
            isInRangesOnly: fc.constant(true),
          }),
          fc.record({
            below: fc.integer({ min: 1, max: head }),
            error: fc.constant(undefined),
            keeps: seldom(fc.constantFrom([`0x${'a1'.padStart(40, '0')}`], [`0x${'b2'.padStart(40, '0')}`])),
          }),
        ),
      ),
      needsAddress: seldom(fc.boolean()),
      headers: rarely(fc.constantFrom('limited', 'missing')),
      blooms: rarely(fc.constant('empty')),
      maxBatch: seldom(
        fc.record({
          calls: fc.constantFrom(1, 3, 10),
          form: fc.constantFrom('list', 'object', 'one', 'status', 'null'),
        }),
      ),
      lag: seldom(
        fc.record({
          every: fc.integer({ min: 3, max: 4 }),
          blocks: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 2000 })),
          refuses: fc.boolean(),
        }),
      ),
      failEvery: seldom(fc.integer({ min: 4, max: 9 })),
      flaw: seldom(
        fc.record({
          nth: fc.integer({ min: 0, max: 20 }),
          kind: fc.constantFrom('removed', 'noBlock', 'noHash', 'noIndex', 'twice'),
        }),
      ),
      nullEvery: seldom(fc.integer({ min: 3, max: 20 })),
      index: fc.constantFrom('block', 'block', 'transaction', 'nothing'),
      times: seldom(fc.constant('fall')),
    })
    // Without blooms nothing shows what a node leaves out.
    .map((traits) => (traits.pruned && !traits.pruned.error ? { ...traits, blooms: undefined } : traits));

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
