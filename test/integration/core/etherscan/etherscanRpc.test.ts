import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type EtherscanServer, etherscanKey, startEtherscan } from '../../../../localnet/etherscan/server.ts';
import {
  type AppError,
  createChainClient,
  createOriginGates,
  type FetchLike,
  parseLogFilter,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { type ScriptedAnswer, scriptedFetch } from '../../../support/fakeFetch.ts';
import { runCli } from '../../../support/runCli.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../support/sharedLocalnet.ts';

const URL_WITH_KEY = 'https://api.etherscan.io/v2/api?chainid=1&apikey=SECRETKEY';
const ADDRESS = `0x${'ab'.repeat(20)}` as const;

/** A client of a server that answers every request alike, or by turns. */
function clientOf(...answers: readonly ScriptedAnswer[]) {
  let count = 0;
  const { fetch, asked } = scriptedFetch(() => answers[Math.min(count++, answers.length - 1)] ?? null);
  const clock = createTestClock();
  return { client: createChainClient({ fetch, clock, url: URL_WITH_KEY }), asked };
}

const refusal = (result: string) => ({ status: '0', message: 'NOTOK', result });

async function failureOf(task: Promise<unknown>): Promise<AppError> {
  return task.then(
    () => assert.fail('It did not fail.'),
    (error: AppError) => error,
  );
}

describe("JSON-RPC by Etherscan's API", () => {
  const refusals: readonly (readonly [text: string, kind: string])[] = [
    ['Invalid API Key (#err2)|1-', 'unauthorized'],
    ['Missing/Invalid API Key', 'unauthorized'],
    ['Too many invalid api key attempts, please try again later', 'unauthorized'],
    ['Max rate limit reached, please use API Key for higher rate limit', 'rateLimited'],
    ['Max calls per sec rate limit reached (3/sec)', 'rateLimited'],
    ['Max daily rate limit reached. 110000 (100%) of 100000 day/limit', 'creditsUsedUp'],
    ['Free API access is not supported for this chain. Please upgrade your api plan', 'forbidden'],
    ['Missing or unsupported chainid parameter (required for v2 api)', 'notServed'],
    ['Free API access is temporarily unavailable due to unusually high network activity', 'unavailable'],
    ['Error! Missing Or invalid Action name', 'rpc'],
  ];
  for (const [text, kind] of refusals) {
    it(`fails as ${kind}: ${text.slice(0, 40)}`, async () => {
      const error = await failureOf(clientOf(refusal(text)).client.getBlockNumber({ retries: 0 }));
      assert.equal(error.kind, kind);
      assert.equal(error.details.serverMessage, text);
    });
  }

  it('never tries a refused key again, and waits after too many requests', async () => {
    const refused = clientOf(refusal('Invalid API Key'));
    await failureOf(refused.client.getBlockNumber());
    assert.equal(refused.asked.length, 1);
    const head = { jsonrpc: '2.0', id: 1, result: '0x10' };
    const busy = clientOf(refusal('Max calls per sec rate limit reached (3/sec)'), head);
    assert.equal(await busy.client.getBlockNumber(), 16n);
    assert.equal(busy.asked.length, 2);
  });

  it('sends no more than 3 requests a second, over all clients of a process', async () => {
    const clock = createTestClock();
    const { fetch } = scriptedFetch(() => ({ jsonrpc: '2.0', id: 1, result: '0x10' }));
    const gates = createOriginGates(clock);
    const start = clock.elapsed();
    for (let turn = 0; turn < 7; turn++) {
      await createChainClient({ fetch, clock, gates, url: URL_WITH_KEY }).getBlockNumber();
    }
    assert.ok(clock.elapsed() - start >= 2000, `${clock.elapsed() - start} ms`);
  });

  const malformed: readonly (readonly [name: string, answer: ScriptedAnswer])[] = [
    [
      'a page of HTML',
      new Response('<html>Just a moment…</html>', { headers: { 'content-type': 'text/html' } }),
    ],
    ['text', 'Page not found'],
    ['null', null],
    ['a head that is no number', { jsonrpc: '2.0', id: 1, result: 'soon' }],
    ['a negative head', { jsonrpc: '2.0', id: 1, result: '-0x1' }],
  ];
  for (const [name, answer] of malformed) {
    it(`does not take ${name} for a block number`, async () => {
      const error = await failureOf(clientOf(answer).client.getBlockNumber({ retries: 0 }));
      assert.equal(error.kind, 'badResponse');
    });
  }

  it('reads a balance of any size, and no other text', async () => {
    const most = (2n ** 256n - 1n).toString();
    const { client } = clientOf({ status: '1', message: 'OK', result: most });
    assert.deepEqual(await client.getBalance(ADDRESS), { state: 'known', wei: 2n ** 256n - 1n });
    for (const result of ['-1', '1e3', '9'.repeat(10_000), '', null]) {
      const { client } = clientOf({ status: '1', message: 'OK', result });
      assert.equal((await failureOf(client.getBalance(ADDRESS, { retries: 0 }))).kind, 'badResponse');
    }
  });

  it('leaves out the newest logs, which may not be indexed, also once the head is known', async () => {
    const { fetch } = scriptedFetch((_, { searchParams }) =>
      searchParams.get('action') === 'eth_blockNumber'
        ? { jsonrpc: '2.0', id: 1, result: '0x3e8' }
        : { status: '0', message: 'No records found', result: [] },
    );
    const client = createChainClient({ fetch, clock: createTestClock(), url: URL_WITH_KEY });
    assert.equal(await client.getBlockNumber(), 1000n);
    for (const toBlock of [undefined, 1000]) {
      const query = client.openLogQuery(parseLogFilter({ address: ADDRESS, fromBlock: 900, toBlock }));
      for await (const _ of query.rest());
      assert.equal(query.verdict?.toBlock, 988n);
      const codes = query.verdict.reasons.map(({ code }) => code);
      assert.equal(codes.includes('endNotReached'), toBlock !== undefined);
    }
    assert.equal(await client.getBlockNumber(), 1000n);
  });

  describe('over a real node', () => {
    let localnet: SharedLocalnet;
    let server: EtherscanServer;
    let url: string;
    before(async () => {
      localnet = await sharedLocalnet();
      const { node, verified: registry } = localnet;
      const ask = (method: string, params: readonly unknown[]) => node.call(method, params);
      server = await startEtherscan({ registry, ask, chainIds: [31337] });
      url = `${server.url}?chainid=31337&apikey=${etherscanKey}`;
    });
    after(() => server.stop());

    it('gives the facts that the node gives', async () => {
      const fetch: FetchLike = (target, init) => globalThis.fetch(target, init);
      const clock = createTestClock();
      const byEtherscan = createChainClient({ fetch, clock, url });
      const byNode = createChainClient({ fetch, clock, url: localnet.anvilUrl });
      const { address } = localnet.chain.contracts.usd;
      assert.equal(await byEtherscan.getChainId(), 31337);
      assert.equal(await byEtherscan.getBlockNumber(), await byNode.getBlockNumber());
      assert.deepEqual(await byEtherscan.getBalance(address), await byNode.getBalance(address));
    });

    it('gives the logs that the node gives, on the command line, and shows the key nowhere', async () => {
      const { address } = localnet.chain.contracts.tide;
      const input = JSON.stringify({ address, toBlock: 300 });
      const logs = ['logs', '--query', '-', '--all', '--rpc'];
      const [etherscan, node] = await Promise.all([
        runCli([...logs, url], { input }),
        runCli([...logs, localnet.anvilUrl], { input }),
      ]);
      const rows = ({ stdout }: { readonly stdout: string }) => stdout.trim().split('\n').slice(0, -1);
      assert.ok(rows(node).length > 1000);
      assert.deepEqual(rows(etherscan), rows(node));
      const { verdict } = JSON.parse(etherscan.stdout.trim().split('\n').at(-1) ?? '');
      assert.equal(verdict.state, 'complete');
      const refused = await runCli([...logs, url.replace(etherscanKey, 'ANOTHER1KEY2OF3SOMEBODY')], {
        input,
      });
      assert.equal(refused.code, 3);
      assert.equal(JSON.parse(refused.stdout).error.kind, 'unauthorized');
      assert.doesNotMatch(inspect([etherscan, refused]), new RegExp(`${etherscanKey}|ANOTHER1KEY`));
    });
  });
});
