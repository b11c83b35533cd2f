import assert from 'node:assert/strict';
import { deployProxyKinds, type ProxyKinds } from '../../../localnet/chain/proxyKinds.ts';
import type { DialectName } from '../../../localnet/explorer/dialects.ts';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';

describe('the explorer’s route of an address', () => {
  let localnet: Localnet;
  let kinds: ProxyKinds;

  before(async () => {
    localnet = await startLocalnet();
    kinds = await deployProxyKinds(localnet.node);
    await localnet.catchUp();
  });
  after(() => localnet.stop());

  async function ask(dialect: DialectName, address: string) {
    localnet.setDialect(dialect);
    const url = `/api/v2/addresses/${address}`;
    const { status, body } = await localnet.explorer.inject({ method: 'GET', url, headers: {}, body: '' });
    return { status, body: JSON.parse(String(body)) };
  }

  it('writes names as its era does', async () => {
    const old = await ask('v6.3', kinds.eip1967);
    const [implementation] = old.body.implementations;
    assert.equal(implementation.address.toLowerCase(), kinds.logic);
    assert.match(old.body.creation_tx_hash, /^0x[0-9a-f]{64}$/);
    assert.equal('creation_transaction_hash' in old.body, false);
    const today = await ask('v11.2', kinds.eip1967);
    assert.equal(today.body.implementations[0].address_hash, implementation.address);
    assert.equal(today.body.creation_transaction_hash, old.body.creation_tx_hash);
    assert.equal('creation_tx_hash' in today.body, false);
  });

  it('finds proxies by the names that releases have for them', async () => {
    const types = {
      ...{ clone: 'eip1167', delegated: 'eip7702', safe: 'master_copy', uups7760: 'erc7760' },
      ...{ innerClone: 'minimal_proxy', cloneWithArguments: 'clone_with_immutable_arguments' },
      ...{ eip1967Beacon: 'eip1967_beacon', eip1822: 'eip1822', openZeppelin: 'eip1967_oz' },
      ...{ diamond: 'eip2535', comptroller: 'comptroller' },
    };
    for (const [name, type] of Object.entries(types)) {
      const { body } = await ask('v11.2', kinds[name as keyof typeof kinds]);
      assert.equal(body.proxy_type, type, name);
      assert.equal(body.implementations[0].address_hash.toLowerCase(), kinds.logic, name);
    }
    assert.equal((await ask('v11.2', kinds.deployer)).body.proxy_type, null);
  });

  it('knows a token by its transfers, and what is nobody’s by the era', async () => {
    const { usd, badge, items } = localnet.chain.contracts;
    const typeOf = async (address: string) => (await ask('v11.2', address)).body.token.type;
    assert.deepEqual(
      [await typeOf(usd.address), await typeOf(badge.address), await typeOf(items.address)],
      ['ERC-20', 'ERC-721', 'ERC-1155'],
    );
    const nobody = `0x${'0'.repeat(36)}abcd`;
    assert.deepEqual(await ask('v6.3', nobody), { status: 404, body: { message: 'Not found' } });
    const today = await ask('v11.2', nobody);
    assert.deepEqual([today.status, today.body.is_contract], [200, false]);
    assert.equal((await ask('v9.1', '0x12')).body.message, 'Invalid address hash');
    assert.equal((await ask('v11.2', '0x12')).status, 422);
  });
});
