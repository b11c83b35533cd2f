import * as z from 'zod/mini';
import type { AbiType, ArgumentColumn, LogSortKey } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import type { GridColumn } from '../../../messaging/panel.ts';

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
const table = [
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

type OwnColumn = (typeof table)[number]['id'];
export type Column = OwnColumn | ArgumentColumn;
export type SortColumn = LogSortKey | ArgumentColumn;

const ownColumn = z.enum(table.map(({ id }) => id));
const argumentColumn = z.custom<ArgumentColumn>(
  (value) => typeof value === 'string' && /^argument\d{1,2}$/.test(value),
);

/** A column by its id, and what rows are sorted by: a webview is input from outside. */
export const columnId = z.union([ownColumn, argumentColumn]);
export const sortColumn = z.union([z.enum(table.map(({ sortBy }) => sortBy)), argumentColumn]);

/** A column of the grid, as the view draws it. */
export type LogColumn = GridColumn<Column, SortColumn> & { readonly context?: CellContext };

/** One of the columns that every log can have. */
export function ownColumnOf(
  id: OwnColumn,
  l10n: Localizer,
  { width, ...told }: { readonly width?: number | undefined; readonly hint?: string | undefined } = {},
): LogColumn {
  const row: ColumnRow | undefined = table.find((one) => one.id === id);
  if (!row) throw new Error(`There is no column ${id}.`);
  const { name, hint, ...drawn } = row;
  return { ...drawn, id, width: width ?? row.width, name: name(l10n), hint: told.hint ?? hint?.(l10n) };
}

/** The number of the argument that a column is of. */
export function argumentOf(column: Column): number | undefined {
  return column.startsWith('argument') ? Number(column.slice('argument'.length)) : undefined;
}

/** The column of an argument. Amounts and other integers end at the right border, as block numbers do. */
export function argumentColumnOf(
  index: number,
  { name, type, isHashed }: { readonly name: string; readonly type: AbiType; readonly isHashed: boolean },
  l10n: Localizer,
): LogColumn {
  const id = `argument${index}` as const;
  const isInteger = (type.kind === 'uint' || type.kind === 'int') && !isHashed;
  return {
    ...{ id, sortBy: id, name: name || l10n.t('argument {0}', index + 1), alignEnd: isInteger },
    width: widthOf(type),
    ...(canBeAsked({ name, type }) && { context: type.kind === 'address' ? ofAddress : filterable }),
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
function canBeAsked({ name, type }: { readonly name: string; readonly type: AbiType }): boolean {
  return name !== '' && type.kind !== 'array' && type.kind !== 'tuple';
}
