import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { isAppError } from '../../../../../src/core/index.ts';
import {
  createWatchedViewStore,
  MAX_WATCHED_VALUES,
  parseWatchedView,
} from '../../../../../src/features/addresses/values/watchedViews.ts';
import { memoryMemento } from '../../../../support/host/memoryFiles.ts';

const contract = `0x${'ab'.repeat(20)}`;
const declaration = 'function of(address owner, uint256[] ids) view returns (uint256)';
const args = [contract, '[1, 0x2]'];

const memento = (stored: unknown): Memento => ({ ...memoryMemento(), get: () => stored as never });

describe('Watched views', () => {
  it('are the same view however they are written', () => {
    const view = parseWatchedView({ contract, declaration, args });
    assert.deepEqual(view.args, [contract, '["1","2"]']);
    const other = 'function of(address owner, uint[] calldata ids) external view returns (uint);';
    assert.equal(parseWatchedView({ contract, declaration: other, args }).id, view.id);
    assert.notEqual(parseWatchedView({ contract, declaration, args: [contract, '[1]'] }).id, view.id);
    assert.notEqual(parseWatchedView({ contract, declaration, args, from: contract }).id, view.id);
  });

  it('say what is wrong with one', () => {
    const wrong = [
      [{ contract: '0x12', declaration, args }, 'contract'],
      [{ contract, declaration: 'event Paid()', args: [] }, 'function'],
      [{ contract, declaration: `function ${'f'.repeat(5000)}()`, args: [] }, 'function'],
      [{ contract, declaration, args: ['Treasury', '[]'] }, 'args.owner'],
      [{ contract, declaration, args: [contract] }, 'args'],
      [{ contract, declaration, args, from: 'Treasury' }, 'from'],
      ['0x', 'function'],
    ] as const;
    for (const [argument, field] of wrong) {
      assert.throws(
        () => parseWatchedView(argument),
        (error) => isAppError(error, 'badInput') && error.details.field === field,
        field,
      );
    }
  });

  it('are stored by chain, and read back within bounds', async () => {
    const store = createWatchedViewStore(memoryMemento());
    const view = parseWatchedView({ contract, declaration, args });
    await store.write(1, [view]);
    const asOwner = parseWatchedView({ contract, declaration, args, from: contract });
    await store.write(5, [view, asOwner]);
    assert.deepEqual([store.list(1), store.list(5), store.list(2)], [[view], [view, asOwner], []]);
    await store.write(5, []);
    assert.deepEqual([store.list(1), store.list(5)], [[view], []]);
    const many = Array.from({ length: 80 }, () => ({ contract, declaration, args }));
    assert.equal(createWatchedViewStore(memento({ 1: many })).list(1).length, MAX_WATCHED_VALUES);
  });

  it('that another program has stored are left out', () => {
    for (const stored of [
      'x',
      [1],
      { 1: 'x' },
      { 1: [null, { contract }, { contract: 7, declaration, args }] },
    ])
      assert.deepEqual(createWatchedViewStore(memento(stored)).list(1), []);
  });
});
