import assert from 'node:assert/strict';
import { type Address, type Provider, providers, type VerifiedProvider } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { type ScriptedAnswer, scriptedFetch } from '../../../support/fakeFetch.ts';
import { pick } from '../../../support/pick.ts';

const kind = providers.find(({ name }) => name === 'blockscout') as Provider;
const address = `0x${'ab'.repeat(20)}` as const;
const logic = `0x${'cd'.repeat(20)}` as const;
const other = `0x${'ef'.repeat(20)}` as const;
const abi = [{ type: 'event', name: 'Paid', inputs: [{ name: 'by', type: 'address', indexed: true }] }];
const verified = { is_verified: true, is_fully_verified: true, name: 'Shop', abi };

async function opened(answer: (path: string, url: URL) => ScriptedAnswer) {
  const { fetch, asked } = scriptedFetch(answer);
  const clock = createTestClock();
  const { verified: source } = await kind.open({
    ...{ fetch, clock, url: 'https://e.example/api/eth-rpc?apikey=k', chainId: 1, key: undefined },
    ...{ throttle: kind.createThrottle({ clock }), revoked: new AbortController().signal },
  });
  return { source: source as VerifiedProvider, asked };
}

async function contractOf(body: object) {
  const { source } = await opened(() => body);
  const { readAt: _, source: __, ...contract } = (await source.verifiedContract(address)) ?? {};
  return contract;
}

const shop = { address, name: 'Shop', abi: ['event Paid(address indexed by)'] };

describe('Verified contracts of an explorer', () => {
  it('are read at the route of the release, the query of the endpoint kept', async () => {
    const { source, asked } = await opened(() => verified);
    assert.equal((await source.verifiedContract(address))?.source.name, 'blockscout');
    assert.deepEqual(asked, [`/api/v2/smart-contracts/${address}?apikey=k`]);
  });

  it('are exact, partial, or of a twin', async () => {
    assert.deepEqual(await contractOf(verified), { ...shop, match: 'exact' });
    assert.deepEqual(await contractOf({ ...verified, is_fully_verified: false }), {
      ...shop,
      match: 'partial',
    });
    const ofTwin = { ...verified, is_verified: false, is_fully_verified: false };
    assert.deepEqual(await contractOf({ ...ofTwin, verified_twin_address_hash: logic }), {
      ...{ ...shop, match: 'twin', twin: logic },
    });
    assert.deepEqual(await contractOf(ofTwin), { ...shop, match: 'twin' });
    assert.deepEqual(await contractOf({ name: 'Shop', abi }), { ...shop, match: 'partial' });
  });

  it('say when the code has changed', async () => {
    const changed = await contractOf({ ...verified, is_changed_bytecode: true });
    assert.deepEqual(changed, { ...shop, match: 'exact', changedBytecode: true });
  });

  it('lead to implementations, by the names of each release, whether they are verified or not', async () => {
    const one = [{ address: logic, name: 'Logic' }];
    const forms = [
      { implementation_address: logic, implementation_name: 'Logic' },
      { proxy_type: 'eip1967', implementations: [{ address: logic, name: 'Logic' }] },
      {
        proxy_type: 'eip1967',
        implementations: [{ address_hash: logic, name: 'Logic' }, null, { address_hash: address }],
      },
    ];
    for (const form of forms) {
      const { source } = await opened(() => ({ ...form, creation_status: 'success' }));
      assert.equal(await source.verifiedContract(address), undefined);
      assert.deepEqual((await source.proxyAt(address))?.implementations, one);
    }
    const { source } = await opened(() => ({ minimal_proxy_address_hash: logic }));
    assert.deepEqual((await source.proxyAt(address))?.implementations, [{ address: logic }]);
  });

  it('name implementations that other patterns have given', async () => {
    const { source } = await opened(() => ({
      implementations: [{ address_hash: logic }],
      conflicting_implementations: [
        { proxy_type: 'eip1967', implementations: [{ address_hash: logic }] },
        { proxy_type: 'basic_implementation', implementations: [{ address_hash: other }] },
        'nonsense',
      ],
    }));
    assert.deepEqual(await source.proxyAt(address), {
      ...{ type: undefined, implementations: [{ address: logic }], conflicting: [other] },
    });
  });

  it('bring no more than forty facets', async () => {
    const implementations = Array.from({ length: 2_000 }, (_, n) => ({
      address_hash: `0x${(n + 1).toString(16).padStart(40, '0')}`,
    }));
    const { source } = await opened(() => ({ implementations }));
    assert.equal((await source.proxyAt(address))?.implementations.length, 40);
  });

  it('are none where there is no contract', async () => {
    const { source, asked } = await opened(() => Response.json({ message: 'Not found' }, { status: 404 }));
    assert.equal(await source.verifiedContract(address), undefined);
    assert.equal(asked.length, 1);
    await assert.rejects(contractOf('text' as never), { kind: 'badResponse' });
  });

  it('come from the module where a release has no such route, which is remembered', async () => {
    const refusals = [
      Response.json('Page not found', { status: 404 }),
      Response.json({ message: 'Unknown API v2 action' }, { status: 400 }),
    ];
    for (const refusal of refusals) {
      const { source, asked } = await opened((path, url) => {
        if (path !== '/api') return refusal.clone();
        return url.searchParams.get('address') === address
          ? { status: '1', message: 'OK', result: JSON.stringify(abi) }
          : { status: '0', message: 'Contract source code not verified', result: null };
      });
      const contract = await source.verifiedContract(address);
      assert.deepEqual([contract?.match, contract?.name, contract?.abi], ['partial', undefined, shop.abi]);
      assert.equal(await source.verifiedContract(other), undefined);
      assert.deepEqual(
        asked.map((path) => path.split('?')[0]),
        [`/api/v2/smart-contracts/${address}`, '/api', '/api'],
      );
    }
  });

  it('give their sources, the main one first', async () => {
    const { source, asked } = await opened(() => ({
      ...{ ...verified, source_code: 'contract Shop {}', file_path: 'src/Shop.sol' },
      additional_sources: [{ file_path: 'src/Till.sol', source_code: 'contract Till {}' }, {}],
    }));
    await source.verifiedContract(address);
    assert.deepEqual(pick((await source.verifiedSources(address))?.files, 'path'), [
      'src/Shop.sol',
      'src/Till.sol',
    ]);
    assert.equal(asked.length, 1);
    await assert.rejects(source.verifiedOn(address), { kind: 'notServed' });
  });

  it('keep the sources of a few, and ask again for those of others', async () => {
    const addresses = Array.from({ length: 5 }, (_, n) => `0x${`${n}`.repeat(40)}` as const);
    const { source, asked } = await opened(() => ({ ...verified, source_code: 'contract Shop {}' }));
    for (const one of addresses) await source.verifiedContract(one);
    const [first, , , , last] = addresses as [Address, Address, Address, Address, Address];
    await source.verifiedSources(last);
    assert.equal(asked.length, 5);
    assert.equal((await source.verifiedSources(first))?.files.length, 1);
    assert.equal((await source.verifiedContract(first))?.name, 'Shop');
    assert.equal(asked.length, 6);
  });
});
