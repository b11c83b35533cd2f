import type { ArrangedRows, NumberedLog } from '../results/arrangedRows.ts';

/** As many as a high window shows: they are on screen soonest where no others come along. */
export const TOP_ROWS = 60;

/** The first of the rows that are shown; undefined if there is none, or it was given since they began to be. */
type TakeTopRows = (answer: string, rows: ArrangedRows) => readonly NumberedLog[] | undefined;

export function createTopRows(): TakeTopRows {
  let given: { readonly answer: string; readonly order: number } | undefined;
  return (answer, rows) => {
    const { order, length } = rows;
    if (length === 0 || (given?.answer === answer && given.order === order)) return undefined;
    given = { answer, order };
    return rows.slice(0, TOP_ROWS);
  };
}
