import { effect, untracked, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { GridColumn } from '../../../messaging/panel.ts';
import type { SentencePart } from '../../../messaging/sentence.ts';
import { markHiddenColumns } from './gridEdges.ts';
import { type ColumnHint, ColumnHintBox, GridHeader, layOutColumns, type SortState } from './gridHeader.tsx';
import { GridScroll, getRowsToDraw, getRowTop, ROW_HEIGHT_PX, type RowRange } from './gridScroll.ts';
import {
  countRows,
  findCell,
  findCellAfterKey,
  focusCell,
  type GridState,
  getColumnWidth,
  getSelectedRanges,
  isRowSelected,
  preventTextSelection,
  selectByKey,
  selectByMouse,
} from './gridState.ts';

import { Sentence, type SentenceProps } from './sentence.tsx';

/** A grid that draws only the rows in view. It has one tab stop; arrow keys move inside. */
export function Grid<Column extends string, Row>(props: GridProps<Column, Row>) {
  const { grid, onOpen, onInView } = props;
  const { active, cache } = grid;
  const columns = grid.columns.value;
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const scroll = useMemo(() => new GridScroll(grid.rowCount, getOverscanRows()), [grid]);

  const shownHint = useSignal<ColumnHint | undefined>(undefined);
  const focusRequested = useRef(false);
  /** The active cell may be drawn already, or later, when it must not take the focus from an input box of the editor. */
  const focusIfRequested = (): void => {
    if (!focusRequested.current || !document.hasFocus()) return;
    if (focusCell(scroller.current, active.peek())) focusRequested.current = false;
  };

  useLayoutEffect(() => {
    if (!scroller.current || !frame.current) return undefined;
    const detach = scroll.attach(
      scroller.current,
      () => active.peek().row,
      () => {
        grid.topRow.value = scroll.topRow;
      },
    );
    scroll.moveTo(grid.topRow.value);
    const allowTextSelection = preventTextSelection(scroller.current);
    const unmark = markHiddenColumns(frame.current, scroller.current);
    return () => {
      detach();
      unmark();
      allowTextSelection();
    };
  }, [scroll, grid, active]);

  const shownColumns = useRef(grid.columns.peek());
  useImmediateEffect(() => {
    const next = grid.columns.value;
    untracked(() => {
      const { row, column } = active.value;
      const id = shownColumns.current[column]?.id;
      shownColumns.current = next;
      const place = next.findIndex((one) => one.id === id);
      const kept = place < 0 ? Math.max(0, Math.min(column, next.length - 1)) : place;
      if (kept !== column) active.value = { row, column: kept };
      // Drawing other columns removes or moves the focused cell.
      if (hasFocus(scroller.current)) focusRequested.current = true;
    });
  });
  useImmediateEffect(() => layOutColumns(scroller.current, grid.columns.value, grid.widths.value));
  useImmediateEffect(() => {
    grid.order.value;
    grid.textVersion?.value;
    const { start, end } = scroll.drawn.value;
    cache.prefetch({ start, end: Math.min(end, grid.rowCount.value) }, active.value.row);
  });
  useImmediateEffect(() => {
    grid.order.value;
    const { start, end } = scroll.drawn.value;
    onInView?.({ start, end: Math.min(end, grid.rowCount.value) });
  });
  useImmediateEffect(() => {
    const request = grid.goTo.value;
    if (!request) return;
    untracked(() => {
      active.value = request.cell;
      if (request.moved) scroll.follow(request.moved);
      else if (request.insteadOf !== undefined) scroll.keepInPlace(request.cell.row, request.insteadOf);
      else if (request.onTop) scroll.moveTo(Math.max(0, request.cell.row));
      else scroll.reveal(request.cell.row);
    });
    focusRequested.current = request.focus;
    focusIfRequested();
  });
  useLayoutEffect(focusIfRequested);
  useLayoutEffect(() => {
    addEventListener('focus', focusIfRequested);
    return () => removeEventListener('focus', focusIfRequested);
  }, [grid]);

  const rows = grid.rowCount.value;
  const { start, end, scroll: scrollState } = scroll.drawn.value;
  const selected = getSelectedRanges(grid.selection.value, active.value.row);
  const selectedCount = countRows(selected);
  const drawnRows = getRowsToDraw({ start, end }, active.value.row, rows);
  cache.version.value;
  return (
    <div ref={frame} class="grid-frame">
      <div
        ref={scroller}
        class={`grid${props.opensByClick ? ' clickable' : ''}`}
        role="grid"
        aria-label={props.name}
        aria-rowcount={props.isOpenEnded ? -1 : rows + 1}
        aria-colcount={columns.length}
        aria-multiselectable={props.onCopyRows !== undefined}
        tabIndex={-1}
        data-vscode-context={JSON.stringify({ ...props.context, preventDefaultContextMenuItems: true })}
        onFocusIn={(event) => {
          active.value = findCell(event.target) ?? active.value;
        }}
        onMouseDown={(event) => {
          if (props.onCopyRows) selectByMouse(grid, event);
        }}
        onKeyDown={(event) => {
          const size = { rows, columns: columns.length, pageRows: scroll.pageRows };
          if (props.onCopyRows && selectByKey(grid, event, size)) {
            event.preventDefault();
            return;
          }
          const cell =
            event.shiftKey || event.altKey ? undefined : findCellAfterKey(event, active.value, size);
          if (cell) {
            grid.selection.value = undefined;
            grid.goTo.value = { cell, focus: true };
          } else if (onOpen && event.key === 'Enter' && active.value.row >= 0)
            onOpen(active.value.row, { byKey: true });
          else return;
          event.preventDefault();
        }}
        onCopy={(event) => {
          const { row, column } = active.value;
          const name = columns[column]?.id;
          if (row < 0 || name === undefined || !document.getSelection()?.isCollapsed) return;
          event.preventDefault();
          if (props.onCopyRows && selectedCount > 1) props.onCopyRows(selected);
          else props.onCopy(row, name);
        }}
        onClick={(event) => {
          const cell = findCell(event.target);
          const isPlain = !(event.shiftKey || event.ctrlKey || event.metaKey || event.altKey);
          if (props.opensByClick && isPlain && cell && cell.row >= 0) onOpen?.(cell.row, { byKey: false });
        }}
        onDblClick={(event) => {
          const cell = findCell(event.target);
          if (!props.opensByClick && cell && cell.row >= 0) onOpen?.(cell.row, { byKey: false });
        }}
      >
        <GridHeader grid={grid} hint={props.columnHint} shownHint={shownHint} sort={props.sort} />
        <div
          class="rows"
          role="rowgroup"
          ref={(element) => {
            if (element) element.style.height = `${scroll.height.value}px`;
          }}
        >
          {drawnRows.map((row) => {
            const data = cache.get(row);
            return (
              <GridRow
                key={row}
                row={row}
                columns={columns}
                text={data && ((column: Column) => props.text(data, column))}
                hint={data && props.hint && ((column: Column) => props.hint?.(data, column))}
                sentence={(column) => {
                  const parts = data && props.sentence?.(data, column);
                  const shown = parts && columns.find(({ id }) => id === column);
                  return shown && { parts, width: getColumnWidth(shown, grid.widths.value) };
                }}
                bar={data && props.bar && ((column: Column) => props.bar?.(data, column))}
                mark={data && props.mark?.(data)}
                isMuted={data !== undefined && props.isMuted?.(data) === true}
                context={props.rowContext(data)}
                cellContext={
                  data && props.cellContext && ((column: Column) => props.cellContext?.(data, column))
                }
                top={getRowTop(ROW_HEIGHT_PX, scrollState, row)}
                isSelected={isRowSelected(selected, row)}
                activeColumn={row === active.value.row ? active.value.column : undefined}
              />
            );
          })}
        </div>
      </div>
      <span
        class="more-columns"
        aria-hidden="true"
        onClick={() => scroller.current?.scrollBy({ left: scroller.current.clientWidth / 2 })}
      >
        ⋯
      </span>
      <div class="unseen" aria-live="polite">
        {selectedCount > 1 && props.selectedText?.(selectedCount)}
      </div>
      <ColumnHintBox hint={shownHint} />
    </div>
  );
}

interface GridProps<Column extends string, Row> {
  readonly grid: GridState<Column, Row>;
  /** Accessible name. */
  readonly name: string;
  /** Added to the tooltip of every column. */
  readonly columnHint: string;
  readonly sort?: SortState;
  readonly text: (row: Row, column: Column) => string;
  /** The full value of a cell, if its text is only a name for it. */
  readonly hint?: (row: Row, column: Column) => string | undefined;
  /** The parts of a cell's text, if it is a sentence. */
  readonly sentence?: (row: Row, column: Column) => readonly SentencePart[] | undefined;
  /** The length of a bar behind the text of a cell, 0 to 1; undefined for a cell without one. */
  readonly bar?: (row: Row, column: Column) => number | undefined;
  /** Whether to dim a row. */
  readonly isMuted?: (row: Row) => boolean;
  /** Marks rows that live updates have added or are about to remove. */
  readonly mark?: (row: Row) => RowMark | undefined;
  /** Whether the row count may still grow. */
  readonly isOpenEnded: boolean;
  /** Context for the commands of the context menu: of the grid, and of a row. */
  readonly context: object;
  readonly rowContext: (row: Row | undefined) => object;
  readonly cellContext?: (row: Row, column: Column) => object;
  readonly onCopy: (row: number, column: Column) => void;
  /** Copies several rows. Without it, only one row can be selected. */
  readonly onCopyRows?: (ranges: readonly RowRange[]) => void;
  /** Says how many rows are selected. */
  readonly selectedText?: (count: number) => string;
  /** Called with the rows near the screen when they change. */
  readonly onInView?: (rows: RowRange) => void;
  /** Whether a click opens a row; otherwise a double click does. */
  readonly opensByClick?: boolean;
  /** Called for Enter, or a double click, on a row. */
  readonly onOpen?: (row: number, how: { readonly byKey: boolean }) => void;
}

/** `fresh`: added a moment ago. `struck`: removed by a reorg, and about to disappear. */
export type RowMark = 'fresh' | 'struck';

/**
 * Runs `run` immediately when a signal that it reads changes. `useSignalEffect` waits for the next frame, which is
 * too late if the next key has to see the result of the last one.
 */
function useImmediateEffect(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useLayoutEffect(() => effect(() => latest.current()), []);
}

/** The grid may be in a shadow tree. */
function hasFocus(grid: HTMLElement | null): boolean {
  const root = grid?.getRootNode() as Partial<DocumentOrShadowRoot> | undefined;
  return grid?.contains(root?.activeElement ?? null) ?? false;
}

function getOverscanRows(): number {
  return document.body.classList.contains('vscode-using-screen-reader')
    ? SCREEN_READER_OVERSCAN_ROWS
    : OVERSCAN_ROWS;
}

const OVERSCAN_ROWS = 10;

/** Screen readers read ahead of the view. */
const SCREEN_READER_OVERSCAN_ROWS = 250;

/** A row. To ARIA the header is row 1, so row 0 is row 2. */
function GridRow<Column extends string>(props: GridRowProps<Column>) {
  const {
    row,
    columns,
    text,
    hint,
    bar,
    isMuted,
    mark,
    context,
    cellContext,
    top,
    activeColumn,
    isSelected,
  } = props;
  const renderCell = (id: Column) => {
    const sentence = props.sentence?.(id);
    return sentence ? <Sentence {...sentence} /> : text?.(id);
  };
  return (
    <div
      class={`row${isSelected ? ' selected' : ''}${isMuted ? ' muted' : ''}${mark ? ` ${mark}` : ''}`}
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      aria-disabled={mark === 'struck' ? true : undefined}
      aria-busy={text === undefined}
      data-row={row}
      data-vscode-context={JSON.stringify(context)}
      style={{ top: `${top}px` }}
    >
      {columns.map(({ id, alignEnd, isProse, context: columnContext }, index) => (
        <div
          key={id}
          class={`cell${alignEnd ? ' end' : ''}${isProse ? ' prose' : ''}`}
          role="gridcell"
          title={hint?.(id)}
          tabIndex={index === activeColumn ? 0 : -1}
          data-column={index}
          data-vscode-context={JSON.stringify({ ...columnContext, ...cellContext?.(id), column: id })}
        >
          {bar?.(id) !== undefined && (
            <span class="bar-of" aria-hidden="true" style={{ transform: `scaleX(${bar(id)})` }} />
          )}
          {renderCell(id)}
        </div>
      ))}
    </div>
  );
}

interface GridRowProps<Column extends string> {
  readonly row: number;
  readonly columns: readonly GridColumn<Column, string>[];
  /** Text of its cells; undefined while the row is being fetched. */
  readonly text: ((column: Column) => string) | undefined;
  /** The full value of a cell, if its text does not show it. */
  readonly hint: ((column: Column) => string | undefined) | undefined;
  readonly sentence: (column: Column) => SentenceProps | undefined;
  readonly bar: ((column: Column) => number | undefined) | undefined;
  readonly isMuted: boolean;
  readonly mark: RowMark | undefined;
  readonly context: object;
  readonly cellContext: ((column: Column) => object | undefined) | undefined;
  readonly top: number;
  readonly activeColumn: number | undefined;
  readonly isSelected: boolean;
}
