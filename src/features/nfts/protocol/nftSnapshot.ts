import type { LoadingProgress, ProblemWords, Tone } from '../../../messaging/panel.ts';
import type { Column } from './columns.ts';
import type { NftAction } from './parts.ts';

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
export interface Offer {
  readonly action: NftAction;
  readonly title: string;
  readonly note: string;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
  /** The whole of it, where the value is short for that. */
  readonly full?: string;
  /** Whether it is of use outside, as addresses are. */
  readonly canCopy: boolean;
}

/** One part of the panel as it is shown. */
export interface WirePart {
  readonly facts: readonly Fact[];
  /** What is known and where it was read; empty before anything is. */
  readonly status: string;
  readonly isLoading: boolean;
  readonly problem: ProblemWords | undefined;
  readonly offers: readonly Offer[];
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
  readonly columns: readonly Column[];
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
