import {
  type AbiEvent,
  type Address,
  createExportDecoding,
  createVersionedArgument,
  type ExportDecoding,
  findAlignedInput,
  findQueriedEvent,
  formatIsoTime,
  getOnlyAddress,
  type Hex,
  hasAmount,
  isAmount,
  isHashed,
  type Log,
  type LogDecoder,
  type LogFilter,
  type LogStore,
  listEventLayouts,
  type NamedArgument,
  type NamePart,
  type QueriedEventInput,
  type RowKnowledge,
  toChecksumAddress,
  toStoredArgument,
} from '../../../core/index.ts';
import type { TimesState } from '../../../host/blockTimes.ts';
import type { Localizer } from '../../../host/l10n.ts';
import type { ChainEndpoint, LogDecoding, LogEndpoint } from '../../../host/logDecoding.ts';
import { type ColumnId, createArgumentColumn, createOwnColumn, type LogColumn } from '../protocol/grid.ts';
import type { WireLog, WireRow } from '../protocol/snapshot.ts';
import type { NumberedLog } from '../results/rowView.ts';
import {
  type CellOptions,
  createFilterTerm,
  type DecodedRow,
  formatCell,
  formatCellToCopy,
  formatCellToShare,
  type ValueFormat,
} from './cells.ts';
import { toWireMeaning } from './logDetails.ts';

interface RowKnowledgeInputs {
  readonly meaning: LogDecoding;
  readonly filter: LogFilter;
  readonly chainId: number;
  readonly store: Pick<LogStore, 'events'>;
  /** The event whose arguments are the columns. */
  readonly shown: AbiEvent | undefined;
}

/** Events that a filter considers; each costs a pass over all rows. */
const MAX_EVENTS = 256;

/** What sorting and filtering use of decoded rows. */
function createRowKnowledge({ meaning, filter, chainId, store, shown }: RowKnowledgeInputs): RowKnowledge {
  const address = getOnlyAddress(filter);
  const byTopic = new Map<Hex, readonly AbiEvent[]>();
  const layouts = (topic0: Hex) => {
    const known = byTopic.get(topic0) ?? listEventLayouts(meaning.lookup, topic0, { address, chainId });
    byTopic.set(topic0, known);
    return known;
  };
  const [asked, ...others] = filter.topics[0] ?? [];
  const versions = () => ({ lookup: meaning.lookup, decoder: meaning.decoder(chainId), chainId });
  const topics = () => new Set([...(filter.topics[0] ?? []), ...store.events()].slice(0, MAX_EVENTS));

  return {
    argumentAt(index) {
      if (asked === undefined || others.length > 0) return undefined;
      const argument = toStoredArgument(shown ? [shown, ...layouts(asked)] : layouts(asked), index);
      const event = shown ?? layouts(asked)[0];
      if (!argument || !event) return argument;
      return createVersionedArgument(argument, (own) => findAlignedInput(event, own, index), versions());
    },
    findArgumentsByName(name) {
      const wanted = name.toLowerCase();
      return [...topics()].flatMap((topic0) => {
        const argument = namedArgument(layouts(topic0), wanted);
        return argument
          ? createVersionedArgument(argument, (own) => inputNamed(own, wanted), versions())
          : [];
      });
    },
    findEventsByName(text, as) {
      const wanted = text.toLowerCase();
      return [...topics()].filter((topic0) => layouts(topic0).some((event) => isNamed(event, wanted, as)));
    },
    findAddressesByName(text, as) {
      const found = meaning.findAddressesByName(text, chainId);
      if (as === 'part') return found;
      const wanted = text.toLowerCase();
      return found.filter((one) => meaning.nameOf(one, chainId)?.toLowerCase() === wanted);
    },
    decimalsOf: (contract) => meaning.unitsOf(contract, chainId)?.decimals,
  };
}

function namedArgument(layouts: readonly AbiEvent[], wanted: string): NamedArgument | undefined {
  for (const layout of layouts) {
    const index = layout.inputs.findIndex(({ name }) => name.toLowerCase() === wanted);
    // Not if another event with the same signature has a different argument there, such as a token ID for an
    // amount.
    const alike = layouts.filter(({ inputs }) => inputs[index]?.name.toLowerCase() === wanted);
    const argument = toStoredArgument(alike, index);
    if (argument) return { ...argument, isAmount: alike.some((one) => isAmount(one, index)) };
  }
  return undefined;
}

function inputNamed({ inputs }: AbiEvent, wanted: string): number | undefined {
  const index = inputs.findIndex(({ name }) => name.toLowerCase() === wanted);
  return index < 0 ? undefined : index;
}

function isNamed({ name, signature }: AbiEvent, wanted: string, as: NamePart): boolean {
  const lower = name.toLowerCase();
  return (as === 'part' ? lower.includes(wanted) : lower === wanted) || signature.toLowerCase() === wanted;
}

/** The query that the logs are the result of. */
interface QueriedLogs {
  readonly network: ChainEndpoint['network'];
  readonly client: ChainEndpoint['client'] & LogEndpoint['client'];
  readonly filter: LogFilter;
}

export interface RowTable {
  readonly columns: readonly LogColumn[];
  /** The displayed texts of a log, in column order. */
  readonly shown: (log: Log) => readonly string[];
  /** The exact values of a log: full addresses, plain digits. */
  readonly exact: (log: Log) => readonly string[];
}

/** Longer text stays in the host until the details open: no column is that wide. */
const MAX_CELL_CHARS = 514;
const MIXED_SHAPE: ColumnShape = { kind: 'mixed', showsAddress: true };

/** Formats the logs of one panel. */
export class RowReader {
  /** Whether the grid shows topics and data instead of decoded values. */
  raw = false;
  /** Undefined before the first query. */
  queried: QueriedLogs | undefined;
  readonly #meaning: LogDecoding;
  readonly #l10n: Localizer;
  readonly #times: RowTimes;
  readonly #closing = new AbortController();

  constructor(meaning: LogDecoding, l10n: Localizer, times: RowTimes) {
    this.#meaning = meaning;
    this.#l10n = l10n;
    this.#times = times;
  }

  columns(rows: LogStore): readonly LogColumn[] {
    return createColumns(this.#shape(rows), this.#l10n, {
      timesHint: formatTimesHint(this.#times.state, this.#l10n),
    });
  }

  /** The query's one event, if it has one and it is known. */
  event(rows: LogStore): AbiEvent | undefined {
    return this.queried && findQueriedEvent(this.#askedEvents(this.queried, rows));
  }

  /** What sorting and filtering use of decoded rows. */
  knowledge(store: LogStore): RowKnowledge | undefined {
    if (!this.queried) return undefined;
    const { filter, network } = this.queried;
    const shown = this.event(store);
    return createRowKnowledge({ meaning: this.#meaning, filter, chainId: network.chainId, store, shown });
  }

  /** Formats rows for the grid, and prefetches the ABIs, token units and upgrades that they need. */
  wireRows(logs: readonly NumberedLog[], rows: LogStore): readonly WireRow[] {
    const columns = this.columns(rows);
    const options: CellOptions = { format: this.#wording(), named: !this.raw };
    const decoder = this.#decoder();
    const shown = this.event(rows);
    const read = logs.map(({ number, log }) => ({ number, log, decoded: decoder.decode(log), shown }));
    if (!this.raw) {
      this.#wantUnits(read);
      if (this.queried && logs.length > 0) {
        const inSight = logs.map(({ log }) => log);
        this.#meaning.prefetchEvents(inSight, this.queried);
        this.#meaning.prefetchVersions(inSight, this.queried, this.#closing);
      }
    }
    return read.map(({ number, ...read }) => {
      const cells: Partial<Record<ColumnId, string>> = {};
      const hints: Partial<Record<ColumnId, string>> = {};
      for (const column of columns) {
        const { text, exact } = formatCell(read, column, options);
        cells[column.id] = text.slice(0, MAX_CELL_CHARS);
        if (exact !== undefined) hints[column.id] = exact.slice(0, MAX_CELL_CHARS);
      }
      const { decoded } = read;
      const isDeclared = !('reason' in decoded) && this.#meaning.canOpen(decoded.origin);
      return { log: number, cells, hints, isDeclared, isRaw: !this.raw && 'reason' in decoded };
    });
  }

  decoding(rows: LogStore): ExportDecoding | undefined {
    if (!this.queried) return undefined;
    const { filter, network } = this.queried;
    const first = rows.length > 0 ? rows.get(0) : undefined;
    const { chainId } = network;
    const { queried } = this;
    const nameOf = (address: Address) => this.#meaning.nameOf(address, chainId);
    const readVersions = (logs: readonly Log[]) => this.#meaning.fetchVersions(logs, queried);
    return createExportDecoding({
      filter,
      chainId,
      lookup: this.#meaning.lookup,
      first,
      nameOf,
      readVersions,
    });
  }

  /** The full value of a cell. */
  copyOf(log: NumberedLog['log'], column: ColumnId, rows: LogStore): string {
    const shown = this.columns(rows).find(({ id }) => id === column);
    return shown ? formatCellToCopy(this.read(log, rows), shown, this.#wording()) : '';
  }

  /** The columns with the functions that format a log for them. */
  table(rows: LogStore): RowTable {
    const columns = this.columns(rows);
    const wording = this.#wording();
    const decoder = this.#decoder();
    const shown = this.event(rows);
    const read = (log: Log): DecodedRow => ({ log, decoded: decoder.decode(log), shown });
    const textsBy = (textOf: (log: DecodedRow, column: LogColumn) => string) => (log: Log) => {
      const one = read(log);
      return columns.map((column) => textOf(one, column));
    };
    const options: CellOptions = { format: wording, named: !this.raw };
    return {
      columns,
      shown: textsBy((log, column) => formatCellToShare(log, column, options)),
      exact: textsBy((log, column) => formatCellToCopy(log, column, wording)),
    };
  }

  /** The filter term that matches the rows with a cell's value. */
  filterTerm(log: NumberedLog['log'], column: ColumnId, rows: LogStore): string | undefined {
    return createFilterTerm(this.read(log, rows), column, this.#wording());
  }

  wireLog({ number, log }: NumberedLog): WireLog {
    const read: DecodedRow = { log, decoded: this.#decoder().decode(log) };
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
      meaning: toWireMeaning(read, wording, this.#meaning),
      topics: log.topics,
      data: log.data,
      dataBytes: log.data.length / 2 - 1,
    };
  }

  /** Stops reading the upgrades of visible contracts. */
  dispose(): void {
    this.#closing.abort();
  }

  read(log: NumberedLog['log'], rows: LogStore): DecodedRow {
    return { log, decoded: this.#decoder().decode(log), shown: this.event(rows) };
  }

  #shape(rows: LogStore): ColumnShape {
    const shape = this.queried ? getColumnShape(this.#askedEvents(this.queried, rows)) : MIXED_SHAPE;
    return this.raw ? { kind: 'raw', showsAddress: shape.showsAddress } : shape;
  }

  #askedEvents({ filter, network }: QueriedLogs, rows: LogStore): QueriedEventInput {
    const first = rows.length > 0 ? rows.get(0) : undefined;
    return { filter, chainId: network.chainId, lookup: this.#meaning.lookup, first };
  }

  get #chainId(): number {
    return this.queried?.network.chainId ?? 0;
  }

  #decoder(): LogDecoder {
    return this.#meaning.decoder(this.#chainId);
  }

  #wording(): ValueFormat {
    const chainId = this.#chainId;
    return {
      l10n: this.#l10n,
      nameOf: (address) => this.#meaning.nameOf(address, chainId),
      unitsOf: (contract) => this.#meaning.unitsOf(contract, chainId),
      timeOf: (log) => this.#wordTime(log),
    };
  }

  #wordTime(log: Log): ReturnType<ValueFormat['timeOf']> {
    const { state } = this.#times;
    const time = this.#times.timeOf(log);
    const iso = formatIsoTime(time);
    if (time === undefined || iso === undefined) {
      return state === 'asked' ? { text: '' } : { text: '', exact: formatTimesHint(state, this.#l10n) };
    }
    const { text, hint } = this.#times.format(time);
    return { text, exact: hint, iso };
  }

  #wantUnits(logs: readonly DecodedRow[]): void {
    const contracts = new Set<Address>();
    for (const { log, decoded } of logs) {
      if (!('reason' in decoded) && hasAmount(decoded.event)) contracts.add(log.address);
    }
    if (contracts.size > 0 && this.queried) this.#meaning.prefetchUnits(contracts, this.queried);
  }
}

/** Block times of rows, as far as they are loaded. */
export interface RowTimes {
  readonly state: TimesState;
  /** In milliseconds since the Unix epoch. */
  timeOf(log: Log): number | undefined;
  /** The text of a cell, and the full time. */
  format(time: number): { readonly text: string; readonly hint: string };
}

/** The hint of the time column. */
export function formatTimesHint(state: TimesState, l10n: Localizer): string {
  switch (state) {
    case 'asked':
      return l10n.t('When the block was made, in your time zone.');
    case 'notTold':
      return l10n.t(
        'When the block was made. This endpoint does not tell: it has no block headers (eth_getBlockByNumber), and no explorer beside it answers for them.',
      );
    case 'failed':
      return l10n.t(
        'When the block was made. The endpoint failed when it was asked for that; it is asked again with the next rows.',
      );
  }
}

/** Which columns a result has. If all logs have one address, there is no address column. */
type ColumnShape = { readonly showsAddress: boolean } & (
  | { readonly kind: 'event'; readonly event: AbiEvent }
  /** One column that describes any event. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'raw' }
);

/** More columns than a screen can show. */
const MAX_ARGUMENT_COLUMNS = 24;

function getColumnShape(asked: QueriedEventInput): ColumnShape {
  const event = findQueriedEvent(asked);
  const showsAddress = asked.filter.addresses.length !== 1;
  if (!event || event.inputs.length === 0 || event.inputs.length > MAX_ARGUMENT_COLUMNS) {
    return { kind: 'mixed', showsAddress };
  }
  return { kind: 'event', event, showsAddress };
}

/** Wide enough for a name or a short address. */
const SHORT_ADDRESS_PX = 170;

function createColumns(
  shape: ColumnShape,
  l10n: Localizer,
  { timesHint }: { readonly timesHint: string },
): readonly LogColumn[] {
  const address = (width?: number) =>
    shape.showsAddress ? [createOwnColumn('address', l10n, { width })] : [];
  const place = [createOwnColumn('block', l10n), createOwnColumn('time', l10n, { hint: timesHint })];
  switch (shape.kind) {
    case 'raw':
      return [
        ...place,
        ...(['index', 'transaction'] as const).map((id) => createOwnColumn(id, l10n)),
        ...address(),
        ...(['topics', 'data'] as const).map((id) => createOwnColumn(id, l10n)),
      ];
    case 'mixed':
      return [
        ...place,
        createOwnColumn('event', l10n),
        ...address(SHORT_ADDRESS_PX),
        createOwnColumn('transaction', l10n),
        createOwnColumn('index', l10n),
      ];
    case 'event':
      return [
        ...place,
        ...shape.event.inputs.map((input, index) =>
          createArgumentColumn(index, { ...input, isHashed: isHashed(input) }, l10n),
        ),
        createOwnColumn('transaction', l10n),
        ...address(SHORT_ADDRESS_PX),
        createOwnColumn('index', l10n),
      ];
  }
}
