import * as z from 'zod/mini';
import { type LogArrangement, type LogSortKey, queryFormSchema } from '../../../core/index.ts';
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
import { type Column, columns } from './columns.ts';
import type { FormField, FormProblems, QueryForm } from './queryForm.ts';
import type { LogsStrings } from './strings.ts';

/** A column by its id. */
export const columnId = z.enum(columns.map(({ id }) => id));

const sortKey = z.enum(columns.flatMap(({ sortBy }) => sortBy ?? []));

const arrangement = z.object({
  filter: z.string().check(z.maxLength(1000)),
  sort: z.optional(z.object({ column: sortKey, descending: z.boolean() })),
});

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

/** What a view needs to begin, or to begin again after it was hidden. */
export interface Opening {
  readonly strings: LogsStrings;
  readonly columns: readonly GridColumn<Column, LogSortKey>[];
  readonly form: QueryForm;
  /** Set when the form came with problems or was run by code. */
  readonly problems: FormProblems;
  readonly arrangement: LogArrangement;
  readonly snapshot: LogsSnapshot;
}

const rowPlace = z.object({ answer: z.string(), order: z.int(), row: z.int().check(z.minimum(0)) });
const logPlace = z.object({ answer: z.string(), log: z.int().check(z.minimum(0)) });
const cellPlace = z.extend(logPlace, { column: columnId });
const explorerPlace = z.extend(logPlace, { page: z.enum(['transaction', 'address', 'block']) });

/** The parameter of each method that the host serves. A webview is input from outside: all of it is checked. */
export const hostParams = {
  open: z.undefined(),
  run: queryFormSchema,
  nextPage: z.undefined(),
  loadAll: z.undefined(),
  tryAgain: z.undefined(),
  dismissQuestion: z.undefined(),
  exportLogs: z.undefined(),
  cancel: z.undefined(),
  skipWait: z.undefined(),
  arrange: arrangement,
  remedy: remedyNumber,
  rows: rowWindow,
  log: rowPlace,
  rowOf: logPlace,
  copyCell: cellPlace,
  copyText: z.string().check(z.maxLength(4_000_000)),
  copyLog: logPlace,
  openInExplorer: explorerPlace,
} as const;

export type RowPlace = Readonly<z.infer<typeof rowPlace>>;
export type LogPlace = Readonly<z.infer<typeof logPlace>>;
export type CellPlace = Readonly<z.infer<typeof cellPlace>>;
export type ExplorerPlace = Readonly<z.infer<typeof explorerPlace>>;

/** What the view asks of the host. Loading itself is shown by {@link LogsView.show}, not by a reply. */
export interface LogsHost extends PanelHostMethods<Opening> {
  /** Begins the query, or says which fields keep it from it. */
  run(form: QueryForm): FormProblems;
  nextPage(): void;
  /** Also goes on past the limit. */
  loadAll(): void;
  /** Goes on with what has failed. */
  tryAgain(): void;
  dismissQuestion(): void;
  exportLogs(): void;
  cancel(): void;
  /** Asks the server at once. */
  skipWait(): void;
  arrange(arrangement: LogArrangement): void;
  remedy(index: number): void;
  /** Fewer rows than asked for at the end; none if the answer or the order is an older one. */
  rows(window: RowWindow): readonly WireRow[];
  log(place: RowPlace): WireLog | undefined;
  /** The row that shows a log now. */
  rowOf(place: LogPlace): RowPlace | undefined;
  copyCell(place: CellPlace): void;
  copyText(text: string): void;
  copyLog(place: LogPlace): void;
  openInExplorer(place: ExplorerPlace): void;
}

export interface ShownAnswer extends LogsSnapshot {
  /** Row 0 and those below, up to a page: once whenever row numbers mean other rows, so that none waits to be asked. */
  readonly topRows: readonly WireRow[] | undefined;
}

/** What the editor's commands ask of the view. */
export const logsActions = ['run'] as const;
export type LogsAction = (typeof logsActions)[number];

export type LogsView = PanelView<ShownAnswer, LogsAction>;

/** What a view keeps for the time when it is hidden or the window reloads. No rows: those are the host's. */
export const viewStateSchema = z.object({
  form: queryFormSchema,
  widths: columnWidths,
  topicsOpen: z.boolean(),
  arrangement: z._default(arrangement, { filter: '' }),
  answer: z.string(),
  topRow: z.number().check(z.minimum(0)),
});

export type ViewState = Readonly<z.infer<typeof viewStateSchema>>;
