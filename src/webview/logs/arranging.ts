import { type Arrangement, LONGEST_FILTER } from '../../features/logs/protocol/arrangement.ts';
import type { SortColumn } from '../../features/logs/protocol/columns.ts';
import { asked } from '../kit/panelState.ts';
import type { LogsState } from './state.ts';

/** Shows the rows in another arrangement, as soon as the host has it ready. */
export function arrange(state: LogsState, arrangement: Arrangement): void {
  state.arrangement.value = arrangement;
  void asked(state, 'arrange', arrangement);
}

/** Sorts by a column: first ascending, then descending, then by none. */
export function sortBy(state: LogsState, column: SortColumn): void {
  const { sort, ...others } = state.arrangement.value;
  if (sort?.column !== column) arrange(state, { ...others, sort: { column, descending: false } });
  else arrange(state, sort.descending ? others : { ...others, sort: { column, descending: true } });
}

/** Shows topics and data, or what they mean. The order stays where a column shows it then. */
export function toggleRaw(state: LogsState): void {
  const { filter, sort, raw } = state.arrangement.value;
  const stays = sort && !['topics', 'data'].includes(sort.column) && !sort.column.startsWith('argument');
  arrange(state, { filter, ...(stays ? { sort } : {}), raw: !raw });
}

/** Shows the loaded logs of the transaction that the active row is of, and no others. */
export async function filterByTransaction(state: LogsState): Promise<void> {
  const log = state.cache.get(state.active.value.row)?.log;
  if (log === undefined) return;
  const { answer } = state.snapshot.value;
  const term = await asked(state, 'filterTerm', { answer, log, column: 'transaction' });
  if (term) arrange(state, { ...state.arrangement.value, filter: term });
}

/** Narrows the rows further, to those that have the value of the active cell. */
export async function filterByCell(state: LogsState): Promise<void> {
  const { row, column } = state.active.value;
  const log = state.cache.get(row)?.log;
  const id = state.columns.value[column]?.id;
  if (log === undefined || id === undefined) return;
  const { answer } = state.snapshot.value;
  const term = await asked(state, 'filterTerm', { answer, log, column: id });
  const { filter, ...others } = state.arrangement.value;
  if (!term || ` ${filter} `.includes(` ${term} `)) return;
  const both = `${filter.trim()} ${term}`.trim();
  arrange(state, { ...others, filter: both.length > LONGEST_FILTER ? term : both });
}
