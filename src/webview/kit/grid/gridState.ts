import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { GridColumn } from '../../../messaging/panel.ts';
import type { GridCell } from './gridKeys.ts';
import type { RowCache } from './rowCache.ts';
import type { Selection } from './selection.ts';

/** A cell to show and make the active one. */
interface GoTo {
  readonly cell: GridCell;
  readonly focus: boolean;
  /** Puts its row on top instead of scrolling as little as it takes. */
  readonly onTop?: boolean;
  /** Rows have moved by themselves: what is on screen stays, unless the first row is. */
  readonly moved?: (row: number) => number;
  /** The row in whose place on screen its row is to stand, if that one is in view. */
  readonly insteadOf?: number;
}

/** Pixels, of columns that were dragged; others have the width that they came with. */
export type Widths = Readonly<Record<string, number>>;

/** Where the user is in a grid, and the rows near there. */
export interface GridState<Column extends string, Row> {
  readonly columns: ReadonlySignal<readonly GridColumn<Column, string>[]>;
  readonly rowCount: ReadonlySignal<number>;
  /** Changes when row numbers begin to mean other rows. */
  readonly order: ReadonlySignal<number>;
  /** Changes when rows say other things, although they are the same. */
  readonly telling?: ReadonlySignal<number> | undefined;
  readonly cache: RowCache<Row>;
  readonly widths: Signal<Widths>;
  /** First row in view. */
  readonly topRow: Signal<number>;
  readonly active: Signal<GridCell>;
  /** Undefined: the active row alone. Of rows that mean others by now it is to be dropped. */
  readonly selection: Signal<Selection | undefined>;
  /** Asks the grid to move. */
  readonly goTo: Signal<GoTo | undefined>;
}

interface GridStart<Column extends string, Row> {
  readonly columns: ReadonlySignal<readonly GridColumn<Column, string>[]>;
  readonly rowCount: ReadonlySignal<number>;
  readonly order: ReadonlySignal<number>;
  readonly telling?: ReadonlySignal<number> | undefined;
  readonly cache: RowCache<Row>;
  readonly keptWidths: Widths | undefined;
  readonly topRow: number;
}

export function createGridState<Column extends string, Row>(
  start: GridStart<Column, Row>,
): GridState<Column, Row> {
  const { columns, rowCount, order, telling, cache, keptWidths, topRow } = start;
  return {
    ...{ columns, rowCount, order, telling, cache },
    widths: signal(keptWidths ?? {}),
    topRow: signal(topRow),
    active: signal({ row: topRow, column: 0 }),
    selection: signal(undefined),
    goTo: signal(undefined),
  };
}

/** The width of a column now. */
export function widthOf({ id, width }: GridColumn<string, string>, widths: Widths): number {
  return widths[id] ?? width;
}
