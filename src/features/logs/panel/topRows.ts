import { PAGE_ROWS } from '../../../messaging/panel.ts';
import type { ArrangedRows, NumberedLog } from '../results/arrangedRows.ts';

/** The first page of the rows that are shown; undefined if there is none, or it was given since they began to be. */
type TakeTopRows = (answer: string, rows: ArrangedRows) => readonly NumberedLog[] | undefined;

export function createTopRows(): TakeTopRows {
  let given: { readonly answer: string; readonly order: number } | undefined;
  return (answer, rows) => {
    const { order, length } = rows;
    if (length === 0 || (given?.answer === answer && given.order === order)) return undefined;
    given = { answer, order };
    return rows.slice(0, PAGE_ROWS);
  };
}
