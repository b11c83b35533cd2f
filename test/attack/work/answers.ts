import { createChainClient, type FetchLike, systemClock } from '../../../src/core/index.ts';
import { openRpcTransactions } from '../../../src/core/providers/rpc/transactions.ts';
import { withEndpointSecret } from '../../../src/core/secrets/withEndpointSecret.ts';
import { below, type Chance, pick, repeatUnits } from './random.ts';
import type { Work } from './work.ts';

const KEY = 'Zk3_0123456789abcdef0123456789aQ';
const NODE = 'http://127.0.0.1:1';
const URL_WITH_KEY = `${NODE}/v1/\${key}`;
const ADDRESS = `0x${'5a'.repeat(20)}` as const;
const HASH = `0x${'7a'.repeat(32)}` as const;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const hexOf = (text: string) => Buffer.from(text).toString('hex');

/** What a server may repeat: the key in all its forms, and what only begins like it. */
const repeated = [
  ...[KEY, KEY.toUpperCase(), KEY.slice(0, 15), KEY.slice(0, 17), hexOf(KEY), hexOf(KEY.slice(0, 15))],
  ...[Buffer.from(KEY).toString('base64'), `0x${hexOf(KEY)}`, encodeURIComponent(KEY)],
  ...[
    '%41',
    '%5a',
    '%255a',
    '&#90;',
    '&amp;',
    '\\u005a',
    '\\\\',
    '%',
    'Z',
    'zk',
    '5a6b',
    ' ',
    '{',
    '["',
    '0x',
  ],
];

const log = (chance: Chance, index: number, bytes: number) => ({
  address: ADDRESS,
  topics: Array.from({ length: below(chance, 5) }, () => word(below(chance, 9))),
  data: `0x${'ab'.repeat(bytes)}`,
  blockNumber: '0x10',
  blockHash: HASH,
  transactionHash: word(index),
  transactionIndex: `0x${index.toString(16)}`,
  logIndex: `0x${index.toString(16)}`,
});

/** Logs whose JSON has about `size` characters: many small ones, a few large ones, or one. */
function logsOf(chance: Chance, size: number) {
  const bytes = pick(chance, [0, 32, 320, size / 20, size / 2.1]);
  const count = Math.max(1, Math.floor(size / (650 + 2 * bytes)));
  return Array.from({ length: count }, (_, index) => log(chance, index, Math.floor(bytes)));
}

/** Values of any shape, for a place where another shape is due. */
function anything(chance: Chance, size: number): unknown {
  const count = Math.floor(size / 4);
  return pick<() => unknown>(chance, [
    () => Array.from({ length: count }, () => 0),
    () => Array.from({ length: count }, () => ({})),
    () => Array.from({ length: Math.floor(size / 8) }, () => [[]]),
    () => Object.fromEntries(Array.from({ length: Math.floor(size / 12) }, (_, index) => [`k${index}`, 0])),
    () => `0x${'0'.repeat(size)}`,
    () => '9'.repeat(size),
    () => repeatUnits(chance, size, ['\u202e', '\ud800', 'é', '<a>', '$(x)', '\n', ' ']),
    () => Array.from({ length: Math.floor(size / 70) }, (_, index) => word(index)),
  ])();
}

const block = {
  ...{ number: '0x10', hash: HASH, parentHash: HASH, timestamp: '0x65000000', miner: ADDRESS },
  ...{ logsBloom: `0x${'00'.repeat(256)}`, transactionsRoot: HASH, receiptsRoot: HASH, stateRoot: HASH },
  ...{ extraData: '0x', gasLimit: '0x1', gasUsed: '0x1', difficulty: '0x0', transactions: [] },
};
const transaction = {
  ...{ hash: HASH, from: ADDRESS, to: ADDRESS, value: '0x5', gas: '0x7530', gasPrice: '0x2', nonce: '0x1' },
  ...{ input: '0x', type: '0x2', blockNumber: '0x10', blockHash: HASH, transactionIndex: '0x0' },
};
const receipt = {
  ...{ transactionHash: HASH, blockNumber: '0x10', blockHash: HASH, transactionIndex: '0x0', gasUsed: '0x1' },
  ...{ from: ADDRESS, to: ADDRESS, status: '0x1', effectiveGasPrice: '0x2', logs: [] as unknown[] },
};

type Client = ReturnType<typeof createChainClient>;

/** What a server answers to each method, and what is asked of it. */
interface Exchange {
  readonly results: Readonly<Record<string, unknown>>;
  readonly ask: (client: Client, fetch: FetchLike) => unknown;
}

/** One field of a known shape that is much larger than it is due to be. */
function withLarge(chance: Chance, shape: Readonly<Record<string, unknown>>, size: number): object {
  const field = pick(chance, Object.keys(shape));
  return { ...shape, [field]: anything(chance, size) };
}

const exchanges: readonly ((chance: Chance, size: number) => Exchange)[] = [
  (chance, size) => ({
    results: { eth_getLogs: logsOf(chance, size), eth_blockNumber: '0x10', eth_getBlockByNumber: block },
    ask: async (client) => {
      const query = await client.openLogQuery({
        ...{ addresses: [ADDRESS], topics: [], fromBlock: 16n, toBlock: 16n },
      } as never);
      return query.nextPage();
    },
  }),
  (chance, size) => ({
    results: {
      eth_getTransactionByHash: chance() < 0.5 ? transaction : withLarge(chance, transaction, size),
      eth_getTransactionReceipt: { ...receipt, logs: logsOf(chance, size) },
      eth_getBlockByNumber: block,
    },
    ask: async (_, fetch) => {
      const http = { fetch, clock: systemClock, url: NODE, revoked: new AbortController().signal };
      return (await openRpcTransactions({ ...http, chainId: 1 } as never))?.lookUpHash(HASH, {} as never);
    },
  }),
  (chance, size) => ({
    results: { eth_getBlockByNumber: withLarge(chance, block, size) },
    ask: (client) => client.fetchBlock(16n),
  }),
  (_, size) => ({
    results: {
      eth_getBlockByNumber: {
        ...block,
        transactions: Array.from({ length: Math.floor(size / 450) }, () => transaction),
      },
    },
    ask: (client) => client.fetchBlock(16n),
  }),
  (chance, size) => ({
    results: { eth_getBalance: anything(chance, size) },
    ask: (client) => client.getBalance(ADDRESS),
  }),
  (chance, size) => ({
    results: {
      eth_call: `0x${repeatUnits(chance, size, ['00', 'ff', word(32).slice(2), word(9e15).slice(2)])}`,
    },
    ask: (client) => client.fetchNftContract(ADDRESS),
  }),
  (chance, size) => ({
    results: { eth_getCode: `0x${repeatUnits(chance, size, ['60', '5b', 'a264', 'fe', '363d3d37', '00'])}` },
    ask: (client) => client.fetchImplementations(ADDRESS, 16n),
  }),
];

/**
 * A server that answers each method with one body for all requests, also to batches. What it sends is made before,
 * except what a function returns for the parameters.
 */
export function serve({ results }: Pick<Exchange, 'results'>): FetchLike {
  const encoder = new TextEncoder();
  const encode = (result: unknown) => encoder.encode(JSON.stringify(result));
  const bodies = new Map(
    Object.entries(results).map(([method, result]) => [
      method,
      typeof result === 'function' ? result : encode(result),
    ]),
  );
  const answer = ({ id, method, params }: Asked): Uint8Array[] => {
    const made = bodies.get(method);
    const body = typeof made === 'function' ? encode(made(...params)) : made;
    const start = encoder.encode(`{"jsonrpc":"2.0","id":${id},"${body ? 'result' : 'error'}":`);
    return [start, body ?? encoder.encode('{"code":-32601,"message":"no such method"}'), encoder.encode('}')];
  };
  return async (_, { body = '' }) => {
    const asked = JSON.parse(body) as Asked | Asked[];
    const comma = encoder.encode(',');
    const parts = Array.isArray(asked)
      ? [
          encoder.encode('['),
          ...asked.flatMap((each, index) => [...(index > 0 ? [comma] : []), ...answer(each)]),
        ]
      : answer(asked);
    return new Response(ReadableStream.from(Array.isArray(asked) ? [...parts, encoder.encode(']')] : parts));
  };
}

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export const answersWork: readonly Work[] = [
  {
    name: 'a body that repeats the key of its endpoint',
    most: 15 * 1024 * 1024,
    make(size, chance) {
      const message = repeatUnits(chance, size, repeated);
      return chance() < 0.5
        ? message
        : JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -1, message } });
    },
    run(body) {
      const fetch: FetchLike = async () => new Response(body as string);
      const stored = { read: async () => KEY };
      const http = withEndpointSecret({ fetch, clock: systemClock }, { rpcUrl: URL_WITH_KEY }, () => stored);
      return createChainClient({ ...http, url: URL_WITH_KEY }).getBlockNumber();
    },
  },
  {
    name: 'a response of a node',
    most: 14 * 1024 * 1024,
    make(size, chance) {
      const exchange = pick(chance, exchanges)(chance, size);
      return { ask: exchange.ask, fetch: serve(exchange) };
    },
    run(made) {
      const { ask, fetch } = made as { readonly ask: Exchange['ask']; readonly fetch: FetchLike };
      return ask(createChainClient({ fetch, clock: systemClock, url: NODE }), fetch);
    },
  },
];
