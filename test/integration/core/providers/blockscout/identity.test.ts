import assert from 'node:assert/strict';
import type { ProxyKinds } from '../../../../../localnet/chain/proxyKinds.ts';
import type { DialectName } from '../../../../../localnet/explorer/dialects.ts';
import { type FetchLike, parseAddress, requireAddress } from '../../../../../src/core/index.ts';
import { createBlockscoutIdentity } from '../../../../../src/core/providers/blockscout/identity.ts';
import { hostileNames } from '../../../../fixtures/hostileNames.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { createRecordingFetch } from '../../../../support/fakeFetch.ts';
import {
  type GrowingLocalnet,
  growingLocalnet,
  sharedProxyKinds,
} from '../../../../support/sharedLocalnet.ts';
import { findHiddenCharacters } from '../../../../support/untrustedText.ts';

function open(url: string, fetchIt?: FetchLike) {
  const { fetch, asked } = createRecordingFetch(fetchIt);
  const revoked = new AbortController().signal;
  const clock = createTestClock();
  return { ...createBlockscoutIdentity({ url, chainId: 31337, fetch, clock, revoked }), asked, clock };
}

describe('what is at an address, as an explorer tells', () => {
  let localnet: GrowingLocalnet;
  let kinds: ProxyKinds;

  before(async () => {
    localnet = await growingLocalnet();
    kinds = await sharedProxyKinds();
  });

  function ofRelease(dialect: DialectName) {
    localnet.setDialect(dialect);
    return open(localnet.rpcUrl);
  }

  for (const dialect of ['v5.1.4', 'v6.3', 'v9.1', 'v11.2', 'v12'] as const) {
    it(`is an account, a token and a proxy on ${dialect}`, async () => {
      const { identity, asked } = ofRelease(dialect);
      const account = await identity(requireAddress(localnet.chain.accounts.alice));
      assert.deepEqual([account.kind, asked.length], ['account', 1]);
      const usd = await identity(requireAddress(localnet.chain.contracts.usd.address));
      assert.deepEqual([usd.kind, usd.proxy], ['contract', undefined]);
      const { standard, symbol, decimals } = usd.token ?? {};
      assert.deepEqual([standard, symbol, decimals], ['ERC-20', 'HUSD', 6]);
      assert.equal(usd.created?.deployer, parseAddress(localnet.chain.accounts.deployer));
      const badge = await identity(requireAddress(localnet.chain.contracts.badge.address));
      assert.equal(badge.token?.standard, 'ERC-721');
      const { proxy } = await identity(kinds.eip1967);
      assert.equal(proxy?.type, 'eip1967');
      assert.deepEqual(
        proxy.implementations.map(({ address }) => address),
        [kinds.logic],
      );
      const delegated = await identity(kinds.delegated);
      assert.deepEqual([delegated.kind, delegated.proxy?.type], ['delegated', 'eip7702']);
    });
  }

  for (const dialect of ['v5.1.4', 'v6.3', 'v11.2'] as const) {
    it(`is at a glance what one request tells on ${dialect}`, async () => {
      const { identity, asked } = ofRelease(dialect);
      const { kind, proxy, isGlance } = await identity(kinds.eip1967, { glance: true });
      assert.deepEqual([kind, proxy?.implementations.length, isGlance], ['contract', 1, true]);
      const usd = requireAddress(localnet.chain.contracts.usd.address);
      assert.equal((await identity(usd, { glance: true })).token?.symbol, 'HUSD');
      assert.equal(asked.length, 2);
      assert.equal((await identity(kinds.eip1967)).isGlance, undefined);
      assert.ok(asked.length > 2);
      // Of an account there is no more to be read.
      const alice = requireAddress(localnet.chain.accounts.alice);
      assert.equal((await identity(alice, { glance: true })).isGlance, undefined);
    });
  }

  it('is what the record says where only the three methods are there', async () => {
    const { identity } = ofRelease('v5.1.4');
    const { kind, sources } = await identity(kinds.eip1822);
    assert.equal(kind, 'contract');
    assert.deepEqual(
      sources.map(({ source, reason }) => [source.name, reason]),
      [
        ['blockscout', undefined],
        ['calls', 'notOffered'],
      ],
    );
  });

  it('is not known where the old explorer has no record of it, and says so', async () => {
    const nobody = requireAddress(`0x${'0'.repeat(36)}abcd`);
    const { kind, sources } = await ofRelease('v5.1.4').identity(nobody);
    assert.deepEqual([kind, sources.map(({ reason }) => reason)], ['unknown', ['notIndexed', 'notOffered']]);
    assert.equal((await ofRelease('v6.3').identity(nobody)).kind, 'account');
    assert.equal((await ofRelease('v11.2').identity(nobody)).kind, 'account');
  });

  it('is more than the record where the chain can be read: conflicts, vaults, blocks, no false proxies', async () => {
    const { identity } = ofRelease('v11.2');
    const { proxy } = await identity(kinds.lying);
    assert.deepEqual(proxy?.conflict, [
      { type: 'basic_implementation', address: kinds.secondLogic, name: undefined },
    ]);
    assert.equal((await identity(kinds.vault)).token?.standard, 'ERC-4626');
    const { created } = await identity(kinds.vault);
    assert.ok((created?.block ?? 0n) > 0n);
    // The record takes a beacon for a proxy.
    assert.equal((await ofRelease('v5.1.4').identity(kinds.beacon)).proxy?.type, 'basic_implementation');
    assert.equal((await ofRelease('v11.2').identity(kinds.beacon)).proxy, undefined);
  });
});

describe('what is at an address, as an explorer tells that does not do as it should', () => {
  const address = `0x${'ab'.repeat(20)}` as const;
  const url = 'http://127.0.0.1:1/api/eth-rpc';
  const record = { hash: address, is_contract: true, proxy_type: null, implementations: [], token: null };
  const noMethods = { jsonrpc: '2.0', id: 1, error: 'Action not found.' };

  /** An explorer of three methods that answers the route as given. */
  function explorer(answer: (path: string) => Response) {
    return open(url, async (asked, { body }) => {
      return body === undefined ? answer(new URL(asked).pathname) : refuseAll(body);
    });
  }
  const refuseAll = (body: string) => {
    const calls = JSON.parse(body);
    const refuse = ({ id }: { id: number }) => ({ ...noMethods, id });
    return Response.json(Array.isArray(calls) ? calls.map(refuse) : refuse(calls));
  };
  const answering = (body: unknown, init?: ResponseInit) => explorer(() => Response.json(body, init));
  const gapOf = async (body: unknown, init?: ResponseInit) =>
    (await answering(body, init).identity(address)).sources[0]?.reason;

  it('says that it does not tell of this address, or has no such route', async () => {
    assert.equal(await gapOf({ message: 'Restricted access' }, { status: 403 }), 'refused');
    assert.equal(await gapOf({ error: 'Out of credits' }, { status: 402 }), 'refused');
    assert.equal(await gapOf({ message: 'Not found' }, { status: 404 }), 'notIndexed');
    assert.equal(await gapOf('Page not found', { status: 404 }), 'notOffered');
    assert.equal(await gapOf({ message: 'Unknown API v2 action' }, { status: 400 }), 'notOffered');
  });

  it('asks for a route that is not there once', async () => {
    const { identity, asked } = answering({ message: 'Unknown API v2 action' }, { status: 400 });
    await identity(address);
    asked.length = 0;
    assert.equal((await identity(`0x${'cd'.repeat(20)}`)).kind, 'unknown');
    assert.deepEqual(asked, []);
  });

  it('fails where the record is broken and nothing else tells', async () => {
    const file = (body: string | null, type: string, status = 200) =>
      explorer(
        () => new Response(body, { status, headers: { 'content-type': type, location: 'http://x.example' } }),
      );
    for (const [kind, broken] of [
      ['badResponse', file('<html>', 'text/html')],
      ['badResponse', file('{"hash":', 'application/json')],
      ['badResponse', answering({ ...record, hash: `0x${'cd'.repeat(20)}` })],
      ['badResponse', answering([])],
      ['badResponse', answering({ ...record, hash: null })],
      ['redirected', file(null, 'text/html', 302)],
      ['server', file('<html>502</html>', 'text/html', 502)],
      ['tooLarge', answering({ ...record, metadata: 'x'.repeat(3_000_000) })],
      ['rateLimited', answering({ message: 'Too many requests' }, { status: 429 })],
    ] as const) {
      await assert.rejects(broken.identity(address), { kind });
    }
  });

  it('has the implementation of an old record, and what the patterns found that differ', async () => {
    const [one, other] = [`0x${'01'.repeat(20)}`, `0x${'02'.repeat(20)}`] as const;
    const proxyOf = async (more: object) =>
      (await answering({ ...record, proxy_type: undefined, ...more }).identity(address)).proxy;
    const older = await proxyOf({ implementation_address: one, implementation_name: 'Vault\u202e' });
    assert.deepEqual(older?.implementations, [{ address: one, name: 'Vault<U+202E>' }]);
    assert.equal(await proxyOf({ implementation_address: null, implementation_name: null }), undefined);
    const conflicting = await proxyOf({
      ...{ proxy_type: 'eip1967', implementations: [{ address_hash: one, name: null }] },
      conflicting_implementations: [
        { proxy_type: 'eip1967', implementations: [{ address_hash: one, name: null }] },
        { proxy_type: 'eip1822', implementations: [{ address_hash: other, name: 'Old' }] },
        ...[7, null, { implementations: 'none' }],
      ],
    });
    assert.deepEqual(conflicting?.conflict, [{ type: 'eip1822', address: other, name: 'Old' }]);
  });

  it('has the record where the JSON-RPC beside it fails, for a minute, and says so', async () => {
    const statuses = { 403: 'refused', 404: 'failed', 429: 'failed', 500: 'failed' };
    for (const [status, gap] of Object.entries(statuses)) {
      let isDown = true;
      const { identity, asked, clock } = open(url, async (_, { body }) => {
        if (body === undefined) return Response.json(record);
        return isDown ? new Response('<html>', { status: Number(status) }) : refuseAll(body);
      });
      const { kind, sources } = await identity(address);
      assert.equal(kind, 'contract');
      assert.deepEqual(
        sources.map((source) => source.reason),
        [undefined, gap],
        status,
      );
      assert.ok(asked.length < 20, `${asked.length} requests on ${status}`);
      isDown = false;
      await clock.sleep(61_000);
      const again = await identity(address);
      assert.equal(again.sources[1]?.reason, gap === 'refused' ? gap : 'notOffered', status);
    }
  });

  it('has at a glance no record, or fails, by one request', async () => {
    const missing = answering({ message: 'Not found' }, { status: 404 });
    const { kind, sources } = await missing.identity(address, { glance: true });
    assert.deepEqual([kind, sources.map(({ reason }) => reason)], ['unknown', ['notIndexed']]);
    assert.equal(missing.asked.length, 1);
    const broken = answering([]);
    await assert.rejects(broken.identity(address, { glance: true }), { kind: 'badResponse' });
    assert.equal(broken.asked.length, 1);
  });

  it('reads what is odd as not told, and names as plain words', async () => {
    for (const hostile of Object.values(hostileNames)) {
      const name = hostile.slice(0, 100_000);
      const implementations = [{ address_hash: `0x${'cd'.repeat(20)}`, name }];
      const token = { type: 'ERC-20', name, symbol: name, decimals: '6', total_supply: '5' };
      const answer = answering({ ...record, name, token, implementations, proxy_type: 'eip1967' });
      const found = await answer.identity(address);
      assert.deepEqual([found.token?.supply, found.proxy?.implementations.length], [5n, 1], name);
      const texts = [found.name, found.token?.name, found.proxy?.implementations[0]?.name];
      assert.deepEqual(
        texts.flatMap((text) => findHiddenCharacters(text ?? '')),
        [],
      );
    }
    const odd = await answering({
      ...record,
      name: 7,
      token: { type: 'ERC-20', decimals: '1e3', total_supply: '-5' },
      implementations: [null, 'x', { address_hash: address }, { address: '0x1' }],
      creation_tx_hash: '0x12',
    }).identity(address);
    const parts = [odd.name, odd.token?.decimals, odd.token?.supply, odd.proxy, odd.created];
    assert.deepEqual(parts, Array(5).fill(undefined));
    const unheard = await answering({
      ...record,
      proxy_type: 'eip9999',
      implementations: [{ address: `0x${'cd'.repeat(20)}` }],
    }).identity(address);
    assert.deepEqual([unheard.proxy?.type, unheard.proxy?.implementations.length], [undefined, 1]);
  });

  it('reads a hundred implementations and counts the others', async () => {
    const implementations = Array.from({ length: 5000 }, (_, n) => ({
      address_hash: `0x${(n + 1).toString(16).padStart(40, '0')}`,
    }));
    const diamond = answering({ ...record, proxy_type: 'eip2535', implementations });
    const { proxy } = await diamond.identity(address);
    assert.deepEqual([proxy?.implementations.length, proxy?.left], [100, 4900]);
  });

  it('finds the block of a creation by its transaction, as either era writes it', async () => {
    const transaction = `0x${'12'.repeat(32)}`;
    for (const [creation, block] of [
      [{ creation_tx_hash: transaction }, { block: 12 }],
      [{ creation_transaction_hash: transaction }, { block_number: 12 }],
    ]) {
      const { identity } = explorer((path) =>
        Response.json(path.includes('/transactions/') ? block : { ...record, ...creation }),
      );
      assert.deepEqual((await identity(address)).created, {
        ...{ block: 12n, transaction, deployer: undefined },
      });
    }
  });

  it('keeps no creation without its block because the explorer is at its limit', async () => {
    let isLimited = true;
    const created = { ...record, creation_transaction_hash: `0x${'12'.repeat(32)}` };
    const { identity } = explorer((path) => {
      if (!path.includes('/transactions/')) return Response.json(created);
      return isLimited
        ? Response.json({ message: 'Too many requests' }, { status: 429 })
        : Response.json({ block_number: 12 });
    });
    await assert.rejects(identity(address), { kind: 'rateLimited' });
    isLimited = false;
    assert.equal((await identity(address)).created?.block, 12n);
  });
});
