import assert from 'node:assert/strict';
import { batchChanges } from '../../../../src/host/timing.ts';

describe('changes that are told in one go', () => {
  let passed: (readonly string[] | undefined)[];
  let tell: (change: string | undefined) => void;
  beforeEach(() => {
    passed = [];
    tell = batchChanges<string>((changes) => passed.push(changes));
  });

  it('are passed on together, each once', async () => {
    for (const change of ['a', 'b', 'a']) tell(change);
    assert.deepEqual(passed, []);
    await Promise.resolve();
    assert.deepEqual(passed, [['a', 'b']]);
  });

  it('are one change of everything where one of them is', async () => {
    for (const change of ['a', undefined, 'b', undefined]) tell(change);
    await Promise.resolve();
    assert.deepEqual(passed, [undefined]);
  });

  it('have nothing of those before', async () => {
    tell(undefined);
    await Promise.resolve();
    tell('a');
    await Promise.resolve();
    assert.deepEqual(passed, [undefined, ['a']]);
  });
});
