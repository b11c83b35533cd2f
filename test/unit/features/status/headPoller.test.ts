import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../../../src/core/index.ts';
import {
  createHeadPoller,
  type HeadPoller,
  type HeadState,
} from '../../../../src/features/status/headPoller.ts';
import { createManualClock } from '../../../support/clocks.ts';

const INTERVAL = 10_000;

describe('Head poller', () => {
  let opened: HeadPoller | undefined;
  afterEach(() => opened?.dispose());

  /** A poller over a clock that moves only when told, and an endpoint that answers only when told. */
  function setUp(intervalMs = INTERVAL) {
    const clock = createManualClock();
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
    opened = poller;
    async function answer(block: bigint): Promise<void> {
      asked.at(-1)?.answer(block);
      await setImmediate();
    }
    async function fail(error: unknown): Promise<void> {
      asked.at(-1)?.fail(error);
      await setImmediate();
    }
    return { poller, asked, states, hear, answer, fail, ...clock };
  }

  /** As {@link setUp}, with the first request under way. */
  async function start(intervalMs?: number) {
    const all = setUp(intervalMs);
    all.poller.start();
    await setImmediate();
    return all;
  }

  it('asks once it is started, then one interval after each answer, one request at a time', async () => {
    const { poller, asked, pass, answer } = setUp();
    await pass(10 * INTERVAL);
    assert.equal(asked.length, 0);
    poller.start();
    poller.start();
    await setImmediate();
    assert.equal(asked.length, 1);
    await pass(5 * INTERVAL);
    assert.equal(asked.length, 1, 'no second request while the first is under way');
    await answer(7n);
    await pass(INTERVAL - 1);
    assert.equal(asked.length, 1);
    await pass(1);
    assert.equal(asked.length, 2);
  });

  it('counts the age from when the block was first seen', async () => {
    const { poller, pass, answer } = await start();
    await answer(7n);
    const first = poller.state.head;
    await pass(INTERVAL);
    await answer(7n);
    assert.equal(poller.state.head?.firstSeenAt, first?.firstSeenAt);
    await pass(INTERVAL);
    await answer(8n);
    assert.equal(poller.state.head?.firstSeenAt, (first?.firstSeenAt ?? 0) + 2 * INTERVAL);
  });

  it('backs off while the endpoint fails, keeps the last block, and recovers by itself', async () => {
    const { poller, asked, pass, answer, fail } = await start();
    await answer(7n);
    await pass(INTERVAL);
    await fail(new AppError('server', 'down'));
    assert.deepEqual([poller.state.error?.kind, poller.state.head?.block], ['server', 7n]);
    await pass(2 * INTERVAL - 1);
    assert.equal(asked.length, 2);
    await pass(1);
    await fail(new AppError('server', 'down'));
    await pass(4 * INTERVAL - 1);
    assert.equal(asked.length, 3);
    await pass(1);
    await answer(9n);
    assert.deepEqual([poller.state.error, poller.state.failures], [undefined, 0]);
    await pass(INTERVAL);
    assert.equal(asked.length, 5, 'back to the usual interval');
  });

  it('looks for an endpoint that is not reached at each interval, so that it is back within one', async () => {
    const { poller, asked, pass, answer, fail } = await start();
    for (let tries = 1; tries <= 6; tries++) {
      assert.equal(asked.length, tries);
      await fail(new AppError('network', 'gone'));
      await pass(INTERVAL);
    }
    await answer(7n);
    assert.equal(poller.state.error, undefined);
  });

  for (const [long, retryAfterMs, intervalMs, waitMs] of [
    ['as long as it asks for', 50_000, INTERVAL, 50_000],
    ['a minute where it asks for ten years', 315_360_000_000, INTERVAL, 60_000],
    ['a minute where it asks for longer than a timer can wait', Number.MAX_SAFE_INTEGER, INTERVAL, 60_000],
    ['one interval where that is longer than a minute', 1e15, 600_000, 600_000],
  ] as const) {
    it(`leaves an endpoint alone for ${long}, and recovers`, async () => {
      const { asked, pass, answer, fail } = await start(intervalMs);
      await fail(new AppError('rateLimited', 'slow down', { retryAfterMs }));
      await pass(waitMs - 1);
      assert.equal(asked.length, 1);
      await pass(1);
      assert.equal(asked.length, 2);
      await answer(8n);
      await pass(intervalMs);
      assert.equal(asked.length, 3, 'back to the usual interval');
    });
  }

  it('asks at once for whoever wants to know now, however long the endpoint asks to wait', async () => {
    const { poller, asked, answer, fail } = await start();
    await fail(new AppError('unavailable', 'later', { retryAfterMs: 1e15 }));
    const reading = poller.read(0);
    await setImmediate();
    assert.equal(asked.length, 2);
    await answer(8n);
    assert.equal((await reading).block, 8n);
  });

  for (const hour of [-3_600_000, 3_600_000]) {
    it(`keeps its interval and ages when the clock is set by ${hour} ms`, async () => {
      const { poller, asked, pass, answer, fail, adjust } = await start();
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
    });
  }

  it('aborts what it alone asked for when it is stopped, and tells no failure of it', async () => {
    const { poller, asked } = await start();
    poller.stop();
    await setImmediate();
    assert.equal(asked[0]?.signal.aborted, true);
    assert.deepEqual(poller.state, { failures: 0 });
  });

  it('gives one request to polling and to all who read, even if polling begins on hearing of it', async () => {
    const { poller, asked, hear, answer } = setUp();
    hear.onChange = () => poller.start();
    const readings = [poller.read(0), poller.read(0)];
    await setImmediate();
    assert.equal(asked.length, 1);
    hear.onChange = () => undefined;
    poller.stop();
    await answer(5n);
    for (const { block } of await Promise.all(readings)) assert.equal(block, 5n);
  });

  it('reads the known head while it is young enough, and polls on after a reading that helped', async () => {
    const { poller, asked, pass, answer, fail } = await start();
    await answer(5n);
    assert.equal((await poller.read(INTERVAL)).block, 5n);
    assert.equal(asked.length, 1);
    await pass(INTERVAL);
    await fail(new AppError('server', 'HTTP 500'));
    const reading = poller.read(INTERVAL);
    await setImmediate();
    await answer(6n);
    assert.equal((await reading).block, 6n);
    await pass(INTERVAL);
    assert.equal(asked.length, 4, 'the wait after the failure does not hold any more');
  });

  it('says nothing more once it is disposed', async () => {
    const { poller, asked, states } = await start();
    const told = states.length;
    poller.dispose();
    await setImmediate();
    assert.equal(asked[0]?.signal.aborted, true);
    assert.equal(states.length, told);
    poller.start();
    await setImmediate();
    assert.equal(asked.length, 1);
  });
});
