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
    state.snapshot.value = next;
    state.hostFailure.value = undefined;
    if (transfers.answer !== before.answer) {
      state.goTo.value = { cell: { row: 0, column: 0 }, focus: false, onTop: true };
    } else if (transfers.order !== before.order && active !== undefined) {
      void followTransfer(state, active, focus === 'grid');
    }
  });
  void fetchPicture(state);
}

/** Newer transfers have come on top: the active one keeps its place on screen, unless it is the first. */
async function followTransfer(state: NftState, transfer: string, focus: boolean): Promise<void> {
  const { row, column } = state.active.value;
  if (row === 0 && !focus) return;
  const { answer, order } = state.snapshot.value.transfers;
  const place = await state.host.request('rowOf', { answer, transfer });
  if (!place || state.snapshot.value.transfers.order !== order || place.order !== order) return;
  state.goTo.value = { cell: { row: place.row, column }, focus, insteadOf: row };
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
