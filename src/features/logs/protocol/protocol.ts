import * as z from 'zod/mini';
import { type QueryForm, queryFormSchema } from '../../../core/index.ts';
import { buttonTitle, type PanelHostMethods, type RowWindow, rowWindow } from '../../../messaging/panel.ts';
import { type Arrangement, arrangement } from './arrangement.ts';
import { type ChartQuestion, chartQuestion, type WireChart } from './chart.ts';
import { columnId } from './columns.ts';
import {
  type EventTyped,
  eventTyped,
  type FormFacts,
  type SettledForm,
  type Suggestion,
  typedText,
} from './formHelp.ts';
import type { LogsSnapshot, WireLog, WireRow } from './logsSnapshot.ts';
import type { FormProblems } from './queryForm.ts';
import { type CopiedRows, copiedRows } from './selectedRows.ts';
import type { LogsStrings } from './strings.ts';

/** What a view needs to begin, or to begin again after it was hidden. */
export interface Opening {
  readonly strings: LogsStrings;
  readonly form: QueryForm;
  /** Set when the form came with problems or was run by code. */
  readonly problems: FormProblems;
  readonly arrangement: Arrangement;
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
  folded: z.boolean(),
  settle: queryFormSchema,
  factsOf: queryFormSchema,
  completeEvents: eventTyped,
  completeAddresses: typedText,
  switchToChain: z.int().check(z.minimum(1)),
  moveNetwork: z.undefined(),
  nextPage: z.undefined(),
  loadAll: z.undefined(),
  tryAgain: z.undefined(),
  dismissQuestion: z.undefined(),
  exportLogs: z.undefined(),
  secondOpinion: z.undefined(),
  follow: z.undefined(),
  notify: z.undefined(),
  copyQueryAs: z.undefined(),
  cancel: z.undefined(),
  skipWait: z.undefined(),
  arrange: arrangement,
  chart: chartQuestion,
  remedy: buttonTitle,
  rows: rowWindow,
  inView: rowWindow,
  log: rowPlace,
  rowOf: logPlace,
  copyCell: cellPlace,
  copyRows: copiedRows,
  copyText: z.string().check(z.maxLength(4_000_000)),
  copyLogAs: logPlace,
  openInExplorer: explorerPlace,
  openDeclaration: logPlace,
  showTransaction: logPlace,
  filterTerm: cellPlace,
} as const;

export type RowPlace = Readonly<z.infer<typeof rowPlace>>;
export type LogPlace = Readonly<z.infer<typeof logPlace>>;
export type CellPlace = Readonly<z.infer<typeof cellPlace>>;
export type ExplorerPlace = Readonly<z.infer<typeof explorerPlace>>;

/** What the view asks of the host. Loading itself is shown by `show` of the view, not by a reply. */
export interface LogsHost extends PanelHostMethods<Opening> {
  /** Begins the query, or says which fields keep it from it. */
  run(form: QueryForm): SettledForm;
  /** Told whether the form is folded. */
  folded(isFolded: boolean): void;
  /** Looks names up. */
  settle(form: QueryForm): SettledForm;
  factsOf(form: QueryForm): FormFacts;
  /** Events that may be meant, the best first; those of what is deployed at the address before others. */
  completeEvents(typed: EventTyped): readonly Suggestion[];
  completeAddresses(typed: string): readonly Suggestion[];
  /** Makes the network of a chain the active one, and that of the panel; says whether they are now. */
  switchToChain(chainId: number): boolean;
  /** Asks the active network from now on. */
  moveNetwork(): void;
  nextPage(): void;
  /** Also goes on past the limit. */
  loadAll(): void;
  /** Goes on with what has failed. */
  tryAgain(): void;
  dismissQuestion(): void;
  exportLogs(): void;
  /** Has the user choose another endpoint of the chain, which is asked the same. */
  secondOpinion(): void;
  /** Follows the chain from the answer on, or no more. */
  follow(): void;
  /** Has the user choose how new rows are told of outside of the panel. */
  notify(): void;
  /** Has the user choose what the query is copied as. */
  copyQueryAs(): void;
  cancel(): void;
  /** Asks the server at once. */
  skipWait(): void;
  arrange(arrangement: Arrangement): void;
  /** The loaded logs in bars; undefined where there is nothing to draw. */
  chart(question: ChartQuestion): WireChart | undefined;
  remedy(title: string): void;
  /** Fewer rows than asked for at the end; none if the answer or the order is an older one. */
  rows(window: RowWindow): readonly WireRow[];
  /** Told of the rows that are near the screen. */
  inView(window: RowWindow): void;
  log(place: RowPlace): WireLog | undefined;
  /** The row that shows a log now. */
  rowOf(place: LogPlace): RowPlace | undefined;
  copyCell(place: CellPlace): void;
  copyRows(rows: CopiedRows): void;
  copyText(text: string): void;
  /** Has the user choose what a log is copied as. */
  copyLogAs(place: LogPlace): void;
  openInExplorer(place: ExplorerPlace): void;
  /** Shows the declaration of a log's event in the editor. */
  openDeclaration(place: LogPlace): void;
  /** Shows the transaction of a log in the editor. */
  showTransaction(place: LogPlace): void;
  /** What finds the rows with the value of a cell; undefined where nothing does. */
  filterTerm(place: CellPlace): string | undefined;
}

/** What the editor's commands ask of the view. */
export const logsActions = ['run', 'filterByCell', 'filterByTransaction'] as const;
export type LogsAction = (typeof logsActions)[number];
