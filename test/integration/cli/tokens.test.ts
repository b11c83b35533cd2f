import assert from 'node:assert/strict';
import type { Hex } from 'ox';
import { fetchTokensByCalls } from '../../../src/cli/commands/tokens.ts';
import type { Address } from '../../../src/core/index.ts';
import { createTestClock } from '../../support/clocks.ts';
import { HOLDER } from '../../support/dataApi.ts';
import { scriptedFetch } from '../../support/fakeFetch.ts';
import {
  balancesOf,
  errorResponseOf,
  itemsOf,
  useRecordedServer,
} from '../../support/host/recordedServer.ts';
import { answerEach, startRpcServer } from '../../support/loopbackServer.ts';
import { openMcp } from '../../support/mcpProgram.ts';
import { parseLines, runCli } from '../../support/runCli.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../support/sharedLocalnet.ts';

describe('headless tokens and transfers', () => {
  let localnet: SharedLocalnet;
  before(async () => {
    localnet = await sharedLocalnet();
  });
  beforeEach(() => localnet.explorer.setRest({}));

  async function run(command: string, ...args: readonly string[]) {
    const { alice } = localnet.chain.accounts;
    const env = { CHAINSIDE_TEST_KEY: localnet.dataApi.keys.classic };
    const { code, stdout, stderr } = await runCli([command, alice, ...args], { env });
    const lines = parseLines(stdout);
    return { code, lines, last: lines.at(-1), stderr };
  }
  const dataApi = (chainId: number) => [
    ...['--chain-id', `${chainId}`, '--data-api', localnet.dataApi.url, '--key-env', 'CHAINSIDE_TEST_KEY'],
  ];

  it('prints of an explorer the lines that a data API gives, then what the list is worth', async () => {
    const byExplorer = await run('tokens', '--rpc', localnet.rpcUrl);
    const byDataApi = await run('tokens', ...dataApi(31337));
    assert.deepEqual([byExplorer.code, byDataApi.code], [0, 0]);
    assert.deepEqual(byExplorer.last, {
      holdings: { source: 'explorer', state: 'complete', reasons: [], tokens: 3 },
    });
    assert.deepEqual(byDataApi.last, {
      holdings: { source: 'dataApi', state: 'complete', reasons: [], tokens: 3 },
    });
    assert.deepEqual(
      byExplorer.lines.slice(0, -1).map((line) => Object.keys(line)),
      byDataApi.lines.slice(0, -1).map((line) => Object.keys(line)),
    );
    const facts = ({ lines }: typeof byExplorer) =>
      lines.slice(0, -1).map(({ contract, native, decimals, amount, price }) => ({
        ...{ contract, native, decimals, amount, price },
      }));
    assert.deepEqual(facts(byExplorer), facts(byDataApi));
  });

  it('goes on to the explorer where the data API does not serve the chain', async () => {
    const { last, stderr } = await run('tokens', '--rpc', localnet.rpcUrl, ...dataApi(5));
    assert.equal(last.holdings.source, 'explorer');
    assert.match(stderr, /^dataApi does not serve this/m);
  });

  it('says why a list may lack something', async () => {
    const tide = localnet.chain.contracts.tide.address.toLowerCase() as Hex.Hex;
    localnet.explorer.setRest({ scam: [tide], hidesScam: 'always', indexedBlocks: 0.5 });
    const { last } = await run('tokens', '--rpc', localnet.rpcUrl);
    assert.deepEqual([last.holdings.state, last.holdings.tokens], ['uncertain', 2]);
    assert.match(last.holdings.reasons.join('\n'), /indexed 50 %[\s\S]*may hide/);
  });

  it('reads of a node, or an explorer without REST, the tokens that are named', async () => {
    const { usd } = localnet.chain.contracts;
    localnet.explorer.setRest({ off: true });
    for (const rpc of [localnet.anvilUrl, localnet.rpcUrl]) {
      const { lines, last } = await run('tokens', '--rpc', rpc, '--token', usd.address);
      assert.deepEqual(
        lines.slice(0, -1).map(({ contract }) => contract),
        ['0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', usd.address.toLowerCase()],
      );
      assert.deepEqual([last.holdings.source, last.holdings.state], ['calls', 'uncertain']);
    }
  });

  it('prints transfers and balances newest first, and whether there are more', async () => {
    const first = await run('transfers', '--rpc', localnet.rpcUrl);
    assert.deepEqual(first.last, { transfers: { source: 'explorer', state: 'more', reasons: [], rows: 50 } });
    const { items } = localnet.chain.contracts;
    const ofItems = await run('transfers', '--rpc', localnet.rpcUrl, '--token', items.address, '--all');
    assert.deepEqual(ofItems.last.transfers, {
      source: 'explorer',
      state: 'complete',
      reasons: [],
      rows: 30,
    });
    assert.ok(ofItems.lines.slice(0, -1).every(({ tokenId, standard }) => standard === 'erc1155' && tokenId));
    const balances = await run('balances', '--rpc', localnet.rpcUrl, '--all');
    assert.equal(balances.last.balances.state, 'complete');
    const now = BigInt(
      (await localnet.node.call('eth_getBalance', [localnet.chain.accounts.alice, 'latest'])) as string,
    );
    assert.equal(balances.lines[0].wei, now.toString());
    for (const { time } of [...first.lines.slice(0, -1), ...balances.lines.slice(0, -1)]) {
      assert.match(time, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
    const none = await run('transfers', '--rpc', localnet.anvilUrl);
    assert.deepEqual([none.code, none.last.error.kind], [3, 'notServed']);
  });
});

describe('the key of a data API on the command line', () => {
  const KEY = 'ck+ey/0123456789abcdef=&';
  const server = useRecordedServer();
  const encoded = encodeURIComponent(KEY);

  beforeEach(() => {
    server.requests.length = 0;
    server.answer = ({ url }) =>
      url.includes(`key=${encoded}`)
        ? balancesOf(/0x[0-9a-f]{40}/.exec(url)?.[0] ?? '', [
            { ...itemsOf(1)[0], contract_name: `from ${url.slice(url.indexOf('key='))}`, logo_url: url },
          ])
        : errorResponseOf(401);
  });

  const options = () => ['--chain-id', '5', '--data-api', server.url, '--key-env', 'DATA_KEY'];
  const places = () =>
    server.requests.splice(0).map((request) => {
      const [url = '', headers = ''] = request.split('\n');
      const isInHeader = headers.includes('authorization');
      assert.notEqual(isInHeader, url.includes('key='));
      return isInHeader ? 'header' : 'query';
    });
  const env = { DATA_KEY: KEY };
  const runWithKey = async (args: readonly string[]) => {
    const result = await runCli([...args, ...options()], { env });
    const printed = result.stdout + result.stderr;
    assert.ok(!printed.includes(KEY) && !printed.includes(encoded), printed);
    return { ...result, lines: parseLines(result.stdout) };
  };

  it('goes into the URL of a server that refuses it in a header, and into no output', async () => {
    const { code, lines } = await runWithKey(['tokens', HOLDER]);
    assert.deepEqual([code, places()], [0, ['header', 'query']]);
    assert.match(lines[0].name, /\(key\)/);
  });

  it('goes where an option says, and nowhere else', async () => {
    const inHeader = await runWithKey(['tokens', HOLDER, '--key-in', 'header']);
    assert.deepEqual([inHeader.code, places()], [3, ['header']]);
    assert.match(inHeader.stderr, /remove --key-in header\.\n.* refused the key \(401\)/);
    const inQuery = await runWithKey(['tokens', HOLDER, '--key-in', 'query']);
    assert.deepEqual([inQuery.code, places()], [0, ['query']]);
    const other = await runWithKey(['tokens', HOLDER, '--key-in', 'cookie']);
    assert.match(other.stderr, /--key-in must be auto, header or query\./);
  });

  it('is refused where the server takes it in no place', async () => {
    server.answer = ({ url }) => ({
      ...errorResponseOf(401),
      body: { error: true, error_code: 401, error_message: `Wrong key at ${url}` },
    });
    const { code, stderr, lines } = await runWithKey(['tokens', HOLDER]);
    assert.equal(code, 3);
    assert.match(stderr, /refused the key \(401\)/);
    assert.equal(lines.at(-1).error.kind, 'unauthorized');
    assert.deepEqual(places(), ['header', 'query']);
  });

  it('is found once for all that an agent asks', async () => {
    await using rpc = await startRpcServer(answerEach(({ id }) => ({ jsonrpc: '2.0', id, result: '0x5' })));
    const args = ['ask', 'get_address', JSON.stringify({ address: HOLDER }), '--rpc', rpc.url];
    const { code, stdout } = await runWithKey(args);
    // As `identify` ends, where eth_getCode returns no code.
    assert.deepEqual([code, JSON.parse(stdout).onChain.state], [3, 'failed']);
    assert.match(stdout, /T0/);
    assert.deepEqual(places(), ['header', 'query']);
    await using mcp = await openMcp(['--rpc', rpc.url, ...options()], env);
    for (const address of [HOLDER, HOLDER.replace('7e57', '7e58')]) {
      const { answer } = await mcp.call('get_address', { address });
      assert.match(JSON.stringify(answer), /T0/);
      assert.doesNotMatch(JSON.stringify(answer), /0123456789abcdef(?:=|%3D)/);
    }
    assert.deepEqual(places(), ['header', 'query', 'query']);
  });
});

describe('headless tokens of an endpoint without a list', () => {
  it('say where the native balance is not known: no line is not zero', async () => {
    const error = { code: -32602, message: 'Balance not found' };
    const { fetch } = scriptedFetch(() => ({ jsonrpc: '2.0', id: 1, error }));
    const at = { fetch, clock: createTestClock(), url: 'https://explorer.example/api/eth-rpc' };
    const address = `0x${'ab'.repeat(20)}` as Address;
    const { signal } = new AbortController();
    const { tokens, notes } = await fetchTokensByCalls(at, { address, tokens: [], signal });
    assert.deepEqual(tokens, []);
    assert.match(notes?.join() ?? '', /does not report the native balance/);
  });
});
