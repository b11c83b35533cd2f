import type { Signal } from '@preact/signals';
import { cellOf } from './gridCells.ts';
import { cellAfterKey, type GridCell } from './gridKeys.ts';
import type { GridState } from './gridState.ts';
import { extendTo, isSelected, type Selection, selectAll, selectedRanges, toggle } from './selection.ts';

type Selecting = Pick<GridState<string, unknown>, 'active' | 'goTo' | 'rowCount'> & {
  readonly selection: Signal<Selection | undefined>;
};

/** Keys that work as in the lists of the editor. Says whether the key was one of them. */
export function selectByKey(
  grid: Selecting,
  event: KeyboardEvent,
  size: Parameters<typeof cellAfterKey>[2],
): boolean {
  const { row } = grid.active.value;
  if (isToggling(event) && !event.shiftKey && event.key.toLowerCase() === 'a') {
    grid.selection.value = selectAll(grid.rowCount.value, row);
    return true;
  }
  if (event.key === 'Escape' && grid.selection.value) {
    grid.selection.value = undefined;
    return true;
  }
  const cell =
    event.shiftKey && !event.altKey && row >= 0 ? cellAfterKey(event, grid.active.value, size) : undefined;
  if (!cell || cell.row === row) return false;
  extend(grid, { ...cell, row: Math.max(0, cell.row) });
  return true;
}

/** Presses of the mouse that work as in the lists of the editor. */
export function selectByMouse(grid: Selecting, event: MouseEvent): void {
  const cell = cellOf(event.target);
  if (!cell || cell.row < 0) return;
  const opensMenu = event.button === 2 || (isMac() && event.ctrlKey);
  if (opensMenu) {
    const isOneOfThem = isSelected(selectedRanges(grid.selection.value, grid.active.value.row), cell.row);
    if (!isOneOfThem) grid.selection.value = undefined;
  } else if (event.button !== 0) {
    return;
  } else if (event.shiftKey) {
    event.preventDefault();
    extend(grid, cell);
  } else if (isToggling(event)) {
    event.preventDefault();
    grid.selection.value = toggle(grid.selection.value, grid.active.value.row, cell.row);
    grid.goTo.value = { cell, focus: true };
  } else {
    grid.selection.value = undefined;
  }
}

/**
 * Keeps *Select All* of the editor, which takes all text of the page, out of a grid that has the focus. What is selected
 * by dragging begins at an element within the page.
 */
export function keepTextUnselected(grid: HTMLElement): () => void {
  const refuse = (event: Event) => {
    if (event.target === document.body && grid.contains(document.activeElement)) event.preventDefault();
  };
  document.addEventListener('selectstart', refuse);
  return () => document.removeEventListener('selectstart', refuse);
}

function extend(grid: Selecting, cell: GridCell): void {
  grid.selection.value = extendTo(grid.selection.value, grid.active.value.row, cell.row);
  grid.goTo.value = { cell, focus: true };
}

function isToggling({ ctrlKey, metaKey }: KeyboardEvent | MouseEvent): boolean {
  return isMac() ? metaKey : ctrlKey;
}

function isMac(): boolean {
  return /^Mac/.test(navigator.platform);
}
