import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../../../../src/core/index.ts';
import { Part } from '../../../../src/features/nfts/answers/part.ts';

const never = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

function createPart() {
  const changes: string[] = [];
  const part = new Part<number>((what) => changes.push(what));
  return { part, changes };
}

describe('part of an NFT panel', () => {
  it('takes each value as it comes', async () => {
    const { part, changes } = createPart();
    await part.load(async function* () {
      yield 1;
      yield 2;
    });
    assert.deepEqual([part.value, part.isLoading, part.error], [2, false, undefined]);
    assert.deepEqual(changes, ['state', 'value', 'value', 'state']);
  });

  it('keeps its value through a failure, until the next request', async () => {
    const { part } = createPart();
    await part.load(async function* () {
      yield 1;
    });
    const failure = new Error('no');
    await part.load(async function* () {
      if (failure) throw failure;
      yield 2;
    });
    assert.deepEqual([part.value, part.error], [1, failure]);
    await part.load(async function* () {
      yield 3;
    });
    assert.deepEqual([part.value, part.error], [3, undefined]);
  });

  it('keeps its value through a cancel, without calling that an error', async () => {
    const { part } = createPart();
    const loading = part.load(async function* (signal) {
      yield 1;
      await never(signal);
    });
    await turn();
    assert.deepEqual([part.value, part.isLoading], [1, true]);
    part.cancel();
    await loading;
    assert.deepEqual([part.value, part.isLoading, part.isCancelled, part.error], [1, false, true, undefined]);
  });

  it('is cancelled as well where its request is, as when the key is forgotten', async () => {
    const { part } = createPart();
    await part.load(async function* () {
      yield 1;
      throw new AppError('aborted', 'Cancelled.');
    });
    assert.deepEqual([part.value, part.isLoading, part.isCancelled, part.error], [1, false, true, undefined]);
  });

  it('shows a cancel at once, whatever is waited for', async () => {
    const { part, changes } = createPart();
    let release = () => {};
    const loading = part.load(async function* () {
      yield 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield 2;
    });
    await turn();
    part.cancel();
    assert.deepEqual([part.value, part.isLoading, part.isCancelled], [1, false, true]);
    assert.deepEqual(changes, ['state', 'value', 'state']);
    release();
    await loading;
    assert.deepEqual([part.value, part.isCancelled, changes.length], [1, true, 3]);
  });

  it('drops what an older request still brings', async () => {
    const { part } = createPart();
    let release = () => {};
    const older = part.load(async function* () {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield 1;
    });
    await turn();
    await part.load(async function* () {
      yield 2;
    });
    release();
    await older;
    assert.equal(part.value, 2);
  });

  it('forgets everything, and what is still to come', async () => {
    const { part } = createPart();
    const loading = part.load(async function* (signal) {
      yield 1;
      await never(signal);
    });
    await turn();
    part.clear();
    await loading;
    assert.deepEqual(
      [part.value, part.isLoading, part.isCancelled, part.error],
      [undefined, false, false, undefined],
    );
  });
});
