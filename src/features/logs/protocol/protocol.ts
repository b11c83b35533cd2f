import * as z from 'zod/mini';
import {
  type AppError,
  type FormField,
  getChecksumState,
  type LogFilter,
  parseAddress,
  parseQueryForm,
  type QueryForm,
  queryFormSchema,
  splitList,
} from '../../../core/index.ts';
import { type MethodsOf, request } from '../../../messaging/channel.ts';
import {
  buttonTitle,
  columnWidthsSchema,
  rowWindowSchema,
  type Suggestion,
} from '../../../messaging/panel.ts';
import { copiedRowsSchema } from '../../../messaging/rowSelection.ts';
import {
  type Arrangement,
  arrangementSchema,
  chartRequestSchema,
  chartUnitSchema,
  columnIdSchema,
  type WireChart,
} from './grid.ts';
import {
  groupArrangementSchema,
  groupCellPlaceSchema,
  groupChoiceSchema,
  groupPlaceSchema,
  type WireGroup,
} from './groups.ts';
import type { LogsSnapshot, WireLog, WireRow } from './snapshot.ts';
import type { LogsStrings } from './strings.ts';

/** What the host knows about the typed form. */
export interface FormFacts {
  /** The block for an empty first block field; undefined: the first block of the chain. */
  readonly firstBlock: { readonly block: string; readonly why: string } | undefined;
  /** Set if the contract is deployed on other chains, with a button that switches to one. */
  readonly elsewhere:
    | { readonly message: string; readonly button: string; readonly chainId: number }
    | undefined;
  /** Names of the addresses, and members of enums, by field. */
  readonly names: FormErrors;
  /** Members of the enums of arguments, by field. */
  readonly members: Readonly<Partial<Record<FormField, readonly Suggestion[]>>>;
  /** The filter as JSON-RPC; undefined if the form is invalid. */
  readonly sent: string | undefined;
}

/** The form with names resolved to addresses, and its validation errors. */
export interface ResolvedForm {
  readonly form: QueryForm;
  readonly errors: FormErrors;
}

/**
 * Characters of an event or a name that are processed: names are shorter, and the start of an event is
 * enough.
 */
export const MAX_TYPED_CHARS = 20_000;
const typedTextSchema = z.string().check(z.maxLength(MAX_TYPED_CHARS));
const typedEventSchema = z.object({ text: typedTextSchema, address: z.string().check(z.maxLength(100_000)) });
export type TypedEvent = Readonly<z.infer<typeof typedEventSchema>>;

export const resultRendererId = 'chainside.answer';
export const resultMime = 'application/vnd.chainside.answer+json';

const resultIdSchema = z.string().check(z.minLength(1), z.maxLength(100));

/**
 * The data of a notebook output: the id of a result in the extension host, and a text for when it is gone.
 */
export const resultOutputSchema = z.object({
  resultId: resultIdSchema,
  gone: z.string().check(z.maxLength(2000)),
});
export type ResultOutput = Readonly<z.infer<typeof resultOutputSchema>>;

/** A message between an output and the extension host: all outputs share one channel. */
export const resultMessageSchema = z.object({ output: resultIdSchema, message: z.unknown() });
export type ResultMessage = Readonly<z.infer<typeof resultMessageSchema>>;

/** What a view needs to start, or to start again after it was hidden. */
export interface LogsOpening {
  readonly strings: LogsStrings;
  readonly form: QueryForm;
  /** Set if the form is invalid or was run by code. */
  readonly errors: FormErrors;
  readonly arrangement: Arrangement;
  readonly snapshot: LogsSnapshot;
}

const rowPlaceSchema = z.object({ resultId: z.string(), order: z.int(), row: z.int().check(z.minimum(0)) });
const logPlaceSchema = z.object({ resultId: z.string(), log: z.int().check(z.minimum(0)) });
const cellPlaceSchema = z.extend(logPlaceSchema, { column: columnIdSchema });
const explorerPlaceSchema = z.extend(logPlaceSchema, { page: z.enum(['transaction', 'address', 'block']) });

/**
 * Requests of the view to the host. A webview is untrusted input: every parameter is validated. Loading
 * reports through the view's `show`, not through a response.
 */
export const logsRequests = {
  open: request<LogsOpening>(),
  /** Runs the query, or returns the validation errors. */
  run: request<ResolvedForm>().with(queryFormSchema),
  folded: request().with(z.boolean()),
  /** Resolves names to addresses, and members of enums to numbers. */
  resolve: request<ResolvedForm>().with(queryFormSchema),
  factsOf: request<FormFacts>().with(queryFormSchema),
  /** Matching events, best first; those deployed at the address before others. */
  completeEvents: request<readonly Suggestion[]>().with(typedEventSchema),
  completeAddresses: request<readonly Suggestion[]>().with(typedTextSchema),
  /** Switches the active network and the panel to a chain; returns whether that worked. */
  switchToChain: request<boolean>().with(z.int().check(z.minimum(1))),
  /** Moves the panel to the active network. */
  moveNetwork: request(),
  nextPage: request(),
  /** Continues past the limit. */
  loadAll: request(),
  tryAgain: request(),
  dismissLimitPrompt: request(),
  exportLogs: request(),
  secondOpinion: request(),
  /** Starts or stops following the chain. */
  follow: request(),
  /** Lets the user choose how to be notified of new rows while the panel is hidden. */
  notify: request(),
  copyQueryAs: request(),
  cancel: request(),
  skipWait: request(),
  arrange: request().with(arrangementSchema),
  /** Undefined if there is nothing to draw. */
  chart: request<WireChart | undefined>().with(chartRequestSchema),
  /** Runs the remedy with this title. */
  remedy: request().with(buttonTitle),
  /** Fewer rows than requested at the end; none if the result or the order is an older one. */
  rows: request<readonly WireRow[]>().with(rowWindowSchema),
  /** The rows near the screen. */
  inView: request().with(rowWindowSchema),
  log: request<WireLog | undefined>().with(rowPlaceSchema),
  /** The row that shows a log now. */
  rowOf: request<LogRowPlace | undefined>().with(logPlaceSchema),
  /** Groups the rows by what a user most likely wants. */
  startGroups: request(),
  group: request().with(groupChoiceSchema),
  /** Shows the rows again. */
  stopGroups: request(),
  arrangeGroups: request().with(groupArrangementSchema),
  /** As `rows`, of groups. */
  groups: request<readonly WireGroup[]>().with(rowWindowSchema),
  /** Shows the rows of a group. */
  openGroup: request().with(groupPlaceSchema),
  /** Shows the groups again. */
  closeGroup: request(),
  copyGroupCell: request().with(groupCellPlaceSchema),
  copyGroups: request().with(copiedRowsSchema),
  copyCell: request().with(cellPlaceSchema),
  copyRows: request().with(copiedRowsSchema),
  copyText: request().with(z.string().check(z.maxLength(4_000_000))),
  copyLogAs: request().with(logPlaceSchema),
  openInExplorer: request().with(explorerPlaceSchema),
  openDeclaration: request().with(logPlaceSchema),
  showTransaction: request().with(logPlaceSchema),
  /** The filter term that matches the rows with a cell's value; undefined if there is none. */
  filterTerm: request<string | undefined>().with(cellPlaceSchema),
};

export type LogsHost = MethodsOf<typeof logsRequests>;
export type LogRowPlace = Readonly<z.infer<typeof rowPlaceSchema>>;
export type LogPlace = Readonly<z.infer<typeof logPlaceSchema>>;
export type LogCellPlace = Readonly<z.infer<typeof cellPlaceSchema>>;
export type ExplorerPlace = Readonly<z.infer<typeof explorerPlaceSchema>>;

/** Actions that the editor's commands trigger in the view. */
export const logsActions = ['run', 'filterByCell', 'filterByTransaction'] as const;
export type LogsAction = (typeof logsActions)[number];

export type FormErrors = Readonly<Partial<Record<FormField, string>>>;

type CheckedForm =
  | { readonly filter: LogFilter; readonly errors?: undefined }
  | { readonly filter?: undefined; readonly errors: FormErrors };

/** Validates a form: its filter, or an error text per field. The host and the webview share it. */
export function validateQueryForm(
  form: QueryForm,
  formatError: (error: AppError) => string = ({ message }) => message,
): CheckedForm {
  const { filter, errors } = parseQueryForm(form);
  if (filter) return { filter };
  return { errors: Object.fromEntries(errors.map((error) => [error.details.field, formatError(error)])) };
}

/** Addresses in a field whose EIP-55 checksum is wrong: a character may be mistyped. */
export function findWrongChecksums(value: string): readonly string[] {
  return splitList(value).filter((item) => parseAddress(item) && getChecksumState(item) === 'wrong');
}

/** Whether two forms are equal, apart from surrounding spaces and empty values. */
export function isSameForm(a: QueryForm, b: QueryForm): boolean {
  return JSON.stringify(normalizeForm(a)) === JSON.stringify(normalizeForm(b));
}

function normalizeForm({ args, ...fields }: QueryForm): unknown {
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

/** The state that a view stores while it is hidden or the window reloads. Rows stay in the host. */
export const logsViewStateSchema = z.object({
  form: queryFormSchema,
  widths: columnWidthsSchema,
  topicsOpen: z.boolean(),
  formOpen: z._default(z.boolean(), false),
  arrangement: z._default(arrangementSchema, { filter: '' }),
  chart: z._default(z.object({ isShown: z.optional(z.boolean()), unit: chartUnitSchema }), { unit: 'block' }),
  /** What the rows are grouped by; undefined if they are not. */
  groups: z.optional(groupChoiceSchema),
  /** The ID of the result; the key is that of stored states. */
  answer: z.string(),
  /** Id of the panel's network, if it is not the active one. */
  network: z.optional(z.string().check(z.maxLength(300))),
  topRow: z.number().check(z.minimum(0)),
  /** The log whose details are open. */
  detailed: z.optional(z.int().check(z.minimum(0))),
});

export type LogsViewState = Readonly<z.infer<typeof logsViewStateSchema>>;
