import type { FormField, QueryForm } from '../../../core/index.ts';
import type { LoadingProgress, PanelError, Tone } from '../../../messaging/panel.ts';
import type { SentencePart } from '../../../messaging/sentence.ts';
import type { Arrangement, ChartOffer, ColumnId, LogColumn } from './grid.ts';
import type { GroupsSnapshot } from './groups.ts';

/** What to try after an empty result: another form, another chain, or clearing the row filter. */
export type EmptyOffer = { readonly label: string } & (
  | { readonly form: QueryForm; readonly chainId?: undefined }
  | { readonly chainId: number; readonly form?: undefined }
  | { readonly form?: undefined; readonly chainId?: undefined }
);

/** A possible reason for an empty result. */
export interface EmptyReason {
  readonly text: string;
  readonly offers: readonly EmptyOffer[];
}

/** Shown in place of rows. */
export interface EmptyRows {
  readonly title: string;
  readonly detail: string;
  readonly reasons: readonly EmptyReason[];
}

export interface WireRow {
  /** Its number in the result, in chain order; stable while the result stays. */
  readonly log: number;
  /** Long texts are cut. */
  readonly cells: Readonly<Partial<Record<ColumnId, string>>>;
  /** The full values of cells that show a name or are shortened. */
  readonly hints: Readonly<Partial<Record<ColumnId, string>>>;
  /** The parts of the cell that describes the event; undefined if the log is not decoded. */
  readonly sentence: readonly SentencePart[] | undefined;
  /** Whether the log is not decoded. */
  readonly isRaw: boolean;
  /** Whether the declaration of its event can be opened. */
  readonly isDeclared: boolean;
}

/** An argument in the details, or a part of one. */
export interface WireValue {
  /** Empty if it has none. */
  readonly name: string;
  /** Includes `indexed` if it is. */
  readonly type: string;
  /** Very long texts are cut. */
  readonly text: string;
  /** The text for the clipboard. */
  readonly copy: string;
  /** That it is a hash, or its exact digits. */
  readonly note: string | undefined;
  /** The parts of an array or a tuple. */
  readonly parts: readonly WireValue[] | undefined;
}

/** A decoded log, or why it is not decoded. */
export type WireMeaning =
  | {
      readonly event: string;
      readonly signature: string;
      readonly values: readonly WireValue[];
      /** Where the ABI comes from. */
      readonly knownFrom: string;
      /** The implementation that emitted it; undefined for a contract without one. */
      readonly version: string | undefined;
      /** Other matching events. */
      readonly others: readonly string[];
      /** Label of the button that opens the declaration; undefined if there is none. */
      readonly declaration: string | undefined;
      readonly reason?: undefined;
    }
  | {
      readonly reason: string;
      /** Candidate declarations, if the log may be of several versions of its contract. */
      readonly may: readonly string[];
    };

/** A log with all details. Block numbers are decimal strings, since JSON has no bigint. */
export interface WireLog {
  readonly log: number;
  readonly block: string;
  /** The block time in ISO 8601, and in the user's format; undefined if it is unknown. */
  readonly time: { readonly iso: string; readonly note: string } | undefined;
  readonly blockHash: string;
  readonly index: number;
  readonly transaction: string;
  /** Checksummed. */
  readonly address: string;
  readonly topics: readonly string[];
  /** The contract name. */
  readonly name: string | undefined;
  readonly meaning: WireMeaning;
  readonly data: string;
  readonly dataBytes: number;
  readonly transactionIndex: number;
}

export interface LogsPanelError extends PanelError {
  /** The form field that caused the error: it is shown there, and a retry would not help. */
  readonly field: FormField | undefined;
}

/** Asks before loading goes past the limit. */
export interface LimitPrompt {
  readonly message: string;
  readonly yes: string;
}

/** A part of the query line. */
export interface QueryPart {
  /** Muted. */
  readonly before?: string | undefined;
  readonly strong?: string | undefined;
  readonly after?: string | undefined;
  /** The full value. */
  readonly hint?: string | undefined;
}

interface ExecutedQuery {
  readonly form: QueryForm;
  readonly parts: readonly QueryPart[];
}

export interface ResultFact {
  readonly name: string;
  readonly value: string;
}

/** The status line of the result. */
export interface ResultStatus {
  /** Suitable for screen readers: while all logs load, it changes once per tenth of the blocks. */
  readonly status: string;
  /** Muted text after the status. */
  readonly rest: string;
  readonly tone: Tone;
  /** Milliseconds since the last page came; undefined if not shown. */
  readonly age: number | undefined;
}

export interface ResultDetails {
  /** Why the result may be incomplete. */
  readonly reasons: readonly string[];
  /** How far the result goes, and how to continue. */
  readonly notes: readonly string[];
  readonly facts: readonly ResultFact[];
}

export interface PanelNetworkLabels {
  readonly id: string;
  /** The network name, if it is not the active one. */
  readonly mark: string | undefined;
  /** Undefined if the panel uses the active network, and it has not changed. */
  readonly note: string | undefined;
  /** Label of the button that moves the panel to the active network. */
  readonly move: string | undefined;
}

/** Whether the result is kept current as the chain grows, and which rows have changed by that. */
export interface FollowState {
  readonly state: 'off' | 'starting' | 'on';
  readonly canFollow: boolean;
  /** How the user is notified of new rows while the panel is hidden. */
  readonly notify: 'off' | 'count' | 'message';
  /** Rows with this log number and above are new. */
  readonly freshFrom: number | undefined;
  /** Log numbers that a reorg removed, struck through before they disappear. */
  readonly struck: readonly number[];
}

/** How rows moved from one order to the next: first removed, then inserted. */
export interface RowsMove {
  readonly from: number;
  readonly removed: readonly (readonly [start: number, count: number])[];
  readonly inserted: readonly (readonly [start: number, count: number])[];
}

/** The whole state of the view apart from the rows. Never partial, so that no change is missed. */
export interface LogsSnapshot extends ResultStatus, ResultDetails {
  /** Identity of the result: log numbers are valid while it stays. */
  readonly resultId: string;
  /** Row numbers are valid while it and the result stay; rows may be added at the end. */
  readonly order: number;
  /** Increases when cells have other texts, although rows and order are the same. */
  readonly textVersion: number;
  /** Loaded logs that pass the filter. */
  readonly rows: number;
  readonly loaded: number;
  /** The current arrangement; may be behind the requested one. */
  readonly arrangement: Arrangement;
  /** In order. */
  readonly columns: readonly LogColumn[];
  /** The columns for a narrow view, where a row is one sentence. */
  readonly narrowColumns: readonly LogColumn[];
  /** How many logs pass the filter, or that sorting or filtering runs. */
  readonly rowsText: string;
  readonly loading: 'first' | 'next' | 'all' | undefined;
  /** Whether loading waits before the next request. */
  readonly canSkipWait: boolean;
  readonly progress: LoadingProgress | undefined;
  readonly more: boolean;
  /** Whether there is a result to export, and it is not loading. */
  readonly canExport: boolean;
  /** Undefined before the first run. */
  readonly executed: ExecutedQuery | undefined;
  readonly error: LogsPanelError | undefined;
  readonly limitPrompt: LimitPrompt | undefined;
  readonly follow: FollowState;
  /** Undefined while the rows are not grouped. */
  readonly groups: GroupsSnapshot | undefined;
  /** Undefined if there is nothing to draw. */
  readonly chart: ChartOffer | undefined;
  readonly canOpenExplorer: boolean;
  readonly network: PanelNetworkLabels;
  /** Shown in place of rows; undefined if there are rows, or may be. */
  readonly empty: EmptyRows | undefined;
  /** Increases when what is known about the form may have changed. */
  readonly knowledgeVersion: number;
}

export interface ShownResult extends LogsSnapshot {
  /** Row 0 and the rows after it, as many as fit in view: sent once per row order, to save a request. */
  readonly topRows: readonly WireRow[] | undefined;
  /** How rows moved from the order shown before; empty if unknown. */
  readonly moves: readonly RowsMove[];
}
