import * as vscode from 'vscode';
import { toChecksumAddress } from '../../../core/index.ts';
import { explorerLink } from '../../../host/session/explorerLink.ts';
import type { RowWindow } from '../../../messaging/panel.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';
import type { WireTransfer } from '../protocol/nftSnapshot.ts';
import type { CellPlace, RowPlace, TransferPlace } from '../protocol/protocol.ts';
import { TransferRows } from './transferRows.ts';
import { transferCellText, transferJson, wireTransfer } from './wireTransfers.ts';

/** The transfers of a panel by the places that its view knows. */
export class ShownTransfers {
  readonly #answers: NftAnswers;
  readonly #rows = new TransferRows();

  constructor(answers: NftAnswers) {
    this.#answers = answers;
  }

  /** Takes in what has come. Counts up when row numbers begin to mean other transfers. */
  follow(): number {
    this.#rows.follow(this.#answers.answer, this.#answers.transfers.value?.transfers);
    return this.#rows.order;
  }

  window(window: RowWindow): readonly WireTransfer[] {
    return this.#rows.slice(window).map((transfer) => wireTransfer(transfer, vscode.env.language));
  }

  rowOf(place: TransferPlace): RowPlace | undefined {
    return this.#rows.rowOf(place);
  }

  async copyCell(place: CellPlace): Promise<void> {
    const transfer = this.#rows.at(place);
    if (transfer) await vscode.env.clipboard.writeText(transferCellText(transfer, place.column));
  }

  async copyTransfer(place: TransferPlace): Promise<void> {
    const transfer = this.#rows.at(place);
    const { network, contractAddress } = this.#answers;
    if (!transfer || !network) return;
    const of = { chainId: network.chainId, contract: toChecksumAddress(contractAddress) };
    await vscode.env.clipboard.writeText(transferJson(transfer, of));
  }

  async openTransaction(place: TransferPlace): Promise<void> {
    const transfer = this.#rows.at(place);
    const { network } = this.#answers;
    const link = transfer && explorerLink(network?.explorerUrl, 'transaction', transfer.transactionHash);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }
}
