import { parseTokenId } from '../../core/index.ts';
import { type NftAction, type TransferColumn, usesTypedToken } from '../../features/nfts/protocol.ts';
import { callHost } from '../kit/panelState.ts';
import type { NftState } from './nftState.ts';

/** Loads something. If that needs the token ID, validates it first. `title` is that of the pressed button. */
export function runAction(state: NftState, action: NftAction, title?: string): void {
  if (usesTypedToken(action)) {
    validateTokenId(state);
    if (state.tokenIdError.value) {
      document.getElementById('tokenId')?.focus();
      return;
    }
  }
  void callHost(state, 'load', { action, tokenId: state.tokenId.value, title });
}

/** Changes the token ID. An invalid one is validated again at every key. */
export function changeTokenId(state: NftState, text: string): void {
  state.tokenId.value = text;
  if (state.tokenIdError.value) validateTokenId(state);
}

function validateTokenId(state: NftState): void {
  const isValid = parseTokenId(state.tokenId.value) !== undefined;
  state.tokenIdError.value = isValid ? undefined : state.strings.notATokenId;
}

/** Validates the token ID when the field loses the focus, unless it is empty. */
export function leaveTokenId(state: NftState): void {
  if (state.tokenId.value.trim() !== '') validateTokenId(state);
}

export function copyCell(state: NftState, row: number, column: TransferColumn): void {
  const place = findTransfer(state, row);
  if (place) void callHost(state, 'copyCell', { ...place, column });
}

export function copyTransfer(state: NftState, row: number): void {
  const place = findTransfer(state, row);
  if (place) void callHost(state, 'copyTransfer', place);
}

export function openTransaction(state: NftState, row: number): void {
  const place = findTransfer(state, row);
  if (place) void callHost(state, 'openTransaction', place);
}

function findTransfer({ cache, snapshot }: NftState, row: number) {
  const transfer = cache.get(row)?.transfer;
  return transfer === undefined ? undefined : { resultId: snapshot.value.transfers.resultId, transfer };
}
