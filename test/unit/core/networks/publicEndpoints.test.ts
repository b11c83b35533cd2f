import assert from 'node:assert/strict';
import { type PortalServer, startPortal } from '../../../../localnet/portal/server.ts';
import {
  createOriginGates,
  type FetchLike,
  findWorkingEndpoint,
  getDatasetChain,
  listPublicEndpoints,
  type PublicEndpoint,
  publicExplorers,
  requiresSecret,
  systemClock,
} from '../../../../src/core/index.ts';
import { dataSets } from '../../../support/logDataSets.ts';

describe('public endpoints', () => {
  it('are of the same chain once each, by https, with no key in them, and say who documents them', () => {
    const seen = new Set<string>();
    for (const { chainId, rpcUrl } of publicExplorers) {
      const endpoints = listPublicEndpoints(chainId);
      assert.equal(endpoints[0]?.url, rpcUrl, 'the explorer first');
      assert.ok(endpoints.length > 1, `${chainId} has another one`);
      for (const { url, reference, kind } of endpoints) {
        assert.ok(!seen.has(url), url);
        seen.add(url);
        const { protocol, search, hash, username } = new URL(url);
        assert.deepEqual([protocol, search, hash, username], ['https:', '', '', '']);
        assert.ok(!requiresSecret({ rpcUrl: url }));
        assert.equal(new URL(reference).protocol, 'https:');
        if (kind === 'portal') assert.equal(getDatasetChain(url), chainId);
      }
    }
    assert.deepEqual(listPublicEndpoints(123456), []);
  });

  it('say which are known to allow web pages', () => {
    const ofArbitrum = listPublicEndpoints(42161).map(({ url, allowsPages }) => [
      new URL(url).host,
      allowsPages,
    ]);
    assert.deepEqual(Object.fromEntries(ofArbitrum), {
      'arbitrum.blockscout.com': true,
      'arb1.arbitrum.io': true,
      'arbitrum-one-rpc.publicnode.com': true,
      'arbitrum.drpc.org': false,
      'portal.sqd.dev': true,
    });
  });
});

/** What is at each host: a node, with its chain where it tells one, or an answer to everything. */
const hosts: Readonly<Record<string, { readonly chainId?: number } | (() => Response)>> = {
  closed: () => Response.json({ error: 'Out of credits' }, { status: 402 }),
  page: () => new Response('<html>hello</html>'),
  elsewhere: { chainId: 5 },
  silent: {},
  right: { chainId: 10 },
  behind: { chainId: 10 },
};

function endpointAt(host: string, kind: PublicEndpoint['kind'] = 'node'): PublicEndpoint {
  return { kind, url: `https://${host}/api/eth-rpc`, reference: 'https://list.example', allowsPages: false };
}

describe('first endpoint that answers', () => {
  const asked = new Set<string>();
  const fetch: FetchLike = async (url, { body }) => {
    const { hostname } = new URL(url);
    asked.add(hostname);
    const found = hosts[hostname];
    if (found === undefined) throw new TypeError('fetch failed');
    if (typeof found === 'function') return found();
    if (body === undefined) return new Response('', { status: 404 });
    const { id, method } = JSON.parse(body);
    const results: Readonly<Record<string, string | undefined>> = {
      eth_blockNumber: '0x10',
      eth_chainId: found.chainId === undefined ? undefined : `0x${found.chainId.toString(16)}`,
    };
    const error = { code: -32601, message: 'the method does not exist' };
    return Response.json({
      jsonrpc: '2.0',
      id,
      ...(results[method] ? { result: results[method] } : { error }),
    });
  };
  const http = () => ({ fetch, clock: systemClock, gates: createOriginGates(systemClock) });

  it('is taken in the order of the list, and the others say why they are not', async () => {
    const endpoints = ['closed', 'page', 'gone', 'elsewhere', 'silent', 'right', 'behind'].map((host) =>
      endpointAt(host),
    );
    const told: string[] = [];
    const onAsk = ({ url }: PublicEndpoint) => told.push(url);
    const search = await findWorkingEndpoint(http(), { chainId: 10, endpoints, onAsk });
    assert.equal(search.taken?.endpoint, endpoints[5]);
    assert.equal(search.taken?.facts.block, 16n);
    const why = search.unusable.map((one) => ('error' in one ? one.error.kind : one.otherChain));
    assert.deepEqual(why, ['creditsUsedUp', 'badResponse', 'network', 5, undefined]);
    assert.deepEqual(search.left, endpoints.slice(6));
    assert.ok(!asked.has('behind'), 'what is behind the first is not asked');
    assert.equal(told.length, 6);
  });

  describe('of portals', () => {
    const { index } = dataSets.small();
    let silent: PortalServer;
    before(async () => {
      silent = await startPortal({ index });
    });
    after(() => silent.stop());

    it('is one of the public portal by its name there, where it does not tell its chain', async () => {
      const known = listPublicEndpoints(8453).find(({ kind }) => kind === 'portal') ?? assert.fail();
      const toHere = (url: string) => url.replace(known.url, silent.rpcUrl);
      const toSilent: FetchLike = (url, init) => globalThis.fetch(toHere(url), init as RequestInit);
      for (const [chainId, taken] of [
        [8453, known],
        [10, undefined],
      ] as const) {
        const search = await findWorkingEndpoint(
          { ...http(), fetch: toSilent },
          { chainId, endpoints: [known] },
        );
        assert.equal(search.taken?.endpoint, taken);
      }
    });
  });

  it('is an explorer of an older release too, which tells no chain id', async () => {
    const old = endpointAt('silent', 'explorer');
    const search = await findWorkingEndpoint(http(), { chainId: 10, endpoints: [old] });
    assert.equal(search.taken?.endpoint, old);
  });

  it('is none where none is right, and what is cancelled is cancelled', async () => {
    const endpoints = [endpointAt('elsewhere')];
    assert.equal((await findWorkingEndpoint(http(), { chainId: 10, endpoints })).taken, undefined);
    const signal = AbortSignal.abort();
    const cancelled = findWorkingEndpoint(http(), { chainId: 10, endpoints, signal });
    await assert.rejects(cancelled, { kind: 'aborted' });
  });
});
