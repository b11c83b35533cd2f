import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { type EtherscanServer, etherscanKey, startEtherscan } from '../../../localnet/etherscan/server.ts';
import { type SourcifyServer, startSourcify } from '../../../localnet/sourcify/server.ts';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import { openAbiProviders } from '../../../src/cli/logDecoding.ts';
import { createOperationDeps } from '../../../src/cli/operationDeps.ts';
import { createOutput } from '../../../src/cli/output.ts';
import { type Address, ETHERSCAN_URL, type FetchLike } from '../../../src/core/index.ts';
import { createTestClock } from '../../support/clocks.ts';
import { createNodeFetch } from '../../support/operationDeps.ts';
import { parseLines, runCli } from '../../support/runCli.ts';
import { verifiedOf } from '../../support/verifiedOf.ts';

const SHOP: Address = `0x${'ab'.repeat(20)}`;
const BANK: Address = `0x${'cd'.repeat(20)}`;
const VARIABLE = 'CHAINSIDE_TEST_ETHERSCAN_KEY';
const abi = [{ type: 'event', name: 'Paid', inputs: [{ name: 'amount', type: 'uint256', indexed: false }] }];
const contract = (address: Address) => verifiedOf({ chainId: 5, address, name: 'Shop', abi });
const ask = async () => '0x0';
const env = { [VARIABLE]: etherscanKey };
const output = createOutput({ stdout: new PassThrough(), stderr: new PassThrough(), env });
const context = { env, output, version: '1', signal: new AbortController().signal };

describe('Etherscan among the --sources', () => {
  let etherscan: EtherscanServer;
  let sourcify: SourcifyServer;

  before(async () => {
    etherscan = await startEtherscan({ registry: contract(SHOP), ask, chainIds: [5] });
    sourcify = await startSourcify({ registry: contract(BANK), ask, chainId: 5, chains: [] });
  });
  after(() => Promise.all([etherscan.stop(), sourcify.stop()]));
  beforeEach(() => etherscan.forgetRequests());

  /** Leads what goes to Etherscan to the local server, and lets only loopback through. */
  const reroute: FetchLike = (url, init) => {
    const { origin, pathname, search, hostname } = new URL(url);
    if (`${origin}${pathname}` === ETHERSCAN_URL) return fetch(`${etherscan.url}${search}`, init);
    assert.equal(hostname, '127.0.0.1');
    return fetch(url, init);
  };

  function open(sources: string, args: readonly string[], chainId = 5, key = etherscanKey) {
    const line = parseCommandLine(['decode', '0x12345678', '--sources', sources, ...args]);
    const http = { fetch: reroute, clock: createTestClock() };
    return openAbiProviders(sources, { line, chainId }, { ...context, http, env: { [VARIABLE]: key } });
  }

  it('has the ABIs of its contracts, with the key of the variable', async () => {
    const { prefetchCode, code } = await open('etherscan', ['--etherscan-key-env', VARIABLE]);
    await prefetchCode([SHOP]);
    assert.notEqual(code.abiAt({ address: SHOP, chainId: 5 }), undefined);
    const { searchParams } = new URL(etherscan.requests[0]?.url ?? '', ETHERSCAN_URL);
    assert.deepEqual([searchParams.get('apikey'), searchParams.get('chainid')], [etherscanKey, '5']);
  });

  it('is asked last, wherever it stands in the list', async () => {
    const args = ['--etherscan-key-env', VARIABLE, '--sourcify', sourcify.url];
    const { prefetchCode, code } = await open('etherscan,sourcify', args);
    await prefetchCode([BANK]);
    assert.notEqual(code.abiAt({ address: BANK, chainId: 5 }), undefined);
    assert.equal(etherscan.requestCount, 0);
    await prefetchCode([SHOP]);
    assert.notEqual(code.abiAt({ address: SHOP, chainId: 5 }), undefined);
    assert.equal(etherscan.requestCount, 1);
  });

  it('needs a key and a chain, and sends nothing without them', async () => {
    await assert.rejects(open('etherscan', []), /Name its environment variable/);
    await assert.rejects(open('etherscan', ['--etherscan-key-env', 'CHAINSIDE_TEST_UNSET']), /is not set/);
    await assert.rejects(open('etherscan', ['--etherscan-key-env', VARIABLE], 0), /Etherscan needs a chain/);
    assert.equal(etherscan.requestCount, 0);
  });

  it('names no value of the variable that cannot be a key', async () => {
    const opening = open('etherscan', ['--etherscan-key-env', VARIABLE], 5, 'not a key <secret>');
    await assert.rejects(opening, (error: Error) => {
      assert.match(error.message, /not an API key of Etherscan/);
      assert.ok(!error.message.includes('secret'));
      return true;
    });
    assert.equal(etherscan.requestCount, 0);
  });
});

describe('the creation of a contract on the command line', () => {
  const row = {
    contractAddress: SHOP,
    contractCreator: BANK,
    txHash: `0x${'12'.repeat(32)}`,
    blockNumber: '9',
  };
  const asked: string[] = [];
  const other = (method: string) => {
    if (method === 'eth_chainId') return '0x5';
    if (method === 'eth_getCode') return '0x6001';
    return undefined;
  };

  function createDeps(...args: readonly string[]) {
    const line = parseCommandLine(['mcp', '--rpc', 'https://node.example', ...args]);
    const node = createNodeFetch([], { other });
    const fetch: FetchLike = async (url, init) => {
      if (!url.startsWith(ETHERSCAN_URL)) return node.fetch(url, init);
      asked.push(url);
      return Response.json({ status: '1', message: 'OK', result: [row] });
    };
    const http = { fetch, clock: createTestClock() };
    return createOperationDeps(line, { ...context, http });
  }
  beforeEach(() => {
    asked.length = 0;
  });

  it('comes from Etherscan for agents, if that is one of the --sources', async () => {
    const keyed = createDeps('--sources', 'etherscan', '--etherscan-key-env', VARIABLE);
    const identity = await (await keyed.provider('identity', {}))?.identity(SHOP);
    assert.deepEqual([identity?.kind, identity?.created?.block], ['contract', 9n]);
    assert.equal(asked.length, 1);
    const others = createDeps('--sources', 'sourcify', '--etherscan-key-env', VARIABLE);
    assert.equal((await (await others.provider('identity', {}))?.identity(SHOP))?.created, undefined);
    assert.equal(asked.length, 1);
  });
});

describe('transfers on the command line', () => {
  const row = {
    ...{ blockNumber: '7', timeStamp: '1700000000', hash: `0x${'12'.repeat(32)}`, from: SHOP, to: BANK },
    ...{ contractAddress: BANK, value: '5', tokenSymbol: 'COIN', tokenDecimal: '6' },
  };

  async function print(chainId: number, ...args: readonly string[]) {
    const node = createNodeFetch([], {
      other: (method) => (method === 'eth_chainId' ? `0x${chainId.toString(16)}` : undefined),
    });
    const fetch: FetchLike = async (url, init) => {
      if (!url.startsWith(ETHERSCAN_URL)) return node.fetch(url, init);
      const result = url.includes('action=tokentx') ? [row] : [];
      return Response.json({ status: '1', message: 'OK', result });
    };
    const { stdout } = await runCli(['transfers', SHOP, '--rpc', 'https://node.example', ...args], {
      env,
      fetch,
    });
    return parseLines(stdout);
  }

  it('come from Etherscan where the endpoint is a node, in the form of those of an explorer', async () => {
    const [transfer, last] = await print(5, '--all', '--etherscan-key-env', VARIABLE);
    assert.deepEqual(transfer, {
      ...{ transactionHash: row.hash, blockNumber: '7', logIndex: null, time: '2023-11-14T22:13:20Z' },
      ...{ from: SHOP, to: BANK, contract: BANK, standard: 'erc20', symbol: 'COIN', decimals: 6 },
      ...{ tokenId: null, amount: '5', spam: null },
    });
    const { source, state, rows } = last.transfers;
    assert.deepEqual([source, state, rows], ['etherscan', 'uncertain', 1]);
  });

  it('are not served without a key, or on a development chain', async () => {
    for (const [failed] of [await print(5), await print(31337, '--etherscan-key-env', VARIABLE)])
      assert.equal(failed.error.kind, 'notServed');
  });
});
