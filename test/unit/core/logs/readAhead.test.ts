import assert from 'node:assert/strict';
import { createChainClient, type FetchLike, type Log, parseLogFilter } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { createQuirkyFetch } from '../../../support/fakeFetch.ts';
import { addresses, buildChain } from '../../../support/logDataSets.ts';
import { expectedKeys, getLogKeys } from '../../../support/logReading.ts';

const query = { address: addresses[0] ?? '' };
const set = buildChain(3000, 20);

describe('log query whose rows are not taken at once', () => {
  it('keeps the server busy meanwhile, up to its bound', async () => {
    const serve = createQuirkyFetch(set, { says: { name: 'Geth' }, limit: 300 });
    let asked = 0;
    const fetch: FetchLike = (url, init) => {
      if (init.body?.includes('eth_getLogs')) asked++;
      return serve(url, init);
    };
    const client = createChainClient({ fetch, clock: createTestClock(), url: 'http://127.0.0.1:1/' });
    const pages = client.openLogQuery(parseLogFilter(query)).rest();
    const logs: Log[] = [];
    const take = async () => {
      const { value, done } = await pages.next();
      if (!done) logs.push(...value.logs);
      return !done;
    };
    await take();
    await take();
    const before = asked;
    for (let round = 0; round < 2000; round++) await new Promise(setImmediate);
    const ahead = asked - before;
    assert.ok(ahead > 24 && ahead <= 160, `${ahead} requests ahead`);
    while (await take());
    assert.deepEqual(getLogKeys(logs), expectedKeys(set, query));
  });
});
