import assert from 'node:assert/strict';
import type { LogColumn } from '../../../../src/features/logs/protocol/grid.ts';
import { arrangeColumns } from '../../../../src/webview/logs/logsState.ts';

const NARROW = 320;
const WIDE = 900;

function ordered(ids: readonly string[], width: number): readonly string[] {
  const columns = ids.map((id) => ({ id, name: id, width: 100 })) as readonly LogColumn[];
  return arrangeColumns(columns, width).map(({ id }) => id);
}

describe('order of the columns of logs', () => {
  it('is as told where there is room', () => {
    const ids = ['block', 'time', 'event', 'transaction', 'index'];
    assert.deepEqual(ordered(ids, WIDE), ids);
  });

  it('has the time behind what a log says in a narrow view', () => {
    assert.deepEqual(
      [
        ordered(['block', 'time', 'event', 'transaction', 'index'], NARROW),
        ordered(['block', 'time', 'argument0', 'argument1', 'transaction'], NARROW),
        ordered(['block', 'time', 'index', 'transaction', 'topics', 'data'], NARROW),
      ],
      [
        ['block', 'event', 'time', 'transaction', 'index'],
        ['block', 'argument0', 'argument1', 'time', 'transaction'],
        ['block', 'index', 'time', 'transaction', 'topics', 'data'],
      ],
    );
  });

  it('loses no column where there is no time or nothing behind it', () => {
    assert.deepEqual(ordered(['block', 'event', 'transaction'], NARROW), ['block', 'event', 'transaction']);
    assert.deepEqual(ordered(['block', 'time', 'event'], NARROW), ['block', 'event', 'time']);
  });
});
