import * as vscode from 'vscode';
import { type Address, type Log, toChecksumAddress } from '../../../core/index.ts';
import { explorerLink } from '../../../host/session/explorerLink.ts';
import type { RowWindow } from '../../../messaging/panel.ts';
import { addressIn, type ReadLog } from '../decoded/cells.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import type { RowCopier } from '../export/copyRows.ts';
import type { FilteredRows } from '../export/exportRows.ts';
import { MOST_COPIED } from '../export/rowsText.ts';
import { argumentOf } from '../protocol/columns.ts';
import type { WireLog, WireRow } from '../protocol/logsSnapshot.ts';
import type { CellPlace, ExplorerPlace, LogPlace, RowPlace } from '../protocol/protocol.ts';
import {
  type CopiedRows,
  countRows,
  type RowsFormat,
  type Selecting,
  type Stretches,
} from '../protocol/selectedRows.ts';
import type { ArrangedRows } from '../results/arrangedRows.ts';
import type { LogResults } from '../results/logResults.ts';
import { logLink } from './explorerLink.ts';
import type { PanelTimes } from './panelTimes.ts';
import { createTopRows } from './topRows.ts';

interface ShownParts {
  readonly results: LogResults;
  readonly rows: ArrangedRows;
  readonly reader: RowReader;
  readonly copier: RowCopier;
  readonly times: Pick<PanelTimes, 'want'>;
}

/** Rows that were chosen; of too many the numbers are not told. */
interface ChosenRows {
  readonly answer: string;
  readonly numbers: readonly number[];
  readonly count: number;
}

/** The rows of a panel by the places that its view knows: none where a place is of an older answer or order. */
export class ShownRows {
  readonly #results: LogResults;
  readonly #rows: ArrangedRows;
  readonly #reader: RowReader;
  readonly #copier: RowCopier;
  readonly #times: ShownParts['times'];
  readonly #takeTopRows = createTopRows();

  constructor({ results, rows, reader, copier, times }: ShownParts) {
    this.#times = times;
    this.#results = results;
    this.#rows = rows;
    this.#reader = reader;
    this.#copier = copier;
  }

  /** Takes in what has come. The first page of rows, once whenever row numbers mean other rows. */
  follow(): readonly WireRow[] | undefined {
    this.#rows.follow(this.#results.rows, this.#results.sequence);
    const topRows = this.#takeTopRows(this.#results.answer, this.#rows);
    if (!topRows) return undefined;
    this.#times.want(topRows.map(({ log }) => log));
    return this.#reader.wireRows(topRows, this.#results.rows);
  }

  /** Has the times read that rows on screen lack. */
  inView(window: RowWindow): void {
    if (!this.#isCurrent(window)) return;
    this.#times.want(this.#rows.slice(window.start, window.count).map(({ log }) => log));
  }

  window(window: RowWindow): readonly WireRow[] {
    if (!this.#isCurrent(window)) return [];
    return this.#reader.wireRows(this.#rows.slice(window.start, window.count), this.#results.rows);
  }

  log(place: RowPlace): WireLog | undefined {
    const log = this.#isCurrent(place) ? this.#rows.at(place.row) : undefined;
    return log && this.#reader.wireLog(log);
  }

  rowOf({ answer, log }: LogPlace): RowPlace | undefined {
    const row = answer === this.#results.answer ? this.#rows.rowOf(log) : undefined;
    return row === undefined ? undefined : { answer, order: this.#rows.order, row };
  }

  async copyCell(place: CellPlace): Promise<void> {
    const log = this.#log(place);
    if (!log) return;
    await vscode.env.clipboard.writeText(this.#reader.copyOf(log, place.column, this.#results.rows));
  }

  async openInExplorer(place: ExplorerPlace): Promise<void> {
    const log = this.#log(place);
    const link = log && logLink(this.#results.network?.explorerUrl, place.page, log);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }

  /** Copies the selected rows. */
  async copyRows({ format, ...place }: CopiedRows): Promise<void> {
    if (this.#isCurrent(place)) await this.#copy(format, this.#chosen(place.selected));
  }

  /** The first of the rows as a text; undefined where it would be too long. */
  firstAs(format: RowsFormat, most: number): Promise<string | undefined> {
    this.#rows.follow(this.#results.rows, this.#results.sequence);
    return this.#copier.text(format, this.#rowsOf(this.#rows.numbersOf(0, most)));
  }

  /** Copies the selected rows, where that of the log is one of them; else its own. */
  async copyRowsAt(place: LogPlace & Selecting, format: RowsFormat): Promise<void> {
    const chosen = this.#chosenAt(place);
    if (chosen) await this.#copy(format, chosen);
  }

  /** As {@link copyRowsAt}, as what the user chooses. */
  async copyRowsAs(place: LogPlace & Selecting): Promise<void> {
    const chosen = this.#chosenAt(place);
    const { network, rows } = this.#results;
    if (!chosen || !network) return;
    const { copyRowsAs } = await import('../copyAs/copyRowsAs.ts');
    await copyRowsAs({
      ...{ network, count: chosen.count },
      readAt: (index) => this.#reader.read(rows.get(chosen.numbers[index] ?? 0), rows),
      copy: (format) => this.#copy(format, chosen),
    });
  }

  /** How many rows are shown, and what copies all of them. */
  get shown(): { readonly count: number; readonly copy: (format: RowsFormat) => Promise<void> } {
    const { length } = this.#rows;
    return { count: length, copy: (format) => this.#copy(format, this.#chosen([[0, length]])) };
  }

  /** The rows that pass the filter, as they are shown now; undefined where there is no filter. */
  get filtered(): FilteredRows | undefined {
    const { filter, sort } = this.#rows.shown;
    if (filter.trim() === '') return undefined;
    const column = sort && this.#reader.columns(this.#results.rows).find(({ id }) => id === sort.column);
    const by = column && argumentOf(column.id) !== undefined ? column.name : sort?.column;
    return {
      rows: this.#rows.asShown,
      filter,
      sort: sort && by !== undefined ? { by, descending: sort.descending } : undefined,
    };
  }

  /** Shows the explorer's page of the address in a cell. */
  async openAddress(place: CellPlace): Promise<void> {
    const address = this.addressIn(place);
    const page = address && toChecksumAddress(address);
    const link = page && explorerLink(this.#results.network?.explorerUrl, 'address', page);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }

  filterTerm(place: CellPlace): string | undefined {
    const log = this.#log(place);
    return log && this.#reader.filterTerm(log, place.column, this.#results.rows);
  }

  /** The address in a cell. */
  addressIn({ column, ...place }: CellPlace): Address | undefined {
    const read = this.read(place);
    return read && addressIn(read, column);
  }

  /** The log that a view means, with what is known of it. */
  read(place: LogPlace): ReadLog | undefined {
    const log = this.#log(place);
    return log && this.#reader.read(log, this.#results.rows);
  }

  /** Rows by the numbers of their logs. */
  #chosen(selected: Stretches): ChosenRows {
    const count = countRows(selected);
    const { answer } = this.#results;
    if (count > MOST_COPIED) return { answer, numbers: [], count };
    const numbers = selected.flatMap(([start, end]) => this.#rows.numbersOf(start, end));
    return { answer, numbers, count: numbers.length };
  }

  /** The selected rows, where that of the log is one of them; else its own. */
  #chosenAt({ answer, log, order, selected }: LogPlace & Selecting): ChosenRows | undefined {
    const row = this.rowOf({ answer, log })?.row;
    if (row === undefined) return undefined;
    const isSelected = selected?.some(([start, end]) => start <= row && row < end) === true;
    if (!isSelected || order === undefined) return { answer, numbers: [log], count: 1 };
    return this.#isCurrent({ answer, order }) ? this.#chosen(selected) : undefined;
  }

  async #copy(format: RowsFormat, { answer, numbers, count }: ChosenRows): Promise<void> {
    // Another query may run while the user chooses.
    if (answer === this.#results.answer) await this.#copier.copy(format, { ...this.#rowsOf(numbers), count });
  }

  #rowsOf(numbers: readonly number[]) {
    const { rows } = this.#results;
    const logAt = (index: number) => rows.get(numbers[index] ?? 0);
    return { count: numbers.length, logAt, table: this.#reader.table(rows) };
  }

  #isCurrent({ answer, order }: { readonly answer: string; readonly order: number }): boolean {
    return answer === this.#results.answer && order === this.#rows.order;
  }

  #log({ answer, log }: LogPlace): Log | undefined {
    const { rows } = this.#results;
    return answer === this.#results.answer && log < rows.length ? rows.get(log) : undefined;
  }
}
