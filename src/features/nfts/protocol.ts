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

/** The zero address mints and burns tokens. */
export type TransferKind = 'mint' | 'transfer' | 'burn';

export interface WireAddress {
  /** The name, else the shortened address. */
  readonly text: string;
  /** Checksummed, with the name. */
  readonly hint: string;
}

/** Numbers are decimal strings, because JSON has no bigint. */
export interface WireTransfer {
  /** The transfer's ID, valid as long as the `resultId` stays. */
  readonly transfer: string;
  readonly kind: TransferKind;
  /** The time of its block, to the second; undefined if it is unknown. */
  readonly time: { readonly text: string; readonly hint: string } | undefined;
  readonly block: string;
  readonly from: WireAddress;
  readonly to: WireAddress;
  readonly amount: string;
  readonly transaction: string;
}

/** A button, and a note on its provider and cost. */
export interface NftOffer {
  readonly action: NftAction;
  readonly title: string;
  readonly note: string;
}

export interface NftFact {
  readonly name: string;
  readonly value: string;
  /** The full text if the value is shortened. */
  readonly full?: string;
  /** Whether the value is useful elsewhere, as addresses are. */
  readonly canCopy: boolean;
}

export interface WirePart {
  readonly facts: readonly NftFact[];
  /** The verdict and the provider; empty before anything is loaded. */
  readonly status: string;
  readonly isLoading: boolean;
  readonly error: PanelError | undefined;
  readonly offers: readonly NftOffer[];
}

interface WirePicture extends WirePart {
  /** Changes with the picture, which `picture` of the host returns; undefined if there is none. */
  readonly shown: string | undefined;
  readonly alt: string;
}

export interface WireTransfers extends WirePart {
  /** Identity of the result: IDs of transfers are valid as long as it stays. */
  readonly resultId: string;
  /** Row numbers are valid as long as this and `resultId` stay. */
  readonly order: number;
  readonly rows: number;
  /** Columns that are not empty, in the order of the grid. */
  readonly columns: readonly TransferColumn[];
  readonly tone: Tone;
  /** Reasons for the status, and remedies. */
  readonly reasons: readonly string[];
  readonly progress: LoadingProgress | undefined;
  /** Whether the reader waits before the next request. */
  readonly canSkipWait: boolean;
}

/** The whole state of the view but the rows and the picture. Always complete, so that no update can be missed. */
export interface NftSnapshot {
  readonly heading: string;
  readonly contract: WirePart;
  readonly token: WirePart;
  readonly picture: WirePicture;
  readonly transfers: WireTransfers;
  readonly canOpenExplorer: boolean;
  /** The actions that Enter in the token ID field runs. */
  readonly onEnter: readonly NftAction[];
}

/** The parts of the panel, which load independently. */
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
/** Actions of the view's buttons and of commands. */
export type NftAction = (typeof nftActions)[number];

const aboutTypedToken: ReadonlySet<NftAction> = new Set([
  'token',
  'tokenFromContract',
  'transfers',
  'transfersFromLogs',
]);

/** Whether the action needs the token ID that is typed. A picture is always that of the token shown. */
export function usesTypedToken(action: NftAction): boolean {
  return aboutTypedToken.has(action);
}

/** The state of a new view, or of one that is shown again. */
export interface NftOpening {
  readonly strings: NftStrings;
  readonly columns: readonly GridColumn<TransferColumn>[];
  readonly contract: string;
  /** Decimal; empty if there is none. */
  readonly tokenId: string;
  readonly snapshot: NftSnapshot;
}

/** As typed, not validated. */
const tokenIdSchema = z.string().check(z.maxLength(1000));
const partNameSchema = z.enum(partNames);
const transferPlaceSchema = z.object({ resultId: z.string(), transfer: z.string().check(z.maxLength(300)) });
const cellPlaceSchema = z.extend(transferPlaceSchema, { column: z.enum(transferColumnIds) });

const nftLoadSchema = z.object({
  action: z.enum(nftActions),
  tokenId: tokenIdSchema,
  /** The title of the button that was pressed. */
  title: z.optional(buttonTitle),
});

/**
 * Requests of the view to the host. A webview is untrusted: every parameter is validated. `load` does not return the
 * result; it appears in the next snapshot.
 */
export const nftRequests = {
  open: request<NftOpening>(),
  /**
   * Fails with `badInput` if the action needs a token ID and `tokenId` is invalid. Ignored for a button that no longer
   * exists: it may name a host that the user did not agree to.
   */
  load: request().with(nftLoadSchema),
  tryAgain: request().with(partNameSchema),
  cancel: request().with(partNameSchema),
  skipWait: request(),
  remedy: request().with(z.object({ part: partNameSchema, title: buttonTitle })),
  /** Fewer rows than requested at the end; none if the result or the order is an older one. */
  rows: request<readonly WireTransfer[]>().with(rowWindowSchema),
  /** The row that currently shows a transfer. */
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

/** A row number, valid in this order. */
export interface TransferRowPlace {
  readonly order: number;
  readonly row: number;
}

/** All texts of the webview that are not in a snapshot. */
export function createNftStrings(l10n: Localizer) {
  return {
    contract: l10n.t('Contract'),
    token: l10n.t('Token'),
    tokenId: l10n.t('Token ID'),
    tokenIdHint: l10n.t('Decimal, or 0x and hex digits'),
    notATokenId: l10n.t(
      'Not a token ID. Enter a whole number up to 2^256 - 1, in decimal or as 0x and hex digits.',
    ),
    transfers: l10n.t('Transfers'),
    kinds: { mint: l10n.t('Mint'), transfer: l10n.t('Transfer'), burn: l10n.t('Burn') },
    copy: l10n.t('Copy'),
    copyTransfer: l10n.t('Copy as JSON'),
    openTransaction: l10n.t('Open Transaction in Explorer'),
    askNow: l10n.t('Retry Now'),
    cancel: l10n.t('Cancel'),
    tryAgain: l10n.t('Retry'),
    why: l10n.t('Why?'),
    loading: l10n.t('Loading'),
    resizeHint: l10n.t('Press Shift+Left or Shift+Right to change the column width.'),
    pictureUnreadable: l10n.t('The file is not a valid picture.'),
    hostFailed: l10n.t('The extension did not respond: {0}'),
  } as const;
}

export type NftStrings = ReturnType<typeof createNftStrings>;

/** The view state that survives hiding and reloading. No rows: the host has those. */
export const nftViewStateSchema = z.object({
  contract: z.string(),
  tokenId: tokenIdSchema,
  widths: columnWidthsSchema,
  /** The ID of the result; the key is that of stored states. */
  answer: z.string(),
  topRow: z.number().check(z.minimum(0)),
});

export type NftViewState = Readonly<z.infer<typeof nftViewStateSchema>>;
