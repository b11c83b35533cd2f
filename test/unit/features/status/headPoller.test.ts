import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { AppError, type Clock } from '../../../../src/core/index.ts';
import { createHeadPoller, type HeadState } from '../../../../src/features/status/headPoller.ts';

const INTERVAL = 10_000;

/** A poller over a clock that moves only when told, and an endpoint that answers only when told. */
function setUp(intervalMs = INTERVAL) {
  let now = 1_000_000;
  let wall = 1_700_000_000_000;
  let sleepers: { readonly until: number; wake(): void }[] = [];
  const clock: Clock = {
    now: () => wall + now,
    elapsed: () => now,
    sleep: (ms, { signal } = {}) =>
      new Promise<void>((wake, reject) => {
        sleepers.push({ until: now + ms, wake });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const asked: { signal: AbortSignal; answer(block: bigint): void; fail(error: unknown): void }[] = [];
  const states: HeadState[] = [];
  const hear: { onChange?: () => void } = {};
  const poller = createHeadPoller({
    clock,
    fetchBlock: ({ signal }) =>
      new Promise((answer, fail) => {
        signal.addEventListener('abort', () => fail(new AppError('aborted', 'Cancelled.')));
        asked.push({ signal, answer, fail });
      }),
    intervalMs: () => intervalMs,
    onChange: (state) => {
      states.push(state);
      hear.onChange?.();
    },
  });
  async function pass(ms: number): Promise<void> {
    now += ms;
    const due = sleepers.filter(({ until }) => until <= now);
    sleepers = sleepers.filter(({ until }) => until > now);
    for (const { wake } of due) wake();
    await setImmediate();
  }
  async function answer(block: bigint): Promise<void> {
    asked.at(-1)?.answer(block);
    await setImmediate();
  }
  async function fail(error: unknown): Promise<void> {
    asked.at(-1)?.fail(error);
    await setImmediate();
  }
  function adjust(ms: number): void {
    wall += ms;
  }
  return { poller, asked, states, hear, pass, answer, fail, adjust, settle: () => setImmediate() };
}

describe('Head poller', () => {
  it('asks nothing before it is started', async () => {
    const { asked, pass } = setUp();
    await pass(10 * INTERVAL);
    assert.equal(asked.length, 0);
  });

  it('asks at once, then one interval after each answer, one request at a time', async () => {
    const { poller, asked, pass, answer, settle } = setUp();
    poller.start();
    poller.start();
    await settle();
    assert.equal(asked.length, 1);
    await pass(5 * INTERVAL);
    assert.equal(asked.length, 1, 'no second request while the first is under way');
    await answer(7n);
    await pass(INTERVAL - 1);
    assert.equal(asked.length, 1);
    await pass(1);
    assert.equal(asked.length, 2);
    poller.dispose();
  });

  it('counts the age from when the block was first seen', async () => {
    const { poller, pass, answer, settle } = setUp();
    poller.start();
    await settle();
    await answer(7n);
    const first = poller.state.head;
    await pass(INTERVAL);
    await answer(7n);
    assert.equal(poller.state.head?.firstSeenAt, first?.firstSeenAt);
    await pass(INTERVAL);
    await answer(8n);
    assert.equal(poller.state.head?.firstSeenAt, (first?.firstSeenAt ?? 0) + 2 * INTERVAL);
    poller.dispose();
  });

  it('backs off while the endpoint fails, keeps the last block, and recovers by itself', async () => {
    const { poller, asked, pass, answer, fail, settle } = setUp();
    poller.start();
    await settle();
    await answer(7n);
    await pass(INTERVAL);
    await fail(new AppError('server', 'down'));
    assert.equal(poller.state.error?.kind, 'server');
    assert.equal(poller.state.head?.block, 7n);
    await pass(2 * INTERVAL - 1);
    assert.equal(asked.length, 2);
    await pass(1);
    await fail(new AppError('server', 'down'));
    await pass(4 * INTERVAL - 1);
    assert.equal(asked.length, 3);
    await pass(1);
    await answer(9n);
    assert.equal(poller.state.error, undefined);
    assert.equal(poller.state.failures, 0);
    await pass(INTERVAL);
    assert.equal(asked.length, 5, 'back to the usual interval');
    poller.dispose();
  });

  it('looks for an endpoint that is not reached at each interval, so that it is back within one', async () => {
    const { poller, asked, pass, answer, fail, settle } = setUp();
    poller.start();
    await settle();
    for (let tries = 1; tries <= 6; tries++) {
      assert.equal(asked.length, tries);
      await fail(new AppError('network', 'gone'));
      await pass(INTERVAL);
    }
    await answer(7n);
    assert.equal(poller.state.error, undefined);
    poller.dispose();
  });

  it('leaves an endpoint alone for as long as it asks for', async () => {
    const { poller, asked, pass, fail, settle } = setUp();
    poller.start();
    await settle();
    await fail(new AppError('rateLimited', 'slow down', { retryAfterMs: 50_000 }));
    await pass(49_999);
    assert.equal(asked.length, 1);
    await pass(1);
    assert.equal(asked.length, 2);
    poller.dispose();
  });

  for (const retryAfterMs of [315_360_000_000, 1e15, Number.MAX_SAFE_INTEGER]) {
    it(`asks again after a minute an endpoint that asks to wait ${retryAfterMs} ms, and recovers`, async () => {
      const { poller, asked, pass, answer, fail, settle } = setUp();
      poller.start();
      await settle();
      await fail(new AppError('rateLimited', 'slow down', { retryAfterMs }));
      await pass(59_999);
      assert.equal(asked.length, 1);
      await pass(1);
      assert.equal(asked.length, 2);
      await answer(8n);
      await pass(INTERVAL);
      assert.equal(asked.length, 3, 'back to the usual interval');
      poller.dispose();
    });
  }

  it('asks at once for whoever wants to know now, however long the endpoint asks to wait', async () => {
    const { poller, asked, answer, fail, settle } = setUp();
    poller.start();
    await settle();
    await fail(new AppError('unavailable', 'later', { retryAfterMs: 1e15 }));
    const reading = poller.read(0);
    await settle();
    assert.equal(asked.length, 2);
    await answer(8n);
    assert.equal((await reading).block, 8n);
    poller.dispose();
  });

  it('waits one interval after a failure where that is longer than a minute', async () => {
    const { poller, asked, pass, fail, settle } = setUp(600_000);
    poller.start();
    await settle();
    await fail(new AppError('rateLimited', 'slow down', { retryAfterMs: 1e15 }));
    await pass(599_999);
    assert.equal(asked.length, 1);
    await pass(1);
    assert.equal(asked.length, 2);
    poller.dispose();
  });

  for (const hour of [-3_600_000, 3_600_000]) {
    it(`keeps its interval and ages when the clock is set by ${hour} ms`, async () => {
      const { poller, asked, pass, answer, fail, adjust, settle } = setUp();
      poller.start();
      await settle();
      await answer(7n);
      const first = poller.state.head;
      adjust(hour);
      assert.equal((await poller.read(INTERVAL)).block, 7n);
      await pass(INTERVAL - 1);
      assert.equal(asked.length, 1);
      await pass(1);
      assert.equal(asked.length, 2);
      adjust(hour);
      await answer(7n);
      const { head } = poller.state;
      assert.equal(head?.firstSeenElapsed, first?.firstSeenElapsed);
      assert.equal((head?.confirmedElapsed ?? 0) - (first?.confirmedElapsed ?? 0), INTERVAL);
      assert.equal(head?.latencyMs, 0);
      await pass(INTERVAL);
      await fail(new AppError('network', 'gone'));
      adjust(hour);
      await pass(2 * INTERVAL);
      assert.equal(asked.length, 4);
      poller.dispose();
    });
  }

  it('aborts what it alone asked for when it is stopped, and tells no failure of it', async () => {
    const { poller, asked, settle } = setUp();
    poller.start();
    await settle();
    poller.stop();
    await settle();
    assert.equal(asked[0]?.signal.aborted, true);
    assert.deepEqual(poller.state, { failures: 0 });
  });

  it('gives one request to polling and to all who read', async () => {
    const { poller, asked, answer, settle } = setUp();
    const first = poller.read(0);
    const second = poller.read(0);
    poller.start();
    await settle();
    assert.equal(asked.length, 1);
    poller.stop();
    await answer(5n);
    assert.equal((await first).block, 5n);
    assert.equal((await second).block, 5n);
  });

  it('sends one request even if polling begins on hearing of it', async () => {
    const { poller, asked, hear, answer, settle } = setUp();
    hear.onChange = () => poller.start();
    const reading = poller.read(0);
    await settle();
    assert.equal(asked.length, 1);
    await answer(5n);
    await reading;
    poller.dispose();
  });

  it('reads the known head while it is young enough, and polls on after a reading that helped', async () => {
    const { poller, asked, pass, answer, fail, settle } = setUp();
    poller.start();
    await settle();
    await answer(5n);
    assert.equal((await poller.read(INTERVAL)).block, 5n);
    assert.equal(asked.length, 1);
    await pass(INTERVAL);
    await fail(new AppError('server', 'HTTP 500'));
    const reading = poller.read(INTERVAL);
    await settle();
    await answer(6n);
    assert.equal((await reading).block, 6n);
    await pass(INTERVAL);
    assert.equal(asked.length, 4, 'the wait after the failure does not hold any more');
    poller.dispose();
  });

  it('says nothing more once it is disposed', async () => {
    const { poller, asked, states, settle } = setUp();
    poller.start();
    await settle();
    const told = states.length;
    poller.dispose();
    await settle();
    assert.equal(asked[0]?.signal.aborted, true);
    assert.equal(states.length, told);
    poller.start();
    await settle();
    assert.equal(asked.length, 1);
  });
});
