import assert from 'node:assert/strict';
import {
  type EtherscanServer,
  etherscanKey,
  startEtherscan,
} from '../../../../../localnet/etherscan/server.ts';
import {
  type Address,
  checkEtherscanKey,
  type HttpExchange,
  type VerifiedProvider,
} from '../../../../../src/core/index.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import {
  etherscanErrorOf,
  openEtherscanPorts,
  rerouteEtherscan,
} from '../../../../support/etherscanPorts.ts';
import { verifiedOf } from '../../../../support/verifiedOf.ts';

const SHOP: Address = `0x${'ab'.repeat(20)}`;
const OTHER: Address = `0x${'cd'.repeat(20)}`;
const PAID_CHAIN = 8453;
const abi = [{ type: 'event', name: 'Paid', inputs: [{ name: 'amount', type: 'uint256', indexed: false }] }];
const sources = { 'src/Shop.sol': 'contract Shop {}', '../lib/Owned.sol': 'contract Owned {}' };

describe("Etherscan's verified contracts", () => {
  let server: EtherscanServer;
  let exchanges: HttpExchange[];

  before(async () => {
    const registry = verifiedOf({ chainId: 5, address: SHOP, name: 'Shop', abi, sources });
    server = await startEtherscan({
      registry,
      ask: async () => '0x0',
      chainIds: [5],
      paidChainIds: [PAID_CHAIN],
    });
  });
  after(() => server.stop());
  beforeEach(() => {
    server.forgetRequests();
    server.setIntercept(undefined);
    exchanges = [];
  });

  const http = () => ({
    clock: createTestClock(),
    fetch: rerouteEtherscan(() => server.url),
    onExchange: (exchange: HttpExchange) => exchanges.push(exchange),
  });
  async function open(chainId = 5): Promise<VerifiedProvider> {
    const { verified } = await openEtherscanPorts(http().fetch, chainId, http());
    return verified ?? assert.fail();
  }
  const contractOf = async (address = SHOP) => (await open()).verifiedContract(address);
  const respond = (json: unknown) =>
    server.setIntercept(() => ({
      ...{ kind: 'respond', status: 200, body: typeof json === 'string' ? json : JSON.stringify(json) },
    }));
  const refusing = (result: string) => respond({ status: '0', message: 'NOTOK', result });

  it('come with ABI, name and sources, by one request that has the key and the chain', async () => {
    const provider = await open();
    const contract = await provider.verifiedContract(SHOP);
    assert.deepEqual(
      [contract?.name, contract?.abi, contract?.match, contract?.source.name],
      ['Shop', ['event Paid(uint256 amount)'], 'partial', 'etherscan'],
    );
    assert.equal(await provider.proxyAt(SHOP), undefined);
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      [`/v2/api?chainid=5&apikey=${etherscanKey}&module=contract&action=getsourcecode&address=${SHOP}`],
    );
    const found = await provider.verifiedSources(SHOP);
    assert.deepEqual(
      found?.files.map(({ path }) => path),
      ['src/Shop.sol', 'lib/Owned.sol'],
    );
    assert.ok(!JSON.stringify(exchanges).includes(etherscanKey));
  });

  it('are none where nothing is verified', async () => {
    const provider = await open();
    assert.equal(await provider.verifiedContract(OTHER), undefined);
    assert.equal(await provider.verifiedSources(OTHER), undefined);
    refusing('Contract source code not verified');
    assert.equal(await provider.verifiedContract(OTHER, { fresh: true }), undefined);
  });

  it('are free on a chain that needs a paid plan', async () => {
    const provider = await open(PAID_CHAIN);
    assert.equal(await provider.verifiedContract(OTHER), undefined);
  });

  it('are asked for no more once the chain is not served', async () => {
    const provider = await open(77);
    assert.equal((await etherscanErrorOf(provider.verifiedContract(SHOP))).kind, 'notServed');
    assert.equal((await etherscanErrorOf(provider.verifiedContract(OTHER))).kind, 'notServed');
    assert.equal(server.requestCount, 1);
  });

  const one = (fields: object) => {
    const empty = { SourceCode: '', ABI: JSON.stringify(abi), ContractName: 'Shop', Proxy: '0' };
    respond({ status: '1', message: 'OK', result: [{ ...empty, ...fields }] });
  };

  it('of another contract with the same code are a twin', async () => {
    one({ SimilarMatch: OTHER });
    const contract = await contractOf();
    assert.deepEqual([contract?.match, contract?.twin], ['twin', OTHER]);
  });

  it('lead to the implementation of a proxy', async () => {
    one({ Proxy: '1', Implementation: OTHER });
    assert.deepEqual((await (await open()).proxyAt(SHOP))?.implementations, [{ address: OTHER }]);
    one({ Proxy: '1', Implementation: SHOP });
    assert.equal(await (await open()).proxyAt(SHOP), undefined);
  });

  const written: Readonly<Record<string, readonly [object, readonly string[]]>> = {
    'one file': [{ SourceCode: 'contract Shop {}' }, ['Shop.sol']],
    'a file of Vyper': [{ SourceCode: '# @version 0.4', CompilerVersion: 'vyper:0.4.0' }, ['Shop.vy']],
    'files by path': [
      { SourceCode: '{"a.sol":{"content":"x"},"b.sol":{"content":"y"}}' },
      ['a.sol', 'b.sol'],
    ],
    'invalid JSON': [{ SourceCode: '{{not JSON}}' }, ['Shop.sol']],
    nothing: [{ SourceCode: '' }, []],
  };
  for (const [what, [fields, paths]] of Object.entries(written)) {
    it(`have ${what} as source`, async () => {
      one(fields);
      const found = await (await open()).verifiedSources(SHOP);
      assert.deepEqual(
        found?.files.map(({ path }) => path),
        paths,
      );
    });
  }

  const refusals: Readonly<Record<string, string>> = {
    'Invalid API Key': 'unauthorized',
    'Missing/Invalid API Key': 'unauthorized',
    'Too many invalid api key attempts, please try again later': 'unauthorized',
    'Max daily rate limit reached. 110000 (100%) of 100000 day/limit': 'creditsUsedUp',
    'Missing or unsupported chainid parameter (required for v2 api)': 'notServed',
    'Error! Missing Or invalid Action name': 'rpc',
  };
  for (const [reason, kind] of Object.entries(refusals)) {
    it(`fail as ${kind} by “${reason}”, without another try`, async () => {
      refusing(`${reason} ${etherscanKey}`);
      assert.equal((await etherscanErrorOf(contractOf())).kind, kind);
      assert.equal(server.requestCount, 1);
    });
  }

  it('are asked for again after a pause where requests were too many', async () => {
    let refused = 0;
    const result = 'Max calls per sec rate limit reached (3/sec)';
    const body = JSON.stringify({ status: '0', message: 'NOTOK', result });
    server.setIntercept(() => (refused++ === 0 ? { kind: 'respond', status: 200, body } : undefined));
    assert.equal((await contractOf())?.name, 'Shop');
    assert.equal(server.requestCount, 2);
  });

  it('fail where the response is none of Etherscan', async () => {
    for (const body of ['<html>', 'Page not found', '[]', '{"status":"1","message":"OK","result":"x"}']) {
      respond(body);
      assert.equal((await etherscanErrorOf(contractOf())).kind, 'badResponse', body);
    }
    one({ ABI: 'no JSON' });
    assert.equal((await etherscanErrorOf(contractOf())).kind, 'badResponse');
  });

  it('tell whether a key is right by one request, and nothing is sent for what is no key', async () => {
    const check = (key: string) => checkEtherscanKey(http(), key, {});
    await check(etherscanKey);
    assert.match(server.requests[0]?.url ?? '', /\?chainid=1&/);
    assert.equal(server.requestCount, 1);
    const wrong = etherscanKey.replace('L', 'X');
    assert.equal((await etherscanErrorOf(check(wrong), wrong)).kind, 'unauthorized');
    for (const text of ['', 'two words', 'a&apikey=b', 'é'.repeat(34)])
      await assert.rejects(check(text), { kind: 'badInput' });
    assert.equal(server.requestCount, 2);
  });
});
