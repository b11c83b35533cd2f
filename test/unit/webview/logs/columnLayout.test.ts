import assert from 'node:assert/strict';
import { type Signal, signal } from '@preact/signals';
import type { LogColumn } from '../../../../src/features/logs/protocol/grid.ts';
import type { LogsSnapshot, WireRow } from '../../../../src/features/logs/protocol/snapshot.ts';
import { RowCache } from '../../../../src/webview/kit/grid/rowCache.ts';
import { arrangeColumns, layOutLogColumns } from '../../../../src/webview/logs/columnLayout.ts';

const CHAR_PX = 8;
const PADDING_PX = 17;
const MARK_PX = 14;

const column = (id: string, more: object = {}) => ({ id, name: id, width: 200, ...more }) as LogColumn;
const address = (id: string, more: object = {}) => column(id, { context: { holdsAddress: true }, ...more });

function ordered(columns: readonly LogColumn[], isNarrow: boolean, repeated: readonly string[] = []) {
  const arranged = arrangeColumns(columns, { isNarrow, repeated: new Set(repeated as LogColumn['id'][]) });
  return arranged.map(({ id }) => id);
}

describe('order of the columns of logs', () => {
  it('is as told where there is room', () => {
    const ids = ['block', 'time', 'event', 'transaction', 'index'];
    assert.deepEqual(
      ordered(
        ids.map((id) => column(id)),
        false,
      ),
      ids,
    );
  });

  it('has the time behind what a log says in a narrow view', () => {
    const narrow = (...ids: string[]) =>
      ordered(
        ids.map((id) => column(id)),
        true,
      );
    assert.deepEqual(
      [
        narrow('block', 'time', 'event', 'transaction', 'index'),
        narrow('block', 'time', 'index', 'transaction', 'topics', 'data'),
        narrow('block', 'event', 'transaction'),
        narrow('block', 'time', 'event'),
      ],
      [
        ['block', 'event', 'time', 'transaction', 'index'],
        ['block', 'index', 'time', 'transaction', 'topics', 'data'],
        ['block', 'event', 'transaction'],
        ['block', 'event', 'time'],
      ],
    );
  });

  it('has an address last that the filter fixes, or that is the same in every row', () => {
    const columns = [column('block'), address('argument0', { isFixed: true }), address('argument1')];
    const all = [...columns, column('argument2'), column('transaction')];
    assert.deepEqual(ordered(all, false, ['argument1']), [
      'block',
      'argument2',
      'transaction',
      'argument0',
      'argument1',
    ]);
  });
});

describe('layout of the columns of logs', () => {
  const documentBefore = Object.getOwnPropertyDescriptor(globalThis, 'document');
  const styleBefore = Object.getOwnPropertyDescriptor(globalThis, 'getComputedStyle');
  before(() => {
    const canvas = { font: '', measureText: (text: string) => ({ width: text.length * CHAR_PX }) };
    Object.assign(globalThis, {
      document: { documentElement: {}, createElement: () => ({ getContext: () => canvas }) },
      getComputedStyle: () => ({ getPropertyValue: () => '' }),
    });
  });
  after(() => {
    const before = { document: documentBefore, getComputedStyle: styleBefore };
    for (const [name, descriptor] of Object.entries(before)) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  });

  const columns = [column('block'), address('argument0'), address('argument1'), column('argument2')];
  const narrowColumns = [column('block'), column('event', { width: 560 })];
  const row = (log: number, cells: object) => ({ log, cells, hints: {} }) as unknown as WireRow;
  const transfer = (log: number, to: string, amount: string) =>
    row(log, {
      block: '1',
      argument0: 'Payroll',
      argument1: to,
      argument2: amount,
      event: 'Transfer'.repeat(20),
    });

  function laidOut(width: number) {
    const snapshot: Signal<LogsSnapshot> = signal({
      resultId: 'a',
      order: 0,
      textVersion: 0,
      columns,
      narrowColumns,
    } as unknown as LogsSnapshot);
    const cache = new RowCache<WireRow>(async () => []);
    const view = signal(width);
    const shown = layOutLogColumns({ snapshot, cache, width: view });
    /** Rows in another order or with other texts. */
    function show(rows: readonly WireRow[], version: Partial<LogsSnapshot> = {}): void {
      snapshot.value = { ...snapshot.value, ...version };
      cache.update(snapshot.value, rows.length, rows);
    }
    const widths = () => Object.fromEntries(shown.value.map(({ id, width }) => [id, width]));
    return { show, shown, widths, view };
  }

  it('follows the content, within the bounds of a column', () => {
    const { show, widths } = laidOut(900);
    assert.equal(widths().argument2, 200, 'before there are rows');
    show([transfer(0, 'Bob', '60.00 KELP'), transfer(1, 'Alice'.repeat(20), '1')]);
    assert.deepEqual(widths(), {
      block: 5 * CHAR_PX + MARK_PX + PADDING_PX,
      argument2: 9 * CHAR_PX + MARK_PX + PADDING_PX,
      argument1: 200,
      argument0: 9 * CHAR_PX + MARK_PX + PADDING_PX,
    });
  });

  it('keeps order and widths when rows are sorted, and measures again when texts change', () => {
    const { show, shown, widths } = laidOut(900);
    show([transfer(0, 'Bob', '1'.repeat(20)), transfer(1, 'Al', '1')]);
    const before = widths();
    show([transfer(1, 'Al', '1'), transfer(2, 'Al', '2')], { order: 1 });
    assert.deepEqual(widths(), before);
    assert.equal(shown.value.at(-1)?.id, 'argument0');
    show([transfer(1, 'Al', '1.0'), transfer(2, 'Al', '2.0')], { order: 2, textVersion: 1 });
    assert.ok((widths().argument2 ?? 0) < (before.argument2 ?? 0));
    assert.equal(shown.value.at(-1)?.id, 'argument0');
  });

  it('is one sentence where the view is narrow, and columns again where it is not', () => {
    const { show, shown, widths, view } = laidOut(460);
    show([transfer(0, 'Bob', '60.00 KELP')]);
    assert.deepEqual(Object.keys(widths()), ['block', 'event']);
    for (const width of [460, 300]) {
      view.value = width;
      const { block = 0, event = 0 } = widths();
      assert.ok(block + event <= width && block + event > width - 10, `${block} + ${event} of ${width}`);
    }
    view.value = 700;
    assert.equal(shown.value.length, 4);
  });
});
