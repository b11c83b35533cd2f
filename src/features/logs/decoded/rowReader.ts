import {
  type AbiEvent,
  type Address,
  createExportDecoding,
  type ExportDecoding,
  findQueriedEvent,
  formatIsoTime,
  hasAmount,
  type Log,
  type LogDecoder,
  type LogFilter,
  type LogStore,
  type QueriedEventInput,
  type RowKnowledge,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { AskedChain, AskedLogSource, LogMeaning } from '../../../host/meaning/logMeaning.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import type { Column, LogColumn } from '../protocol/columns.ts';
import type { WireLog, WireRow } from '../protocol/logsSnapshot.ts';
import type { NumberedLog } from '../results/arrangedRows.ts';
import { type CellOptions, cellCopy, cellOf, cellShared, type ReadLog } from './cells.ts';
import { filterTerm } from './filterTerm.ts';
import { rowKnowledge } from './knowledge.ts';
import { type RowTimes, timesHint } from './rowTimes.ts';
import { type Shape, shapeOf } from './shape.ts';
import { shapeColumns } from './shapeColumns.ts';
import { wireMeaning } from './wireMeaning.ts';
import type { Wording } from './wording.ts';

/** What the logs of an answer were asked with. */
export interface AskedLogs {
  readonly network: AskedChain['network'];
  readonly client: AskedChain['client'] & AskedLogSource['client'];
  readonly filter: LogFilter;
}

/** Rows as a table of texts. */
export interface RowTable {
  readonly columns: readonly LogColumn[];
  /** The texts of a log as they are shown, in the order of the columns. */
  readonly shown: (log: Log) => readonly string[];
  /** Its exact values: whole addresses, integers by their digits. */
  readonly exact: (log: Log) => readonly string[];
}

/** Text beyond this many characters stays in the host until a log is looked at: no column is that wide. */
const TEXT_SHOWN = 514;
const MIXED: Shape = { kind: 'mixed', showsAddress: true };

/** Turns the logs of one panel's answer into what is shown of them. */
export class RowReader {
  /** Whether topics and data are shown instead of what they mean. */
  raw = false;
  /** What the answer was asked with; undefined before the first query. */
  asked: AskedLogs | undefined;
  readonly #meaning: LogMeaning;
  readonly #l10n: Localizer;
  readonly #times: RowTimes;
  readonly #closing = new AbortController();

  constructor(meaning: LogMeaning, l10n: Localizer, times: RowTimes) {
    this.#meaning = meaning;
    this.#l10n = l10n;
    this.#times = times;
  }

  /** The columns for these rows. */
  columns(rows: LogStore): readonly LogColumn[] {
    return shapeColumns(this.#shape(rows), this.#l10n, {
      timesHint: timesHint(this.#times.state, this.#l10n),
    });
  }

  /** The one event that is asked for, if it is known. */
  event(rows: LogStore): AbiEvent | undefined {
    return this.asked && findQueriedEvent(this.#askedEvents(this.asked, rows));
  }

  /** What the rows are sorted and filtered by. */
  knowledge(store: LogStore): RowKnowledge | undefined {
    if (!this.asked) return undefined;
    const { filter, network } = this.asked;
    const shown = this.event(store);
    return rowKnowledge({ meaning: this.#meaning, filter, chainId: network.chainId, store, shown });
  }

  /** Makes rows as the grid shows them, and has read what they lack. */
  wireRows(logs: readonly NumberedLog[], rows: LogStore): readonly WireRow[] {
    const columns = this.columns(rows);
    const options: CellOptions = { wording: this.#wording(), named: !this.raw };
    const decoder = this.#decoder();
    const shown = this.event(rows);
    const read = logs.map(({ number, log }) => ({ number, log, decoded: decoder.decode(log), shown }));
    if (!this.raw) {
      this.#wantUnits(read);
      if (this.asked && logs.length > 0) {
        const inSight = logs.map(({ log }) => log);
        this.#meaning.wantEvents(inSight, this.asked);
        this.#meaning.wantVersions(inSight, this.asked, this.#closing);
      }
    }
    return read.map(({ number, ...read }) => {
      const cells: Partial<Record<Column, string>> = {};
      const hints: Partial<Record<Column, string>> = {};
      for (const column of columns) {
        const { text, exact } = cellOf(read, column, options);
        cells[column.id] = text.slice(0, TEXT_SHOWN);
        if (exact !== undefined) hints[column.id] = exact.slice(0, TEXT_SHOWN);
      }
      const { decoded } = read;
      const isDeclared = !('reason' in decoded) && this.#meaning.canOpen(decoded.origin);
      return { log: number, cells, hints, isDeclared, isRaw: !this.raw && 'reason' in decoded };
    });
  }

  /** How the logs are decoded in an export. */
  decoding(rows: LogStore): ExportDecoding | undefined {
    if (!this.asked) return undefined;
    const { filter, network } = this.asked;
    const first = rows.length > 0 ? rows.get(0) : undefined;
    const { chainId } = network;
    const { asked } = this;
    const nameOf = (address: Address) => this.#meaning.nameOf(address, chainId);
    const readVersions = (logs: readonly Log[]) => this.#meaning.readVersions(logs, asked);
    return createExportDecoding({
      filter,
      chainId,
      lookup: this.#meaning.lookup,
      first,
      nameOf,
      readVersions,
    });
  }

  /** The whole of a cell. */
  copyOf(log: NumberedLog['log'], column: Column, rows: LogStore): string {
    const shown = this.columns(rows).find(({ id }) => id === column);
    return shown ? cellCopy(this.read(log, rows), shown, this.#wording()) : '';
  }

  /** The columns as they are shown, and what tells the texts of a log in them. */
  table(rows: LogStore): RowTable {
    const columns = this.columns(rows);
    const wording = this.#wording();
    const decoder = this.#decoder();
    const shown = this.event(rows);
    const read = (log: Log): ReadLog => ({ log, decoded: decoder.decode(log), shown });
    const textsBy = (textOf: (log: ReadLog, column: LogColumn) => string) => (log: Log) => {
      const one = read(log);
      return columns.map((column) => textOf(one, column));
    };
    const options: CellOptions = { wording, named: !this.raw };
    return {
      columns,
      shown: textsBy((log, column) => cellShared(log, column, options)),
      exact: textsBy((log, column) => cellCopy(log, column, wording)),
    };
  }

  /** What finds the rows with the value of a cell. */
  filterTerm(log: NumberedLog['log'], column: Column, rows: LogStore): string | undefined {
    return filterTerm(this.read(log, rows), column, this.#wording());
  }

  wireLog({ number, log }: NumberedLog): WireLog {
    const read: ReadLog = { log, decoded: this.#decoder().decode(log) };
    const wording = this.#wording();
    const time = wording.timeOf(log);
    return {
      log: number,
      time: 'iso' in time ? { iso: time.iso, note: time.text } : undefined,
      block: log.blockNumber.toString(),
      blockHash: log.blockHash,
      index: log.logIndex,
      transaction: log.transactionHash,
      transactionIndex: log.transactionIndex,
      address: toChecksumAddress(log.address),
      name: wording.nameOf(log.address),
      meaning: wireMeaning(read, wording, this.#meaning),
      topics: log.topics,
      data: log.data,
      dataBytes: log.data.length / 2 - 1,
    };
  }

  /** Stops reading the upgrades of the contracts in sight. */
  dispose(): void {
    this.#closing.abort();
  }

  read(log: NumberedLog['log'], rows: LogStore): ReadLog {
    return { log, decoded: this.#decoder().decode(log), shown: this.event(rows) };
  }

  #shape(rows: LogStore): Shape {
    const shape = this.asked ? shapeOf(this.#askedEvents(this.asked, rows)) : MIXED;
    return this.raw ? { kind: 'raw', showsAddress: shape.showsAddress } : shape;
  }

  #askedEvents({ filter, network }: AskedLogs, rows: LogStore): QueriedEventInput {
    const first = rows.length > 0 ? rows.get(0) : undefined;
    return { filter, chainId: network.chainId, lookup: this.#meaning.lookup, first };
  }

  get #chainId(): number {
    return this.asked?.network.chainId ?? 0;
  }

  #decoder(): LogDecoder {
    return this.#meaning.decoder(this.#chainId);
  }

  #wording(): Wording {
    const chainId = this.#chainId;
    return {
      l10n: this.#l10n,
      nameOf: (address) => this.#meaning.nameOf(address, chainId),
      unitsOf: (contract) => this.#meaning.unitsOf(contract, chainId),
      timeOf: (log) => this.#wordTime(log),
    };
  }

  #wordTime(log: Log): ReturnType<Wording['timeOf']> {
    const { state } = this.#times;
    const time = this.#times.timeOf(log);
    const iso = formatIsoTime(time);
    if (time === undefined || iso === undefined) {
      return state === 'asked' ? { text: '' } : { text: '', exact: timesHint(state, this.#l10n) };
    }
    const { text, hint } = this.#times.words(time);
    return { text, exact: hint, iso };
  }

  #wantUnits(logs: readonly ReadLog[]): void {
    const contracts = new Set<Address>();
    for (const { log, decoded } of logs) {
      if (!('reason' in decoded) && hasAmount(decoded.event)) contracts.add(log.address);
    }
    if (contracts.size > 0 && this.asked) this.#meaning.wantUnits(contracts, this.asked);
  }
}
