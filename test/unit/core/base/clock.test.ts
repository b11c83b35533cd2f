import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import fc from 'fast-check';
import { parseRetryAfterMs } from '../../../../src/core/http/response.ts';
import { type RetryOptions, withRetry } from '../../../../src/core/http/withRetry.ts';
import {
  AppError,
  createBackoffControl,
  createRequestThrottle,
  formatDuration,
  formatLocalTime,
  isAppError,
  type NetworkError,
  systemClock,
} from '../../../../src/core/index.ts';
import { createManualClock, createTestClock } from '../../../support/clocks.ts';

describe('Rate limit', () => {
  it('lets no more than its count through in any window', async () => {
    const clock = createManualClock();
    const gate = createRequestThrottle({ clock, count: 4, windowMs: 1000 });
    let passed = 0;
    for (let i = 0; i < 14; i++) gate.pass().then(() => passed++);
    for (const [ms, expected] of [
      [0, 4],
      [999, 4],
      [1, 8],
      [1000, 12],
      [1000, 14],
    ] as const) {
      await clock.pass(ms);
      assert.equal(passed, expected);
    }
    await gate.pass();
  });

  it('lets who gives up leave without taking a place', async () => {
    const clock = createTestClock();
    const gate = createRequestThrottle({ clock, count: 1, windowMs: 10_000 });
    await gate.pass();
    const leaving = new AbortController();
    const left = gate.pass({ signal: leaving.signal });
    leaving.abort();
    await assert.rejects(left, (error) => isAppError(error, 'aborted'));
    await gate.pass();
    assert.deepEqual(clock.waits, [10_000]);
  });

  for (const hour of [-3_600_000, 3_600_000]) {
    it(`keeps its pace when the clock is set by ${hour} ms`, async () => {
      const clock = createTestClock();
      const gate = createRequestThrottle({ clock, count: 1, windowMs: 1000 });
      await gate.pass();
      clock.adjust(hour);
      await gate.pass();
      assert.deepEqual(clock.waits, [1000]);
    });
  }
});

const NOW = Date.parse('2026-11-21T12:00:00Z');
const waitOf = (headers: Record<string, string>) => parseRetryAfterMs(new Headers(headers), NOW);

describe('the wait that a server asks for', () => {
  const waits: readonly (readonly [Record<string, string>, number | undefined])[] = [
    [{}, undefined],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'NaN' }, undefined],
    [{ 'retry-after': '315360000' }, 315_360_000_000],
    [{ 'retry-after': '1e400' }, Number.MAX_SAFE_INTEGER],
    [{ 'retry-after': '1e308' }, Number.MAX_SAFE_INTEGER],
    [{ 'retry-after': 'Infinity' }, Number.MAX_SAFE_INTEGER],
    [{ 'retry-after': '-Infinity' }, undefined],
    [{ 'retry-after': '9'.repeat(5000) }, Number.MAX_SAFE_INTEGER],
    [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT' }, 9000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, undefined],
    [{ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, Date.parse('9999-12-31T23:59:59Z') - NOW],
    [{ 'retry-after': 'soon', 'x-ratelimit-reset': '900' }, 900],
    [{ 'x-ratelimit-reset': '-1' }, undefined],
    [{ 'x-ratelimit-reset': '0' }, undefined],
    [{ 'x-ratelimit-reset': 'later' }, undefined],
    [{ 'x-ratelimit-reset': '0.5' }, 0.5],
    [{ 'x-ratelimit-reset': '315360000000' }, 315_360_000_000],
    [{ 'x-ratelimit-reset': '1e400' }, Number.MAX_SAFE_INTEGER],
    [{ 'x-ratelimit-reset': 'Infinity' }, Number.MAX_SAFE_INTEGER],
    [{ 'x-ratelimit-reset': '30' }, 30_000],
    [{ 'x-ratelimit-reset': '30', 'bypass-429-option': 'no_bypass' }, 30],
    [{ 'ratelimit-reset': '120', 'x-ratelimit-reset': '7' }, 120_000],
    [{ 'ratelimit-reset': '0', 'x-rate-limit-reset': '7' }, 7000],
  ];
  for (const [headers, ms] of waits) {
    const [name = 'none', value = ''] = Object.entries(headers).flat();
    it(`is ${ms} ms for ${name} ${value.slice(0, 40)}`, () => assert.equal(waitOf(headers), ms));
  }

  it('is read as what it can only be, however it is written', () => {
    const headers = ['retry-after', 'ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'];
    const first = Date.parse('2020-01-01T00:00:00Z');
    const cases = fc.record({
      header: fc.constantFrom(...headers),
      now: fc.integer({ min: first, max: Date.parse('2090-01-01T00:00:00Z') }),
      ms: fc.integer({ min: 1000, max: 3_600_000 }),
    });
    fc.assert(
      fc.property(cases, ({ header, now, ms }) => {
        const read = (text: string) =>
          parseRetryAfterMs(new Headers([[header, text]]), now) ?? assert.fail(text);
        assert.equal(read(String(now + ms)), ms);
        assert.equal(read(new Date(now + ms).toISOString()), ms);
        const inSeconds = [String(Math.ceil((now + ms) / 1000)), new Date(now + ms + 999).toUTCString()];
        for (const text of inSeconds) assert.ok(read(text) >= ms && read(text) < ms + 1000, text);
        const short = Math.min(60, Math.ceil(ms / 1000));
        assert.equal(read(String(short)), short * 1000);
      }),
    );
  });

  it('is never before now, nor without end, whatever stands in a header', () => {
    const values = fc.oneof(
      fc.stringMatching(/^[ -~]{0,40}$/),
      fc.double().map(String),
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
    );
    fc.assert(
      fc.property(fc.array(values, { minLength: 4, maxLength: 4 }), ([a = '', b = '', c = '', d = '']) => {
        const asked = {
          'retry-after': a,
          'ratelimit-reset': b,
          'x-ratelimit-reset': c,
          'x-rate-limit-reset': d,
        };
        const ms = waitOf(asked);
        assert.ok(ms === undefined || (ms >= 0 && ms <= Number.MAX_SAFE_INTEGER), String(ms));
      }),
    );
  });

  it('has words of one unit, rounded up', () => {
    const words: readonly (readonly [number, string])[] = [
      [0, '1 second'],
      [1, '1 second'],
      [11_400, '12 seconds'],
      [70_000, '70 seconds'],
      [120_000, '2 minutes'],
      [3_600_000, '60 minutes'],
      [8_000_000, '3 hours'],
      [200_000_000, '3 days'],
      [315_360_000_000, '10 years'],
      [Number.MAX_SAFE_INTEGER, '> 1,000 years'],
    ];
    for (const [ms, text] of words) assert.equal(formatDuration(ms, 'en'), text);
  });
});

describe('trying again', () => {
  const clock = () => createTestClock();

  /** Fails with `errors` one after the other, then succeeds. */
  function retrying(errors: readonly Error[], options: Partial<RetryOptions> = {}) {
    const left = [...errors];
    const asked = { times: 0 };
    const done = withRetry({ clock: clock(), retries: 2, maxWaitMs: 60_000, ...options }, async () => {
      asked.times++;
      const error = left.shift();
      if (error) throw error;
      return 'done';
    });
    return { asked, done };
  }
  const asking = (ms: number) => new AppError('rateLimited', 'HTTP 429.', { status: 429, retryAfterMs: ms });

  it('waits as long as the server asks, if the caller waits for that long', async () => {
    const time = clock();
    const { asked, done } = retrying([asking(60_000)], { clock: time });
    assert.equal(await done, 'done');
    assert.deepEqual([asked.times, time.waits], [2, [60_000]]);
  });

  for (const ms of [60_001, 315_360_000_000, 1e15, Number.MAX_SAFE_INTEGER]) {
    it(`gives up at once when the server asks for ${ms} ms, and says so`, async () => {
      const time = clock();
      const { asked, done } = retrying([asking(ms)], { clock: time });
      const error = await done.then(assert.fail, (cause: unknown) => cause);
      assert.ok(error instanceof AppError);
      assert.deepEqual(
        [error.kind, error.details.status, error.details.retryAfterMs],
        ['rateLimited', 429, ms],
      );
      assert.equal(error.message, `HTTP 429. The server requests a wait of ${formatDuration(ms, 'en')}.`);
      assert.deepEqual([asked.times, time.waits], [1, []]);
    });
  }

  const failures: readonly (readonly [NetworkError, number])[] = [
    [{ at: 'certificate', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 1],
    [{ at: 'proxySignIn' }, 1],
    [{ at: 'proxyRefused', status: 502 }, 3],
    [{ at: 'proxyUnreachable', code: 'ECONNREFUSED' }, 3],
    [{ at: 'connection', code: 'ECONNRESET' }, 3],
  ];
  for (const [failure, times] of failures) {
    it(`is ${times === 1 ? 'not done' : 'done'} where no answer came because of ${failure.at}`, async () => {
      for (const persistent of [false, true]) {
        const error = new AppError('network', 'Not reached.', { networkError: failure });
        const { asked, done } = retrying([error, error, error], { persistent });
        await assert.rejects(done, error);
        assert.equal(asked.times, times);
      }
    });
  }

  it('is cancelled during a wait at once, and says that and not what failed before', async () => {
    const cancel = new AbortController();
    const { asked, done } = retrying([asking(60_000)], { clock: systemClock, signal: cancel.signal });
    cancel.abort();
    await assert.rejects(done, { kind: 'aborted' });
    assert.equal(asked.times, 1);
  });
});

describe('waits that can be skipped', () => {
  it('tell the end of the longest and whether the server asked for it, and none that is short', async () => {
    const now = { ms: 0 };
    const clock = { ...systemClock, now: () => now.ms };
    const changes: (number | undefined)[] = [];
    const waits = createBackoffControl(clock, () => changes.push(waits.visible?.endsAt));
    const cancel = new AbortController();
    const running = [
      waits.wait({ ms: 2000, byServer: true }, { signal: cancel.signal }),
      waits.wait({ ms: 9000, byServer: true }, { signal: cancel.signal }),
      waits.wait({ ms: 5000, byServer: false }, {}),
    ];
    assert.deepEqual(waits.visible, { endsAt: 9000, byServer: true });
    cancel.abort();
    await assert.rejects(Promise.all(running.slice(0, 2)));
    assert.deepEqual(waits.visible, { endsAt: 5000, byServer: false });
    waits.skip();
    assert.equal(await running[2], 'skipped');
    assert.equal(waits.visible, undefined);
    assert.deepEqual(changes, [9000, 9000, 5000, undefined]);
  });

  it('end by themselves', async () => {
    const waits = createBackoffControl(createTestClock());
    assert.equal(
      await waits.wait({ ms: 9000, byServer: true }, { signal: new AbortController().signal }),
      'over',
    );
  });

  it('end at once however long they are, all of them', async () => {
    const waits = createBackoffControl(systemClock);
    const running = [1e15, 50_000, 100].map((ms) => waits.wait({ ms, byServer: true }, {}));
    waits.skip();
    assert.deepEqual(await Promise.all(running), ['skipped', 'skipped', 'skipped']);
  });
});

describe('A sleep of 0 ms', () => {
  it('lets a timer that is due run first, also after input', async () => {
    const order: string[] = [];
    await new Promise<void>((resolve, reject) => {
      stat('.', () => {
        setTimeout(() => order.push('timer'), 1);
        const due = performance.now() + 3;
        while (performance.now() < due);
        systemClock
          .sleep(0)
          .then(() => order.push('slept'))
          .then(() => resolve(), reject);
      });
    });
    assert.deepEqual(order, ['timer', 'slept']);
  });

  it('is cancelled meanwhile', async () => {
    const cancel = new AbortController();
    const sleeping = systemClock.sleep(0, { signal: cancel.signal });
    cancel.abort(new Error('enough'));
    await assert.rejects(sleeping, /enough/);
  });
});

describe('A time', () => {
  it('is shown in the time zone of the machine, to the second', () => {
    const time = Date.UTC(2026, 1, 3, 4, 5, 6, 789);
    const local = new Date(time);
    const two = (value: number) => String(value).padStart(2, '0');
    const day = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`;
    const clock = [local.getHours(), local.getMinutes(), local.getSeconds()].map(two).join(':');
    assert.equal(formatLocalTime(time), `${day} ${clock}`);
    assert.equal(formatLocalTime(9e15), '');
  });
});
