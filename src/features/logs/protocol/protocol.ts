import * as z from 'zod/mini';
import {
  type AppError,
  type FormField,
  getChecksumState,
  type LogFilter,
  parseAddress,
  parseQueryArguments,
  parseQueryForm,
  type QueryForm,
  queryFormSchema,
  splitList,
  toQueryForm,
} from '../../../core/index.ts';
import { type MethodsOf, request } from '../../../messaging/channel.ts';
import { buttonTitle, columnWidthsSchema, rowWindowSchema } from '../../../messaging/panel.ts';
import {
  type Arrangement,
  arrangementSchema,
  chartRequestSchema,
  chartUnitSchema,
  columnIdSchema,
  copiedRowsSchema,
  type WireChart,
} from './grid.ts';
import type { LogsSnapshot, WireLog, WireRow } from './snapshot.ts';
import type { LogsStrings } from './strings.ts';

type QueryLogsArguments = Omit<ReturnType<typeof parseQueryArguments>, 'query'> & {
  readonly form: QueryForm;
};

/**
 * The form that the arguments of `chainside.queryLogs` fill in, and what to do with it. A value that no query
 * can use, such as a malformed address, is kept as it is: the form says so at its field.
 *
 * @throws AppError `badInput` as {@link parseQueryArguments} does.
 */
export function parseQueryLogsArguments(value: unknown): QueryLogsArguments {
  const { query, ...others } = parseQueryArguments(value);
  return { form: toQueryForm(query), ...others };
}

/** What is offered while a field is typed. */
export interface Suggestion {
  /** What takes the place of what was typed. */
  readonly value: string;
  readonly label: string;
  /** Where it comes from. */
  readonly detail: string;
}

/** As many as a person looks through. */
export const MAX_SUGGESTIONS = 50;

/** What the host knows about what is typed in the form. */
export interface FormFacts {
  /** What an empty first block means; undefined: the first block of the chain. */
  readonly firstBlock: { readonly block: string; readonly why: string } | undefined;
  /** That what is asked for is deployed on other chains, and how to go to one. */
  readonly elsewhere:
    | { readonly words: string; readonly button: string; readonly chainId: number }
    | undefined;
  /** What the addresses of a field are called. */
  readonly names: FormErrors;
  /** The filter as JSON-RPC has it; undefined where the form cannot be used. */
  readonly sent: string | undefined;
}

/** The form with addresses for names, and what is wrong with it. */
export interface ResolvedForm {
  readonly form: QueryForm;
  readonly errors: FormErrors;
}

/** Characters of an event or a name that are looked at: no name is longer, and of an event its beginning tells enough. */
export const MAX_TYPED_CHARS = 20_000;
const typedTextSchema = z.string().check(z.maxLength(MAX_TYPED_CHARS));
const typedEventSchema = z.object({ text: typedTextSchema, address: z.string().check(z.maxLength(100_000)) });
export type TypedEvent = Readonly<z.infer<typeof typedEventSchema>>;

/** The renderer of the outputs of documents, and what that is handed. */
export const resultRendererId = 'chainside.answer';
export const resultMime = 'application/vnd.chainside.answer+json';

const resultIdSchema = z.string().check(z.minLength(1), z.maxLength(100));

/** What an output holds: the name of an answer, which the extension has, and words for where it has it no more. */
export const resultOutputSchema = z.object({
  answer: resultIdSchema,
  gone: z.string().check(z.maxLength(2000)),
});
export type ResultOutput = Readonly<z.infer<typeof resultOutputSchema>>;

/** A message between the view of an answer and the extension, as all views share one line. */
export const resultMessageSchema = z.object({ output: resultIdSchema, message: z.unknown() });
export type ResultMessage = Readonly<z.infer<typeof resultMessageSchema>>;

/** What a view needs to begin, or to begin again after it was hidden. */
export interface LogsOpening {
  readonly strings: LogsStrings;
  readonly form: QueryForm;
  /** Set when the form came with problems or was run by code. */
  readonly errors: FormErrors;
  readonly arrangement: Arrangement;
  readonly snapshot: LogsSnapshot;
}

const rowPlaceSchema = z.object({ answer: z.string(), order: z.int(), row: z.int().check(z.minimum(0)) });
const logPlaceSchema = z.object({ answer: z.string(), log: z.int().check(z.minimum(0)) });
const cellPlaceSchema = z.extend(logPlaceSchema, { column: columnIdSchema });
const explorerPlaceSchema = z.extend(logPlaceSchema, { page: z.enum(['transaction', 'address', 'block']) });

/**
 * What the view asks of the host. A webview is input from outside: every parameter is checked. Loading itself is shown
 * by `show` of the view, not by a reply.
 */
export const logsRequests = {
  open: request<LogsOpening>(),
  /** Begins the query, or says which fields keep it from it. */
  run: request<ResolvedForm>().with(queryFormSchema),
  /** Whether the form is folded. */
  folded: request().with(z.boolean()),
  /** Looks names up. */
  resolve: request<ResolvedForm>().with(queryFormSchema),
  factsOf: request<FormFacts>().with(queryFormSchema),
  /** Events that may be meant, the best first; those of what is deployed at the address before others. */
  completeEvents: request<readonly Suggestion[]>().with(typedEventSchema),
  completeAddresses: request<readonly Suggestion[]>().with(typedTextSchema),
  /** Makes the network of a chain the active one, and that of the panel; says whether they are now. */
  switchToChain: request<boolean>().with(z.int().check(z.minimum(1))),
  /** Uses the active network from now on. */
  moveNetwork: request(),
  nextPage: request(),
  /** Also goes on past the limit. */
  loadAll: request(),
  tryAgain: request(),
  dismissLimitPrompt: request(),
  exportLogs: request(),
  secondOpinion: request(),
  /** Starts or stops following the chain. */
  follow: request(),
  /** Lets the user choose how new rows are notified of while the panel is hidden. */
  notify: request(),
  copyQueryAs: request(),
  cancel: request(),
  skipWait: request(),
  arrange: request().with(arrangementSchema),
  /** The loaded logs in bars; undefined where there is nothing to draw. */
  chart: request<WireChart | undefined>().with(chartRequestSchema),
  /** Runs the remedy with this title. */
  remedy: request().with(buttonTitle),
  /** Fewer rows than requested at the end; none if the result or the order is an older one. */
  rows: request<readonly WireRow[]>().with(rowWindowSchema),
  /** Which rows are near the screen. */
  inView: request().with(rowWindowSchema),
  log: request<WireLog | undefined>().with(rowPlaceSchema),
  /** The row that shows a log now. */
  rowOf: request<LogRowPlace | undefined>().with(logPlaceSchema),
  copyCell: request().with(cellPlaceSchema),
  copyRows: request().with(copiedRowsSchema),
  copyText: request().with(z.string().check(z.maxLength(4_000_000))),
  copyLogAs: request().with(logPlaceSchema),
  openInExplorer: request().with(explorerPlaceSchema),
  openDeclaration: request().with(logPlaceSchema),
  showTransaction: request().with(logPlaceSchema),
  /** What finds the rows with the value of a cell; undefined where nothing does. */
  filterTerm: request<string | undefined>().with(cellPlaceSchema),
};

export type LogsHost = MethodsOf<typeof logsRequests>;
export type LogRowPlace = Readonly<z.infer<typeof rowPlaceSchema>>;
export type LogPlace = Readonly<z.infer<typeof logPlaceSchema>>;
export type LogCellPlace = Readonly<z.infer<typeof cellPlaceSchema>>;
export type ExplorerPlace = Readonly<z.infer<typeof explorerPlaceSchema>>;

/** What the editor's commands ask of the view. */
export const logsActions = ['run', 'filterByCell', 'filterByTransaction'] as const;
export type LogsAction = (typeof logsActions)[number];

export type FormErrors = Readonly<Partial<Record<FormField, string>>>;

type CheckedForm =
  | { readonly filter: LogFilter; readonly problems?: undefined }
  | { readonly filter?: undefined; readonly problems: FormErrors };

/**
 * The filter that the form stands for, or what is wrong with each field, as `say` words it; host and webview judge it
 * alike.
 */
export function validateQueryForm(
  form: QueryForm,
  say: (problem: AppError) => string = ({ message }) => message,
): CheckedForm {
  const { filter, errors } = parseQueryForm(form);
  if (filter) return { filter };
  return { problems: Object.fromEntries(errors.map((problem) => [problem.details.field, say(problem)])) };
}

/** Addresses of the field whose letter case claims a checksum that is wrong: one letter may be mistyped. */
export function findWrongChecksums(value: string): readonly string[] {
  return splitList(value).filter((item) => parseAddress(item) && getChecksumState(item) === 'wrong');
}

/** Whether two forms say the same, spaces around it and empty values aside. */
export function isSameForm(a: QueryForm, b: QueryForm): boolean {
  return JSON.stringify(said(a)) === JSON.stringify(said(b));
}

function said({ args, ...fields }: QueryForm): unknown {
  const values = Object.entries(args).map(([name, value]) => [name, value.trim()] as const);
  return [
    Object.entries(fields)
      .map(([name, value]) => [name, value.trim()] as const)
      .sort(byName),
    values.filter(([, value]) => value !== '').sort(byName),
  ];
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** What a view keeps for the time when it is hidden or the window reloads. No rows: those are the host's. */
export const logsViewStateSchema = z.object({
  form: queryFormSchema,
  widths: columnWidthsSchema,
  topicsOpen: z.boolean(),
  formOpen: z._default(z.boolean(), false),
  arrangement: z._default(arrangementSchema, { filter: '' }),
  chart: z._default(z.object({ isShown: z.optional(z.boolean()), unit: chartUnitSchema }), { unit: 'block' }),
  answer: z.string(),
  /** Of the network that the panel asks, where it is not the active one. */
  network: z.optional(z.string().check(z.maxLength(300))),
  topRow: z.number().check(z.minimum(0)),
  /** The log whose details are open. */
  detailed: z.optional(z.int().check(z.minimum(0))),
});

export type LogsViewState = Readonly<z.infer<typeof logsViewStateSchema>>;
