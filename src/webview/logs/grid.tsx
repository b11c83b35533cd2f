import { untracked, useComputed } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type Column, columns } from '../../features/logs/protocol.ts';
import { useImmediateEffect } from '../kit/immediateEffect.ts';
import { rowTop } from '../kit/virtualRows.ts';
import { copyCell, showDetails } from './actions.ts';
import { GridHeader } from './gridHeader.tsx';
import { cellAfterKey, type GridCell } from './gridKeys.ts';
import { GridRow } from './gridRow.tsx';
import { GridScroll, ROW_HEIGHT } from './gridScroll.ts';
import type { LogsState } from './state.ts';

const OVERSCAN = 10;
/** A screen reader reads ahead of what is in view. */
const OVERSCAN_FOR_SCREEN_READER = 250;

/** The rows of the answer, of which only those in view are drawn. One tab stop; arrow keys move inside. */
export function LogsGrid({ state }: { readonly state: LogsState }) {
  const { snapshot, active, cache } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const rowCount = useComputed(() => snapshot.value.rows);
  const scroll = useMemo(() => new GridScroll(rowCount, overscan()), [rowCount]);

  const wantsFocus = useRef(false);
  /** The active cell may be drawn already, or only with the next rendering. */
  const focusIfWanted = (): void => {
    if (wantsFocus.current && focusCell(scroller.current, active.peek())) wantsFocus.current = false;
  };

  useLayoutEffect(() => {
    if (!scroller.current) return undefined;
    const detach = scroll.attach(
      scroller.current,
      () => active.peek().row,
      () => {
        state.topRow.value = scroll.topRow;
      },
    );
    scroll.moveTo(state.topRow.value);
    return detach;
  }, [scroll, state, active]);

  useImmediateEffect(() => layOutColumns(scroller.current, state.widths.value));
  const order = useComputed(() => snapshot.value.order);
  useImmediateEffect(() => {
    order.value;
    cache.want(withRows(scroll.drawn.value, rowCount.value));
  });
  useImmediateEffect(() => {
    const request = state.goTo.value;
    if (!request) return;
    untracked(() => {
      active.value = request.cell;
      if (request.insteadOf !== undefined) scroll.keepInPlace(request.cell.row, request.insteadOf);
      else if (request.onTop) scroll.moveTo(Math.max(0, request.cell.row));
      else scroll.reveal(request.cell.row);
    });
    wantsFocus.current = request.focus;
    focusIfWanted();
  });
  useLayoutEffect(focusIfWanted);
  const openRow = useComputed(() => (state.details.value ? active.value.row : undefined));
  useEffect(
    () =>
      openRow.subscribe((row) => {
        if (row !== undefined && row >= 0) void showDetails(state, row);
      }),
    [openRow, state],
  );

  const { answer, rows, more, canOpenExplorer } = snapshot.value;
  const { start, end, scroll: scrollState } = scroll.drawn.value;
  const drawnRows = rowNumbers(start, end, active.value.row, rows);
  cache.version.value;
  return (
    <div
      ref={scroller}
      class="grid"
      role="grid"
      aria-label={state.strings.grid}
      aria-rowcount={more ? -1 : rows + 1}
      aria-colcount={columns.length}
      tabIndex={-1}
      data-vscode-context={JSON.stringify({
        webviewSection: 'log',
        answer,
        canOpenExplorer,
        preventDefaultContextMenuItems: true,
      })}
      onFocusIn={(event) => {
        active.value = cellOf(event.target) ?? active.value;
      }}
      onKeyDown={(event) => {
        const size = { rows, columns: columns.length, pageRows: scroll.pageRows };
        const cell = event.shiftKey || event.altKey ? undefined : cellAfterKey(event, active.value, size);
        if (cell) state.goTo.value = { cell, focus: true };
        else if (event.key === 'Enter' && active.value.row >= 0) void showDetails(state, active.value.row);
        else return;
        event.preventDefault();
      }}
      onCopy={(event) => {
        const { row, column } = active.value;
        if (row < 0 || !document.getSelection()?.isCollapsed) return;
        event.preventDefault();
        copyCell(state, row, columns[column] ?? 'block');
      }}
      onDblClick={(event) => {
        const cell = cellOf(event.target);
        if (cell && cell.row >= 0) void showDetails(state, cell.row);
      }}
    >
      <GridHeader state={state} />
      <div
        class="rows"
        role="rowgroup"
        ref={(element) => {
          if (element) element.style.height = `${scroll.height.value}px`;
        }}
      >
        {drawnRows.map((row) => (
          <GridRow
            key={row}
            row={row}
            data={cache.get(row)}
            top={rowTop(ROW_HEIGHT, scrollState, row)}
            activeColumn={row === active.value.row ? active.value.column : undefined}
          />
        ))}
      </div>
    </div>
  );
}

function overscan(): number {
  return document.body.classList.contains('vscode-using-screen-reader')
    ? OVERSCAN_FOR_SCREEN_READER
    : OVERSCAN;
}

/** One write for all rows. The last column takes what is left of the view. */
function layOutColumns(grid: HTMLElement | null, widths: Readonly<Record<Column, number>>): void {
  const template = columns.map((column) =>
    column === 'data' ? `minmax(${widths.data}px, 1fr)` : `${widths[column]}px`,
  );
  const total = columns.reduce((sum, column) => sum + widths[column], 0);
  grid?.style.setProperty('--columns', template.join(' '));
  grid?.style.setProperty('--width', `${total}px`);
}

function withRows({ start, end }: { readonly start: number; readonly end: number }, rowCount: number) {
  return { start, end: Math.min(end, rowCount) };
}

/** The rows to draw: those in view, and the active one wherever it is, since it holds the focus. */
function rowNumbers(start: number, end: number, active: number, rows: number): readonly number[] {
  const drawn = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
  if (active >= 0 && active < start) return [active, ...drawn];
  if (active >= end && active < rows) return [...drawn, active];
  return drawn;
}

function focusCell(grid: HTMLElement | null, { row, column }: GridCell): boolean {
  const cell = grid?.querySelector<HTMLElement>(`[data-row="${row}"] > [data-column="${column}"]`);
  if (!cell) return false;
  cell.focus({ preventScroll: true });
  cell.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  return true;
}

function cellOf(target: EventTarget | null): GridCell | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
  const column = cell?.dataset.column;
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
}
