import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  type Hex,
  type Log,
  type LogsInBlocks,
  toChecksumAddress,
} from '../../../core/index.ts';
import { BlockTimes, type TimesState } from '../../../host/blockTimes.ts';
import { formatTimeCell } from '../../../host/formatting.ts';
import { getExplorerLink } from '../../../host/session/networks.ts';
import { type CopyRows, createRowsCopier } from '../../../host/tables.ts';
import { MAX_COPIED_ROWS } from '../../../host/tableText.ts';
import type { UnitTarget } from '../../../manifest.ts';
import type { RowWindow } from '../../../messaging/panel.ts';
import {
  type CopiedRows,
  countSelectedRows,
  type RowRanges,
  type RowsFormat,
  type Selection,
} from '../../../messaging/rowSelection.ts';
import { createUnitTarget, type DecodedRow, findCellAddress } from '../decoded/cells.ts';
import { getLogLink } from '../decoded/logDetails.ts';
import type { RowReader, RowTimes } from '../decoded/rowReader.ts';
import {
  type ExportTimes,
  type FilteredRows,
  type FormattedRows,
  formatRowsToCopy,
} from '../export/exportRows.ts';
import { getArgumentIndex } from '../protocol/grid.ts';
import type { ExplorerPlace, LogCellPlace, LogPlace, LogRowPlace } from '../protocol/protocol.ts';
import type { WireLog, WireRow } from '../protocol/snapshot.ts';
import type { LogResults } from '../results/logResults.ts';
import { createTopRows, type RowView } from '../results/rowView.ts';
import type { PanelEndpoint } from './panelQuery.ts';

interface PanelRowsParts {
  readonly results: LogResults;
  readonly rows: RowView;
  readonly reader: RowReader;
  readonly copier: RowCopier;
  readonly times: Pick<PanelTimes, 'prefetch'>;
  /** The group that the rows are of; undefined if they are of no single one. */
  readonly group: () => string | undefined;
}

/** Rows by log number. If there are too many, only `count` is set. */
interface ChosenRows {
  readonly resultId: string;
  readonly numbers: readonly number[];
  readonly count: number;
}

/** The rows of a panel by their places in the view. Places of an older result or order match no row. */
export class PanelRows {
  readonly #results: LogResults;
  readonly #rows: RowView;
  readonly #reader: RowReader;
  readonly #copier: RowCopier;
  readonly #times: PanelRowsParts['times'];
  readonly #group: PanelRowsParts['group'];
  readonly #takeTopRows = createTopRows();

  constructor({ results, rows, reader, copier, times, group }: PanelRowsParts) {
    this.#times = times;
    this.#group = group;
    this.#results = results;
    this.#rows = rows;
    this.#reader = reader;
    this.#copier = copier;
  }

  /** Takes in new rows. Returns the first page of rows once per row order. */
  sync(): readonly WireRow[] | undefined {
    this.#rows.sync(this.#results.rows, this.#results.sequence);
    const topRows = this.#takeTopRows(this.#results.resultId, this.#rows);
    if (!topRows) return undefined;
    this.#times.prefetch(topRows.map(({ log }) => log));
    return this.#reader.toWireRows(topRows, this.#results.rows);
  }

  /** Requests the missing times of visible rows. */
  inView(window: RowWindow): void {
    if (!this.#isCurrent(window)) return;
    this.#times.prefetch(this.#rows.slice(window.start, window.count).map(({ log }) => log));
  }

  getRows(window: RowWindow): readonly WireRow[] {
    if (!this.#isCurrent(window)) return [];
    return this.#reader.toWireRows(this.#rows.slice(window.start, window.count), this.#results.rows);
  }

  getLog(place: LogRowPlace): WireLog | undefined {
    const log = this.#isCurrent(place) ? this.#rows.at(place.row) : undefined;
    return log && this.#reader.toWireLog(log);
  }

  findRow({ resultId, log }: LogPlace): LogRowPlace | undefined {
    const row = resultId === this.#results.resultId ? this.#rows.findRow(log) : undefined;
    return row === undefined ? undefined : { resultId, order: this.#rows.order, row };
  }

  async copyCell(place: LogCellPlace): Promise<void> {
    const log = this.#findLog(place);
    if (!log) return;
    await vscode.env.clipboard.writeText(this.#reader.formatToCopy(log, place.column, this.#results.rows));
  }

  async openInExplorer(place: ExplorerPlace): Promise<void> {
    const log = this.#findLog(place);
    const link = log && getLogLink(this.#results.network?.explorerUrl, place.page, log);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }

  async copyRows({ format, ...place }: CopiedRows): Promise<void> {
    if (this.#isCurrent(place)) await this.#copy(format, this.#selectRows(place.selected));
  }

  /** The first rows as text; undefined if it would be too long. */
  formatFirstRows<Format extends RowsFormat>(
    format: Format,
    limit: number,
  ): Promise<FormattedRows<Format> | undefined> {
    this.#rows.sync(this.#results.rows, this.#results.sequence);
    return this.#copier.text(format, this.#toRowsToCopy(this.#rows.listNumbers(0, limit)));
  }

  /** Copies the selected rows if the log is among them; else its own row. */
  async copyRowsAt(place: LogPlace & Selection, format: RowsFormat): Promise<void> {
    const chosen = this.#selectRowsAt(place);
    if (chosen) await this.#copy(format, chosen);
  }

  /** As {@link copyRowsAt}, in the format that the user chooses. */
  async copyRowsAs(place: LogPlace & Selection): Promise<void> {
    const chosen = this.#selectRowsAt(place);
    const { network, rows } = this.#results;
    if (!chosen || !network) return;
    const { copyRowsAs } = await import('../copyAs.ts');
    await copyRowsAs({
      network,
      count: chosen.count,
      readAt: (index) => this.#reader.read(rows.get(chosen.numbers[index] ?? 0), rows),
      copy: (format) => this.#copy(format, chosen),
    });
  }

  get shown(): { readonly count: number; readonly copy: (format: RowsFormat) => Promise<void> } {
    const { length } = this.#rows;
    return { count: length, copy: (format) => this.#copy(format, this.#selectRows([[0, length]])) };
  }

  /** The rows that pass the filter, as displayed now; undefined without a filter. */
  get filtered(): FilteredRows | undefined {
    const { filter: typed, sort } = this.#rows.shown;
    const filter = [this.#group(), typed.trim()].filter(Boolean).join(' · ');
    if (filter === '') return undefined;
    const column = sort && this.#reader.listColumns(this.#results.rows).find(({ id }) => id === sort.column);
    const by = column && getArgumentIndex(column.id) !== undefined ? column.name : sort?.column;
    return {
      rows: this.#rows.asShown,
      filter,
      sort: sort && by !== undefined ? { by, descending: sort.descending } : undefined,
    };
  }

  async openAddress(place: LogCellPlace): Promise<void> {
    const address = this.findAddress(place);
    const page = address && toChecksumAddress(address);
    const link = page && getExplorerLink(this.#results.network?.explorerUrl, 'address', page);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }

  filterTerm(place: LogCellPlace): string | undefined {
    const log = this.#findLog(place);
    return log && this.#reader.createFilterTerm(log, place.column, this.#results.rows);
  }

  findAddress({ column, ...place }: LogCellPlace): Address | undefined {
    const row = this.decodeRow(place);
    return row && findCellAddress(row, column);
  }

  /** What *Set Unit…* offers for a cell; undefined for a log of no contract of the workspace. */
  findUnitTarget({ column, ...place }: LogCellPlace): UnitTarget | undefined {
    const row = this.decodeRow(place);
    return row && createUnitTarget(row, column);
  }

  decodeRow(place: LogPlace): DecodedRow | undefined {
    const log = this.#findLog(place);
    return log && this.#reader.read(log, this.#results.rows);
  }

  #selectRows(selected: RowRanges): ChosenRows {
    const count = countSelectedRows(selected);
    const { resultId } = this.#results;
    if (count > MAX_COPIED_ROWS) return { resultId, numbers: [], count };
    const numbers = selected.flatMap(([start, end]) => this.#rows.listNumbers(start, end));
    return { resultId, numbers, count: numbers.length };
  }

  /** The selected rows if the log is among them; else its own row. */
  #selectRowsAt({ resultId, log, order, selected }: LogPlace & Selection): ChosenRows | undefined {
    const row = this.findRow({ resultId, log })?.row;
    if (row === undefined) return undefined;
    const isSelected = selected?.some(([start, end]) => start <= row && row < end) === true;
    if (!isSelected || order === undefined) return { resultId, numbers: [log], count: 1 };
    return this.#isCurrent({ resultId, order }) ? this.#selectRows(selected) : undefined;
  }

  async #copy(format: RowsFormat, { resultId, numbers, count }: ChosenRows): Promise<void> {
    // Another query may have started while the user was choosing.
    if (resultId === this.#results.resultId)
      await this.#copier.copy(format, { ...this.#toRowsToCopy(numbers), count });
  }

  #toRowsToCopy(numbers: readonly number[]) {
    const { rows } = this.#results;
    const logAt = (index: number) => rows.get(numbers[index] ?? 0);
    return { count: numbers.length, logAt, table: this.#reader.createTable(rows) };
  }

  #isCurrent({ resultId, order }: { readonly resultId: string; readonly order: number }): boolean {
    return resultId === this.#results.resultId && order === this.#rows.order;
  }

  #findLog({ resultId, log }: LogPlace): Log | undefined {
    const { rows } = this.#results;
    return resultId === this.#results.resultId && log < rows.length ? rows.get(log) : undefined;
  }
}

export interface RowCopier {
  /** Copies the text of rows or groups. */
  readonly copyText: CopyRows;
  /** As {@link copyText}, of rows. */
  copy(format: RowsFormat, rows: Parameters<typeof formatRowsToCopy>[1]): Promise<void>;
  /** The text to copy; undefined if it is too long. */
  text<Format extends RowsFormat>(
    format: Format,
    rows: Parameters<typeof formatRowsToCopy>[1],
  ): Promise<FormattedRows<Format> | undefined>;
}

export function createRowCopier(clock: Clock, exportLogs: () => void): RowCopier {
  const copyText = createRowsCopier(clock, exportLogs);
  return {
    text: (format, rows) => formatRowsToCopy(format, rows, { clock, signal: new AbortController().signal }),
    copyText,
    copy: (format, rows) => copyText(rows.count, (options) => formatRowsToCopy(format, rows, options)),
  };
}

interface PanelTimesOptions {
  /** Where the rows came from; undefined if it can no longer be queried. */
  readonly endpoint: () => PanelEndpoint | undefined;
  readonly onDidChange: () => void;
}

/**
 * Block times for the rows of one panel: from the logs if the node returns them, else requested for visible
 * rows.
 */
export class PanelTimes implements RowTimes, ExportTimes {
  readonly #disposal = new AbortController();
  readonly #endpoint: PanelTimesOptions['endpoint'];
  readonly #blocks: BlockTimes;
  #lastEndpoint: PanelEndpoint | undefined;

  constructor({ endpoint, onDidChange }: PanelTimesOptions) {
    this.#endpoint = endpoint;
    this.#blocks = new BlockTimes(() => {
      if (!this.#lastEndpoint) throw new Error('Block times were requested before an endpoint was set.');
      return { ...this.#lastEndpoint, signal: this.#disposal.signal };
    }, onDidChange);
  }

  get state(): TimesState {
    return this.#blocks.state;
  }

  timeOf({ time, blockNumber }: Log): number | undefined {
    return time ?? this.#blocks.timeOf(blockNumber);
  }

  /** Requests the missing times of these rows. */
  prefetch(logs: readonly Log[]): void {
    const endpoint = this.#endpoint();
    const missing = logs.filter((log) => this.timeOf(log) === undefined);
    if (!endpoint || missing.length === 0) return;
    if (endpoint.client !== this.#lastEndpoint?.client) this.#blocks.clear();
    this.#lastEndpoint = endpoint;
    const blocks = missing.map(({ blockNumber }) => blockNumber);
    this.#blocks.prefetch(blocks, endpoint.network, getCommonFields(missing));
  }

  /** Whether the endpoint may provide times. */
  get canRead(): boolean {
    return this.state !== 'notTold' && this.#endpoint() !== undefined;
  }

  async read(logs: readonly Log[], { signal }: { readonly signal: AbortSignal }) {
    const blocks = logs.map(({ blockNumber }) => blockNumber);
    return this.#endpoint()?.client.fetchBlockTimes(blocks, { signal, logs: getCommonFields(logs) });
  }

  async getBatchSize(): Promise<number> {
    return (await this.#endpoint()?.client.getBlockTimesLimit()) ?? 1;
  }

  format(time: number) {
    return formatTimeCell(time);
  }

  dispose(): void {
    this.#disposal.abort();
    this.#blocks.dispose();
  }
}

/** The address and topic0 that all these logs share, by which an explorer finds them. */
function getCommonFields([first, ...others]: readonly Log[]): LogsInBlocks {
  const common = <T extends Address | Hex>(getField: (log: Log) => T | undefined): T | undefined => {
    const value = first && getField(first);
    return others.every((log) => getField(log) === value) ? value : undefined;
  };
  return { address: common(({ address }) => address), topic0: common(({ topics }) => topics[0]) };
}
