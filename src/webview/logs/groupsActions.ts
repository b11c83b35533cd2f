import type {
  GroupArrangement,
  GroupChoice,
  GroupColumn,
  GroupColumnId,
} from '../../features/logs/protocol/groups.ts';
import type { LogsSnapshot } from '../../features/logs/protocol/snapshot.ts';
import type { RowRange } from '../kit/grid/gridScroll.ts';
import { toRowPairs } from '../kit/grid/gridState.ts';
import { callHost } from '../kit/panelState.ts';
import { updateGroupCache } from './groupsState.ts';
import type { LogsState } from './logsState.ts';

/** Shows the groups of a snapshot, from the top if they are others, or in another order by the user's wish. */
export function applyGroups(state: LogsState, before: LogsSnapshot, next: LogsSnapshot): void {
  const grid = state.groups;
  updateGroupCache(grid.cache, next);
  const [shown, shownBefore] = [next.groups, before.groups];
  if (shown?.order !== shownBefore?.order) grid.selection.value = undefined;
  const isOther =
    next.resultId !== before.resultId ||
    JSON.stringify([shown?.choice, shown?.arrangement]) !==
      JSON.stringify([shownBefore?.choice, shownBefore?.arrangement]);
  const { row, column } = grid.active.value;
  const last = (shown?.rows ?? 0) - 1;
  if (isOther) grid.goTo.value = { cell: { row: Math.min(row, 0), column }, focus: false, onTop: true };
  else if (row > last) grid.active.value = { row: Math.max(0, last), column };
  const isClosed = shownBefore?.opened !== undefined && shown !== undefined && shown.opened === undefined;
  if (isClosed) grid.goTo.value = { cell: grid.active.peek(), focus: true };
  if (shownBefore && !shown) state.goTo.value = { cell: state.active.peek(), focus: true };
}

/** Whether groups are shown in place of rows. */
export function areGroupsShown({ snapshot }: Pick<LogsState, 'snapshot'>): boolean {
  const { groups } = snapshot.value;
  return groups !== undefined && groups.opened === undefined;
}

export function startGroups(state: LogsState): void {
  state.details.value = undefined;
  state.wantsFocus.current = 'groups';
  void callHost(state, 'startGroups');
}

/** Groups by other fields: up to two, each once. */
export function chooseGroups(state: LogsState, { by, sum }: GroupChoice): void {
  const fields = [...new Set(by.filter((field) => field !== ''))];
  void callHost(state, 'group', { by: fields, ...(sum && { sum }) });
}

export function arrangeGroups(state: LogsState, arrangement: GroupArrangement): void {
  void callHost(state, 'arrangeGroups', arrangement);
}

/** Numbers come first with the largest one, texts in alphabetical order; then the other way round. */
export function sortGroups(state: LogsState, column: GroupColumnId): void {
  const { groups } = state.snapshot.value;
  if (!groups) return;
  const { filter } = groups.arrangement;
  const sort = getGroupSort(groups);
  const isNumber = groups.columns.find(({ id }) => id === column)?.alignEnd === true;
  const descending = sort.column === column ? !sort.descending : isNumber;
  arrangeGroups(state, { filter, sort: { column, descending } });
}

/** The host shows the largest groups first by itself. */
export function getGroupSort({
  arrangement,
  columns,
}: {
  readonly arrangement: GroupArrangement;
  readonly columns: readonly GroupColumn[];
}): NonNullable<GroupArrangement['sort']> {
  const column = columns.some(({ id }) => id === 'sum') ? 'sum' : 'count';
  return arrangement.sort ?? { column, descending: true };
}

/** Shows the rows of a group. */
export function openGroup(state: LogsState, row: number): void {
  const group = state.groups.cache.get(row)?.group;
  if (group === undefined) return;
  state.active.value = { row: 0, column: 0 };
  state.goTo.value = { cell: state.active.value, focus: true, onTop: true };
  void callHost(state, 'openGroup', { resultId: state.snapshot.value.resultId, group });
}

export function copyGroupCell(state: LogsState, row: number, column: GroupColumnId): void {
  const group = state.groups.cache.get(row)?.group;
  const { resultId } = state.snapshot.value;
  if (group !== undefined) void callHost(state, 'copyGroupCell', { resultId, group, column });
}

/** Copies groups. The host has them all, also those that are not cached here. */
export function copyGroups(
  state: LogsState,
  ranges: readonly RowRange[],
  format: 'tsv' | 'markdown' = 'tsv',
): void {
  const { resultId, groups } = state.snapshot.value;
  if (!groups) return;
  void callHost(state, 'copyGroups', {
    ...{ resultId, order: groups.order, format },
    selected: toRowPairs(ranges),
  });
}
