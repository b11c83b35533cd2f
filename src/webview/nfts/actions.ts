import { parseTokenId } from '../../core/index.ts';
import {
  type Column,
  isAboutTypedToken,
  type PartName,
  type Wish,
} from '../../features/nfts/protocol/protocol.ts';
import { hostAnswer } from '../kit/host.ts';
import type { NftState } from './state.ts';

/** Asks for something, if the token id can be used where it is about a token. */
export function ask(state: NftState, wish: Wish): void {
  if (isAboutTypedToken(wish)) {
    judgeTokenId(state);
    if (state.tokenIdProblem.value) {
      requestAnimationFrame(() => document.getElementById('tokenId')?.focus());
      return;
    }
  }
  void asked(state, state.host.request('ask', { wish, tokenId: state.tokenId.value }));
}

/** Takes what was typed. An id that was told to be wrong is judged anew at every key. */
export function typedTokenId(state: NftState, text: string): void {
  state.tokenId.value = text;
  if (state.tokenIdProblem.value) judgeTokenId(state);
}

export function judgeTokenId(state: NftState): void {
  const isUsable = parseTokenId(state.tokenId.value) !== undefined;
  state.tokenIdProblem.value = isUsable ? undefined : state.strings.notATokenId;
}

/** When the field is left: an empty one is no mistake yet. */
export function leaveTokenId(state: NftState): void {
  if (state.tokenId.value.trim() !== '') judgeTokenId(state);
}

export function tryAgain(state: NftState, part: PartName): void {
  void asked(state, state.host.request('tryAgain', part));
}

export function cancel(state: NftState, part: PartName): void {
  void asked(state, state.host.request('cancel', part));
}

export function skipWait(state: NftState): void {
  void asked(state, state.host.request('skipWait', undefined));
}

export function remedy(state: NftState, part: PartName, index: number): void {
  void asked(state, state.host.request('remedy', { part, index }));
}

export function copyText(state: NftState, text: string): void {
  void asked(state, state.host.request('copyText', text));
}

export function copyCell(state: NftState, row: number, column: Column): void {
  const place = placeOf(state, row);
  if (place) void asked(state, state.host.request('copyCell', { ...place, column }));
}

export function copyTransfer(state: NftState, row: number): void {
  const place = placeOf(state, row);
  if (place) void asked(state, state.host.request('copyTransfer', place));
}

export function openTransaction(state: NftState, row: number): void {
  const place = placeOf(state, row);
  if (place) void asked(state, state.host.request('openTransaction', place));
}

function placeOf({ cache, snapshot }: NftState, row: number) {
  const transfer = cache.get(row)?.transfer;
  return transfer === undefined ? undefined : { answer: snapshot.value.transfers.answer, transfer };
}

function asked<T>(state: NftState, answer: Promise<T>): Promise<T | undefined> {
  return hostAnswer(answer, state.strings.hostFailed, (words) => {
    state.hostFailure.value = words;
  });
}
