import * as z from 'zod/mini';
import type { AbiType, ArgumentColumn, BlockField, LogSortKey } from '../../../core/index.ts';
import type { Localizer } from '../../../host/l10n.ts';
import type { GridColumn } from '../../../messaging/panel.ts';

/** More bars would be thinner than a pixel. */
const MAX_BARS = 500;

export const chartUnitSchema = z.enum(['block', 'time']);

/** `most`: the number of bars that fit. */
export const chartRequestSchema = z.object({
  unit: chartUnitSchema,
  most: z.int().check(z.minimum(2), z.maximum(MAX_BARS)),
});

export type ChartRequest = Readonly<z.infer<typeof chartRequestSchema>>;

/** Set if there are at least two blocks with logs to draw. */
export interface ChartOffer {
  /** Whether every log came with its block time. */
  readonly hasTimes: boolean;
  /** Whether the verdict leaves blocks unread. */
  readonly hasUnread: boolean;
  /** The last block read, from the verdict; the bars change with it. */
  readonly readThrough: string | undefined;
}

/** Block numbers are exact: the log store accepts safe integers only. */
export interface WireBar {
  /** The blocks of the bar. Over time: the blocks of its logs; without logs, `last` is below `first`. */
  readonly first: number;
  readonly last: number;
  /** The bounds as text: block numbers or times. */
  readonly start: string;
  readonly end: string;
  readonly loaded: number;
  /** Loaded logs that pass the filter. */
  readonly shown: number;
}

/** A part of the range left or right of the bars. */
export interface OutsideBars {
  /** `unread`: not read yet. `none`: read, and without logs. */
  readonly kind: 'unread' | 'none';
  readonly label: string;
}

export interface WireChart {
  readonly resultId: string;
  readonly unit: ChartRequest['unit'];
  /** For example `Logs by block`. */
  readonly title: string;
  readonly bars: readonly WireBar[];
  /** The filter name that selects blocks. */
  readonly blockField: BlockField;
  readonly isFiltered: boolean;
  /** The bounds of the chart as text. */
  readonly from: string;
  readonly to: string;
  readonly before: OutsideBars | undefined;
  readonly after: OutsideBars | undefined;
  /** The chart in one sentence, for screen readers. */
  readonly summary: string;
}

interface ColumnDefinition {
  readonly id: string;
  readonly name: (l10n: Localizer) => string;
  readonly hint?: (l10n: Localizer) => string;
  /** The most pixels, until the user drags it: less if the content is narrower. */
  readonly width: number;
  readonly alignEnd?: boolean;
  readonly isProse?: boolean;
  /** Undefined if rows cannot be sorted by it. */
  readonly sortBy?: LogSortKey;
  readonly context?: CellContext;
}

/** What the context menu offers for a cell. */
interface CellContext {
  readonly canFilterBy?: true;
  readonly holdsAddress?: true;
  readonly holdsInteger?: true;
}

const filterContext: CellContext = { canFilterBy: true };
const addressContext: CellContext = { canFilterBy: true, holdsAddress: true };

/** The columns apart from those for arguments. */
const fixedColumns = [
  {
    id: 'block',
    width: 110,
    alignEnd: true,
    sortBy: 'block',
    context: filterContext,
    name: (l10n) => l10n.t('Block'),
  },
  { id: 'time', width: 180, sortBy: 'block', name: (l10n) => l10n.t('Time') },
  {
    id: 'index',
    width: 74,
    alignEnd: true,
    sortBy: 'index',
    context: filterContext,
    name: (l10n) => l10n.t('Index'),
    hint: (l10n) => l10n.t('Position of the log in its block.'),
  },
  {
    id: 'event',
    width: 560,
    isProse: true,
    sortBy: 'topics',
    context: { ...filterContext, holdsInteger: true },
    name: (l10n) => l10n.t('Event'),
  },
  {
    id: 'transaction',
    width: 160,
    sortBy: 'transaction',
    context: filterContext,
    name: (l10n) => l10n.t('Transaction'),
  },
  {
    id: 'address',
    width: 350,
    sortBy: 'address',
    context: addressContext,
    name: (l10n) => l10n.t('Address'),
  },
  { id: 'topics', width: 300, sortBy: 'topics', name: (l10n) => l10n.t('Topics') },
  { id: 'data', width: 160, sortBy: 'data', name: (l10n) => l10n.t('Data') },
] as const satisfies readonly ColumnDefinition[];

type FixedColumnId = (typeof fixedColumns)[number]['id'];
export type ColumnId = FixedColumnId | ArgumentColumn;
export type SortColumn = LogSortKey | ArgumentColumn;

const fixedColumnSchema = z.enum(fixedColumns.map(({ id }) => id));
const argumentColumnSchema = z.custom<ArgumentColumn>(
  (value) => typeof value === 'string' && /^argument\d{1,2}$/.test(value),
);

/** Validates column ids from the webview, which is untrusted input. */
export const columnIdSchema = z.union([fixedColumnSchema, argumentColumnSchema]);
const sortColumnSchema = z.union([z.enum(fixedColumns.map(({ sortBy }) => sortBy)), argumentColumnSchema]);

export type LogColumn = GridColumn<ColumnId, SortColumn> & {
  readonly context?: CellContext;
  /** Whether the filter allows only one value. */
  readonly isFixed?: boolean;
};

export function createFixedColumn(
  id: FixedColumnId,
  l10n: Localizer,
  { width, ...options }: { readonly width?: number | undefined; readonly hint?: string | undefined } = {},
): LogColumn {
  const definition: ColumnDefinition | undefined = fixedColumns.find((one) => one.id === id);
  if (!definition) throw new Error(`There is no column ${id}.`);
  const { name, hint, ...column } = definition;
  return {
    ...column,
    id,
    width: width ?? definition.width,
    name: name(l10n),
    hint: options.hint ?? hint?.(l10n),
  };
}

export function getArgumentIndex(column: ColumnId): number | undefined {
  return column.startsWith('argument') ? Number(column.slice('argument'.length)) : undefined;
}

interface ArgumentOptions {
  readonly name: string;
  readonly type: AbiType;
  readonly isHashed: boolean;
  readonly isFixed: boolean;
}

/** The column of an argument. Numbers align right, as block numbers do; members of enums are text. */
export function createArgumentColumn(
  index: number,
  { name, type, isHashed, isFixed }: ArgumentOptions,
  l10n: Localizer,
): LogColumn {
  const id = `argument${index}` as const;
  const isNumber = ((type.kind === 'uint' && !type.enumeration) || type.kind === 'int') && !isHashed;
  return {
    id,
    sortBy: id,
    name: name || l10n.t('argument {0}', index + 1),
    alignEnd: isNumber,
    width: getColumnWidth(type),
    ...(isFixed && { isFixed }),
    context: {
      ...(canFilterByArgument({ name, type }) && (type.kind === 'address' ? addressContext : filterContext)),
      ...(!isHashed && holdsInteger(type) && { holdsInteger: true }),
    },
    hint: isHashed ? l10n.t('Indexed {0}: the log contains only its hash.', type.text) : `${type.text}.`,
  };
}

function getColumnWidth({ kind }: AbiType): number {
  switch (kind) {
    case 'bool':
      return 80;
    case 'address':
      return 200;
    default:
      return 240;
  }
}

/** Whether values are integers, or have some among their parts. */
function holdsInteger(type: AbiType): boolean {
  if (type.kind === 'array') return holdsInteger(type.item);
  if (type.kind === 'tuple') return type.members.some((member) => holdsInteger(member.type));
  return type.kind === 'int' || (type.kind === 'uint' && !type.enumeration);
}

/** Whether a filter can select by the argument: it needs a name, and is no array or tuple. */
function canFilterByArgument({ name, type }: { readonly name: string; readonly type: AbiType }): boolean {
  return name !== '' && type.kind !== 'array' && type.kind !== 'tuple';
}

export const MAX_FILTER_CHARS = 1000;

/** How the webview wants the rows sorted, filtered and displayed. */
export const arrangementSchema = z.object({
  filter: z.string().check(z.maxLength(MAX_FILTER_CHARS)),
  sort: z.optional(z.object({ column: sortColumnSchema, descending: z.boolean() })),
  /** Shows topics and data instead of decoded values. */
  raw: z.optional(z.boolean()),
});

export type Arrangement = Readonly<z.infer<typeof arrangementSchema>>;

/** Whether both show the same rows in the same order. */
export function isSameArrangement(a: Arrangement, b: Arrangement): boolean {
  return (
    a.filter === b.filter && a.sort?.column === b.sort?.column && a.sort?.descending === b.sort?.descending
  );
}
