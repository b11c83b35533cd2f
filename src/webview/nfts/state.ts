import { computed, type Signal, signal } from '@preact/signals';
import type { Column } from '../../features/nfts/protocol/columns.ts';
import type { NftSnapshot, WireTransfer } from '../../features/nfts/protocol/nftSnapshot.ts';
import type { NftHost, Opening } from '../../features/nfts/protocol/protocol.ts';
import type { NftStrings } from '../../features/nfts/protocol/strings.ts';
import type { ViewState } from '../../features/nfts/protocol/viewState.ts';
import type { Channel } from '../../messaging/channel.ts';
import { createGridState, type GridState } from '../kit/grid/gridState.ts';
import { RowCache } from '../kit/grid/rowCache.ts';
import { createPanelState, type PanelState } from '../kit/panelState.ts';
import { fittingColumns } from './fittingColumns.ts';

/** What the panel shows and what the user typed or moved. */
export interface NftState
  extends GridState<Column, WireTransfer>,
    PanelState<NftHost, NftSnapshot, NftStrings> {
  readonly contract: string;
  /** As it was typed. */
  readonly tokenId: Signal<string>;
  readonly tokenIdProblem: Signal<string | undefined>;
  /** The picture, once it has come: its name, and a `data:` URL. */
  readonly picture: Signal<{ readonly shown: string; readonly url: string } | undefined>;
}

export function createNftState(
  host: Channel<NftHost>,
  opening: Opening,
  kept: ViewState | undefined,
): NftState {
  const panel = createPanelState(host, opening);
  const { snapshot } = panel;
  const { transfers } = opening.snapshot;
  const cache = new RowCache<WireTransfer>((window, options) => host.request('rows', window, options));
  cache.follow(transfers, transfers.rows);
  const grid = createGridState({
    ...{ columns: fittingColumns(opening.columns, snapshot), cache, keptWidths: kept?.widths },
    topRow: kept?.answer === transfers.answer ? kept.topRow : 0,
    rowCount: computed(() => snapshot.value.transfers.rows),
    order: computed(() => snapshot.value.transfers.order),
  });
  return {
    ...panel,
    ...grid,
    contract: opening.contract,
    tokenId: signal(kept?.tokenId ?? opening.tokenId),
    tokenIdProblem: signal(undefined),
    picture: signal(undefined),
  };
}

/** What to keep while the page is away. */
export function viewState(state: NftState): ViewState {
  return {
    contract: state.contract,
    tokenId: state.tokenId.value,
    widths: state.widths.value,
    answer: state.snapshot.value.transfers.answer,
    topRow: state.topRow.value,
  };
}
