import assert from 'node:assert/strict';
import {
  getAvailableValue,
  getLoadError,
  idleState,
  type LoadState,
  toCancelled,
  toFailed,
  toIdle,
  toLoaded,
  toLoading,
  withValue,
} from '../../../../src/host/loading.ts';

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
    assert.deepEqual(withValue(toLoading(idleState), 2), { state: 'loading', before: 2 });
    assert.deepEqual(withValue(toCancelled(loaded), 2), { state: 'cancelled', before: 2 });
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
