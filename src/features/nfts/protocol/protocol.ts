import * as z from 'zod/mini';
import {
  buttonTitle,
  type GridColumn,
  type PanelHostMethods,
  type RowWindow,
  rowWindow,
} from '../../../messaging/panel.ts';
import { type Column, columnIds } from './columns.ts';
import type { NftSnapshot, WireTransfer } from './nftSnapshot.ts';
import { nftActions, type PartName, partNames } from './parts.ts';
import type { NftStrings } from './strings.ts';

/** What a view needs to begin, or to begin again after it was hidden. */
export interface Opening {
  readonly strings: NftStrings;
  readonly columns: readonly GridColumn<Column>[];
  readonly contract: string;
  /** Decimal; empty if none was given. */
  readonly tokenId: string;
  readonly snapshot: NftSnapshot;
}

/** What is typed as a token id, whatever it is. */
export const tokenIdText = z.string().check(z.maxLength(1000));
const partName = z.enum(partNames);
const transferPlace = z.object({ answer: z.string(), transfer: z.string().check(z.maxLength(300)) });
const cellPlace = z.extend(transferPlace, { column: z.enum(columnIds) });

/** The parameter of each method that the host serves. A webview is input from outside: all of it is checked. */
export const hostParams = {
  open: z.undefined(),
  /** With the title of the button that was pressed. */
  ask: z.object({ action: z.enum(nftActions), tokenId: tokenIdText, title: z.optional(buttonTitle) }),
  tryAgain: partName,
  cancel: partName,
  skipWait: z.undefined(),
  remedy: z.object({ part: partName, title: buttonTitle }),
  rows: rowWindow,
  rowOf: transferPlace,
  picture: z.undefined(),
  copyText: z.string().check(z.maxLength(100_000)),
  copyCell: cellPlace,
  copyTransfer: transferPlace,
  openTransaction: transferPlace,
} as const;

export type Asking = Readonly<z.infer<typeof hostParams.ask>>;
export type TransferPlace = Readonly<z.infer<typeof transferPlace>>;
export type CellPlace = Readonly<z.infer<typeof cellPlace>>;

/** A row, in the order of the answer that it was asked in. */
export interface RowPlace {
  readonly order: number;
  readonly row: number;
}

/** What the view asks of the host. Loading itself is shown by `show` of the view, not by a reply. */
export interface NftHost extends PanelHostMethods<Opening> {
  /**
   * Fails with `badInput` when the action is about a token and `tokenId` is none. Does nothing for a button that is no
   * longer there: it may name a host that the user did not agree to.
   */
  ask(asking: Asking): void;
  /** Asks again for what has failed. */
  tryAgain(part: PartName): void;
  cancel(part: PartName): void;
  /** Asks the server for logs at once, whatever it is waited for. */
  skipWait(): void;
  remedy(choice: { readonly part: PartName; readonly title: string }): void;
  /** Fewer rows than asked for at the end; none if the answer or the order is an older one. */
  rows(window: RowWindow): readonly WireTransfer[];
  /** The row that shows a transfer now. */
  rowOf(place: TransferPlace): RowPlace | undefined;
  /** A `data:` URL; undefined while no picture is loaded. */
  picture(): string | undefined;
  copyText(text: string): void;
  copyCell(place: CellPlace): void;
  copyTransfer(place: TransferPlace): void;
  openTransaction(place: TransferPlace): void;
}
