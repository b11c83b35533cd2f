import { computed, type Signal, signal } from '@preact/signals';
import {
  type Column,
  columns,
  type NftHost,
  type NftSnapshot,
  type Opening,
  type ViewState,
  type WireTransfer,
} from '../../features/nfts/protocol/protocol.ts';
import type { NftStrings } from '../../features/nfts/protocol/strings.ts';
import type { Channel } from '../../messaging/channel.ts';
import { createGridState, type GridState, type Widths } from '../kit/grid/gridState.ts';
import { RowCache } from '../kit/grid/rowCache.ts';

const DEFAULT_WIDTHS: Widths<Column> = {
  time: 220,
  block: 100,
  from: 350,
  to: 350,
  amount: 80,
  transaction: 200,
};

/** What the panel shows and what the user typed or moved. */
export interface NftState extends GridState<Column, WireTransfer> {
  readonly strings: NftStrings;
  readonly host: Channel<NftHost>;
  readonly contract: string;
  readonly snapshot: Signal<NftSnapshot>;
  /** As it was typed. */
  readonly tokenId: Signal<string>;
  readonly tokenIdProblem: Signal<string | undefined>;
  /** The reasons of the status are open. */
  readonly reasonsOpen: Signal<boolean>;
  /** The picture, once it has come: its name, and a `data:` URL. */
  readonly picture: Signal<{ readonly shown: string; readonly url: string } | undefined>;
  /** Set when the extension failed to do what was asked. */
  readonly hostFailure: Signal<string | undefined>;
}

export function createNftState(
  host: Channel<NftHost>,
  opening: Opening,
  kept: ViewState | undefined,
): NftState {
  const snapshot = signal(opening.snapshot);
  const { transfers } = opening.snapshot;
  const cache = new RowCache<WireTransfer>((window, aborted) => host.request('rows', window, aborted));
  cache.follow(transfers, transfers.rows);
  const grid = createGridState({
    ...{ columns, cache, defaultWidths: DEFAULT_WIDTHS, keptWidths: kept?.widths },
    topRow: kept?.answer === transfers.answer ? kept.topRow : 0,
    rowCount: computed(() => snapshot.value.transfers.rows),
    order: computed(() => snapshot.value.transfers.order),
  });
  return {
    ...grid,
    ...{ strings: opening.strings, host, contract: opening.contract, snapshot },
    tokenId: signal(kept?.tokenId ?? opening.tokenId),
    tokenIdProblem: signal(undefined),
    reasonsOpen: signal(false),
    picture: signal(undefined),
    hostFailure: signal(undefined),
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
