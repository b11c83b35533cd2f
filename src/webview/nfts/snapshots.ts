import { batch } from '@preact/signals';
import type { NftSnapshot } from '../../features/nfts/protocol/nftSnapshot.ts';
import type { FocusPlace } from '../kit/focusPlace.ts';
import type { NftState } from './state.ts';

/** Shows what the host tells, and keeps the user's place in it as far as it still means the same. */
export function showSnapshot(state: NftState, next: NftSnapshot, focus: FocusPlace): void {
  const before = state.snapshot.value.transfers;
  const { transfers } = next;
  const active = state.cache.get(state.active.value.row)?.transfer;
  state.cache.follow(transfers, transfers.rows);
  batch(() => {
    const column = state.columns.peek()[state.active.value.column];
    state.snapshot.value = next;
    keepColumn(state, column?.id);
    state.hostFailure.value = undefined;
    if (transfers.answer !== before.answer) {
      state.goTo.value = { cell: { row: 0, column: 0 }, focus: false, onTop: true };
    } else if (transfers.order !== before.order && active !== undefined) {
      void followTransfer(state, active, focus === 'grid');
    }
  });
  void fetchPicture(state);
}

/** A column that has come or gone moves those after it: the active cell stays in its own. */
function keepColumn(state: NftState, id: string | undefined): void {
  const column = state.columns.value.findIndex((shown) => shown.id === id);
  if (column >= 0 && column !== state.active.value.column)
    state.active.value = { ...state.active.value, column };
}

/** Newer transfers have come on top: the active one keeps its place on screen, unless it is the first. */
async function followTransfer(state: NftState, transfer: string, focus: boolean): Promise<void> {
  const { row } = state.active.value;
  if (row === 0 && !focus) return;
  const { answer, order } = state.snapshot.value.transfers;
  const place = await state.host.request('rowOf', { answer, transfer });
  if (!place || state.snapshot.value.transfers.order !== order || place.order !== order) return;
  const { active } = state;
  // Who has moved on meanwhile stays there.
  if (active.value.row !== row) return;
  state.goTo.value = { cell: { row: place.row, column: active.value.column }, focus, insteadOf: row };
}

/** Fetches the picture that is to be shown, once. */
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
