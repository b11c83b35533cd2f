import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { startAnvil } from '../localnet/chain/anvil.ts';
import { createNodeRpc } from '../localnet/chain/nodeRpc.ts';
import {
  type ChainClient,
  createChainClient,
  createLogStore,
  type Hex,
  type LogFilter,
  parseLogFilter,
  systemClock,
} from '../src/core/index.ts';
import { atMost, type Benchmark, type Row } from './support/benchmark.ts';
import { type Sample, timeSideBySide } from './support/stats.ts';
import { milliseconds } from './support/timings.ts';

const BLOCKS = 2_000;
/** Each block has logs of one of so many events. */
const EVENTS = 20;
const ROUNDS = { warmUps: 1, rounds: 5 };
/** Emits three logs of its calldata, two of them with its first word as a topic. */
const CREATION = '0x601a600c600039601a6000f336600060003733600035366000a2600035366000a1366000a000';
const MAX_SPARSE_REQUESTS = 0.05;
const MAX_DENSE_REQUESTS = 0.3;
/** Each receipt is hashed, in some ten rounds of Keccak. */
const MAX_RECEIPTS_RATIO = 80;

/** What a proof costs beside the query whose result it proves. */
export const proof: Benchmark = {
  name: 'proof',
  async run(resources) {
    const anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    resources.defer(() => anvil.stop());
    await mineBlocks(anvil.url);
    const client = () => createChainClient({ url: anvil.url, fetch, clock: systemClock });
    const topic: Hex = `0x${(1).toString(16).padStart(64, '0')}`;
    const sparse = await compare(client, parseLogFilter({ topics: [topic] }));
    const dense = await compare(client, parseLogFilter({}));
    return [
      {
        title: `Proof of logs of ${BLOCKS.toLocaleString('en')} blocks`,
        how:
          'A node on this machine (anvil). The query loads all logs of the range; the proof then reads headers, receipts and\n' +
          'transactions. Requests are those of HTTP. Median of five rounds, query and proof by turns.',
        columns: ['', 'proof', 'a block', 'requests a block', 'query', 'its requests', 'ratio'],
        rows: [
          toRow(`logs in 1 of ${EVENTS} blocks`, sparse, MAX_SPARSE_REQUESTS),
          toRow('logs in every block', dense, MAX_DENSE_REQUESTS),
        ],
      },
      {
        title: 'Receipts of block 21,925,176 of Ethereum',
        how: 'Its 202 receipts with 463 logs, from the text of the response, beside JSON.parse of the same text.',
        columns: ['', 'proof', 'JSON.parse', 'ratio'],
        rows: [await measureReceipts()],
      },
    ];
  },
};

async function mineBlocks(url: string): Promise<void> {
  const node = createNodeRpc(url);
  const [from] = (await node.call('eth_accounts', [])) as [Hex];
  await node.call('evm_setAutomine', [true]);
  const send = (transaction: object) =>
    node.call('eth_sendTransaction', [{ from, gas: '0x30d40', gasPrice: '0x77359400', ...transaction }]);
  const hash = await send({ data: CREATION });
  const created = (await node.call('eth_getTransactionReceipt', [hash])) as { readonly contractAddress: Hex };
  for (let block = 2; block < BLOCKS; block++)
    await send({ to: created.contractAddress, data: `0x${(block % EVENTS).toString(16).padStart(64, '0')}` });
}

interface Cost {
  readonly query: Sample;
  readonly proof: Sample;
  readonly queryRequests: number;
  readonly proofRequests: number;
}

async function compare(openClient: () => ChainClient, filter: LogFilter): Promise<Cost> {
  let [queryRequests, proofRequests] = [0, 0];
  let loaded = await load();
  async function load() {
    const client = openClient();
    const logs = createLogStore();
    const query = client.openLogQuery(filter);
    for await (const page of query.rest()) logs.append(page.logs);
    const { verdict } = query;
    if (verdict?.state !== 'complete') throw new Error('The result is not complete.');
    queryRequests = verdict.requests;
    return { client, logs, verdict };
  }
  const { query, proven } = await timeSideBySide(
    {
      query: async () => {
        loaded = await load();
      },
      proven: async () => {
        const { client, logs, verdict } = loaded;
        const { level, requests } = await client.proveLogs({
          filter,
          range: verdict,
          logs,
          order: verdict.order,
        });
        if (level !== 'proven') throw new Error(`The result is ${level}.`);
        proofRequests = requests;
      },
    },
    ROUNDS,
  );
  return { query, proof: proven, queryRequests, proofRequests };
}

function toRow(what: string, cost: Cost, maxRequests: number): Row {
  const ratio = cost.proof.p50 / cost.query.p50;
  const perBlock = cost.proof.p50 / BLOCKS;
  const requests = cost.proofRequests / BLOCKS;
  return {
    cells: [
      ...[what, milliseconds(cost.proof.p50), milliseconds(perBlock), requests.toFixed(3)],
      ...[milliseconds(cost.query.p50), String(cost.queryRequests), `${ratio.toFixed(1)}×`],
    ],
    figures: { what, proofMs: cost.proof.p50, queryMs: cost.query.p50, ratio, requestsPerBlock: requests },
    budget: atMost(Number(requests.toFixed(3)), maxRequests, 'requests a block', true),
  };
}

/** An empty result: one block without a match is read all the same, which shows whether the blooms have its logs. */
async function measureReceipts(): Promise<Row> {
  const file = new URL('../test/fixtures/block21925176.json.gz', import.meta.url);
  const { header, receipts } = JSON.parse(gunzipSync(await readFile(file)).toString());
  const text = JSON.stringify(receipts);
  const respond: typeof fetch = async (_url, init) => {
    const calls = [JSON.parse(String(init?.body))].flat() as readonly { id: number; method: string }[];
    const bodies = calls.map(({ id, method }) => {
      const result = method === 'eth_getBlockReceipts' ? text : JSON.stringify(header);
      return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
    });
    return new Response(bodies.length === 1 ? bodies[0] : `[${bodies.join()}]`);
  };
  const block = BigInt(header.number);
  const client = createChainClient({ url: 'http://127.0.0.1:1', fetch: respond, clock: systemClock });
  const target = {
    filter: parseLogFilter({ address: `0x${'e'.repeat(40)}` }),
    ...{ range: { fromBlock: block, toBlock: block }, logs: createLogStore(), order: 'oldestFirst' as const },
  };
  const { proven, parsed } = await timeSideBySide(
    {
      proven: async () => {
        const { level, receipts: count } = await client.proveLogs(target);
        if (level !== 'proven' || count !== 1) throw new Error(`The result is ${level}.`);
      },
      parsed: async () => void JSON.parse(text),
    },
    { warmUps: 5, rounds: 20 },
  );
  const ratio = Number((proven.p50 / parsed.p50).toFixed(1));
  return {
    cells: ['202 receipts', milliseconds(proven.p50), milliseconds(parsed.p50), `${ratio}×`],
    figures: { what: '202 receipts', proofMs: proven.p50, parseMs: parsed.p50, ratio },
    budget: atMost(ratio, MAX_RECEIPTS_RATIO, '×', false),
  };
}
