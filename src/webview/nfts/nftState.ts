import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  NftHost,
  NftOpening,
  NftSnapshot,
  NftStrings,
  NftViewState,
  TransferColumn,
  WireTransfer,
} from '../../features/nfts/protocol.ts';
import type { Channel } from '../../messaging/channel.ts';
import type { GridColumn } from '../../messaging/panel.ts';
import { createGridState, type GridState } from '../kit/grid/gridState.ts';
import { RowCache } from '../kit/grid/rowCache.ts';
import { createPanelState, type FocusPlace, type PanelState, trackViewWidth } from '../kit/panelState.ts';

export function createNftState(
  host: Channel<NftHost>,
  opening: NftOpening,
  saved: NftViewState | undefined,
): NftState {
  const panel = createPanelState(host, opening);
  const { snapshot } = panel;
  const { transfers } = opening.snapshot;
  const cache = new RowCache<WireTransfer>((window, options) => host.request('rows', window, options));
  cache.update({ ...transfers, textVersion: undefined }, transfers.rows);
  const grid = createGridState({
    columns: computeFittingColumns(opening.columns, snapshot),
    cache,
    savedWidths: saved?.widths,
    topRow: saved?.answer === transfers.resultId ? saved.topRow : 0,
    rowCount: computed(() => snapshot.value.transfers.rows),
    order: computed(() => snapshot.value.transfers.order),
  });
  return {
    ...panel,
    ...grid,
    contract: opening.contract,
    tokenId: signal(saved?.tokenId ?? opening.tokenId),
    tokenIdError: signal(undefined),
    picture: signal(undefined),
  };
}

/** What the panel shows, and what the user has typed or moved. */
export interface NftState
  extends GridState<TransferColumn, WireTransfer>,
    PanelState<NftHost, NftSnapshot, NftStrings> {
  readonly contract: string;
  /** As typed. */
  readonly tokenId: Signal<string>;
  readonly tokenIdError: Signal<string | undefined>;
  /** The loaded picture: its name, and a `data:` URL. */
  readonly picture: Signal<{ readonly shown: string; readonly url: string } | undefined>;
}

/** The columns with values, as far as they fit the width of the view. */
function computeFittingColumns(
  columns: readonly GridColumn<TransferColumn>[],
  snapshot: ReadonlySignal<NftSnapshot>,
): ReadonlySignal<readonly GridColumn<TransferColumn>[]> {
  const viewWidth = trackViewWidth();
  const columnIds = computed(() => snapshot.value.transfers.columns.join());
  return computed(() => {
    const shown = columnIds.value.split(',');
    let fitting = columns.filter(({ id }) => shown.includes(id));
    for (const id of HIDEABLE_COLUMNS) {
      const width = fitting.reduce((sum, column) => sum + column.width, SCROLL_BAR_PX);
      if (width > viewWidth.value) fitting = fitting.filter((column) => column.id !== id);
    }
    return fitting;
  });
}

/**
 * Columns that a narrow view hides, in this order. Their values can still be copied and opened in the explorer.
 */
const HIDEABLE_COLUMNS: readonly TransferColumn[] = ['transaction', 'amount', 'block', 'time'];

const SCROLL_BAR_PX = 14;

/** Shows a snapshot of the host, and preserves the user's position in it as far as it still means the same. */
export function applySnapshot(state: NftState, next: NftSnapshot, focus: FocusPlace): void {
  const before = state.snapshot.value.transfers;
  const { transfers } = next;
  const active = state.cache.get(state.active.value.row)?.transfer;
  state.cache.update({ ...transfers, textVersion: undefined }, transfers.rows);
  batch(() => {
    state.snapshot.value = next;
    state.hostError.value = undefined;
    if (transfers.resultId !== before.resultId) {
      state.goTo.value = { cell: { row: 0, column: 0 }, focus: false, onTop: true };
    } else if (transfers.order !== before.order && active !== undefined) {
      void followTransfer(state, active, focus === 'grid');
    }
  });
  void fetchPicture(state);
}

/** The state to save while the page is hidden. */
export function getViewState(state: NftState): NftViewState {
  return {
    contract: state.contract,
    tokenId: state.tokenId.value,
    widths: state.widths.value,
    answer: state.snapshot.value.transfers.resultId,
    topRow: state.topRow.value,
  };
}

/** Newer transfers were added on top: the active one keeps its place on screen, unless it is the first. */
async function followTransfer(state: NftState, transfer: string, focus: boolean): Promise<void> {
  const { row } = state.active.value;
  if (row === 0 && !focus) return;
  const { resultId, order } = state.snapshot.value.transfers;
  const place = await state.host.request('rowOf', { resultId, transfer });
  if (!place || state.snapshot.value.transfers.order !== order || place.order !== order) return;
  const { active } = state;
  // Keeps the position if the user has moved in the meantime.
  if (active.value.row !== row) return;
  state.goTo.value = { cell: { row: place.row, column: active.value.column }, focus, insteadOf: row };
}

/** Fetches the picture that the snapshot names, once. */
export async function fetchPicture(state: NftState): Promise<void> {
  const { shown } = state.snapshot.value.picture;
  if (shown === state.picture.value?.shown) return;
  if (shown === undefined) {
    state.picture.value = undefined;
    return;
  }
  const url = await state.host.request('picture', undefined);
  if (url !== undefined && state.snapshot.value.picture.shown === shown) state.picture.value = { shown, url };
}
