import * as vscode from 'vscode';
import { type Address, type NftTransfer, toChecksumAddress } from '../../../core/index.ts';
import { explorerLink } from '../../../host/session/explorerLink.ts';
import type { BlockTimes } from '../../../host/times/blockTimes.ts';
import { createTimeFormats } from '../../../host/times/timeWords.ts';
import type { RowWindow } from '../../../messaging/panel.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';
import type { WireTransfer } from '../protocol/nftSnapshot.ts';
import type { CellPlace, RowPlace, TransferPlace } from '../protocol/protocol.ts';
import { TransferRows } from './transferRows.ts';
import { transferCellText, transferJson, wireTransfer } from './wireTransfers.ts';

interface Showing {
  readonly times: BlockTimes;
  readonly nameOf: (address: Address) => string | undefined;
}

/** The transfers of a panel by the places that its view knows. */
export class ShownTransfers {
  readonly #answers: NftAnswers;
  readonly #showing: Showing;
  readonly #rows = new TransferRows();
  readonly #formats = createTimeFormats(vscode.env.language);
  #isRetold = false;

  constructor(answers: NftAnswers, showing: Showing) {
    this.#answers = answers;
    this.#showing = showing;
  }

  /** Takes in what has come. Counts up when row numbers begin to mean other transfers. */
  follow(): number {
    this.#rows.follow(this.#answers.answer, this.#answers.transfers.value?.transfers);
    if (this.#isRetold) this.#rows.retell();
    this.#isRetold = false;
    return this.#rows.order;
  }

  /** Times or names have changed: the view asks for rows anew once it is shown something. */
  retell(): void {
    this.#isRetold = true;
  }

  /** Whether the time of any transfer is known. */
  get hasTimes(): boolean {
    const { value } = this.#answers.transfers;
    const isTimed = value?.from === 'source' && value.transfers.some(({ time }) => time !== undefined);
    return isTimed || this.#showing.times.areKnown;
  }

  /** Those that are in view, whose blocks are then looked at for their times. */
  window(window: RowWindow): readonly WireTransfer[] {
    const { times, nameOf } = this.#showing;
    const { network } = this.#answers;
    const transfers = this.#rows.slice(window);
    const untimed = transfers.filter(({ time }) => time === undefined);
    if (network && untimed.length > 0) {
      times.want(
        untimed.map(({ blockNumber }) => blockNumber),
        network,
        { address: this.#answers.contractAddress },
      );
    }
    const showing = { formats: this.#formats, nameOf };
    return transfers.map((transfer) => wireTransfer(this.#timed(transfer), showing));
  }

  rowOf(place: TransferPlace): RowPlace | undefined {
    return this.#rows.rowOf(place);
  }

  async copyCell(place: CellPlace): Promise<void> {
    const transfer = this.#at(place);
    if (transfer) await vscode.env.clipboard.writeText(transferCellText(transfer, place.column));
  }

  async copyTransfer(place: TransferPlace): Promise<void> {
    const transfer = this.#at(place);
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

  #at(place: TransferPlace): NftTransfer | undefined {
    const transfer = this.#rows.at(place);
    return transfer && this.#timed(transfer);
  }

  #timed(transfer: NftTransfer): NftTransfer {
    const { time = this.#showing.times.timeOf(transfer.blockNumber) } = transfer;
    return { ...transfer, time };
  }
}
