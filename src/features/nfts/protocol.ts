import * as z from 'zod/mini';
import type { Localizer } from '../../host/l10n.ts';
import { type MethodsOf, request } from '../../messaging/channel.ts';
import {
  buttonTitle,
  columnWidthsSchema,
  type GridColumn,
  type LoadingProgress,
  type PanelError,
  rowWindowSchema,
  type Tone,
} from '../../messaging/panel.ts';

export const transferColumnIds = ['kind', 'block', 'time', 'from', 'to', 'amount', 'transaction'] as const;
export type TransferColumn = (typeof transferColumnIds)[number];

/** All columns that the grid of transfers can have, in its order. */
export function createTransferColumns(l10n: Localizer): readonly GridColumn<TransferColumn>[] {
  return [
    { id: 'kind', name: l10n.t('Kind'), width: 100 },
    { id: 'block', name: l10n.t('Block'), width: 90, alignEnd: true },
    { id: 'time', name: l10n.t('Time'), width: 166 },
    { id: 'from', name: l10n.t('From'), width: 125 },
    { id: 'to', name: l10n.t('To'), width: 125 },
    { id: 'amount', name: l10n.t('Amount'), width: 80, alignEnd: true },
    { id: 'transaction', name: l10n.t('Transaction'), width: 130 },
  ];
}

/** What a transfer does to its token: the zero address is where tokens come from, and where they go. */
export type TransferKind = 'mint' | 'transfer' | 'burn';

/** An address as a cell shows it. */
export interface WireAddress {
  /** Its name, else its beginning and end. */
  readonly text: string;
  /** Checksum form, with the name. */
  readonly hint: string;
}

/** A transfer as the grid shows it. Numbers are decimal strings, since JSON has no bigint. */
export interface WireTransfer {
  /** Its name as long as the answer stays. */
  readonly transfer: string;
  readonly kind: TransferKind;
  /** Of its block, in the user's language, short and with the seconds; undefined where it is not known. */
  readonly time: { readonly text: string; readonly hint: string } | undefined;
  readonly block: string;
  readonly from: WireAddress;
  readonly to: WireAddress;
  readonly amount: string;
  readonly transaction: string;
}

/** A button, and what stands beside it: where the answer comes from and what it costs. */
export interface NftOffer {
  readonly action: NftAction;
  readonly title: string;
  readonly note: string;
}

export interface NftFact {
  readonly name: string;
  readonly value: string;
  /** The whole of it, where the value is short for that. */
  readonly full?: string;
  /** Whether it is of use outside, as addresses are. */
  readonly canCopy: boolean;
}

/** One part of the panel as it is shown. */
export interface WirePart {
  readonly facts: readonly NftFact[];
  /** What is known and where it was read; empty before anything is. */
  readonly status: string;
  readonly isLoading: boolean;
  readonly error: PanelError | undefined;
  readonly offers: readonly NftOffer[];
}

interface WirePicture extends WirePart {
  /** Name of the picture that `picture` of the host gives; undefined while there is none. */
  readonly shown: string | undefined;
  readonly alt: string;
}

export interface WireTransfers extends WirePart {
  /** Identity of the answer: names of transfers hold as long as it stays. */
  readonly answer: string;
  /** Row numbers mean the same transfers as long as it and the answer stay. */
  readonly order: number;
  readonly rows: number;
  /** Those that have something to show, in the order of the grid. */
  readonly columns: readonly TransferColumn[];
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
  /** What Enter in the field of the token id asks for. */
  readonly onEnter: readonly NftAction[];
}

/** The parts of the panel, each of which is asked for by itself. */
export const partNames = ['contract', 'token', 'picture', 'transfers'] as const;
export type PartName = (typeof partNames)[number];

export const nftActions = [
  'contract',
  'contractFromDataApi',
  'token',
  'tokenFromContract',
  'metadata',
  'picture',
  'transfers',
  'transfersFromLogs',
  'setKey',
] as const;
/** What a button of the view can ask for, and so may a command of the editor. */
export type NftAction = (typeof nftActions)[number];

const aboutTypedToken: ReadonlySet<NftAction> = new Set([
  'token',
  'tokenFromContract',
  'transfers',
  'transfersFromLogs',
]);

/** Whether it is about the token whose id is typed; a picture is of the token that is shown. */
export function usesTypedToken(action: NftAction): boolean {
  return aboutTypedToken.has(action);
}

/** What a view needs to begin, or to begin again after it was hidden. */
export interface NftOpening {
  readonly strings: NftStrings;
  readonly columns: readonly GridColumn<TransferColumn>[];
  readonly contract: string;
  /** Decimal; empty if none was given. */
  readonly tokenId: string;
  readonly snapshot: NftSnapshot;
}

/** What is typed as a token id, whatever it is. */
const tokenIdSchema = z.string().check(z.maxLength(1000));
const partNameSchema = z.enum(partNames);
const transferPlaceSchema = z.object({ answer: z.string(), transfer: z.string().check(z.maxLength(300)) });
const cellPlaceSchema = z.extend(transferPlaceSchema, { column: z.enum(transferColumnIds) });

const nftLoadSchema = z.object({
  action: z.enum(nftActions),
  tokenId: tokenIdSchema,
  /** Of the button that was pressed. */
  title: z.optional(buttonTitle),
});

/**
 * What the view asks of the host. A webview is input from outside: every parameter is checked. Loading itself is shown
 * by `show` of the view, not by a reply.
 */
export const nftRequests = {
  open: request<NftOpening>(),
  /**
   * Fails with `badInput` when the action is about a token and `tokenId` is none. Does nothing for a button that is no
   * longer there: it may name a host that the user did not agree to.
   */
  load: request().with(nftLoadSchema),
  tryAgain: request().with(partNameSchema),
  cancel: request().with(partNameSchema),
  skipWait: request(),
  /** Runs the remedy with this title. */
  remedy: request().with(z.object({ part: partNameSchema, title: buttonTitle })),
  /** Fewer rows than requested at the end; none if the result or the order is an older one. */
  rows: request<readonly WireTransfer[]>().with(rowWindowSchema),
  /** The row that shows a transfer now. */
  rowOf: request<TransferRowPlace | undefined>().with(transferPlaceSchema),
  /** A `data:` URL. */
  picture: request<string | undefined>(),
  copyText: request().with(z.string().check(z.maxLength(100_000))),
  copyCell: request().with(cellPlaceSchema),
  copyTransfer: request().with(transferPlaceSchema),
  openTransaction: request().with(transferPlaceSchema),
};

export type NftHost = MethodsOf<typeof nftRequests>;
export type NftRequest = Readonly<z.infer<typeof nftLoadSchema>>;
export type TransferPlace = Readonly<z.infer<typeof transferPlaceSchema>>;
export type TransferCellPlace = Readonly<z.infer<typeof cellPlaceSchema>>;

/** A row, in the order of the answer that it was asked in. */
export interface TransferRowPlace {
  readonly order: number;
  readonly row: number;
}

/** Every text that the webview shows, but what a snapshot carries. */
export function createNftStrings(l10n: Localizer) {
  return {
    contract: l10n.t('Contract'),
    token: l10n.t('Token'),
    tokenId: l10n.t('Token id'),
    tokenIdHint: l10n.t('Decimal, or 0x and hex digits'),
    notATokenId: l10n.t(
      'Not a token id: expected a whole number up to 2^256 - 1, decimal or 0x and hex digits.',
    ),
    transfers: l10n.t('Transfers'),
    kinds: { mint: l10n.t('Mint'), transfer: l10n.t('Transfer'), burn: l10n.t('Burn') },
    copy: l10n.t('Copy'),
    copyTransfer: l10n.t('Copy as JSON'),
    openTransaction: l10n.t('Open transaction in explorer'),
    askNow: l10n.t('Ask now'),
    cancel: l10n.t('Cancel'),
    tryAgain: l10n.t('Try again'),
    why: l10n.t('Why?'),
    loading: l10n.t('Loading'),
    resizeHint: l10n.t('Shift and left or right arrow change the column width.'),
    pictureUnreadable: l10n.t('What came cannot be drawn as a picture.'),
    hostFailed: l10n.t('The extension did not answer: {0}'),
  } as const;
}

export type NftStrings = ReturnType<typeof createNftStrings>;

/** What a view keeps for the time when it is hidden or the window reloads. No rows: those are the host's. */
export const nftViewStateSchema = z.object({
  contract: z.string(),
  tokenId: tokenIdSchema,
  widths: columnWidthsSchema,
  answer: z.string(),
  topRow: z.number().check(z.minimum(0)),
});

export type NftViewState = Readonly<z.infer<typeof nftViewStateSchema>>;
