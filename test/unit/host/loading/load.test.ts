import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Load } from '../../../../src/host/loading.ts';

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

  it('keeps its value through a cancel, without calling that an error', async () => {
    const { load } = createLoad();
    const loading = load.run(async function* ({ signal }) {
      yield 1;
      await never(signal);
    });
    await turn();
    assert.deepEqual([load.value, load.isLoading], [1, true]);
    load.cancel();
    await loading;
    assert.deepEqual([load.value, load.isLoading, load.isCancelled, load.error], [1, false, true, undefined]);
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
    assert.deepEqual([load.value, load.isLoading, load.isCancelled], [1, false, true]);
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
    assert.deepEqual(load.state, { state: 'idle', before: 1 });
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
