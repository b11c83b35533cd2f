import type { LogArrangement } from '../../../core/index.ts';
import type { LoadingProgress, ProblemWords, Tone } from '../../../messaging/panel.ts';
import type { Column } from './columns.ts';
import type { FormField } from './queryForm.ts';

/** A row as the grid shows it. */
export interface WireRow {
  /** Its number in the answer, in the chain's order: its name as long as the answer stays. */
  readonly log: number;
  /** The beginnings of their texts: all of them where they are short. */
  readonly cells: Readonly<Record<Column, string>>;
}

/** All of one log. Block numbers are decimal strings, since JSON has no bigint. */
export interface WireLog {
  readonly log: number;
  readonly block: string;
  readonly blockHash: string;
  readonly index: number;
  readonly transaction: string;
  /** Checksum form. */
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly dataBytes: number;
  readonly transactionIndex: number;
}

export interface Problem extends ProblemWords {
  /** Set where the form is at fault: to be told there, since trying again would not help. */
  readonly field: FormField | undefined;
}

/** Asked in the panel before loading goes past the limit. */
export interface LimitQuestion {
  readonly message: string;
  readonly yes: string;
}

/** Everything about the answer that the view shows, but the rows. Always whole, so that none can be missed. */
export interface LogsSnapshot {
  /** Identity of the answer: log numbers mean the same logs as long as it stays. */
  readonly answer: string;
  /** Row numbers mean the same logs as long as it and the answer stay; rows may be added at the end. */
  readonly order: number;
  /** Rows to show: the loaded logs that pass the filter. */
  readonly rows: number;
  readonly loaded: number;
  /** How the rows are arranged; may be behind what was asked for last. */
  readonly arrangement: LogArrangement;
  /** How many logs the filter lets through, or what is being done to the rows. */
  readonly rowsText: string;
  readonly loading: 'first' | 'next' | 'all' | undefined;
  /** Whether the loading waits before the server is asked again. */
  readonly canSkipWait: boolean;
  readonly progress: LoadingProgress | undefined;
  readonly more: boolean;
  /** Whether there is an answer to export, if it does not change right now. */
  readonly canExport: boolean;
  /** What is known of the answer, in words. */
  readonly status: string;
  readonly tone: Tone;
  /** Why the status is what it is, and what can be done. */
  readonly reasons: readonly string[];
  readonly problem: Problem | undefined;
  readonly question: LimitQuestion | undefined;
  readonly canOpenExplorer: boolean;
}

export interface ShownAnswer extends LogsSnapshot {
  /** Row 0 and those below, up to a page: once whenever row numbers mean other rows, so that none waits to be asked. */
  readonly topRows: readonly WireRow[] | undefined;
}
