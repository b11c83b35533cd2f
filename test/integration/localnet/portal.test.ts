import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { type PortalOptions, type PortalServer, startPortal } from '../../../localnet/portal/server.ts';
import { addresses, buildDataSet, topics } from '../../support/logDataSets.ts';

const [A = '', B = ''] = addresses;
const [T0 = ''] = topics;
const set = buildDataSet(
  new Map([
    [3, 20],
    [40, 30],
    [41, 5],
    [90, 2],
  ]),
  { head: 100 },
);
const fields = {
  block: { number: true, hash: true, parentHash: true, timestamp: true },
  log: { address: true, topics: true, data: true, transactionHash: true, transactionIndex: true },
};

interface Line {
  readonly header: { readonly number: number; readonly hash?: string; readonly parentHash?: string };
  readonly logs?: readonly { readonly logIndex: number; readonly address?: string }[];
}

describe('portal of the local network', () => {
  let server: PortalServer;
  afterEach(() => server.stop());

  const start = async (options: Partial<PortalOptions> = {}) => {
    server = await startPortal({ index: set.index, ...options });
  };
  /** As it comes over the wire, since it is what this is about how it travels. */
  async function post(query: object, route = 'stream') {
    const body = JSON.stringify({ type: 'evm', fields, ...query });
    const answer = await request(`${server.rpcUrl}/${route}`, { method: 'POST', body });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const isZipped = answer.headers['content-encoding'] === 'gzip';
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: (isZipped ? gunzipSync(bytes) : bytes).toString(),
    };
  }
  async function blocks(query: object, route?: string): Promise<readonly Line[]> {
    const { status, text } = await post(query, route);
    assert.equal(status, 200, text);
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
  const numbers = (lines: readonly Line[]) => lines.map(({ header }) => header.number);
  const get = async (route: string) =>
    (await (await fetch(`${server.rpcUrl}/${route}`)).json()) as {
      readonly number?: number;
      readonly metadata?: { readonly evm: { readonly chain_id: number } };
    };

  it('streams compressed lines with the first and the last block that it covered, logs or not', async () => {
    await start();
    const { headers, text } = await post({ fromBlock: 1, toBlock: 99, logs: [{ address: [A] }] });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(headers['x-sqd-head-number'], '100');
    assert.equal(headers['x-sqd-finalized-head-number'], '36');
    const lines: readonly Line[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(numbers(lines), [1, 3, 40, 41, 90, 99]);
    assert.equal(lines[0]?.logs, undefined);
    const given = lines.flatMap(({ logs = [] }) => logs);
    assert.equal(given.length, set.truth.filter(({ address }) => address === A).length);
    assert.deepEqual(numbers(await blocks({ fromBlock: 5, toBlock: 5, logs: [] })), [5]);
    assert.deepEqual(numbers(await blocks({ fromBlock: 95, logs: [{}] })), [95, 100]);
  });

  it('ends earlier, after blocks or bytes, and says of each piece of its store where it ends', async () => {
    await start({ limits: { blocks: 10 } });
    assert.deepEqual(numbers(await blocks({ fromBlock: 35, logs: [{}] })), [35, 40, 41, 44]);
    server.setLimits({ bytes: 500 });
    assert.deepEqual(numbers(await blocks({ fromBlock: 2, logs: [{}] })), [2, 3]);
    server.setLimits({ chunk: 25 });
    assert.deepEqual(
      numbers(await blocks({ fromBlock: 2, toBlock: 60, logs: [{ address: [B], topic0: [] }] })),
      [2, 24, 25, 49, 50, 60],
    );
  });

  it('takes several selections as any of them, a field left out as any value, and an empty list as none', async () => {
    await start();
    const count = async (...logs: readonly object[]) =>
      (await blocks({ fromBlock: 0, logs })).flatMap(({ logs: rows = [] }) => rows).length;
    const ofA = await count({ address: [A] });
    const ofB = await count({ address: [B] });
    assert.equal(await count({ address: [A] }, { address: [B] }), ofA + ofB);
    assert.equal(await count({ address: [A, B] }), ofA + ofB);
    assert.equal(await count({}), set.truth.length);
    assert.equal(await count({ address: [] }), 0);
    assert.ok((await count({ address: [A], topic0: [T0] })) < ofA);
  });

  it('gives the fields that are asked for, and always the number of a block and the index of a log', async () => {
    await start();
    const [first] = await blocks({
      fromBlock: 3,
      toBlock: 3,
      logs: [{}],
      fields: { log: { address: true } },
    });
    assert.deepEqual(Object.keys(first?.header ?? {}), ['number']);
    assert.deepEqual(Object.keys(first?.logs?.[0] ?? {}).sort(), ['address', 'logIndex']);
  });

  it('refuses what is no query, and more selections than it takes, in its words', async () => {
    await start({ startBlock: 2 });
    const words = async (query: object) => {
      const { status, text } = await post(query);
      return `${status} ${JSON.parse(text).error.message}`;
    };
    const logs = Array.from({ length: 51 }, () => ({}));
    assert.equal(
      await words({ fromBlock: 2, logs }),
      "400 Couldn't parse query: query contains 51 item requests, but only 50 is allowed",
    );
    assert.match(await words({ fromBlock: 9, toBlock: 8 }), /^400 .*"toBlock" < "fromBlock"/);
    assert.match(await words({ fromBlock: 9, more: 1 }), /^400 /);
    assert.match(await words({ fromBlock: 1 }), /^400 .*starts from block 2/);
    assert.match(await words({ fromBlock: 9, logs: [{ address: ['0xAB'] }] }), /^400 /);
    assert.equal((await fetch(`${server.origin}/datasets/none/head`)).status, 404);
    assert.equal((await fetch(`${server.rpcUrl}/stream`)).status, 405);
  });

  it('has no answer above its head, and names what it has', async () => {
    await start({ chainId: 31337 });
    const { status, text, headers } = await post({ fromBlock: 101 });
    assert.deepEqual([status, text, headers['x-sqd-head-number']], [204, '', '100']);
    assert.equal((await post({ fromBlock: 40 }, 'finalized-stream')).status, 204);
    assert.deepEqual(numbers(await blocks({ fromBlock: 30 }, 'finalized-stream')), [30, 36]);
    const head = await get('head');
    assert.equal(head.number, 100);
    assert.equal((await get('finalized-head')).number, 36);
    assert.deepEqual(await get('metadata'), {
      ...{ dataset: 'local-evm', aliases: [], real_time: true, start_block: 0 },
    });
    assert.equal((await get('metadata?expand[]=metadata')).metadata?.evm.chain_id, 31337);
  });

  it('tells its own blocks to who comes from another chain, above its head too', async () => {
    await start();
    const [, last] = await blocks({ fromBlock: 50, toBlock: 60 });
    const parentBlockHash = last?.header.hash;
    assert.deepEqual(numbers(await blocks({ fromBlock: 61, toBlock: 61, parentBlockHash })), [61]);
    for (const fromBlock of [61, 101]) {
      const { status, text } = await post({ fromBlock, parentBlockHash: `0x${'7'.repeat(64)}` });
      assert.equal(status, 409);
      const { previousBlocks, error } = JSON.parse(text);
      assert.equal(error.code, 'base_block_mismatch');
      assert.deepEqual(previousBlocks.at(-1).number, fromBlock - 1);
      if (fromBlock === 61) assert.equal(previousBlocks.at(-1).hash, parentBlockHash);
    }
  });

  it('counts requests, and says when the next is welcome', async () => {
    await start({ rateLimit: { requests: 2, perMilliseconds: 60_000 } });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await post({ fromBlock: 1, toBlock: 2 })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
    const welcome = Number((await post({ fromBlock: 1 })).headers['retry-after']);
    assert.ok(Number.isInteger(welcome) && welcome > 0 && welcome <= 60, `${welcome} seconds`);
  });
});
