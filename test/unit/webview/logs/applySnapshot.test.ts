import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import {
  createRowMapping,
  findNearestRow,
  restorePlace,
} from '../../../../src/webview/logs/applySnapshot.ts';
import { focusDetails, showDetails } from '../../../../src/webview/logs/logsActions.ts';
import type { LogsState } from '../../../../src/webview/logs/logsState.ts';

describe('rows that move by themselves', () => {
  const onTop = { from: 4, removed: [], inserted: [[0, 2]] } as const;
  const gone = {
    from: 5,
    removed: [
      [0, 1],
      [3, 2],
    ],
    inserted: [[1, 1]],
  } as const;

  it('are found in their new places, through all that has happened', () => {
    const moved = createRowMapping([onTop, gone], 4, 6);
    assert.deepEqual(
      [0, 1, 2, 3].map((row) => moved?.(row)),
      [2, undefined, undefined, 3],
    );
  });

  it('are not known where something else came between', () => {
    assert.equal(createRowMapping([], 4, 5), undefined);
    assert.equal(createRowMapping([gone], 4, 6), undefined);
    assert.equal(createRowMapping([onTop], 4, 6), undefined);
  });

  it('give way to the next that stayed', () => {
    const moved = createRowMapping([{ from: 0, removed: [[2, 3]], inserted: [] }], 0, 1) ?? (() => 0);
    assert.deepEqual(
      [findNearestRow(moved, 2, 10), findNearestRow(moved, 5, 10), findNearestRow(moved, 4, 1)],
      [2, 2, 0],
    );
  });
});

interface Asked {
  readonly order: number;
  readonly row: number;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A view of three rows, which the host has put in another order before the view hears of it. */
function reorderedView() {
  const rows = ['first', 'second', 'third'].map((_, log) => ({ log }));
  const told = {
    answer: 'a',
    order: 1,
    rows: 3,
    columns: [],
    arrangement: { filter: '' },
    problem: undefined,
  };
  const state = {
    snapshot: signal(told),
    details: signal(undefined),
    active: signal({ row: 0, column: 0 }),
    hostColumns: signal([]),
    columns: signal([]),
    goTo: signal(undefined),
    hostError: signal(undefined),
    wantsFocus: { current: undefined },
    strings: { hostFailed: '{0}' },
    cache: { get: (row: number) => rows[row], follow: () => undefined },
    host: {
      async request(method: string, params: Asked) {
        if (method === 'rowOf') {
          await settled();
          return { answer: 'a', order: 2, row: 2 };
        }
        return params.order === 2 ? { log: 2 - params.row } : undefined;
      },
    },
  } as unknown as LogsState;
  /** The view hears of the other order. */
  async function reorder(): Promise<void> {
    const before = state.snapshot.value;
    state.snapshot.value = { ...before, order: 2 };
    await restorePlace(state, 0, { before, focus: true });
  }
  return { state, reorder };
}

describe('details of a log', () => {
  it('open although rows come into another order at that moment', async () => {
    const { state, reorder } = reorderedView();
    await showDetails(state, 0);
    await reorder();
    await settled();
    assert.deepEqual(state.details.value, { row: 2, order: 2, log: { log: 0 } });
  });

  it('open also where the order changes before the host has answered', async () => {
    const { state, reorder } = reorderedView();
    const opened = showDetails(state, 0);
    await Promise.all([opened, reorder()]);
    await settled();
    assert.deepEqual(state.details.value, { row: 2, order: 2, log: { log: 0 } });
  });

  it('open by the keyboard too where the order changes at that moment', async () => {
    const { state, reorder } = reorderedView();
    const entered = focusDetails(state, 0);
    await Promise.all([entered, reorder()]);
    await settled();
    assert.deepEqual(state.details.value, { row: 2, order: 2, log: { log: 0 } });
  });

  it('stay of the row that is chosen while the new places are on their way, and so does the row', async () => {
    const { state, reorder } = reorderedView();
    const reordered = reorder();
    state.active.value = { row: 1, column: 0 };
    await showDetails(state, 1);
    await reordered;
    await settled();
    assert.deepEqual(state.details.value, { row: 1, order: 2, log: { log: 1 } });
    assert.equal(state.goTo.value, undefined);
  });
});
