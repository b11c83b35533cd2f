import * as vscode from 'vscode';
import { type Address, type Log, logToJson } from '../../../core/index.ts';
import type { RowWindow } from '../../../messaging/panel.ts';
import { addressIn, type ReadLog } from '../decoded/cells.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import type { WireLog, WireRow } from '../protocol/logsSnapshot.ts';
import type { CellPlace, ExplorerPlace, LogPlace, RowPlace } from '../protocol/protocol.ts';
import type { ArrangedRows } from '../results/arrangedRows.ts';
import type { LogResults } from '../results/logResults.ts';
import { logLink } from './explorerLink.ts';
import { createTopRows } from './topRows.ts';

/** The rows of a panel by the places that its view knows: none where a place is of an older answer or order. */
export class ShownRows {
  readonly #results: LogResults;
  readonly #rows: ArrangedRows;
  readonly #reader: RowReader;
  readonly #takeTopRows = createTopRows();

  constructor(results: LogResults, rows: ArrangedRows, reader: RowReader) {
    this.#results = results;
    this.#rows = rows;
    this.#reader = reader;
  }

  /** Takes in what has come. The first page of rows, once whenever row numbers mean other rows. */
  follow(): readonly WireRow[] | undefined {
    this.#rows.follow(this.#results.rows);
    const topRows = this.#takeTopRows(this.#results.answer, this.#rows);
    return topRows && this.#reader.wireRows(topRows, this.#results.rows);
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

  async copyLog(place: LogPlace): Promise<void> {
    const log = this.#log(place);
    if (log) await vscode.env.clipboard.writeText(JSON.stringify(logToJson(log), undefined, 2));
  }

  async openInExplorer(place: ExplorerPlace): Promise<void> {
    const log = this.#log(place);
    const link = log && logLink(this.#results.network?.explorerUrl, place.page, log);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }

  filterTerm(place: CellPlace): string | undefined {
    const log = this.#log(place);
    return log && this.#reader.filterTerm(log, place.column);
  }

  /** The address in a cell. */
  addressIn({ column, ...place }: CellPlace): Address | undefined {
    const read = this.read(place);
    return read && addressIn(read, column);
  }

  /** The log that a view means, with what is known of it. */
  read(place: LogPlace): ReadLog | undefined {
    const log = this.#log(place);
    return log && this.#reader.read(log);
  }

  #isCurrent({ answer, order }: { readonly answer: string; readonly order: number }): boolean {
    return answer === this.#results.answer && order === this.#rows.order;
  }

  #log({ answer, log }: LogPlace): Log | undefined {
    const { rows } = this.#results;
    return answer === this.#results.answer && log < rows.length ? rows.get(log) : undefined;
  }
}
