import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { GroupColumn, GroupColumnId, WireGroup } from '../../features/logs/protocol/groups.ts';
import type { LogsHost } from '../../features/logs/protocol/protocol.ts';
import type { LogsSnapshot } from '../../features/logs/protocol/snapshot.ts';
import type { Channel } from '../../messaging/channel.ts';
import { type ColumnWidths, createGridState, type GridState } from '../kit/grid/gridState.ts';
import { RowCache } from '../kit/grid/rowCache.ts';
import { fitColumns, measureColumns } from './columnLayout.ts';

/** The table of groups, and the position of the user in it. */
export type GroupsState = GridState<GroupColumnId, WireGroup>;

/** Of the bar, which has no text to measure. */
const BAR_COLUMN = 'share';

export function createGroupsState(
  host: Channel<LogsHost>,
  snapshot: ReadonlySignal<LogsSnapshot>,
  savedWidths: ColumnWidths | undefined,
): GroupsState {
  const cache = new RowCache<WireGroup>((window, options) => host.request('groups', window, options));
  updateGroupCache(cache, snapshot.value);
  return createGridState<GroupColumnId, WireGroup>({
    columns: fitToContent(snapshot, cache),
    rowCount: computed(() => snapshot.value.groups?.rows ?? 0),
    order: computed(() => snapshot.value.groups?.order ?? 0),
    textVersion: computed(() => snapshot.value.groups?.textVersion ?? 0),
    ...{ cache, savedWidths, topRow: 0 },
  });
}

/** The columns, as wide as the texts of the first groups. Widths only grow while the columns stay. */
function fitToContent(
  snapshot: ReadonlySignal<LogsSnapshot>,
  cache: RowCache<WireGroup>,
): ReadonlySignal<readonly GroupColumn[]> {
  // As text, so that a snapshot with the same columns changes nothing.
  const sent = computed(() => JSON.stringify(snapshot.value.groups?.columns ?? []));
  const hostColumns = computed<readonly GroupColumn[]>(() => JSON.parse(sent.value));
  const widths = signal<ColumnWidths>({});
  let measured: { readonly columns: unknown; readonly rows: unknown } | undefined;
  effect(() => {
    cache.version.value;
    const columns = hostColumns.value;
    const { rows } = cache.firstPage;
    if (rows.length === 0 || (measured?.rows === rows && measured.columns === columns)) return;
    const before = measured?.columns === columns ? widths.peek() : {};
    measured = { columns, rows };
    widths.value = measureColumns(
      columns.filter(({ id }) => id !== BAR_COLUMN),
      rows,
      before,
    );
  });
  return computed(() => fitColumns(hostColumns.value, widths.value));
}

/** Takes in the groups of a snapshot. */
export function updateGroupCache(cache: RowCache<WireGroup>, { resultId, groups }: LogsSnapshot): void {
  const { order = 0, textVersion = 0, rows = 0 } = groups ?? {};
  cache.update({ resultId, order, textVersion }, rows);
}
