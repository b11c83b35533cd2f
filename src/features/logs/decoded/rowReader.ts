import {
  type AbiEvent,
  type Address,
  type AnonymousTest,
  createExportDecoding,
  createVersionedArgument,
  type EventParameter,
  type ExportDecoding,
  findAlignedInput,
  findQueriedEvent,
  formatIsoTime,
  getOnlyAddress,
  getUnit,
  type Hex,
  isHashed,
  type Log,
  type LogDecoder,
  type LogFilter,
  type LogStore,
  listEventLayouts,
  listEventTokens,
  type NamePart,
  type Network,
  type QueriedEventInput,
  type RowKnowledge,
  resolveUnit,
  type StoredArgument,
  toChecksumAddress,
  toStoredArgument,
} from '../../../core/index.ts';
import type { TimesState } from '../../../host/blockTimes.ts';
import type { Localizer } from '../../../host/l10n.ts';
import type { ChainEndpoint, LogDecoding, LogEndpoint } from '../../../host/logDecoding.ts';
import { cutSentence } from '../../../messaging/sentence.ts';
import { type ColumnId, createArgumentColumn, createFixedColumn, type LogColumn } from '../protocol/grid.ts';
import type { WireLog, WireRow } from '../protocol/snapshot.ts';
import type { NumberedLog } from '../results/rowView.ts';
import {
  type CellOptions,
  createEventSentence,
  createFilterTerm,
  type DecodedRow,
  formatCell,
  formatCellToCopy,
  formatCellToShare,
  type ValueFormat,
} from './cells.ts';
import { createExactTable, type ExactTable } from './exactTable.ts';
import { toWireMeaning } from './logDetails.ts';

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
  /** The exact values of logs: full addresses, plain digits. */
  readonly exact: ExactTable;
}

/** Block times of rows, as far as they are loaded. */
export interface RowTimes {
  readonly state: TimesState;
  /** In milliseconds since the Unix epoch. */
  timeOf(log: Log): number | undefined;
  /** The text of a cell, and the full time. */
  format(time: number): { readonly text: string; readonly hint: string };
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
  readonly #disposal = new AbortController();

  constructor(meaning: LogDecoding, l10n: Localizer, times: RowTimes) {
    this.#meaning = meaning;
    this.#l10n = l10n;
    this.#times = times;
  }

  listColumns(rows: LogStore): readonly LogColumn[] {
    return createColumns(this.#getShape(rows), this.#l10n, {
      timesHint: formatTimesHint(this.#times.state, this.#l10n),
    });
  }

  /** The columns for a narrow view, where a row is one sentence. */
  listNarrowColumns(rows: LogStore): readonly LogColumn[] {
    const { kind, showsAddress } = this.#getShape(rows);
    return createColumns({ kind: kind === 'raw' ? 'raw' : 'mixed', showsAddress }, this.#l10n, {
      timesHint: formatTimesHint(this.#times.state, this.#l10n),
    });
  }

  /** The query's one event, if it has one and it is known. */
  findEvent(rows: LogStore): AbiEvent | undefined {
    return this.queried && findQueriedEvent(this.#toEventInput(this.queried, rows));
  }

  /** What sorting and filtering use of decoded rows. */
  createKnowledge(store: LogStore): RowKnowledge | undefined {
    if (!this.queried) return undefined;
    const { filter, network } = this.queried;
    const shown = this.findEvent(store);
    return createRowKnowledge({ meaning: this.#meaning, filter, network, store, shown });
  }

  /** Formats rows for the grid, and prefetches the ABIs, token units and upgrades that they need. */
  toWireRows(logs: readonly NumberedLog[], rows: LogStore): readonly WireRow[] {
    const wide = this.listColumns(rows);
    const narrow = this.listNarrowColumns(rows).filter(({ id }) => wide.every((column) => column.id !== id));
    const columns = [...wide, ...narrow];
    const options: CellOptions = { format: this.createFormat(), named: !this.raw };
    const decoder = this.decoder;
    const shown = this.findEvent(rows);
    const read = logs.map(({ number, log }) => ({ number, log, decoded: decoder.decode(log), shown }));
    if (!this.raw) this.prefetch(read);
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
      const sentence =
        cells.event === undefined || 'reason' in decoded
          ? undefined
          : cutSentence(createEventSentence(decoded, read.log.address, options.format), MAX_CELL_CHARS);
      return { log: number, cells, hints, sentence, isDeclared, isRaw: !this.raw && 'reason' in decoded };
    });
  }

  /** Fetches the ABIs, token units and upgrades that rows need to be shown. */
  prefetch(rows: readonly DecodedRow[]): void {
    this.#prefetchUnits(rows);
    if (!this.queried || rows.length === 0) return;
    const logs = rows.map(({ log }) => log);
    this.#meaning.prefetchEvents(logs, this.queried);
    this.#meaning.prefetchVersions(logs, this.queried, this.#disposal);
  }

  /** The events that the logs may be of: the one of the query, or those of their topics. */
  listEvents(rows: LogStore): readonly AbiEvent[] {
    const shown = this.findEvent(rows);
    if (shown || !this.queried) return shown ? [shown] : [];
    const { filter, network } = this.queried;
    const lookup = this.#meaning.lookupOn(network);
    const place = { address: getOnlyAddress(filter), chainId: network.chainId };
    const known = listTopics0(filter, rows).map((topic0) => listEventLayouts(lookup, topic0, place));
    const at = place.address && { address: place.address, chainId: network.chainId };
    const anonymous = known.some((events) => events.length === 0) ? lookup.events(undefined, at) : [];
    return [...known.flat(), ...anonymous.map(({ item }) => item)];
  }

  /** Which logs may be of anonymous events: the events of others are known by their topic0. */
  createAnonymousTest(): AnonymousTest {
    const { chainId } = this.#network;
    const lookup = this.#meaning.lookupOn(this.#network);
    return (topic0, address) => {
      const at = { address, chainId };
      const isNamed = topic0 !== undefined && lookup.events(topic0, at).length > 0;
      return !isNamed && lookup.events(undefined, at).length > 0;
    };
  }

  createDecoding(rows: LogStore): ExportDecoding | undefined {
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
      lookup: this.#meaning.lookupOn(network),
      first,
      nameOf,
      readVersions,
      isChecksummed: true,
      unitsOf: (token) => this.#meaning.unitsOf(token, network),
      fetchUnits: (tokens) => this.#meaning.fetchUnits(tokens, queried),
    });
  }

  /** The full value of a cell. */
  formatToCopy(log: NumberedLog['log'], column: ColumnId, rows: LogStore): string {
    const columns = [...this.listColumns(rows), ...this.listNarrowColumns(rows)];
    const shown = columns.find(({ id }) => id === column);
    return shown ? formatCellToCopy(this.read(log, rows), shown, this.createFormat()) : '';
  }

  /** The columns with the functions that format a log for them. */
  createTable(rows: LogStore): RowTable {
    const columns = this.listColumns(rows);
    const format = this.createFormat();
    const read = this.createDecodedReader(rows);
    const options: CellOptions = { format, named: !this.raw };
    return {
      columns,
      shown(log) {
        const one = read(log);
        return columns.map((column) => formatCellToShare(one, column, options));
      },
      exact: createExactTable({ columns, read, format, l10n: this.#l10n }),
    };
  }

  /** The filter term that matches the rows with a cell's value. */
  createFilterTerm(log: NumberedLog['log'], column: ColumnId, rows: LogStore): string | undefined {
    return createFilterTerm(this.read(log, rows), column, this.createFormat());
  }

  toWireLog({ number, log }: NumberedLog): WireLog {
    const read: DecodedRow = { log, decoded: this.decoder.decode(log) };
    const format = this.createFormat();
    const time = format.timeOf(log);
    return {
      log: number,
      time: 'iso' in time ? { iso: time.iso, note: time.text } : undefined,
      block: log.blockNumber.toString(),
      blockHash: log.blockHash,
      index: log.logIndex,
      transaction: log.transactionHash,
      transactionIndex: log.transactionIndex,
      address: toChecksumAddress(log.address),
      name: format.nameOf(log.address),
      meaning: toWireMeaning(read, format, this.#meaning),
      topics: log.topics,
      data: log.data,
      dataBytes: log.data.length / 2 - 1,
    };
  }

  /** Stops reading the upgrades of visible contracts. */
  dispose(): void {
    this.#disposal.abort();
  }

  read(log: NumberedLog['log'], rows: LogStore): DecodedRow {
    return { log, decoded: this.decoder.decode(log), shown: this.findEvent(rows) };
  }

  /** Decodes logs of the result, by what is known now. */
  createDecodedReader(rows: LogStore): (log: Log) => DecodedRow {
    const decoder = this.decoder;
    const shown = this.findEvent(rows);
    return (log) => ({ log, decoded: decoder.decode(log), shown });
  }

  #getShape(rows: LogStore): ColumnShape {
    const shape = this.queried ? getColumnShape(this.#toEventInput(this.queried, rows)) : MIXED_SHAPE;
    return this.raw ? { kind: 'raw', showsAddress: shape.showsAddress } : shape;
  }

  #toEventInput({ filter, network }: QueriedLogs, rows: LogStore): QueriedEventInput {
    const first = rows.length > 0 ? rows.get(0) : undefined;
    return { filter, chainId: network.chainId, lookup: this.#meaning.lookupOn(network), first };
  }

  get #network(): Pick<Network, 'chainId' | 'rpcUrl'> {
    return this.queried?.network ?? { chainId: 0, rpcUrl: '' };
  }

  /** Decodes by what is known now. */
  get decoder(): LogDecoder {
    return this.#meaning.decoder(this.#network);
  }

  /** How values are formatted on the chain of the result. */
  createFormat(): ValueFormat {
    const network = this.#network;
    return {
      l10n: this.#l10n,
      nameOf: (address) => this.#meaning.nameOf(address, network.chainId),
      unitsOf: (token) => this.#meaning.unitsOf(token, network),
      timeOf: (log) => this.#formatTime(log),
    };
  }

  #formatTime(log: Log): ReturnType<ValueFormat['timeOf']> {
    const { state } = this.#times;
    const time = this.#times.timeOf(log);
    const iso = formatIsoTime(time);
    if (time === undefined || iso === undefined) {
      return state === 'asked' ? { text: '' } : { text: '', exact: formatTimesHint(state, this.#l10n) };
    }
    const { text, hint } = this.#times.format(time);
    return { text, exact: hint, iso };
  }

  #prefetchUnits(logs: readonly DecodedRow[]): void {
    const tokens = new Set<string>();
    for (const { log, decoded } of logs) {
      if ('reason' in decoded) continue;
      for (const token of listEventTokens(decoded.event, log.address)) tokens.add(token);
    }
    if (tokens.size > 0 && this.queried) void this.#meaning.fetchUnits(tokens, this.queried);
  }
}

/** The hint of the time column. */
export function formatTimesHint(state: TimesState, l10n: Localizer): string {
  switch (state) {
    case 'asked':
      return l10n.t('Block time in your time zone.');
    case 'notTold':
      return l10n.t(
        'Block time. The endpoint does not support eth_getBlockByNumber, and no explorer of the network reports the times.',
      );
    case 'failed':
      return l10n.t(
        'Block time. The last request for block times failed. Chainside retries it with the next rows.',
      );
  }
}

/** Which columns a result has. If all logs have one address, there is no address column. */
type ColumnShape = { readonly showsAddress: boolean } & (
  | { readonly kind: 'event'; readonly event: AbiEvent; readonly topics: LogFilter['topics'] }
  /** One column that describes any event. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'raw' }
);

/** More columns than a screen can show. */
const MAX_ARGUMENT_COLUMNS = 24;

function getColumnShape(input: QueriedEventInput): ColumnShape {
  const event = findQueriedEvent(input);
  const showsAddress = input.filter.addresses.length !== 1;
  if (!event || event.inputs.length === 0 || event.inputs.length > MAX_ARGUMENT_COLUMNS) {
    return { kind: 'mixed', showsAddress };
  }
  return { kind: 'event', event, showsAddress, topics: input.filter.topics };
}

/** Wide enough for a name or a short address. */
const SHORT_ADDRESS_PX = 170;

function createColumns(
  shape: ColumnShape,
  l10n: Localizer,
  { timesHint }: { readonly timesHint: string },
): readonly LogColumn[] {
  const address = (width?: number) =>
    shape.showsAddress ? [createFixedColumn('address', l10n, { width })] : [];
  const place = [createFixedColumn('block', l10n), createFixedColumn('time', l10n, { hint: timesHint })];
  switch (shape.kind) {
    case 'raw':
      return [
        ...place,
        ...(['index', 'transaction'] as const).map((id) => createFixedColumn(id, l10n)),
        ...address(),
        ...(['topics', 'data'] as const).map((id) => createFixedColumn(id, l10n)),
      ];
    case 'mixed':
      return [
        ...place,
        createFixedColumn('event', l10n),
        ...address(SHORT_ADDRESS_PX),
        createFixedColumn('transaction', l10n),
        createFixedColumn('index', l10n),
      ];
    case 'event':
      return [
        ...place,
        ...shape.event.inputs.map((input, index) =>
          createArgumentColumn(
            index,
            { ...input, isHashed: isHashed(input), isFixed: isFixedInput(shape, index) },
            l10n,
          ),
        ),
        createFixedColumn('transaction', l10n),
        ...address(SHORT_ADDRESS_PX),
        createFixedColumn('index', l10n),
      ];
  }
}

/** Whether the filter allows only one value of an address argument. */
function isFixedInput(
  { event, topics }: Pick<Extract<ColumnShape, { kind: 'event' }>, 'event' | 'topics'>,
  index: number,
): boolean {
  const input = event.inputs[index];
  if (!input?.indexed || input.type.kind !== 'address') return false;
  const position = event.inputs.slice(0, index).filter(({ indexed }) => indexed).length;
  return topics[event.anonymous ? position : position + 1]?.length === 1;
}

interface RowKnowledgeInputs {
  readonly meaning: LogDecoding;
  readonly filter: LogFilter;
  readonly network: Network;
  readonly store: Pick<LogStore, 'events'>;
  /** The event whose arguments are the columns. */
  readonly shown: AbiEvent | undefined;
}

/** Events that a filter considers; each costs a pass over all rows. */
const MAX_EVENTS = 256;

function listTopics0({ topics }: Pick<LogFilter, 'topics'>, store: Pick<LogStore, 'events'>): readonly Hex[] {
  return [...new Set([...(topics[0] ?? []), ...store.events()].slice(0, MAX_EVENTS))];
}

/** What sorting and filtering use of decoded rows. */
function createRowKnowledge({ meaning, filter, network, store, shown }: RowKnowledgeInputs): RowKnowledge {
  const { chainId } = network;
  const lookup = meaning.lookupOn(network);
  const address = getOnlyAddress(filter);
  const byTopic = new Map<Hex, readonly AbiEvent[]>();
  const getLayouts = (topic0: Hex) => {
    const cached = byTopic.get(topic0) ?? listEventLayouts(lookup, topic0, { address, chainId });
    byTopic.set(topic0, cached);
    return cached;
  };
  const [topic0, ...others] = filter.topics[0] ?? [];
  const versions = () => ({ lookup, decoder: meaning.decoder(network), chainId });
  const topics = () => listTopics0(filter, store);
  const unitsOf = (token: string) => meaning.unitsOf(token, network);
  const layoutsAt = (contract: Address, topic0: Hex) =>
    listEventLayouts(lookup, topic0, { address: contract, chainId });
  /** Contracts may count other things in events of one signature. */
  const findUnitAt = (contract: Address, topic0: Hex, isNamed: NameTest) => {
    for (const event of layoutsAt(contract, topic0)) {
      const index = findInputIndex(event, isNamed);
      if (index !== undefined) return getUnit(event, index, contract);
    }
    return undefined;
  };

  return {
    argumentAt(index) {
      if (topic0 === undefined || others.length > 0) return undefined;
      const argument = toStoredArgument(shown ? [shown, ...getLayouts(topic0)] : getLayouts(topic0), index);
      const event = shown ?? getLayouts(topic0)[0];
      if (!argument || !event) return argument;
      return createVersionedArgument(argument, (own) => findAlignedInput(event, own, index), versions());
    },
    findArgumentsByName(name, as) {
      const lowerName = name.toLowerCase();
      const isNamed: NameTest = (input) =>
        as === 'exact' ? input.name === name : input.name.toLowerCase() === lowerName;
      return topics().flatMap((topic0) => {
        const argument = findNamedArgument(getLayouts(topic0), isNamed);
        if (!argument) return [];
        const versioned = createVersionedArgument(
          argument,
          (own) => findInputIndex(own, isNamed),
          versions(),
        );
        return { ...versioned, unitAt: (contract) => findUnitAt(contract, topic0, isNamed) };
      });
    },
    listArgumentNames() {
      const events = shown ? [shown] : topics().flatMap(getLayouts);
      return [...new Set(events.flatMap(({ inputs }) => inputs.map(({ name }) => name)))].filter(Boolean);
    },
    findEventsByName(text, as) {
      const lowerName = text.toLowerCase();
      return topics().filter((topic0) =>
        getLayouts(topic0).some((event) => matchesEventName(event, lowerName, as)),
      );
    },
    findAddressesByName(text, as) {
      const found = meaning.findAddressesByName(text, chainId);
      if (as === 'part') return found;
      const lowerName = text.toLowerCase();
      return found.filter((one) => {
        const name = meaning.nameOf(one, chainId)?.toLowerCase();
        // All deployments of a contract, or the one that is picked.
        return name === lowerName || name?.startsWith(`${lowerName}@0x`);
      });
    },
    listDecimals(contract) {
      const units = topics().flatMap((topic0) =>
        layoutsAt(contract, topic0).flatMap((event) =>
          event.inputs.flatMap((_, index) => getUnit(event, index, contract) ?? []),
        ),
      );
      const known = units.flatMap((unit) => resolveUnit(unit, unitsOf)?.decimals ?? []);
      return [...new Set(known)];
    },
    unitsOf,
  };
}

type NameTest = (input: EventParameter) => boolean;

function findNamedArgument(layouts: readonly AbiEvent[], isNamed: NameTest): StoredArgument | undefined {
  for (const layout of layouts) {
    const index = layout.inputs.findIndex(isNamed);
    // Not if another event with the same signature has a different argument there, such as a token ID for an
    // amount.
    const matching = layouts.filter(({ inputs: { [index]: input } }) => input && isNamed(input));
    const argument = toStoredArgument(matching, index);
    if (argument) return argument;
  }
  return undefined;
}

function findInputIndex({ inputs }: AbiEvent, isNamed: NameTest): number | undefined {
  const index = inputs.findIndex(isNamed);
  return index < 0 ? undefined : index;
}

function matchesEventName({ name, signature }: AbiEvent, lowerName: string, as: NamePart): boolean {
  const lower = name.toLowerCase();
  return (
    (as === 'part' ? lower.includes(lowerName) : lower === lowerName) || signature.toLowerCase() === lowerName
  );
}
