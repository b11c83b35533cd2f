import assert from 'node:assert/strict';
import { lazy } from '../../../../src/core/index.ts';

describe('what is made late', () => {
  it('is made when it is first asked for, and once for all who ask', async () => {
    let made = 0;
    const get = lazy(async () => ++made);
    assert.equal(made, 0);
    assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
    assert.equal(await get(), 1);
  });

  it('is tried again after a failure, of which all who waited are told', async () => {
    let tries = 0;
    const get = lazy(async () => {
      if (++tries === 1) throw new Error('gone');
      return tries;
    });
    const first = await Promise.allSettled([get(), get()]);
    assert.deepEqual(
      first.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await get(), 2);
  });
});
