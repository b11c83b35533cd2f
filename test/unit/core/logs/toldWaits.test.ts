import assert from 'node:assert/strict';
import { type ExplorerServer, startExplorer } from '../../../../localnet/explorer/server.ts';
import {
  type Clock,
  createChainClient,
  createOriginGates,
  type FetchLike,
  type Log,
  parseLogFilter,
  requireAddress,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import { createCachingFetch } from '../../../support/injectFetch.ts';
import { addresses, dataSets } from '../../../support/logDataSets.ts';
import { expectedKeys, getLogKeys } from '../../../support/logReading.ts';

const HOLD_S = 7;
/** From one request that is told to wait to the next: each way to tell it begins with another one. */
const STEP = isFullRun ? 1 : 4;
const query = { address: addresses[0] ?? '' };
const set = dataSets.uneven();
const wanted = expectedKeys(set, query);

/** A call, a batch of them, or nothing of JSON-RPC. */
type Question = undefined | { readonly id: number } | readonly { readonly id: number }[];

/** How a server tells one request to wait, of which the answer as it would have been is given. */
const told: Readonly<Record<string, (answer: Response, question: Question) => Response | Promise<Response>>> =
  {
    'a 429': () => new Response('', { status: 429, headers: { 'retry-after': `${HOLD_S}` } }),
    'a 503': () => new Response('', { status: 503, headers: { 'retry-after': `${HOLD_S}` } }),
    'a rate limit in an answer of status 200': (answer, question) => {
      if (question === undefined) return answer;
      const error = { code: -32016, message: 'over rate limit' };
      const refuse = ({ id }: { readonly id: number }) => ({ jsonrpc: '2.0', id, error });
      const body = 'id' in question ? refuse(question) : question.map(refuse);
      return Response.json(body, { headers: { 'x-ratelimit-reset': `${HOLD_S}` } });
    },
    'a good answer that is the last of its time': async (answer) =>
      new Response(await answer.text(), {
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${HOLD_S}` },
      }),
  };

describe('a server that tells one request to wait', () => {
  let server: ExplorerServer;
  before(async () => {
    server = await startExplorer({ index: set.index, dialect: 'v11.2' });
  });
  after(() => server.stop());

  /** A clock on which a told wait lasts for some rounds of all else, and the `fetch` of a server that looks at it. */
  function watched(nth: number, tell: (typeof told)[string]) {
    const clock = createTestClock();
    const inject = createCachingFetch(server);
    const seen = { requests: 0, waits: 0, early: 0 };
    let hold: Promise<void> | undefined;
    /** All who wait for it wait until the same moment. */
    async function beHeld(ms: number): Promise<void> {
      seen.waits++;
      for (let round = 0; round < 40; round++) await new Promise(setImmediate);
      hold = undefined;
      await clock.sleep(ms);
    }
    const patient: Clock = {
      ...clock,
      sleep(ms, { signal } = {}) {
        if (ms <= 2000 || ms > HOLD_S * 1000) return clock.sleep(ms, { signal });
        hold ??= beHeld(ms);
        return hold;
      },
    };
    const fetch: FetchLike = async (url, init) => {
      if (hold) seen.early++;
      const isTold = ++seen.requests === nth;
      const answer = await inject(url, init);
      return isTold ? tell(answer, init.body === undefined ? undefined : JSON.parse(init.body)) : answer;
    };
    return { clock: patient, fetch, seen };
  }

  for (const [turn, [name, tell]] of Object.entries(told).entries()) {
    it(`by ${name}: is asked nothing meanwhile, by query, probe, head or balance, whichever was told`, async () => {
      let nth = isFullRun ? 1 : turn + 1;
      let queries = 0;
      let waits = 0;
      for (let reached = true; reached; nth += STEP) {
        queries++;
        const { clock, fetch, seen } = watched(nth, tell);
        const http = { fetch, clock, gates: createOriginGates(clock) };
        const client = createChainClient({ ...http, url: server.rpcUrl });
        const other = createChainClient({ ...http, url: server.rpcUrl });
        const running = client.openLogQuery(parseLogFilter(query));
        const logs: Log[] = [];
        for await (const page of running.rest()) {
          logs.push(...page.logs);
          // One after the other, as polls come; each may be the one that is told.
          await Promise.all([other.getBlockNumber(), client.getBalance(requireAddress(query.address))]);
        }
        assert.deepEqual(getLogKeys(logs), wanted, `told at request ${nth}`);
        assert.equal(running.verdict?.state, 'complete');
        assert.equal(seen.early, 0, `told at request ${nth}`);
        reached = seen.requests >= nth;
        waits += seen.waits;
      }
      assert.ok(nth > 10 && waits > queries - 5, `${waits} waits in ${queries} queries`);
    });
  }
});
