import assert from 'node:assert/strict';
import {
  errorOf,
  idle,
  type LoadState,
  toCancelled,
  toFailed,
  toIdle,
  toLoaded,
  toLoading,
  valueAtHand,
  withValue,
} from '../../../../src/host/loading/loadState.ts';

const loaded: LoadState<number> = { state: 'loaded', value: 1 };
const error = new Error('no');

describe('state of what is asked for', () => {
  it('keeps what is at hand on every way', () => {
    for (const next of [toIdle(loaded), toLoading(loaded), toFailed(loaded, error), toCancelled(loaded)]) {
      assert.equal(valueAtHand(next), 1, next.state);
      assert.equal(valueAtHand(toLoading(next)), 1, next.state);
      assert.deepEqual(toLoaded(next), loaded);
    }
  });

  it('takes more in without ending', () => {
    assert.deepEqual(withValue(toLoading(idle), 2), { state: 'loading', before: 2 });
    assert.deepEqual(withValue(toCancelled(loaded), 2), { state: 'cancelled', before: 2 });
    assert.deepEqual(withValue(loaded, 2), { state: 'loaded', value: 2 });
  });

  it('has an error only where the last request failed', () => {
    assert.equal(errorOf(toFailed(loaded, error)), error);
    assert.equal(errorOf(toLoading(toFailed(loaded, error))), undefined);
  });

  it('is not loaded by a request that brought nothing', () => {
    assert.deepEqual(toLoaded(toLoading(idle)), idle);
  });
});
