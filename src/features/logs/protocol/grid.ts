import * as z from 'zod/mini';
import type { AbiType, ArgumentColumn, BlockField, LogSortKey } from '../../../core/index.ts';
import type { Localizer } from '../../../host/l10n.ts';
import type { GridColumn } from '../../../messaging/panel.ts';

/** Bars that are asked for at most: more are thinner than a line on any screen. */
const MAX_BARS = 500;

export const chartUnitSchema = z.enum(['block', 'time']);

/** What the chart is to stand over, and how many bars there is room for. */
export const chartRequestSchema = z.object({
  unit: chartUnitSchema,
  most: z.int().check(z.minimum(2), z.maximum(MAX_BARS)),
});

export type ChartRequest = Readonly<z.infer<typeof chartRequestSchema>>;

/** Whether there is something to draw: logs of two blocks or more. */
export interface ChartOffer {
  /** Every log came with the time of its block. */
  readonly hasTimes: boolean;
  /** The last block that was read, as the verdict has it: with other ones there are other bars. */
  readonly readThrough: string | undefined;
}

/** Block numbers are exact: the store takes none that are not. */
export interface WireBar {
  /** The blocks that it stands over. Over time those of its logs: none where the last is below the first. */
  readonly first: number;
  readonly last: number;
  /** Where it begins and ends, as it is written: block numbers or times. */
  readonly start: string;
  readonly end: string;
  /** Logs that are loaded. */
  readonly loaded: number;
  /** Of these those that pass the filter. */
  readonly shown: number;
}

/** A part of the range beside the bars. */
export interface BesideBars {
  /** `unread`: what is there is not known. `none`: it is read, and there are no logs. */
  readonly kind: 'unread' | 'none';
  readonly label: string;
}

export interface WireChart {
  readonly answer: string;
  readonly unit: ChartRequest['unit'];
  /** `Logs over blocks`. */
  readonly title: string;
  readonly bars: readonly WireBar[];
  /** By which rows are narrowed to blocks. */
  readonly blockField: BlockField;
  /** Whether a filter is on. */
  readonly isFiltered: boolean;
  /** Where the bars begin and end, in words. */
  readonly from: string;
  readonly to: string;
  readonly before: BesideBars | undefined;
  readonly after: BesideBars | undefined;
  /** What it shows on the whole, in words. */
  readonly summary: string;
}

interface ColumnRow {
  readonly id: string;
  readonly name: (l10n: Localizer) => string;
  /** What there is to know of it besides. */
  readonly hint?: (l10n: Localizer) => string;
  /** In pixels, until the user drags it. */
  readonly width: number;
  readonly alignEnd?: boolean;
  /** Left out where rows cannot be sorted by it. */
  readonly sortBy?: LogSortKey;
  readonly context?: CellContext;
}

/** What the context menu offers for a cell. */
interface CellContext {
  /** That rows can be filtered by it. */
  readonly canFilterBy?: true;
  /** That it holds an address, which can be looked up. */
  readonly holdsAddress?: true;
}

const filterable: CellContext = { canFilterBy: true };
const ofAddress: CellContext = { canFilterBy: true, holdsAddress: true };

/** The columns that the log grid may have, but those of arguments. */
const ownColumns = [
  {
    id: 'block',
    width: 90,
    alignEnd: true,
    sortBy: 'block',
    context: filterable,
    name: (l10n) => l10n.t('Block'),
  },
  { id: 'time', width: 166, sortBy: 'block', name: (l10n) => l10n.t('Time') },
  {
    id: 'index',
    width: 74,
    alignEnd: true,
    sortBy: 'index',
    context: filterable,
    name: (l10n) => l10n.t('Index'),
    hint: (l10n) => l10n.t('Place of the log in its block.'),
  },
  { id: 'event', width: 560, sortBy: 'topics', context: filterable, name: (l10n) => l10n.t('Event') },
  {
    id: 'transaction',
    width: 160,
    sortBy: 'transaction',
    context: filterable,
    name: (l10n) => l10n.t('Transaction'),
  },
  { id: 'address', width: 350, sortBy: 'address', context: ofAddress, name: (l10n) => l10n.t('Address') },
  { id: 'topics', width: 300, sortBy: 'topics', name: (l10n) => l10n.t('Topics') },
  { id: 'data', width: 160, sortBy: 'data', name: (l10n) => l10n.t('Data') },
] as const satisfies readonly ColumnRow[];

type OwnColumn = (typeof ownColumns)[number]['id'];
export type ColumnId = OwnColumn | ArgumentColumn;
export type SortColumn = LogSortKey | ArgumentColumn;

const ownColumnSchema = z.enum(ownColumns.map(({ id }) => id));
const argumentColumnSchema = z.custom<ArgumentColumn>(
  (value) => typeof value === 'string' && /^argument\d{1,2}$/.test(value),
);

/** A column by its id, and what rows are sorted by: a webview is input from outside. */
export const columnIdSchema = z.union([ownColumnSchema, argumentColumnSchema]);
const sortColumnSchema = z.union([z.enum(ownColumns.map(({ sortBy }) => sortBy)), argumentColumnSchema]);

/** A column of the grid, as the view draws it. */
export type LogColumn = GridColumn<ColumnId, SortColumn> & { readonly context?: CellContext };

/** One of the columns that every log can have. */
export function createOwnColumn(
  id: OwnColumn,
  l10n: Localizer,
  { width, ...told }: { readonly width?: number | undefined; readonly hint?: string | undefined } = {},
): LogColumn {
  const row: ColumnRow | undefined = ownColumns.find((one) => one.id === id);
  if (!row) throw new Error(`There is no column ${id}.`);
  const { name, hint, ...drawn } = row;
  return { ...drawn, id, width: width ?? row.width, name: name(l10n), hint: told.hint ?? hint?.(l10n) };
}

/** The number of the argument that a column is of. */
export function getArgumentIndex(column: ColumnId): number | undefined {
  return column.startsWith('argument') ? Number(column.slice('argument'.length)) : undefined;
}

/** The column of an argument. Amounts and other integers end at the right border, as block numbers do. */
export function createArgumentColumn(
  index: number,
  { name, type, isHashed }: { readonly name: string; readonly type: AbiType; readonly isHashed: boolean },
  l10n: Localizer,
): LogColumn {
  const id = `argument${index}` as const;
  const isInteger = (type.kind === 'uint' || type.kind === 'int') && !isHashed;
  return {
    ...{ id, sortBy: id, name: name || l10n.t('argument {0}', index + 1), alignEnd: isInteger },
    width: widthOf(type),
    ...(canFilterByArgument({ name, type }) && { context: type.kind === 'address' ? ofAddress : filterable }),
    hint: isHashed ? l10n.t('Indexed {0}: only its hash is on the chain.', type.text) : `${type.text}.`,
  };
}

function widthOf({ kind }: AbiType): number {
  switch (kind) {
    case 'bool':
      return 80;
    case 'address':
      return 150;
    case 'uint':
    case 'int':
      return 180;
    default:
      return 240;
  }
}

/** Whether the filter can ask for an argument: by its name, of what is no list and no tuple. */
function canFilterByArgument({ name, type }: { readonly name: string; readonly type: AbiType }): boolean {
  return name !== '' && type.kind !== 'array' && type.kind !== 'tuple';
}

/** Characters of a filter. */
export const MAX_FILTER_CHARS = 1000;

/** How rows are arranged and told, as a webview says it. */
export const arrangementSchema = z.object({
  filter: z.string().check(z.maxLength(MAX_FILTER_CHARS)),
  sort: z.optional(z.object({ column: sortColumnSchema, descending: z.boolean() })),
  /** Shows topics and data instead of what they mean. */
  raw: z.optional(z.boolean()),
});

export type Arrangement = Readonly<z.infer<typeof arrangementSchema>>;

/** Whether rows are the same ones in the same order. */
export function isSameArrangement(a: Arrangement, b: Arrangement): boolean {
  return (
    a.filter === b.filter && a.sort?.column === b.sort?.column && a.sort?.descending === b.sort?.descending
  );
}

/** Stretches that a selection is made of: each by its first row and the one behind its last. */
export const MAX_ROW_RANGES = 1000;

const rowNumberSchema = z.int().check(z.minimum(0));

export const rowsFormatSchema = z.enum(['tsv', 'csv', 'markdown', 'json']);
/** What rows are copied as. */
export type RowsFormat = z.infer<typeof rowsFormatSchema>;

const rowRangesSchema = z
  .array(z.tuple([rowNumberSchema, rowNumberSchema]))
  .check(z.maxLength(MAX_ROW_RANGES));

/** What is selected, where several rows are. */
export const selectionSchema = z.object({
  order: z.optional(z.int()),
  selected: z.optional(rowRangesSchema),
});

/** Rows that are selected, in order; row numbers hold for one answer, in one order of its rows. */
export const copiedRowsSchema = z.object({
  answer: z.string(),
  order: z.int(),
  selected: rowRangesSchema,
  format: rowsFormatSchema,
});

export type CopiedRows = Readonly<z.infer<typeof copiedRowsSchema>>;
export type Selection = Readonly<z.infer<typeof selectionSchema>>;
export type RowRanges = CopiedRows['selected'];

/** How many rows these are. */
export function countSelectedRows(stretches: RowRanges): number {
  return stretches.reduce((count, [start, end]) => count + Math.max(0, end - start), 0);
}
