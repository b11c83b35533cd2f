import assert from 'node:assert/strict';
import {
  type Address,
  type Hex,
  type Network,
  type ProviderPorts,
  providers,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { scriptedFetch } from '../../../support/fakeFetch.ts';

const address = `0x${'ab'.repeat(20)}` as Address;
const hash = `0x${'cd'.repeat(32)}` as Hex;
const network: Network = {
  ...{ id: 'p', name: 'P', chainId: 8453, symbol: 'ETH', decimals: 18 },
  rpcUrl: 'https://portal.example/datasets/base-mainnet',
};

/** Asks the sources of the dataset that have `port` and take no key, one after the other. */
async function ask<P extends keyof ProviderPorts>(
  port: P,
  question: (source: ProviderPorts[P]) => Promise<unknown>,
) {
  const { fetch, asked: urls } = scriptedFetch(() => new Response('Not found', { status: 404 }));
  const http = { fetch, clock: createTestClock() };
  let asked = 0;
  for (const kind of providers) {
    const url = kind.urlFor(network);
    if (url === undefined || kind.takesKey || kind.offers[port] === undefined) continue;
    asked++;
    const { chainId } = network;
    const revoked = new AbortController().signal;
    const options = { ...http, url, chainId, key: undefined, throttle: kind.createThrottle(http), revoked };
    await assert.rejects(
      async () => {
        const { [port]: source } = await kind.open(options);
        await question(source ?? assert.fail(kind.name));
      },
      (error: Error & { kind?: string }) => error.kind === 'notServed' && /SQD Portal/.test(error.message),
    );
  }
  return { asked, urls };
}

describe('sources of a network that is the dataset of a portal', () => {
  it('say that it has no calls, and send it no JSON-RPC', async () => {
    const answers = [
      await ask('identity', (source) => source.identity(address)),
      await ask('transactions', (source) => source.lookUpHash(hash)),
      await ask('nfts', (source) => source.nftContract(address)),
      await ask('nfts', (source) => source.nftToken(address, 1n)),
    ];
    for (const { asked, urls } of answers) assert.deepEqual({ asked, urls }, { asked: 1, urls: [] });
  });
});
