import assert from 'node:assert/strict';
import { type DialectName, defaultDialect } from '../../../localnet/explorer/dialects.ts';
import type { SignatureServer } from '../../../localnet/signatures/server.ts';
import type { SourcifyServer } from '../../../localnet/sourcify/server.ts';
import type { VerifiedDeployment } from '../../../localnet/verified/deployVerified.ts';
import { type GrowingLocalnet, growingLocalnet, sharedVerified } from '../../support/sharedLocalnet.ts';
import { startVerificationServers } from '../../support/verificationServers.ts';

describe('servers that tell of verified contracts', () => {
  let net: GrowingLocalnet;
  let at: VerifiedDeployment;
  let sourcify: SourcifyServer;
  let signatures: SignatureServer;

  before(async () => {
    net = await growingLocalnet();
    at = await sharedVerified();
    ({ sourcify, signatures } = await startVerificationServers(net, ['9007199254740993']));
  });
  after(async () => {
    for (const server of [sourcify, signatures]) await server?.stop();
  });

  beforeEach(() => net.setDialect(defaultDialect));

  async function get(url: string) {
    const answer = await fetch(url);
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }
  const contract = (address: string, query = '', chainId = '31337') =>
    get(`${sourcify.url}/v2/contract/${chainId}/${address}${query}`);

  it('Sourcify gives the minimal shape, and a miss in the same shape', async () => {
    const known = await contract(at.harbor);
    assert.deepEqual(Object.keys(known.body), [
      ...['match', 'creationMatch', 'runtimeMatch', 'chainId', 'address', 'verifiedAt', 'matchId'],
    ]);
    assert.deepEqual([known.status, known.body.match, known.body.chainId], [200, 'exact_match', '31337']);
    assert.match(known.body.address, /[A-F]/);
    const miss = await contract(at.hidden);
    assert.deepEqual([miss.status, miss.body.match, miss.body.matchId], [404, null, undefined]);
    assert.equal((await contract(at.berths)).body.match, 'match');
  });

  it('Sourcify projects fields of one level, or all but some, and refuses others', async () => {
    const { body } = await contract(at.harbor, '?fields=compilation.name,abi,deployment.blockNumber');
    assert.deepEqual(body.compilation, { name: 'Harbor' });
    assert.match(body.deployment.blockNumber, /^\d+$/);
    assert.ok(Array.isArray(body.abi) && !('sources' in body));
    assert.ok('storageLayout' in (await contract(at.harbor, '?omit=abi')).body);
    assert.equal('abi' in (await contract(at.harbor, '?omit=abi')).body, false);
    for (const query of ['?fields=abi&omit=abi', '?fields=x', '?fields=all,abi', '?fields=a.b.c']) {
      const { status, body: refusal } = await contract(at.harbor, query);
      assert.deepEqual([status, refusal.customCode], [400, 'invalid_parameter'], query);
    }
  });

  it('Sourcify says which chains and routes it has', async () => {
    const unknown = await contract(at.harbor, '', '5');
    assert.deepEqual([unknown.status, unknown.body.customCode], [400, 'unsupported_chain']);
    assert.equal((await contract(at.harbor, '', '9007199254740993')).body.chainId, '9007199254740993');
    const route = await get(`${sourcify.url}/v2/nothing`);
    assert.deepEqual([route.status, route.body.customCode], [404, 'route_not_found']);
    const all = await get(`${sourcify.url}/v2/contract/all-chains/${at.harbor}`);
    assert.deepEqual([all.status, all.body.results.length], [200, 1]);
    const nowhere = await get(`${sourcify.url}/v2/contract/all-chains/${at.hidden}`);
    assert.deepEqual([nowhere.status, nowhere.body], [404, { results: [] }]);
  });

  it('Sourcify finds what proxies lead to', async () => {
    const resolve = async (address: string) =>
      (await contract(address, '?fields=proxyResolution')).body.proxyResolution;
    const gate = await resolve(at.gate);
    assert.deepEqual([gate.proxyType, gate.implementations[0].name], ['EIP1967Proxy', 'Harbor']);
    assert.deepEqual([(await resolve(at.quarry)).implementations.length], [31]);
    assert.deepEqual(await resolve(at.harbor), { isProxy: false, proxyType: null, implementations: [] });
  });

  it('the database of signatures tells misses of both kinds apart', async () => {
    const hashes = `function=0x4f14b1e9,0x00000000&event=0x${'1'.repeat(64)}`;
    const { body } = await get(`${signatures.url}/signature-database/v1/lookup?${hashes}`);
    assert.equal(body.result.function['0x4f14b1e9'][0].name, 'dock(uint256,uint256,string)');
    assert.equal(body.result.function['0x00000000'], null);
    assert.deepEqual(body.result.event[`0x${'1'.repeat(64)}`], []);
    assert.equal((await get(`${signatures.url}/signature-database/v1/lookup`)).status, 400);
  });

  for (const dialect of ['v5.1.4', 'v9.1', 'v11.2'] as DialectName[]) {
    it(`the explorer tells what is verified, a twin and a change (${dialect})`, async () => {
      net.setDialect(dialect);
      const smart = (address: string) => get(`${net.explorer.origin}/api/v2/smart-contracts/${address}`);
      const [own, twin, changed, hidden] = await Promise.all(
        [at.harbor, at.twin, at.changed, at.hidden].map(smart),
      );
      assert.deepEqual([own?.body.is_verified, own?.body.name], [true, 'Harbor']);
      assert.deepEqual(
        [twin?.body.is_verified, twin?.body.verified_twin_address_hash.toLowerCase()],
        [false, at.harbor],
      );
      assert.equal(changed?.body.is_changed_bytecode, true);
      assert.deepEqual([hidden?.status, 'abi' in (hidden?.body ?? {})], [200, false]);
      const nobody = await smart(at.account);
      assert.deepEqual([nobody.status, nobody.body], [404, { message: 'Not found' }]);
      assert.equal((await smart('0x12')).status, 422);
      const gate = (await smart(at.gate)).body;
      const led = dialect === 'v5.1.4' ? gate.implementation_address : gate.implementations[0].address_hash;
      assert.equal(led.toLowerCase(), at.harbor);
    });
  }

  it('the module of the explorer tells ABI, source and creation', async () => {
    const ask = (query: string) => get(`${net.explorer.origin}/api?module=contract&${query}`);
    const abi = await ask(`action=getabi&address=${at.harbor}`);
    assert.ok(JSON.parse(abi.body.result).length > 0);
    const miss = await ask(`action=getabi&address=${at.hidden}`);
    assert.deepEqual(
      [miss.status, miss.body.status, miss.body.message],
      [...[200, '0', 'Contract source code not verified']],
    );
    const { body } = await ask(`action=getsourcecode&address=${at.gate}`);
    assert.equal(body.result[0].ContractName, 'Gate');
    const created = await ask(`action=getcontractcreation&contractaddresses=${at.gate},${at.hidden}`);
    assert.deepEqual([created.body.result.length, created.body.result[0].contractAddress], [1, at.gate]);
  });
});
