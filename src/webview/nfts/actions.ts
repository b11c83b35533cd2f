import { parseTokenId } from '../../core/index.ts';
import type { Column } from '../../features/nfts/protocol/columns.ts';
import { isAboutTypedToken, type NftAction, type PartName } from '../../features/nfts/protocol/parts.ts';
import { asked } from '../kit/panelState.ts';
import type { NftState } from './state.ts';

/** Asks for something, if the token id can be used where it is about a token; `title` is that of the pressed button. */
export function ask(state: NftState, action: NftAction, title?: string): void {
  if (isAboutTypedToken(action)) {
    judgeTokenId(state);
    if (state.tokenIdProblem.value) {
      document.getElementById('tokenId')?.focus();
      return;
    }
  }
  void asked(state, 'ask', { action, tokenId: state.tokenId.value, title });
}

/** Takes what was typed. An id that is marked as wrong is judged anew at every key. */
export function typedTokenId(state: NftState, text: string): void {
  state.tokenId.value = text;
  if (state.tokenIdProblem.value) judgeTokenId(state);
}

function judgeTokenId(state: NftState): void {
  const isUsable = parseTokenId(state.tokenId.value) !== undefined;
  state.tokenIdProblem.value = isUsable ? undefined : state.strings.notATokenId;
}

/** When the field is left: an empty one is no mistake yet. */
export function leaveTokenId(state: NftState): void {
  if (state.tokenId.value.trim() !== '') judgeTokenId(state);
}

export function tryAgain(state: NftState, part: PartName): void {
  void asked(state, 'tryAgain', part);
}

export function cancel(state: NftState, part: PartName): void {
  void asked(state, 'cancel', part);
}

export function skipWait(state: NftState): void {
  void asked(state, 'skipWait', undefined);
}

export function remedy(state: NftState, part: PartName, title: string): void {
  void asked(state, 'remedy', { part, title });
}

export function copyText(state: NftState, text: string): void {
  void asked(state, 'copyText', text);
}

export function copyCell(state: NftState, row: number, column: Column): void {
  const place = placeOf(state, row);
  if (place) void asked(state, 'copyCell', { ...place, column });
}

export function copyTransfer(state: NftState, row: number): void {
  const place = placeOf(state, row);
  if (place) void asked(state, 'copyTransfer', place);
}

export function openTransaction(state: NftState, row: number): void {
  const place = placeOf(state, row);
  if (place) void asked(state, 'openTransaction', place);
}

function placeOf({ cache, snapshot }: NftState, row: number) {
  const transfer = cache.get(row)?.transfer;
  return transfer === undefined ? undefined : { answer: snapshot.value.transfers.answer, transfer };
}
