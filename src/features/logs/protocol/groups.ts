import * as z from 'zod/mini';
import type { Grouping } from '../../../core/index.ts';
import type { GridColumn } from '../../../messaging/panel.ts';
import { MAX_FILTER_CHARS } from './grid.ts';

const MAX_FIELD_CHARS = 300;
const fieldSchema = z.string().check(z.maxLength(MAX_FIELD_CHARS));

/** What the rows are grouped by, and the number that is summed, as query files name them (`parseGrouping` of core). */
export const groupChoiceSchema = z.object({
  by: z.array(fieldSchema).check(z.maxLength(2)),
  sum: z.optional(fieldSchema),
});

export type GroupChoice = Readonly<z.infer<typeof groupChoiceSchema>>;

/** The grouping of a query file, a document or a command. */
export function toGroupChoice(grouping: Grouping | undefined): GroupChoice | undefined {
  if (!grouping) return undefined;
  const { by, sum } = grouping;
  return { by: by.map(({ name }) => name), ...(sum !== undefined && { sum }) };
}

/** `first` and `last` are values of the summed argument; `share` is a bar. */
export const groupColumnIds = [
  'group0',
  'group1',
  'sum',
  'count',
  'share',
  'min',
  'max',
  'first',
  'last',
  'firstBlock',
  'lastBlock',
] as const;
export const groupColumnSchema = z.enum(groupColumnIds);

export type GroupColumnId = (typeof groupColumnIds)[number];
export type GroupColumn = GridColumn<GroupColumnId, GroupColumnId>;

/** Without `sort`, the largest come first. */
export const groupArrangementSchema = z.object({
  filter: z.string().check(z.maxLength(MAX_FILTER_CHARS)),
  sort: z.optional(z.object({ column: groupColumnSchema, descending: z.boolean() })),
});

export type GroupArrangement = Readonly<z.infer<typeof groupArrangementSchema>>;

/** A group of a result, by the number of its first log. */
export const groupPlaceSchema = z.object({ resultId: z.string(), group: z.int().check(z.minimum(0)) });

export const groupCellPlaceSchema = z.extend(groupPlaceSchema, { column: groupColumnSchema });

export type GroupPlace = Readonly<z.infer<typeof groupPlaceSchema>>;
export type GroupCellPlace = Readonly<z.infer<typeof groupCellPlaceSchema>>;

export interface WireGroup {
  /** The number of its first log in the result. */
  readonly group: number;
  readonly cells: Readonly<Partial<Record<GroupColumnId, string>>>;
  /** The full values of cells that show a name or are shortened. */
  readonly hints: Readonly<Partial<Record<GroupColumnId, string>>>;
  /** The length of its bar, 0 to 1. */
  readonly bar: number;
}

/** A field that rows can be grouped by or summed. */
export interface GroupField {
  /** Of {@link GroupChoice}. */
  readonly value: string;
  readonly label: string;
}

/** The groups of the rows, apart from the groups themselves. */
export interface GroupsSnapshot {
  readonly choice: GroupChoice;
  readonly fields: readonly GroupField[];
  readonly sums: readonly GroupField[];
  /** Row numbers are valid while it and the result stay. */
  readonly order: number;
  /** Increases when cells have other texts. */
  readonly textVersion: number;
  /** Groups that pass the filter. */
  readonly rows: number;
  readonly columns: readonly GroupColumn[];
  readonly arrangement: GroupArrangement;
  /** How many logs the groups are made of, and whether these are all. */
  readonly verdict: string;
  /** The number of groups, or that they are being made. */
  readonly rowsText: string;
  /** Why there are no groups. */
  readonly error: string | undefined;
  /** The group whose rows are shown; undefined while the groups are. */
  readonly opened: string | undefined;
}
