import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import {
  getAvailableValue,
  getLoadError,
  idleState,
  KeyedLoads,
  Load,
  type LoadState,
  toCancelled,
  toFailed,
  toIdle,
  toLoaded,
  toLoading,
  withValue,
} from '../../../src/host/loading.ts';

const never = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

function createLoad() {
  const changes: string[] = [];
  const load = new Load<number>((what) => changes.push(what));
  return { load, changes };
}

describe('something that is asked for', () => {
  it('takes each value as it comes', async () => {
    const { load, changes } = createLoad();
    await load.run(async function* () {
      yield 1;
      yield 2;
    });
    assert.deepEqual([load.value, load.isLoading, load.error], [2, false, undefined]);
    assert.deepEqual(changes, ['state', 'value', 'value', 'state']);
  });

  it('keeps its value through a failure, until the next request', async () => {
    const { load } = createLoad();
    await load.run(async function* () {
      yield 1;
    });
    const failure = new Error('no');
    await load.run(async function* () {
      if (failure) throw failure;
      yield 2;
    });
    assert.deepEqual([load.value, load.error], [1, failure]);
    await load.run(async function* () {
      yield 3;
    });
    assert.deepEqual([load.value, load.error], [3, undefined]);
  });

  it('shows a cancel at once, whatever is waited for', async () => {
    const { load, changes } = createLoad();
    let release = () => {};
    const loading = load.run(async function* () {
      yield 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield 2;
    });
    await turn();
    load.cancel();
    assert.deepEqual([load.value, load.isLoading, load.isCancelled, load.error], [1, false, true, undefined]);
    assert.deepEqual(changes, ['state', 'value', 'state']);
    release();
    await loading;
    assert.deepEqual([load.value, load.isCancelled, changes.length], [1, true, 3]);
  });

  it('drops what an older request still brings', async () => {
    const { load } = createLoad();
    let release = () => {};
    const older = load.run(async function* () {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield 1;
    });
    await turn();
    await load.run(async function* () {
      yield 2;
    });
    release();
    await older;
    assert.equal(load.value, 2);
  });

  it('is due again once it has expired, with what is at hand kept; what is still to come is dropped', async () => {
    const { load } = createLoad();
    const stale = load.run(async function* ({ signal }) {
      yield 1;
      await never(signal);
    });
    await turn();
    load.expire();
    await stale;
    assert.deepEqual(load.state, { state: 'idle', previous: 1 });
  });

  it('forgets everything, and what is still to come', async () => {
    const { load } = createLoad();
    const loading = load.run(async function* ({ signal }) {
      yield 1;
      await never(signal);
    });
    await turn();
    load.clear();
    await loading;
    assert.deepEqual(
      [load.value, load.isLoading, load.isCancelled, load.error],
      [undefined, false, false, undefined],
    );
  });
});

const loaded: LoadState<number> = { state: 'loaded', value: 1 };
const error = new Error('no');

describe('state of what is asked for', () => {
  it('keeps what is at hand on every way', () => {
    for (const next of [toIdle(loaded), toLoading(loaded), toFailed(loaded, error), toCancelled(loaded)]) {
      assert.equal(getAvailableValue(next), 1, next.state);
      assert.equal(getAvailableValue(toLoading(next)), 1, next.state);
      assert.deepEqual(toLoaded(next), loaded);
    }
  });

  it('takes more in without ending', () => {
    assert.deepEqual(withValue(toLoading(idleState), 2), { state: 'loading', previous: 2 });
    assert.deepEqual(withValue(toCancelled(loaded), 2), { state: 'cancelled', previous: 2 });
    assert.deepEqual(withValue(loaded, 2), { state: 'loaded', value: 2 });
  });

  it('has an error only where the last request failed', () => {
    assert.equal(getLoadError(toFailed(loaded, error)), error);
    assert.equal(getLoadError(toLoading(toFailed(loaded, error))), undefined);
  });

  it('is not loaded by a request that brought nothing', () => {
    assert.deepEqual(toLoaded(toLoading(idleState)), idleState);
  });
});

function setUp() {
  const changes: string[] = [];
  const figures = new KeyedLoads<string, number>((key) => changes.push(key));
  const reads: { finish(value: number): void; fail(error: Error): void }[] = [];
  const read = () => new Promise<number>((finish, fail) => reads.push({ finish, fail }));
  return { changes, figures, reads, read };
}

describe('Figures on their way to the screen', () => {
  it('are loaded once, whoever asks', async () => {
    const { figures, reads, read, changes } = setUp();
    const loads = [figures.load('a', read), figures.load('a', read, { again: true })];
    assert.deepEqual(figures.get('a'), { state: 'loading', previous: undefined });
    reads[0]?.finish(1);
    await Promise.all(loads);
    await figures.load('a', read);
    assert.deepEqual(figures.get('a'), { state: 'loaded', value: 1 });
    assert.equal(reads.length, 1);
    assert.deepEqual(changes, ['a', 'a']);
  });

  it('are not asked for again by drawing a failure, only on request; the figure from before stays', async () => {
    const { figures, reads, read } = setUp();
    const first = figures.load('a', read);
    reads[0]?.finish(1);
    await first;
    const second = figures.load('a', read, { again: true });
    const error = new Error('no');
    reads[1]?.fail(error);
    await second;
    assert.deepEqual(figures.get('a'), { state: 'failed', error, previous: 1 });
    await figures.load('a', read);
    assert.equal(reads.length, 2);
    const third = figures.load('a', read, { again: true });
    assert.deepEqual(figures.get('a'), { state: 'loading', previous: 1 });
    reads[2]?.finish(2);
    await third;
    assert.deepEqual(figures.get('a'), { state: 'loaded', value: 2 });
  });

  it('drop an answer that comes after all was forgotten', async () => {
    const { figures, reads, read } = setUp();
    const stale = figures.load('a', read);
    figures.clear();
    const current = figures.load('a', read);
    reads[1]?.finish(2);
    reads[0]?.finish(1);
    await Promise.all([stale, current]);
    assert.deepEqual(figures.get('a'), { state: 'loaded', value: 2 });
  });

  it('are due again once they have expired, with what is at hand kept until then', async () => {
    const { figures, reads, read } = setUp();
    const first = figures.load('a', read);
    reads[0]?.finish(1);
    await first;
    figures.expire();
    assert.deepEqual(figures.get('a'), { state: 'idle', previous: 1 });
    const stale = figures.load('a', read);
    figures.expire();
    const current = figures.load('a', read);
    reads[1]?.finish(2);
    await stale;
    assert.deepEqual(figures.get('a'), { state: 'loading', previous: 1 });
    reads[2]?.finish(3);
    await current;
    assert.deepEqual(figures.get('a'), { state: 'loaded', value: 3 });
  });
});
