import { type Log, type LogSortKey, toChecksumAddress } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import type { GridColumn } from '../../../messaging/panel.ts';

interface ColumnRow {
  readonly id: string;
  readonly name: (l10n: Localizer) => string;
  /** What there is to know of it besides. */
  readonly hint?: (l10n: Localizer) => string;
  /** The whole text of its cell: as it is copied, and shown as far as there is room. */
  readonly text: (log: Log) => string;
  /** In pixels, until the user drags it. */
  readonly width: number;
  readonly alignEnd?: boolean;
  /** Left out where rows cannot be sorted by it. */
  readonly sortBy?: LogSortKey;
}

/** Everything that makes a column of the log grid, in the order of the grid. */
const table = [
  {
    id: 'block',
    width: 100,
    alignEnd: true,
    sortBy: 'block',
    name: (l10n) => l10n.t('Block'),
    text: ({ blockNumber }) => blockNumber.toString(),
  },
  {
    id: 'index',
    width: 74,
    alignEnd: true,
    sortBy: 'index',
    name: (l10n) => l10n.t('Index'),
    hint: (l10n) => l10n.t('Place of the log in its block.'),
    text: ({ logIndex }) => logIndex.toString(),
  },
  {
    id: 'transaction',
    width: 160,
    sortBy: 'transaction',
    name: (l10n) => l10n.t('Transaction'),
    text: ({ transactionHash }) => transactionHash,
  },
  {
    id: 'address',
    width: 350,
    sortBy: 'address',
    name: (l10n) => l10n.t('Address'),
    text: ({ address }) => toChecksumAddress(address),
  },
  {
    id: 'topics',
    width: 300,
    sortBy: 'topics',
    name: (l10n) => l10n.t('Topics'),
    text: ({ topics }) => topics.join(' '),
  },
  {
    id: 'data',
    width: 160,
    sortBy: 'data',
    name: (l10n) => l10n.t('Data'),
    text: ({ data }) => data,
  },
] as const satisfies readonly ColumnRow[];

export type Column = (typeof table)[number]['id'];

export const columns: readonly (ColumnRow & { readonly id: Column })[] = table;

/** The columns as the view draws them. */
export function gridColumns(l10n: Localizer): readonly GridColumn<Column, LogSortKey>[] {
  return columns.map(({ text: _, name, hint, ...drawn }) => ({
    ...drawn,
    ...{ name: name(l10n), hint: hint?.(l10n) },
  }));
}

/** The text of the cells of one log, each cut to `length` characters. */
export function cellsOf(log: Log, length: number): Readonly<Record<Column, string>> {
  const cells = columns.map(({ id, text }) => [id, text(log).slice(0, length)]);
  return Object.fromEntries(cells) as Record<Column, string>;
}

/** The whole text of one cell, for the clipboard. */
export function cellText(log: Log, column: Column): string {
  return columns.find(({ id }) => id === column)?.text(log) ?? '';
}
