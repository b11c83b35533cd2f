import assert from 'node:assert/strict';
import { startPortal } from '../../../../localnet/portal/server.ts';
import { type FetchLike, probeEndpoint } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { dataSets } from '../../../support/logDataSets.ts';

type Results = Readonly<Record<string, unknown>>;

/** A `fetch` that reaches a JSON-RPC server at each path, which refuses every method that it has no result for. */
function serving(paths: Readonly<Record<string, Results>>) {
  const asked: string[] = [];
  const fetch: FetchLike = async (url, { body }) => {
    const { pathname } = new URL(url);
    const results = paths[pathname];
    if (body === undefined || !results) return new Response('<html>Page</html>', { status: 404 });
    const { id, method } = JSON.parse(body);
    asked.push(`${pathname} ${method}`);
    const error = { code: -32601, message: 'method not found' };
    return Response.json({
      jsonrpc: '2.0',
      id,
      ...(method in results ? { result: results[method] } : { error }),
    });
  };
  return { deps: { fetch, clock: createTestClock() }, asked };
}

const block = { eth_blockNumber: '0x221' };

describe('The probe of an endpoint', () => {
  it('finds block, chain and name of a node', async () => {
    const { deps } = serving({
      '/': { ...block, eth_chainId: '0x7a69', web3_clientVersion: 'anvil/v1.7.1' },
    });
    assert.deepEqual(await probeEndpoint(deps, 'http://127.0.0.1:8545'), {
      url: 'http://127.0.0.1:8545',
      block: 545n,
      chainId: 31337,
      server: { server: 'node', version: 'anvil/v1.7.1' },
    });
  });

  it('finds an explorer behind its bare address, which need not offer its chain id', async () => {
    const { deps } = serving({ '/api/eth-rpc': block });
    const { url, chainId, server } = await probeEndpoint(deps, 'https://explorer.example');
    assert.deepEqual([url, chainId], ['https://explorer.example/api/eth-rpc', undefined]);
    assert.equal(server.server, 'blockscout');
  });

  it('fails as the address that was given does, and looks for no other where a path is given', async () => {
    const { deps, asked } = serving({ '/api/eth-rpc': block });
    await assert.rejects(probeEndpoint(deps, 'https://explorer.example/rpc'), { kind: 'notFound' });
    assert.deepEqual(asked, []);
    await assert.rejects(probeEndpoint(serving({}).deps, 'https://nothing.example'), { kind: 'notFound' });
  });

  it('finds the dataset of a portal, also by a route below it, and its chain where the portal tells', async () => {
    const { index, head } = dataSets.small();
    const told = await startPortal({ index, chainId: 31337 });
    const silent = await startPortal({ index });
    try {
      const deps = { fetch: globalThis.fetch as unknown as FetchLike, clock: createTestClock() };
      for (const below of ['', '/', '/stream', '/finalized-stream', '/metadata', '/head']) {
        assert.deepEqual(await probeEndpoint(deps, `${told.rpcUrl}${below}`), {
          ...{ url: told.rpcUrl, block: BigInt(head), chainId: 31337, server: { server: 'portal' } },
        });
      }
      assert.equal((await probeEndpoint(deps, silent.rpcUrl)).chainId, undefined);
      await assert.rejects(probeEndpoint(deps, `${told.origin}/datasets/other`), { kind: 'notFound' });
    } finally {
      await told.stop();
      await silent.stop();
    }
  });

  it('takes for no portal what does not answer as one', async () => {
    const fetch: FetchLike = async () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' });
    const deps = { fetch, clock: createTestClock() };
    await assert.rejects(probeEndpoint(deps, 'https://x.example/datasets/one'), { kind: 'badResponse' });
  });

  it('ends when it is no longer wanted', async () => {
    const { deps } = serving({ '/': block });
    const signal = AbortSignal.abort();
    await assert.rejects(probeEndpoint(deps, 'http://127.0.0.1:8545', { signal }), { kind: 'aborted' });
  });
});
