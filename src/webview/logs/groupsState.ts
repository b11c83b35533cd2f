import { computed, type ReadonlySignal } from '@preact/signals';
import type { GroupColumnId, WireGroup } from '../../features/logs/protocol/groups.ts';
import type { LogsHost } from '../../features/logs/protocol/protocol.ts';
import type { LogsSnapshot } from '../../features/logs/protocol/snapshot.ts';
import type { Channel } from '../../messaging/channel.ts';
import { fitToContent } from '../kit/grid/columnWidths.ts';
import { type ColumnWidths, createGridState, type GridState } from '../kit/grid/gridState.ts';
import { RowCache } from '../kit/grid/rowCache.ts';

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
    columns: fitToContent(
      computed(() => snapshot.value.groups?.columns ?? []),
      cache,
      BAR_COLUMN,
    ),
    rowCount: computed(() => snapshot.value.groups?.rows ?? 0),
    order: computed(() => snapshot.value.groups?.order ?? 0),
    textVersion: computed(() => snapshot.value.groups?.textVersion ?? 0),
    ...{ cache, savedWidths, topRow: 0 },
  });
}

/** Takes in the groups of a snapshot. */
export function updateGroupCache(cache: RowCache<WireGroup>, { resultId, groups }: LogsSnapshot): void {
  const { order = 0, textVersion = 0, rows = 0 } = groups ?? {};
  cache.update({ resultId, order, textVersion }, rows);
}
