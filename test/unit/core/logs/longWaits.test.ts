import assert from 'node:assert/strict';
import {
  type BackoffControl,
  type Clock,
  createBackoffControl,
  createChainClient,
  type FetchLike,
  type Log,
  type LogQuery,
  parseLogFilter,
  systemClock,
} from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { createQuirkyFetch } from '../../../support/fakeFetch.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { addresses, buildChain } from '../../../support/logDataSets.ts';
import { expectedKeys, getLogKeys } from '../../../support/logReading.ts';

const query = { address: addresses[0] ?? '' };
const set = buildChain(600, 20, { head: 20_000 });
const wanted = expectedKeys(set, query);

interface Headed {
  readonly status?: number;
  readonly headers: Record<string, string>;
}

/** A server whose answers are as `change` says, by the number of the request for logs; whole where it says nothing. */
function createServer(change: (nth: number) => Headed | undefined) {
  const serve = createQuirkyFetch(set, { says: { name: 'Geth' }, limit: 1000 });
  const asked = { times: 0 };
  const fetch: FetchLike = async (url, init) => {
    const response = await serve(url, init);
    const changed = init.body?.includes('eth_getLogs') ? change(++asked.times) : undefined;
    if (!changed) return response;
    const body = changed.status === undefined ? await response.text() : '';
    return new Response(body, { status: changed.status ?? 200, headers: changed.headers });
  };
  return { fetch, asked };
}

function open(fetch: FetchLike, clock: Clock, waits?: BackoffControl): LogQuery {
  const client = createChainClient({ fetch, clock, url: 'http://127.0.0.1:1/api/eth-rpc' });
  return client.openLogQuery(parseLogFilter(query), { waits });
}

/** Reads what remains, and gives what came and the error that it ended with. */
async function readRest(running: LogQuery, logs: Log[], signal?: AbortSignal): Promise<unknown> {
  try {
    for await (const page of running.rest({ signal })) logs.push(...page.logs);
    return undefined;
  } catch (error) {
    return error;
  }
}

const tenYears: Readonly<Record<string, Headed>> = {
  'a good answer': { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '315360000000' } },
  'a 429': { status: 429, headers: { 'retry-after': '315360000' } },
  'a 503': { status: 503, headers: { 'retry-after': '315360000' } },
};

describe('log query on a server that asks to wait ten years', () => {
  for (const [name, held] of Object.entries(tenYears)) {
    it(`by ${name}: ends at once with its wish, keeps what came, and goes on when asked again`, async () => {
      const clock = createTestClock();
      const { fetch, asked } = createServer((nth) => (nth === 4 ? held : undefined));
      const running = open(fetch, clock);
      const logs: Log[] = [];
      const error = await readRest(running, logs);
      assert.ok(error instanceof Error);
      assert.match(error.message, /The server requests a wait of 10 years\.$/);
      assert.deepEqual(
        clock.waits.filter((ms) => ms > 60_000),
        [],
      );
      assert.ok(logs.length > 0 && logs.length < wanted.length, `${logs.length} logs`);
      assert.ok(asked.times < 40, `${asked.times} requests`);
      assert.equal(await readRest(running, logs), undefined);
      assert.equal(running.verdict?.state, 'complete');
      assert.deepEqual(getLogKeys(logs), wanted);
    });
  }

  it('by every answer: gets on with each attempt', async () => {
    const { fetch } = createServer(() => tenYears['a good answer']);
    const running = open(fetch, createTestClock());
    const logs: Log[] = [];
    let attempts = 1;
    while (await readRest(running, logs)) attempts++;
    assert.ok(attempts > 1 && attempts < 200, `${attempts} attempts`);
    assert.deepEqual(getLogKeys(logs), wanted);
  });
});

describe('log query that is held by its server', () => {
  const refused: Headed = { status: 429, headers: { 'retry-after': '60' } };
  const held: Headed = { headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '50000' } };

  it('tells until when, and goes on at once when the wait is skipped', async () => {
    const told: { endsAt: number; byServer: boolean }[] = [];
    const waits: BackoffControl = createBackoffControl(systemClock, () => {
      if (!waits.visible) return;
      told.push(waits.visible);
      waits.skip();
    });
    const before = systemClock.now();
    const { fetch } = createServer((nth) => (nth === 4 ? held : undefined));
    const running = open(fetch, systemClock, waits);
    const logs: Log[] = [];
    assert.equal(await readRest(running, logs), undefined);
    assert.deepEqual(getLogKeys(logs), wanted);
    assert.equal(told[0]?.byServer, true);
    assert.ok((told[0]?.endsAt ?? 0) > before + 40_000);
  });

  it('sits out a quota of a minute when all is loaded, whichever request it meets, but not for one page', async () => {
    const unhurried = createServer(() => undefined);
    assert.equal(await readRest(open(unhurried.fetch, createTestClock()), []), undefined);
    const requests = Array.from({ length: unhurried.asked.times }, (_, nth) => nth + 1);
    for (const met of byTurns(requests, 30, 1)) {
      const clock = createTestClock();
      const { fetch } = createServer((nth) => (nth === met ? refused : undefined));
      const logs: Log[] = [];
      assert.equal(await readRest(open(fetch, clock), logs), undefined, `met with request ${met}`);
      assert.deepEqual(getLogKeys(logs), wanted);
      assert.ok(clock.waits.includes(60_000));
    }
    const { fetch } = createServer((nth) => (nth === 1 ? refused : undefined));
    await assert.rejects(open(fetch, createTestClock()).nextPage(), { kind: 'rateLimited' });
  });

  it('is cancelled during the wait, and asks nothing more', async () => {
    const cancel = new AbortController();
    const waits: BackoffControl = createBackoffControl(systemClock, () => waits.visible && cancel.abort());
    const { fetch, asked } = createServer((nth) => (nth >= 4 ? held : undefined));
    const running = open(fetch, systemClock, waits);
    const logs: Log[] = [];
    const error = await readRest(running, logs, cancel.signal);
    assert.equal((error as { kind?: unknown }).kind, 'aborted');
    const { times } = asked;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(asked.times, times);
    assert.equal(waits.visible, undefined);
  });

  it('holds no more requests than its pace allows while it waits', async () => {
    const cancel = new AbortController();
    let sleeping = 0;
    let most = 0;
    const clock: Clock = {
      ...systemClock,
      sleep: async (ms, { signal } = {}) => {
        const isHold = ms > 40_000;
        if (isHold) most = Math.max(most, ++sleeping);
        if (isHold) setImmediate(() => cancel.abort());
        await systemClock.sleep(ms, { signal }).finally(() => isHold && sleeping--);
      },
    };
    const { fetch } = createServer((nth) => (nth >= 2 ? held : undefined));
    await readRest(open(fetch, clock), [], cancel.signal);
    assert.ok(most > 0 && most <= 24, `${most} waits`);
    assert.equal(sleeping, 0);
  });
});

describe('log query that is cancelled while another asks what the server is', () => {
  it('does not wait for that', async () => {
    const serve = createQuirkyFetch(set, { limit: 1000 });
    let probes = 0;
    const fetch: FetchLike = (url, init) => {
      if (init.body !== undefined && !init.body.includes('clientVersion')) return serve(url, init);
      probes++;
      return new Promise(() => undefined);
    };
    const running = open(fetch, systemClock);
    const first = new AbortController();
    const page = running.nextPage({ signal: first.signal });
    const second = new AbortController();
    first.abort();
    await assert.rejects(page, { kind: 'aborted' });
    const again = running.nextPage({ signal: second.signal });
    setImmediate(() => second.abort());
    await assert.rejects(again, { kind: 'aborted' });
    assert.ok(probes > 0);
  });
});
