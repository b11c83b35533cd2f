import { computed, type ReadonlySignal } from '@preact/signals';
import type { Column } from '../../features/nfts/protocol/columns.ts';
import type { NftSnapshot } from '../../features/nfts/protocol/nftSnapshot.ts';
import type { GridColumn } from '../../messaging/panel.ts';
import { viewWidth } from '../kit/viewWidth.ts';

/** What a narrow view does without, the first of it first: a row has it on the clipboard and in the explorer. */
const dispensable: readonly Column[] = ['transaction', 'amount', 'block', 'time'];
/** The scroll bar of the grid. */
const MARGIN = 14;

/** The columns with something to show, as far as they fit beside one another. */
export function fittingColumns(
  columns: readonly GridColumn<Column>[],
  snapshot: ReadonlySignal<NftSnapshot>,
): ReadonlySignal<readonly GridColumn<Column>[]> {
  const room = viewWidth();
  const named = computed(() => snapshot.value.transfers.columns.join());
  return computed(() => {
    const shown = named.value.split(',');
    let fitting = columns.filter(({ id }) => shown.includes(id));
    for (const id of dispensable) {
      const width = fitting.reduce((sum, column) => sum + column.width, MARGIN);
      if (width > room.value) fitting = fitting.filter((column) => column.id !== id);
    }
    return fitting;
  });
}
