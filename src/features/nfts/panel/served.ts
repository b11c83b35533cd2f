import * as vscode from 'vscode';
import type { ServedMethods } from '../../../messaging/contract.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';
import type { PartName } from '../protocol/parts.ts';
import { type Asking, hostParams, type NftHost, type Opening } from '../protocol/protocol.ts';
import type { NftActions } from './nftActions.ts';
import type { ShownTransfers } from './shownTransfers.ts';

/** What the methods act on. */
interface ServedParts {
  readonly answers: NftAnswers;
  readonly actions: NftActions;
  readonly transfers: ShownTransfers;
  readonly ask: (asking: Asking) => void;
  readonly opening: () => Opening;
  readonly remedy: (chosen: { readonly part: PartName; readonly title: string }) => void;
}

/** What an NFT panel's view may call. */
export function nftMethods(parts: ServedParts): ServedMethods<NftHost> {
  const { answers, actions, transfers } = parts;
  return {
    open: { params: hostParams.open, handle: parts.opening },
    ask: { params: hostParams.ask, handle: parts.ask },
    tryAgain: { params: hostParams.tryAgain, handle: (part) => actions.tryAgain(part) },
    cancel: { params: hostParams.cancel, handle: (part) => answers[part].cancel() },
    skipWait: { params: hostParams.skipWait, handle: () => answers.reading.skipWait() },
    remedy: { params: hostParams.remedy, handle: parts.remedy },
    rows: { params: hostParams.rows, handle: (window) => transfers.window(window) },
    rowOf: { params: hostParams.rowOf, handle: (place) => transfers.rowOf(place) },
    picture: { params: hostParams.picture, handle: () => answers.picture.value?.url },
    copyText: { params: hostParams.copyText, handle: (text) => vscode.env.clipboard.writeText(text) },
    copyCell: { params: hostParams.copyCell, handle: (place) => transfers.copyCell(place) },
    copyTransfer: { params: hostParams.copyTransfer, handle: (place) => transfers.copyTransfer(place) },
    openTransaction: {
      params: hostParams.openTransaction,
      handle: (place) => transfers.openTransaction(place),
    },
  };
}
