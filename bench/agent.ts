import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  createChainClient,
  createLogDecoder,
  loadStandardLookup,
  type OperationDeps,
  runOperation,
  systemClock,
} from '../src/core/index.ts';
import { installPeers } from './peers/install.ts';
import { atMost, type Benchmark, type Row } from './support/benchmark.ts';
import { startCountingServer } from './support/countingServer.ts';
import { createSyntheticChain, type SyntheticChain } from './support/syntheticChain.ts';

const ROWS = [10, 1000, 100_000];
/** Rows that the tool of a public server gives at once: blockscout/mcp-server at e191ada, its page slices of ten. */
const SLICE = 10;
const MOST_BYTES = 1024;
const EVENT = 'Transfer(address indexed from, address indexed to, uint256 value)';
const MOST_OUTPUT = 512 * 1024 * 1024;

/** What an agent has to call and to read to learn how many transfers there are in some blocks, and the last one. */
export const agent: Benchmark = {
  name: 'agent',
  async run() {
    const { cast } = await installPeers();
    const rows: Row[] = [];
    for (const count of ROWS) rows.push(...(await measure(count, cast)));
    return [
      {
        title: 'Agent: how many Transfers of A in these blocks, and the last one',
        how:
          'Calls of a tool, and bytes of its answers that a model reads. Chainside is query_events in mode count, on a\n' +
          'node without limits; rows in context is what `cast logs --json` prints of the same question; slices of ten are\n' +
          'these rows as a server gives them that pages by ten (their bytes without any frame).',
        columns: ['rows', 'way', 'calls', 'bytes', 'answer'],
        rows,
      },
    ];
  },
};

async function measure(count: number, cast: string): Promise<readonly Row[]> {
  const chain = createSyntheticChain(count);
  const url = await startCountingServer({ latencyMs: 0, answer: ({ body }) => answer(chain, body) });
  const told = await runOperation(
    { name: 'query_events', input: { address: chain.address, event: EVENT, from: 0, to: chain.head } },
    await depsFor(url),
  );
  const bytes = Buffer.byteLength(JSON.stringify(told));
  const isRight = told.complete === true && told.count === String(count) && 'last' in told;
  const asked = ['logs', '--json', '--rpc-url', url, '--address', chain.address, '--from-block', '0'];
  const { stdout } = await promisify(execFile)(cast, [...asked, '--to-block', String(chain.head), EVENT], {
    maxBuffer: MOST_OUTPUT,
  });
  const inContext = Buffer.byteLength(stdout);
  const printed: readonly unknown[] = JSON.parse(stdout);
  const row = (way: string, calls: number, read: number, says: string): Row => ({
    cells: [String(count), way, String(calls), String(read), says],
    figures: { rows: count, way, calls, bytes: read },
  });
  return [
    {
      ...row('Chainside', 1, bytes, isRight ? 'exact, with verdict' : 'WRONG'),
      budget: atMost(isRight ? bytes : Number.POSITIVE_INFINITY, MOST_BYTES, 'bytes', true),
    },
    row('rows in context (cast)', 1, inContext, `${printed.length} rows to count`),
    row('slices of ten', Math.ceil(count / SLICE), inContext, 'to be added up'),
  ];
}

/** A plain node without limits. */
function answer(chain: SyntheticChain, body: string) {
  const asked: unknown = JSON.parse(body);
  const parts = Array.isArray(asked)
    ? ['[', ...asked.flatMap((call, place) => [place === 0 ? '' : ',', ...answerCall(chain, call)]), ']']
    : answerCall(chain, asked as Call);
  return { status: 200, type: 'application/json', body: parts };
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly { readonly fromBlock?: string; readonly toBlock?: string }[];
}

function answerCall(chain: SyntheticChain, { id, method, params: [query] = [] }: Call) {
  const head = `"0x${chain.head.toString(16)}"`;
  const results: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
    eth_blockNumber: [head],
    eth_chainId: ['"0x1"'],
    web3_clientVersion: ['"Geth/v1.16.1"'],
    eth_getLogs: logsOf(chain, query),
  };
  const result = results[method];
  if (!result) return [`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"not offered"}}`];
  return [`{"jsonrpc":"2.0","id":${id},"result":`, ...result, '}'];
}

function logsOf(
  chain: SyntheticChain,
  { fromBlock = '0x0', toBlock = 'latest' }: { readonly fromBlock?: string; readonly toBlock?: string } = {},
) {
  const from = fromBlock === 'earliest' ? 0 : Number(fromBlock);
  const to = toBlock === 'latest' ? chain.head : Number(toBlock);
  return ['[', chain.json(chain.firstLogAt(from), chain.firstLogAt(to + 1)), ']'];
}

async function depsFor(url: string): Promise<OperationDeps> {
  const lookup = await loadStandardLookup();
  const { decode } = createLogDecoder({ lookup, chainId: 1 });
  return {
    network: { name: undefined, rpcUrl: url, symbol: undefined, decimals: 18 },
    client: createChainClient({ fetch, clock: systemClock, url }),
    chainId: async () => 1,
    knowledge: async () => ({
      ...{ index: undefined, names: [], lookup, code: { abiAt: () => undefined }, decode },
      ...{ prepare: async () => undefined, prefetchAbis: async () => undefined },
    }),
    provider: async () => undefined,
    files: undefined,
    clock: systemClock,
    version: 'bench',
  };
}
