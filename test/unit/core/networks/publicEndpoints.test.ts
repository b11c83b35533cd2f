import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
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
import {
  type LoopbackServer,
  type RpcRequest,
  startLoopbackServer,
} from '../../../support/loopbackServer.ts';

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

describe('first endpoint that answers', () => {
  const servers: LoopbackServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  const http = () => ({ fetch: globalThis.fetch, clock: systemClock, gates: createOriginGates(systemClock) });

  async function node(chainId: number | undefined, kind: PublicEndpoint['kind'] = 'node') {
    const asked: string[] = [];
    const server = await startLoopbackServer(async (request, response) => {
      if (request.method !== 'POST') return response.writeHead(404).end();
      const { id, method } = (await json(request)) as RpcRequest;
      asked.push(method);
      const results: Record<string, string | undefined> = {
        eth_blockNumber: '0x10',
        eth_chainId: chainId === undefined ? undefined : `0x${chainId.toString(16)}`,
      };
      const result = results[method];
      const error = { code: -32601, message: 'the method does not exist' };
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }),
      );
    });
    servers.push(server);
    return { endpoint: toEndpoint(kind, server.url), asked };
  }

  function toEndpoint(kind: PublicEndpoint['kind'], origin: string): PublicEndpoint {
    return { kind, url: `${origin}/api/eth-rpc`, reference: 'https://list.example', allowsPages: false };
  }

  async function refusing(status: number, body = '', headers: Record<string, string> = {}) {
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(status, headers).end(body);
    });
    servers.push(server);
    return toEndpoint('explorer', server.url);
  }

  it('is taken in the order of the list, and the others say why they are not', async () => {
    const closed = await refusing(402, JSON.stringify({ error: 'Out of credits' }));
    const page = await refusing(200, '<html>hello</html>');
    const gone = { ...closed, url: 'http://127.0.0.1:1/' };
    const elsewhere = await node(5);
    const silent = await node(undefined);
    const right = await node(10);
    const behind = await node(10);
    const told: string[] = [];
    const search = await findWorkingEndpoint(http(), {
      chainId: 10,
      endpoints: [
        ...[closed, page, gone, elsewhere.endpoint, silent.endpoint, right.endpoint, behind.endpoint],
      ],
      onAsk: ({ url }) => told.push(url),
    });
    assert.equal(search.taken?.endpoint, right.endpoint);
    assert.equal(search.taken?.facts.block, 16n);
    const why = search.unusable.map((one) => ('error' in one ? one.error.kind : one.otherChain));
    assert.deepEqual(why, ['creditsUsedUp', 'badResponse', 'network', 5, undefined]);
    assert.deepEqual(search.left, [behind.endpoint]);
    assert.deepEqual(behind.asked, [], 'what is behind the first is not asked');
    assert.equal(told.length, 6);
  });

  describe('of portals', () => {
    const { index, head } = dataSets.small();
    const portals: PortalServer[] = [];
    after(async () => {
      for (const portal of portals) await portal.stop();
    });
    const portal = async (chainId?: number) => {
      const server = await startPortal({ index, ...(chainId !== undefined && { chainId }) });
      portals.push(server);
      return { kind: 'portal' as const, url: server.rpcUrl, reference: '', allowsPages: true };
    };

    it('is one of the chain, and none of another or of a chain that nobody knows', async () => {
      const [elsewhere, silent, right] = [await portal(5), await portal(), await portal(10)];
      const gone = { ...right, url: `${new URL(right.url).origin}/datasets/other` };
      const endpoints = [elsewhere, silent, gone, right];
      const search = await findWorkingEndpoint(http(), { chainId: 10, endpoints });
      assert.equal(search.taken?.endpoint, right);
      assert.deepEqual([search.taken?.facts.chainId, search.taken?.facts.block], [10, BigInt(head)]);
      const why = search.unusable.map((one) => ('error' in one ? one.error.kind : one.otherChain));
      assert.deepEqual(why, [5, undefined, 'notFound']);
    });

    it('is one of the public portal by its name there, where it does not tell its chain', async () => {
      const silent = await portal();
      const known = listPublicEndpoints(8453).find(({ kind }) => kind === 'portal') ?? assert.fail();
      const toHere = (url: string) => url.replace(known.url, silent.url);
      const fetch: FetchLike = (url, init) => globalThis.fetch(toHere(url), init as RequestInit);
      for (const [chainId, taken] of [
        [8453, known],
        [10, undefined],
      ] as const) {
        const search = await findWorkingEndpoint({ ...http(), fetch }, { chainId, endpoints: [known] });
        assert.equal(search.taken?.endpoint, taken);
      }
    });
  });

  it('is an explorer of an older release too, which tells no chain id', async () => {
    const old = await node(undefined, 'explorer');
    const search = await findWorkingEndpoint(http(), { chainId: 10, endpoints: [old.endpoint] });
    assert.equal(search.taken?.endpoint, old.endpoint);
  });

  it('is none where none is right, and what is cancelled is cancelled', async () => {
    const elsewhere = await node(5);
    const search = await findWorkingEndpoint(http(), { chainId: 10, endpoints: [elsewhere.endpoint] });
    assert.equal(search.taken, undefined);
    const signal = AbortSignal.abort();
    await assert.rejects(
      findWorkingEndpoint(http(), { chainId: 10, endpoints: [elsewhere.endpoint], signal }),
      {
        kind: 'aborted',
      },
    );
  });
});
