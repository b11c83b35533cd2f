import {
  type BackoffControl,
  type BlockTime,
  type ChainClient,
  type Clock,
  createTimeSlices,
  type ExportDecoding,
  type ExportOrder,
  type ExportTimesFacts,
  formatTableLine,
  type Log,
  type LogFilter,
  type LogStore,
  MAX_BLOCK_TIMES,
  type Network,
  toChecksumAddress,
  type Verdict,
} from '../../../core/index.ts';
import { suggestFileName } from '../../../host/files/fileNames.ts';
import { MAX_COPIED_CHARS, MAX_COPIED_ROWS } from '../../../host/tableText.ts';
import { formatMarkdownHead, formatMarkdownRow } from '../../../host/ui/markdownBlocks.ts';
import type { Markdown } from '../../../host/ui/untrustedText.ts';
import type { RowsFormat } from '../../../messaging/rowSelection.ts';
import type { RowTable } from '../decoded/rowReader.ts';

/** `0x` and eight digits. */
const SHORT_HEX_CHARS = 10;

/** Suggests a file name from the contract, event and blocks, and from what is missing in the file. */
export function suggestExportName(
  { filter, decoding, verdict, network }: Omit<ExportableResult, 'client' | 'rows'>,
  {
    extension,
    scope,
    groupedBy,
  }: { readonly extension: string; readonly scope: ExportScope; readonly groupedBy?: readonly string[] },
): string {
  const [address, ...others] = filter.addresses;
  const contract =
    address && others.length === 0
      ? (decoding?.nameOf?.(address) ?? toChecksumAddress(address).slice(0, SHORT_HEX_CHARS))
      : undefined;
  const [topic0, ...moreTopics] = filter.topics[0] ?? [];
  const event =
    moreTopics.length === 0 ? (decoding?.event?.name ?? topic0?.slice(0, SHORT_HEX_CHARS)) : undefined;
  const subject = contract || event ? [contract, event] : ['logs', network.id];
  const blocks = [verdict.fromBlock, verdict.toBlock].map(String);
  const marks = [
    scope === 'filtered' ? scope : undefined,
    scope === 'whole' ? undefined : VERDICT_MARKS[verdict.state],
  ];
  const groups = groupedBy ? ['by', ...groupedBy] : [];
  return suggestFileName([...subject, ...groups, ...blocks, ...marks], extension);
}

const VERDICT_MARKS: Readonly<Partial<Record<Verdict['state'], string>>> = {
  more: 'partial',
  uncertain: 'uncertain',
};

/**
 * `filtered`: the rows in the panel; `loaded`: all loaded rows; `whole`: the query runs again to its end.
 */
export type ExportScope = 'filtered' | 'loaded' | 'whole';

export type ExportedRows = Pick<LogStore, 'length' | 'slice'>;

/** The rows that the panel shows. */
export interface FilteredRows {
  readonly rows: ExportedRows;
  readonly filter: string;
  /** Undefined if the rows are not sorted. */
  readonly sort: ExportOrder | undefined;
}

/** A result as it is now, and the client to run its query again. */
export interface ExportableResult {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'openLogQuery'>;
  readonly filter: LogFilter;
  readonly rows: ExportedRows;
  /** The rows that pass the filter, in the displayed order; undefined without a filter. */
  readonly filtered?: FilteredRows | undefined;
  readonly verdict: Verdict;
  /** The network was removed or changed: send no more requests. */
  readonly onlyLoaded?: boolean;
  /** Undefined: write logs without times. */
  readonly times?: ExportTimes | undefined;
  /** Undefined: write logs without decoded values. */
  readonly decoding?: ExportDecoding | undefined;
}

/** The rows of an export in order. The verdict is available once all pages are read. */
interface ExportRows {
  readonly pages: AsyncIterable<readonly Log[]>;
  verdict(): Verdict;
}

/** Called with the share of the work that is done, 0 to 1. */
type OnShare = (share: number) => void;

const EXPORT_PAGE_ROWS = 1000;

/** The order of unsorted rows, from the first and the last one; undefined if there are none. */
export function getChainOrder(first: Log | undefined, last: Log | undefined): ExportOrder | undefined {
  if (!first || !last) return undefined;
  const isDescending =
    first.blockNumber > last.blockNumber ||
    (first.blockNumber === last.blockNumber && first.logIndex > last.logIndex);
  return { by: 'block', descending: isDescending };
}

/** The rows that are loaded now; later ones are not included. Yields to the event loop between pages. */
export function readLoadedRows(
  { rows, verdict }: { readonly rows: ExportedRows; readonly verdict: Verdict },
  clock: Clock,
  onShare: OnShare,
): ExportRows {
  const { length } = rows;
  async function* pages() {
    const slices = createTimeSlices(clock);
    for (let start = 0; start < length; start += EXPORT_PAGE_ROWS) {
      yield rows.slice(start, Math.min(EXPORT_PAGE_ROWS, length - start));
      onShare(Math.min(1, (start + EXPORT_PAGE_ROWS) / length));
      if (slices.isOver()) await slices.rest();
    }
  }
  return { pages: pages(), verdict: () => verdict };
}

/**
 * Runs the query again from its first block. The loaded rows are not reused: they are from an older head, and
 * one file should hold one state of the chain.
 */
export function readWholeQuery(
  { client, filter }: Pick<ExportableResult, 'client' | 'filter'>,
  onShare: OnShare,
  { signal, waits }: { readonly signal: AbortSignal; readonly waits?: BackoffControl },
): ExportRows {
  const query = client.openLogQuery(filter, { waits });
  async function* pages() {
    const onProgress = ({ blocksDone, blocks }: { blocksDone: bigint; blocks: bigint }) =>
      onShare(blocks === 0n ? 1 : Number(blocksDone) / Number(blocks));
    for await (const { logs } of query.rest({ signal, onProgress })) yield logs;
  }
  return {
    pages: pages(),
    verdict() {
      if (!query.verdict) throw new Error('The query has not ended.');
      return query.verdict;
    },
  };
}

/** How the export gets block times. */
export interface ExportTimes {
  /** In milliseconds since the Unix epoch; undefined if it is not loaded. */
  timeOf(log: Log): number | undefined;
  /** Whether the endpoint may provide times. */
  readonly canRead: boolean;
  /** The times of these logs' blocks; undefined if the endpoint provides none. */
  read(
    logs: readonly Log[],
    options: { readonly signal: AbortSignal },
  ): Promise<ReadonlyMap<bigint, BlockTime> | undefined>;
  /** Blocks per request. */
  getBatchSize(): Promise<number>;
}

/** `known`: write the times that are loaded; `read`: also request the others. */
export type TimesChoice = 'known' | 'none' | 'read';

/** Blocks whose times one export requests at most. */
export const MAX_FETCHED_TIMES = 100_000;
/** Rows that are checked one by one before the choice is shown. */
const MAX_CHECKED_ROWS = 2000;

/**
 * Whether every row has its time. Of many rows only the first and the last are checked: a node includes
 * times in all logs or in none.
 */
export function haveTimes(
  rows: Pick<LogStore, 'length' | 'slice'>,
  times: Pick<ExportTimes, 'timeOf'>,
): boolean {
  const { length } = rows;
  if (length === 0) return false;
  if (length <= MAX_CHECKED_ROWS)
    return rows.slice(0, length).every((log) => times.timeOf(log) !== undefined);
  return [0, length - 1].every((index) => rows.slice(index, 1)[0]?.time !== undefined);
}

/** Pages of logs with their times, and facts about the times for the record. */
interface TimedPages {
  readonly pages: AsyncIterable<readonly Log[]>;
  facts(): ExportTimesFacts;
}

/** Adds times to logs: those that are loaded, and up to {@link MAX_FETCHED_TIMES} that are requested. */
export function addTimes(
  pages: AsyncIterable<readonly Log[]>,
  times: ExportTimes,
  { choice, signal }: { readonly choice: 'known' | 'read'; readonly signal: AbortSignal },
): TimedPages {
  const read = new Map<bigint, number | undefined>();
  const providers = new Set<string>();
  let without = 0;
  let canReadMore = choice === 'read' && times.canRead;

  const timeOf = (log: Log) => times.timeOf(log) ?? read.get(log.blockNumber);

  async function readMissing(logs: readonly Log[]): Promise<void> {
    const missing = new Map<bigint, Log>();
    for (const log of logs) {
      const isDone = timeOf(log) !== undefined || read.has(log.blockNumber);
      if (!isDone && read.size + missing.size < MAX_FETCHED_TIMES) missing.set(log.blockNumber, log);
    }
    const missingLogs = [...missing.values()];
    for (let start = 0; canReadMore && start < missingLogs.length; start += MAX_BLOCK_TIMES) {
      const batch = missingLogs.slice(start, start + MAX_BLOCK_TIMES);
      const found = await times.read(batch, { signal });
      canReadMore = found !== undefined;
      for (const { blockNumber } of batch) read.set(blockNumber, found?.get(blockNumber)?.time);
      for (const { source } of found?.values() ?? []) providers.add(source);
    }
  }

  async function* addToPages(): AsyncGenerator<readonly Log[]> {
    for await (const logs of pages) {
      if (canReadMore) await readMissing(logs);
      yield logs.map((log) => {
        const time = timeOf(log);
        if (time === undefined) without++;
        return time === undefined ? log : { ...log, time };
      });
    }
  }

  return { pages: addToPages(), facts: () => ({ without, readBy: [...providers] }) };
}

interface RowsToCopy {
  readonly count: number;
  readonly logAt: (index: number) => Log;
  readonly table: RowTable;
}

/**
 * Formats rows for the clipboard, in time slices. Undefined if there are too many rows or characters, or if
 * `signal` aborts. Markdown has the displayed texts; the others have exact values.
 */
export async function formatRowsToCopy<Format extends RowsFormat>(
  format: Format,
  { count, logAt, table }: RowsToCopy,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<FormattedRows<Format> | undefined> {
  if (count > MAX_COPIED_ROWS) return undefined;
  const { begin, line, end } = rowsWriters[format](table, count);
  const slices = createTimeSlices(clock);
  const parts = [begin];
  let length = begin.length;
  for (let index = 0; index < count; index++) {
    const part = line(logAt(index), index === count - 1);
    length += part.length;
    if (length > MAX_COPIED_CHARS) return undefined;
    parts.push(part);
    if (slices.isOver()) await slices.rest();
    if (signal.aborted) return undefined;
  }
  return (parts.join('') + end) as FormattedRows<Format>;
}

/** The writer of Markdown escapes all that it writes. */
export type FormattedRows<Format extends RowsFormat> = Format extends 'markdown' ? Markdown : string;

interface Writer {
  readonly begin: string;
  readonly line: (log: Log, isLast: boolean) => string;
  readonly end: string;
}

const rowsWriters: Readonly<Record<RowsFormat, (table: RowTable, count: number) => Writer>> = {
  tsv: (table) => createSeparatedWriter(table, '\t'),
  csv: (table) => createSeparatedWriter(table, ','),
  markdown: ({ columns, shown }) => ({
    begin: formatMarkdownHead(columns),
    line: (log) => formatMarkdownRow(shown(log)),
    end: '',
  }),
  json: ({ exact: { toJson } }, count) =>
    count === 1
      ? { begin: '', line: (log) => JSON.stringify(toJson(log), undefined, 2), end: '' }
      : {
          begin: '[\n',
          line: (log, isLast) => `${JSON.stringify(toJson(log))}${isLast ? '\n' : ',\n'}`,
          end: ']\n',
        },
};

function createSeparatedWriter({ exact }: RowTable, separator: ',' | '\t'): Writer {
  return {
    begin: formatTableLine(exact.header, separator),
    line: (log) => formatTableLine(exact.cells(log), separator),
    end: '',
  };
}
