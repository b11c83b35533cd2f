import type { FormField, QueryForm } from '../../../core/index.ts';
import type { LoadingProgress, PanelError, Tone } from '../../../messaging/panel.ts';
import type { Arrangement, ChartOffer, ColumnId, LogColumn } from './grid.ts';

/** What can be done about an answer without rows: another form to run, another chain to ask, or no filter of rows. */
export type EmptyOffer = { readonly label: string } & (
  | { readonly form: QueryForm; readonly chainId?: undefined }
  | { readonly chainId: number; readonly form?: undefined }
  | { readonly form?: undefined; readonly chainId?: undefined }
);

/** Why there may be no rows, as far as that is known. */
export interface EmptyReason {
  readonly text: string;
  readonly offers: readonly EmptyOffer[];
}

/** What stands in the place of the rows where there are none. */
export interface EmptyRows {
  readonly title: string;
  readonly detail: string;
  readonly reasons: readonly EmptyReason[];
}

/** A row as the grid shows it. */
export interface WireRow {
  /** Its number in the answer, in the chain's order: its name as long as the answer stays. */
  readonly log: number;
  /** The beginnings of their texts: all of them where they are short. */
  readonly cells: Readonly<Partial<Record<ColumnId, string>>>;
  /** What cells stand for in full, where they show a name or less. */
  readonly hints: Readonly<Partial<Record<ColumnId, string>>>;
  /** Whether nothing is known of the log but what it is made of. */
  readonly isRaw: boolean;
  /** Whether the declaration of its event can be shown. */
  readonly isDeclared: boolean;
}

/** An argument, or a part of one, in the details. */
export interface WireValue {
  /** Empty where it has none. */
  readonly name: string;
  /** With `indexed`, where it is. */
  readonly type: string;
  /** In words; the beginning of what is very long. */
  readonly text: string;
  /** As it is copied. */
  readonly copy: string;
  /** What else is to be told: that it is a hash, or its exact digits. */
  readonly note: string | undefined;
  /** The parts of an array or a tuple. */
  readonly parts: readonly WireValue[] | undefined;
}

/** What a log says, or why that is not known. */
export type WireMeaning =
  | {
      readonly event: string;
      readonly signature: string;
      readonly values: readonly WireValue[];
      /** By what it was decoded, in words. */
      readonly knownFrom: string;
      /** Which version of an upgraded contract it is of, in words; undefined where the contract has one. */
      readonly version: string | undefined;
      /** Other events that it may be, in words. */
      readonly others: readonly string[];
      /** What the button is called that opens the declaration; undefined where there is none to open. */
      readonly declaration: string | undefined;
      readonly reason?: undefined;
    }
  | {
      readonly reason: string;
      /** The events that it may be, as they are declared, where several versions of its contract may be meant. */
      readonly may: readonly string[];
    };

/** All of one log. Block numbers are decimal strings, since JSON has no bigint. */
export interface WireLog {
  readonly log: number;
  readonly block: string;
  /** When the block was made, in ISO 8601 and in the reader's own way; undefined where that is not known. */
  readonly time: { readonly iso: string; readonly note: string } | undefined;
  readonly blockHash: string;
  readonly index: number;
  readonly transaction: string;
  /** Checksum form. */
  readonly address: string;
  readonly topics: readonly string[];
  /** The name of its contract. */
  readonly name: string | undefined;
  readonly meaning: WireMeaning;
  readonly data: string;
  readonly dataBytes: number;
  readonly transactionIndex: number;
}

export interface LogsPanelError extends PanelError {
  /** Set where the form is at fault: to be told there, since trying again would not help. */
  readonly field: FormField | undefined;
}

/** Asked in the panel before loading goes past the limit. */
export interface LimitPrompt {
  readonly message: string;
  readonly yes: string;
}

/** A part of the line that a query is read as. */
export interface QueryPart {
  /** What it is of, in lighter letters. */
  readonly before?: string | undefined;
  readonly strong?: string | undefined;
  readonly after?: string | undefined;
  /** What it stands for in full. */
  readonly hint?: string | undefined;
}

/** The query that the rows are of. */
export interface ExecutedQuery {
  readonly form: QueryForm;
  readonly parts: readonly QueryPart[];
}

/** `ahead`: the range begins above the latest block. */
export type ResultTone = Tone | 'ahead';

/** One thing to know of an answer. */
export interface ResultFact {
  readonly name: string;
  readonly value: string;
}

/** What is known of the answer, in words. */
export interface ResultStatus {
  /** Fit to be read out at every change: while all is loaded it changes with each tenth of the blocks. */
  readonly status: string;
  /** What belongs to the status, in lighter letters. */
  readonly rest: string;
  readonly tone: ResultTone;
  /** How long ago the last page came, in milliseconds; undefined where that is not to be said. */
  readonly age: number | undefined;
}

/** What there is to know of the answer besides. */
export interface ResultDetails {
  /** Why it is not certain to be complete. */
  readonly reasons: readonly string[];
  /** Where it stands, and how it goes on. */
  readonly notes: readonly string[];
  readonly facts: readonly ResultFact[];
}

/** Which network a panel asks, in words. */
export interface PanelNetworkLabels {
  readonly id: string;
  /** The name of the network, where it is not the active one. */
  readonly mark: string | undefined;
  /** What is to be said of it; undefined where it is the active one as it was asked. */
  readonly note: string | undefined;
  /** What the button is called that moves the panel over to the active one. */
  readonly move: string | undefined;
}

/** Whether the answer is kept true as the chain grows, and which of its rows have changed by that. */
export interface FollowState {
  readonly state: 'off' | 'starting' | 'on';
  /** Whether there is something to follow. */
  readonly canFollow: boolean;
  /** How its new rows are told of outside of the panel. */
  readonly notify: 'off' | 'count' | 'message';
  /** Rows of this log number and above came a moment ago. */
  readonly freshFrom: number | undefined;
  /** Numbers of logs that the chain has taken back, which are about to go. */
  readonly struck: readonly number[];
}

/** How rows moved from one order to the next: some places are gone, then others were put in. */
export interface RowsMove {
  readonly from: number;
  readonly removed: readonly (readonly [start: number, count: number])[];
  readonly inserted: readonly (readonly [start: number, count: number])[];
}

/** Everything about the answer that the view shows, but the rows. Always whole, so that none can be missed. */
export interface LogsSnapshot extends ResultStatus, ResultDetails {
  /** Identity of the answer: log numbers mean the same logs as long as it stays. */
  readonly answer: string;
  /** Row numbers mean the same logs as long as it and the answer stay; rows may be added at the end. */
  readonly order: number;
  /** Goes up when rows say other things, although they are the same in the same order. */
  readonly textVersion: number;
  /** Rows to show: the loaded logs that pass the filter. */
  readonly rows: number;
  readonly loaded: number;
  /** How the rows are arranged; may be behind what was asked for last. */
  readonly arrangement: Arrangement;
  /** The columns of the rows, in order. */
  readonly columns: readonly LogColumn[];
  /** How many logs the filter lets through, or what is being done to the rows. */
  readonly rowsText: string;
  readonly loading: 'first' | 'next' | 'all' | undefined;
  /** Whether the loading waits before the server is asked again. */
  readonly canSkipWait: boolean;
  readonly progress: LoadingProgress | undefined;
  readonly more: boolean;
  /** Whether there is an answer to export, if it does not change right now. */
  readonly canExport: boolean;
  /** Undefined while there is no answer. */
  readonly executed: ExecutedQuery | undefined;
  readonly error: LogsPanelError | undefined;
  readonly limitPrompt: LimitPrompt | undefined;
  readonly follow: FollowState;
  /** Undefined where there is nothing to draw. */
  readonly chart: ChartOffer | undefined;
  readonly canOpenExplorer: boolean;
  readonly network: PanelNetworkLabels;
  /** What stands in the place of the rows; undefined where there are some, or may be. */
  readonly empty: EmptyRows | undefined;
  /** Goes up when what is known about the form may have changed. */
  readonly knowledgeVersion: number;
}

export interface ShownResult extends LogsSnapshot {
  /** Row 0 and those below, as many as are in view: once whenever row numbers mean other rows, so that none waits to be asked. */
  readonly topRows: readonly WireRow[] | undefined;
  /** How rows came from the order that was shown before to this one; none where that is not known. */
  readonly moves: readonly RowsMove[];
}
