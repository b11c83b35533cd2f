import assert from 'node:assert/strict';
import { type ExplorerServer, startExplorer } from '../../../localnet/explorer/server.ts';
import { type Gateway, startGateway } from '../../../localnet/gateway/gateway.ts';
import {
  type AppError,
  createChainClient,
  createOriginGates,
  isAppError,
  parseLogFilter,
  probeEndpoint,
  type RemainingCredits,
  type RpcAuth,
  systemClock,
  withEndpointSecret,
} from '../../../src/core/index.ts';
import { addresses, dataSets } from '../../support/logDataSets.ts';

const RICH = 'proapi_rich0123456789abcd';
const POOR = 'proapi_poor0123456789abcd';
const SLOW = 'proapi_slow0123456789abcd';

describe('gateway to explorers', () => {
  const { index, truth } = dataSets.uneven();
  let explorer: ExplorerServer;
  let gateway: Gateway;
  beforeEach(async () => {
    explorer = await startExplorer({ index, dialect: 'v11.2' });
    gateway = await startGateway({
      explorers: { 10: explorer },
      plans: {
        [RICH]: { credits: 100_000, perSecond: 1000 },
        [POOR]: { credits: 30, perSecond: 1000 },
        [SLOW]: { credits: 1000, perSecond: 1 },
      },
      elapsed: () => 250,
    });
  });
  afterEach(async () => {
    await gateway.stop();
    await explorer.stop();
  });

  function open(secret: string | undefined, chainId = 10) {
    const rpcUrl = gateway.rpcUrl(chainId);
    const rpcAuth: RpcAuth = 'bearer';
    const credits: RemainingCredits[] = [];
    const plain = {
      ...{ fetch: globalThis.fetch, clock: systemClock, gates: createOriginGates(systemClock) },
      onCredits: (left: RemainingCredits) => credits.push(left),
    };
    const kept = { read: async () => secret };
    const http = secret === undefined ? plain : withEndpointSecret(plain, { rpcUrl, rpcAuth }, () => kept);
    return { http, rpcUrl, credits, client: createChainClient({ ...http, url: rpcUrl }) };
  }

  async function refusal(work: Promise<unknown>): Promise<AppError> {
    const error = await work.catch((cause: unknown) => cause);
    assert.ok(isAppError(error), String(error));
    return error;
  }

  it('is an explorer by its REST, and gives every log', async () => {
    const { http, rpcUrl, client, credits } = open(RICH);
    const facts = await probeEndpoint(http, rpcUrl);
    assert.deepEqual([facts.block, facts.server.server], [BigInt(index.head() ?? 0), 'blockscout']);
    const query = client.openLogQuery(parseLogFilter({ address: addresses[0] ?? '' }));
    let rows = 0;
    for await (const { logs } of query.rest()) rows += logs.length;
    assert.equal(rows, truth.filter(({ address }) => address === addresses[0]).length);
    assert.equal(query.verdict?.state, 'complete');
    const origin = new URL(rpcUrl).origin;
    const told = credits.at(-1);
    assert.equal(told?.origin, origin);
    assert.ok(told.credits < 100_000 && told.credits >= gateway.creditsOf(RICH));
    assert.ok(explorer.requests.every(({ headers }) => headers.authorization === undefined));
  });

  it('says what it wants in its own words: no key, a wrong one, a chain that it has not', async () => {
    const none = await refusal(open(undefined).client.getBlockNumber());
    assert.deepEqual([none.kind, none.details.serverMessage], ['unauthorized', 'API key is required']);
    const wrong = await refusal(open('proapi_wrong').client.getBlockNumber());
    assert.deepEqual([wrong.kind, wrong.details.serverMessage], ['unauthorized', 'Invalid API key']);
    assert.equal((await refusal(open(RICH, 5).client.getBlockNumber())).kind, 'notFound');
  });

  it('says when the credits are used up, which asking again does not change', async () => {
    const { client, credits } = open(POOR);
    await client.getBlockNumber();
    const error = await refusal(client.getBlockNumber());
    assert.deepEqual([error.kind, error.details.serverMessage], ['creditsUsedUp', 'Out of credits']);
    assert.equal(error.details.retryAfterMs, undefined, 'the end of its second is not that of the credits');
    assert.deepEqual(
      credits.map((each) => each.credits),
      [10, 10],
    );
    assert.equal(gateway.requestCount, 2);
  });

  it('says in milliseconds when its second is over', async () => {
    const { client } = open(SLOW);
    await client.getBlockNumber();
    const error = await refusal(client.getBlockNumber({ retries: 0, maxHoldMs: 0 }));
    assert.equal(error.kind, 'rateLimited');
    assert.equal(error.details.retryAfterMs, 750);
  });
});
