import * as z from 'zod/mini';
import {
  columnWidths,
  type GridColumn,
  type LoadingProgress,
  type PanelHostMethods,
  type PanelView,
  type ProblemWords,
  type RowWindow,
  remedyNumber,
  rowWindow,
  type Tone,
} from '../../../messaging/panel.ts';
import { type Column, columnIds } from './columns.ts';
import type { NftStrings } from './strings.ts';

/** A transfer as the grid shows it. Numbers are decimal strings, since JSON has no bigint. */
export interface WireTransfer {
  /** Its name as long as the answer stays. */
  readonly transfer: string;
  /** Of its block, in the user's language; undefined where the source does not tell. */
  readonly time: string | undefined;
  readonly block: string;
  /** Checksum form. */
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly transaction: string;
}

export const partNames = ['contract', 'token', 'picture', 'transfers'] as const;
export type PartName = (typeof partNames)[number];

export const nftActions = [
  'contract',
  'contractFromDataApi',
  'token',
  'picture',
  'transfers',
  'transfersFromLogs',
  'setKey',
] as const;
/** What a button of the view can ask for. */
export type NftAction = (typeof nftActions)[number];

/** Whether it is about the token whose id is typed; a picture is of the token that is shown. */
export function isAboutTypedToken(action: NftAction): boolean {
  return action === 'token' || action === 'transfers' || action === 'transfersFromLogs';
}

/** A button, and what stands beside it: where the answer comes from and what it costs. */
export interface Offer {
  readonly action: NftAction;
  readonly title: string;
  readonly note: string;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
  /** Whether it is of use outside, as addresses are. */
  readonly canCopy: boolean;
}

/** One part of the panel as it is shown. */
export interface WirePart {
  readonly facts: readonly Fact[];
  /** What is known and by whose word; empty before anything is. */
  readonly status: string;
  readonly isLoading: boolean;
  readonly problem: ProblemWords | undefined;
  readonly offers: readonly Offer[];
}

export interface WirePicture extends WirePart {
  /** Name of the picture that {@link NftHost.picture} gives; undefined while there is none. */
  readonly shown: string | undefined;
  readonly alt: string;
}

export interface WireTransfers extends WirePart {
  /** Identity of the answer: names of transfers hold as long as it stays. */
  readonly answer: string;
  /** Row numbers mean the same transfers as long as it and the answer stay. */
  readonly order: number;
  readonly rows: number;
  readonly tone: Tone;
  /** Why the status is what it is, and what can be done. */
  readonly reasons: readonly string[];
  readonly progress: LoadingProgress | undefined;
  /** Whether the reading waits before the server is asked again. */
  readonly canSkipWait: boolean;
}

/** Everything that the view shows, but the rows and the picture. Always whole, so that none can be missed. */
export interface NftSnapshot {
  readonly heading: string;
  readonly contract: WirePart;
  readonly token: WirePart;
  readonly picture: WirePicture;
  readonly transfers: WireTransfers;
  readonly canOpenExplorer: boolean;
}

/** What a view needs to begin, or to begin again after it was hidden. */
export interface Opening {
  readonly strings: NftStrings;
  readonly columns: readonly GridColumn<Column>[];
  readonly contract: string;
  /** Decimal; empty if none was given. */
  readonly tokenId: string;
  readonly snapshot: NftSnapshot;
}

const tokenIdText = z.string().check(z.maxLength(1000));
const partName = z.enum(partNames);
const transferPlace = z.object({ answer: z.string(), transfer: z.string().check(z.maxLength(300)) });
const cellPlace = z.extend(transferPlace, { column: z.enum(columnIds) });

/** The parameter of each method that the host serves. A webview is input from outside: all of it is checked. */
export const hostParams = {
  open: z.undefined(),
  ask: z.object({ action: z.enum(nftActions), tokenId: tokenIdText }),
  tryAgain: partName,
  cancel: partName,
  skipWait: z.undefined(),
  remedy: z.object({ part: partName, index: remedyNumber }),
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

/** What the view asks of the host. Loading itself is shown by {@link NftView.show}, not by a reply. */
export interface NftHost extends PanelHostMethods<Opening> {
  /** Fails with `badInput` when the action is about a token and `tokenId` is none. */
  ask(asking: Asking): void;
  /** Asks again for what has failed. */
  tryAgain(part: PartName): void;
  cancel(part: PartName): void;
  /** Asks the server for logs at once, whatever it is waited for. */
  skipWait(): void;
  remedy(choice: { readonly part: PartName; readonly index: number }): void;
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

/** What the host tells the view. A command of the editor may ask for whatever a button does. */
export type NftView = PanelView<NftSnapshot, NftAction>;

/** What a view keeps for the time when it is hidden or the window reloads. No rows: those are the host's. */
export const viewStateSchema = z.object({
  contract: z.string(),
  tokenId: tokenIdText,
  widths: columnWidths,
  answer: z.string(),
  topRow: z.number().check(z.minimum(0)),
});

export type ViewState = Readonly<z.infer<typeof viewStateSchema>>;
