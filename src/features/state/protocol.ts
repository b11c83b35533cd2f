import * as z from 'zod/mini';
import type { StateKind } from '../../core/index.ts';
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
import { copiedRowsSchema, selectionSchema } from '../../messaging/rowSelection.ts';

export const stateKinds = ['holders', 'roles', 'allowances'] as const satisfies readonly StateKind[];

/**
 * `key…` say what a row is of, such as the token, owner and spender of an allowance. `value` is in the newer block,
 * `other` in the older block of a comparison, `difference` from the older to the newer.
 */
export const stateColumnIds = [
  'change',
  'key0',
  'key1',
  'key2',
  'value',
  'other',
  'difference',
  'share',
] as const;
const stateColumnSchema = z.enum(stateColumnIds);

export type StateColumnId = (typeof stateColumnIds)[number];
export type StateColumn = GridColumn<StateColumnId, StateColumnId>;

/** From the older of two blocks to the newer. */
export type StateChange = 'added' | 'removed' | 'changed';

const blockText = z.string().check(z.maxLength(100));

/** Without `sort`, rows are grouped and the largest come first. */
export const stateArrangementSchema = z.object({
  filter: z.string().check(z.maxLength(1000)),
  sort: z.optional(z.object({ column: stateColumnSchema, descending: z.boolean() })),
  onlyChanges: z.boolean(),
});

export type StateArrangement = Readonly<z.infer<typeof stateArrangementSchema>>;

/** What is typed. */
export const stateFormSchema = z.object({
  block: blockText,
  compare: blockText,
  /** Of allowances only; empty for those of all owners. */
  owner: blockText,
});

export type StateForm = Readonly<z.infer<typeof stateFormSchema>>;

export interface WireStateRow {
  /** Its number among the shown rows. */
  readonly row: number;
  readonly cells: Readonly<Partial<Record<StateColumnId, string>>>;
  /** The full values of cells that show a name or are shortened. */
  readonly hints: Readonly<Partial<Record<StateColumnId, string>>>;
  /** Exact values, which *Copy Value* copies. */
  readonly exact: Readonly<Partial<Record<StateColumnId, string>>>;
  /** The addresses that cells hold. */
  readonly addresses: Readonly<Partial<Record<StateColumnId, string>>>;
  readonly change: StateChange | undefined;
  /** The length of its bar, 0 to 1. */
  readonly bar: number | undefined;
}

/** The whole state of the view but what is typed. */
export interface StateSnapshot {
  readonly kind: StateKind;
  readonly heading: string;
  readonly address: string;
  readonly resultId: string;
  /** Increases when row numbers refer to other rows. */
  readonly order: number;
  /** Increases when cells have other texts. */
  readonly textVersion: number;
  /** Number of rows that are shown. */
  readonly rows: number;
  readonly columns: readonly StateColumn[];
  readonly arrangement: StateArrangement;
  readonly isLoading: boolean;
  readonly progress: LoadingProgress | undefined;
  readonly tone: Tone;
  /** The verdict with its proof. */
  readonly status: string;
  /** How many rows are shown, and what has changed. */
  readonly counts: string;
  /** Set if the rows are not to be taken as complete: why. */
  readonly doubts: { readonly title: string; readonly reasons: readonly string[] } | undefined;
  readonly isCompared: boolean;
  readonly error: PanelError | undefined;
  /** Why a field is wrong. */
  readonly invalid: { readonly field: keyof StateForm; readonly message: string } | undefined;
}

export interface StateOpening {
  readonly strings: StateStrings;
  readonly form: StateForm;
  readonly snapshot: StateSnapshot;
}

/** Requests of the view to the host. A webview is untrusted: every parameter is validated. */
export const stateRequests = {
  open: request<StateOpening>(),
  load: request().with(stateFormSchema),
  cancel: request(),
  arrange: request().with(stateArrangementSchema),
  rows: request<readonly WireStateRow[]>().with(rowWindowSchema),
  copyRows: request().with(copiedRowsSchema),
  /** Copies all shown rows in the format that the user chooses. */
  copyAll: request(),
  export: request(),
  remedy: request().with(buttonTitle),
  copyText: request().with(z.string().check(z.maxLength(1000))),
};

export type StateHost = MethodsOf<typeof stateRequests>;

/** Of the cell on which a context menu is opened. */
export const stateCellSchema = z.extend(selectionSchema, {
  resultId: z.string(),
  row: z.int().check(z.minimum(0)),
});

/** Commands trigger nothing in the view. */
export const stateActions = ['load'] as const;
export type StateAction = (typeof stateActions)[number];

/** All texts of the webview that are not in a snapshot. */
export function createStateStrings(l10n: Localizer) {
  return {
    block: l10n.t('Block'),
    blockHint: l10n.t('latest, a number, latest-1000, finalized, or a time such as -7d'),
    compare: l10n.t('Compare with Block'),
    compareHint: l10n.t('Another block, or empty'),
    owner: l10n.t('Owner'),
    ownerHint: l10n.t('Address, name or empty'),
    load: l10n.t('Load'),
    cancel: l10n.t('Cancel'),
    tryAgain: l10n.t('Retry'),
    filter: l10n.t('Filter Rows'),
    filterHint: l10n.t('Name, address or value'),
    onlyChanges: l10n.t('Only changes'),
    copy: l10n.t('Copy'),
    copyAll: l10n.t('Copy All…'),
    export: l10n.t('Export…'),
    rows: l10n.t('Rows'),
    loading: l10n.t('Loading'),
    noMatch: l10n.t('No row matches the filter.'),
    sortHint: l10n.t('Press Enter to sort by this column.'),
    resizeHint: l10n.t('Press Shift+Left or Shift+Right to change the column width.'),
    rowsSelected: l10n.t('{0} rows selected'),
    hostFailed: l10n.t('Chainside did not respond: {0}'),
  } as const;
}

export type StateStrings = ReturnType<typeof createStateStrings>;

/** The view state that survives hiding and reloading. No rows: the host has those. */
export const stateViewStateSchema = z.object({
  kind: z.enum(stateKinds),
  address: z.string(),
  form: stateFormSchema,
  arrangement: stateArrangementSchema,
  widths: columnWidthsSchema,
});

export type StateViewState = Readonly<z.infer<typeof stateViewStateSchema>>;
