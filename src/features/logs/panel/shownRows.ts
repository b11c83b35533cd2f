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
import { type CopiedRows, countRows, type RowsFormat, type Selecting } from '../protocol/selectedRows.ts';
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
    if (!this.#isCurrent(place)) return;
    const selected = countRows(place.selected);
    const isTooMany = selected > MOST_COPIED;
    const numbers = isTooMany
      ? []
      : place.selected.flatMap(([start, end]) => this.#rows.numbersOf(start, end));
    await this.#copy(format, numbers, isTooMany ? selected : numbers.length);
  }

  /** Copies the selected rows, where that of the log is one of them; else its own. */
  async copyRowsAt(
    { answer, log, order, selected }: LogPlace & Selecting,
    format: RowsFormat,
  ): Promise<void> {
    const row = this.rowOf({ answer, log })?.row;
    if (row === undefined) return;
    const isSelected = selected?.some(([start, end]) => start <= row && row < end) === true;
    if (isSelected && order !== undefined) await this.copyRows({ answer, order, selected, format });
    else await this.#copy(format, [log], 1);
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

  async #copy(format: RowsFormat, numbers: readonly number[], count: number): Promise<void> {
    const { rows } = this.#results;
    const logAt = (index: number) => rows.get(numbers[index] ?? 0);
    await this.#copier.copy(format, { count, logAt, table: this.#reader.table(rows) });
  }

  #isCurrent({ answer, order }: { readonly answer: string; readonly order: number }): boolean {
    return answer === this.#results.answer && order === this.#rows.order;
  }

  #log({ answer, log }: LogPlace): Log | undefined {
    const { rows } = this.#results;
    return answer === this.#results.answer && log < rows.length ? rows.get(log) : undefined;
  }
}
