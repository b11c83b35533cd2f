import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  AppError,
  asAppError,
  type BackoffControl,
  badInput,
  type ChainClient,
  compareClients,
  createBackoffControl,
  createLoadedClient,
  createLogStore,
  decodedLogToJson,
  formatIsoTime,
  formatOpinionReason,
  formatVerdictReason,
  getLoadedBlocks,
  isRecord,
  iteratePages,
  type Log,
  type LogFilter,
  type LogOrder,
  type LogQuery,
  type LogStore,
  type LogsInBlocks,
  logToJson,
  MAX_BLOCK_TIMES,
  opinionToJson,
  parseLogFilter,
  safeUrl,
  systemClock,
  type Verdict,
  verdictToJson,
} from '../../core/index.ts';
import type { LogDecoding } from '../logDecoding.ts';
import { errorToJson, printLines, printMessage } from '../output.ts';

interface QueryOptions {
  readonly query: string | undefined;
  /** In place of those of the query. */
  readonly bounds: { readonly fromBlock?: string; readonly toBlock?: string };
  readonly order: LogOrder;
  readonly pages: number;
  /** Whether each row says when its block was made. */
  readonly times: boolean;
  /** Says of each row what it means. */
  readonly decoding: LogDecoding | undefined;
  /** Another endpoint that the rows are compared with. */
  readonly second: SecondEndpoint | undefined;
  readonly signal: AbortSignal;
}

/**
 * Prints the logs of a query, page by page, then its verdict. A failure or a cancel after the first rows ends with the
 * error and, on the same line, what the rows before it are worth.
 *
 * @returns whether it went through.
 */
export async function printLogs(client: ChainClient, options: QueryOptions): Promise<boolean> {
  const { decoding } = options;
  const asked = await readQuery(options.query, options);
  const filter = parseLogFilter(isRecord(asked) ? { ...asked, ...options.bounds } : asked);
  const times = options.times ? createRowTimes(client, filter, options) : undefined;
  const line = (log: Log) => ({
    ...logToJson(log),
    ...(times && { time: times.format(log) }),
    ...(decoding && { decoded: decodedLogToJson(decoding.decode(log)) }),
  });
  const query = client.openLogQuery(filter, { order: options.order, waits: createPrintedWaits() });
  // What is compared is what was printed.
  const printed = options.second && createLogStore();
  try {
    for await (const { logs } of readPages(query, options)) {
      await Promise.all([decoding?.prepare(logs), times?.fetch(logs)]);
      printed?.append(logs);
      await printLines(logs.map(line));
    }
  } catch (cause) {
    return printFailure(query, cause);
  }
  const { verdict } = query;
  const second =
    options.second && printed && verdict
      ? await compareWithSecond(options.second, {
          client,
          filter,
          verdict,
          rows: printed,
          signal: options.signal,
        })
      : undefined;
  await printVerdict(verdict, second);
  return true;
}

/** Waits of which each that ends later than those before is said on standard error. */
function createPrintedWaits(): BackoffControl {
  let saidUntil = 0;
  const waits: BackoffControl = createBackoffControl(systemClock, () => {
    const { visible } = waits;
    if (!visible || visible.endsAt < saidUntil + 1000) return;
    saidUntil = visible.endsAt;
    const end = new Date(visible.endsAt).toLocaleTimeString('en-GB');
    printMessage(
      visible.byServer ? `the server asks to wait: until ${end}` : `the server failed: asked again at ${end}`,
    );
  });
  return waits;
}

async function* readPages(
  query: LogQuery,
  { pages, signal }: { readonly pages: number; readonly signal: AbortSignal },
) {
  if (pages === Number.POSITIVE_INFINITY) yield* query.rest({ signal });
  else yield* iteratePages(query, { most: pages, signal });
}

async function printVerdict(
  verdict: Verdict | undefined,
  second: Awaited<ReturnType<typeof compareWithSecond>> | undefined,
): Promise<void> {
  if (!verdict) return;
  const { rows, fromBlock, toBlock, head, reasons } = verdict;
  const doubts = second?.reason === undefined ? [] : [second.reason];
  const state = doubts.length > 0 && verdict.state === 'complete' ? 'uncertain' : verdict.state;
  const line = verdictToLine(verdict);
  const doubted = { ...line, state, reasons: [...line.reasons, ...doubts] };
  await printLines([{ verdict: { ...doubted, ...(second && { second: second.json }) } }]);
  if (fromBlock > head)
    printMessage(`range not reached yet: it begins at block ${fromBlock}, the newest is ${head}`);
  else printMessage(`${rows} logs, blocks ${fromBlock} to ${toBlock} at head ${head}: ${state}`);
  printFoundBlocks(verdict);
  for (const reason of [...reasons.map(formatVerdictReason), ...doubts]) printMessage(`- ${reason}`);
}

/** Which blocks the times of the query stood for. */
function printFoundBlocks({ found = {} }: Verdict): void {
  for (const [which, bound] of Object.entries(found)) {
    const made = formatIsoTime(bound.time);
    const when = made === undefined ? '' : `, made ${made}`;
    printMessage(
      `- ${which} ${formatIsoTime(bound.asked) ?? 'that time'}: block ${bound.block}${when} (by ${bound.source})`,
    );
  }
}

/** What is printed of a verdict. */
function verdictToLine(verdict: Verdict) {
  const { readThrough: _, ...line } = verdictToJson(verdict);
  return line;
}

async function printFailure(query: LogQuery, cause: unknown): Promise<boolean> {
  const { verdict } = query;
  const error = asAppError(cause);
  if (!verdict) throw error;
  const cancelled = error.kind === 'aborted';
  const readThrough = verdict.readThrough;
  const reason = cancelled
    ? formatVerdictReason({ code: 'cancelled', ...(readThrough === undefined ? {} : { block: readThrough }) })
    : error.message;
  const broken = { ...verdictToLine(verdict), state: 'uncertain' };
  await printLines([
    { error: errorToJson(error), verdict: { ...broken, reasons: [...broken.reasons, reason] } },
  ]);
  printMessage(reason);
  return false;
}

async function readQuery(
  source: string | undefined,
  { signal }: { readonly signal: AbortSignal },
): Promise<unknown> {
  if (source === undefined) return {};
  const json = source === '-' ? await readInput({ signal }) : await readQueryFile(source);
  try {
    return JSON.parse(json);
  } catch {
    throw badInput('query', 'The query is not JSON. Write an object such as {"address":"0x…"}.');
  }
}

/** All of standard input. A cancel closes it, as it would else keep the process waiting. */
async function readInput({ signal }: { readonly signal: AbortSignal }): Promise<string> {
  try {
    return await text(addAbortSignal(signal, process.stdin));
  } catch (cause) {
    if (signal.aborted) throw new AppError('aborted', 'Cancelled.');
    throw cause;
  }
}

async function readQueryFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw badInput('query', `The query file ${path} cannot be read.`);
  }
}

/** Another endpoint of the same chain. */
export interface SecondEndpoint {
  readonly client: ChainClient;
  /** Windows that are compared; undefined for all blocks. */
  readonly sample: number | undefined;
  /** Both endpoints are of this machine, whose chain nobody reorganises. */
  readonly isLocal: boolean;
}

interface PrintedLogs {
  readonly client: ChainClient;
  readonly filter: LogFilter;
  readonly verdict: Verdict;
  readonly rows: LogStore;
  readonly signal: AbortSignal;
}

const SAMPLE_BLOCKS = 1000n;
const SEED = 1;

/**
 * Compares what was printed with what another endpoint gives.
 *
 * @returns the opinion as JSON, and what it says against the verdict.
 * @throws AppError `aborted`.
 */
async function compareWithSecond(
  { client: second, sample, isLocal }: SecondEndpoint,
  { client, filter, verdict, rows, signal }: PrintedLogs,
) {
  const opinion = await compareClients(createLoadedClient(client, rows, verdict), second, {
    filter,
    range: getLoadedBlocks(verdict),
    signal,
    sample: sample === undefined ? undefined : { windows: sample, blocks: SAMPLE_BLOCKS, seed: SEED },
    unsettled: isLocal ? 0n : undefined,
  });
  const { state, alike, onlyHere, onlyThere, different, fromBlock, toBlock, reasons } = opinion;
  const counts = `${alike} logs alike, ${onlyHere} only here, ${onlyThere} only there, ${different} different`;
  const where = toBlock < fromBlock ? '' : `, blocks ${fromBlock} to ${toBlock}`;
  printMessage(`second opinion${where}: ${state} (${counts})`);
  for (const reason of reasons) printMessage(`- ${formatOpinionReason(reason)}`);
  return {
    json: opinionToJson(opinion, safeUrl(second.url)),
    reason:
      state === 'differ'
        ? `the other endpoint gives other logs (${counts}): neither is known to be right`
        : undefined,
  };
}

/** When the blocks of rows were made, as a line says it. */
export interface RowTimes {
  /** Asks for the times that these rows do not bring along, and forgets those of the rows before. */
  fetch(logs: readonly Log[]): Promise<void>;
  /** In ISO 8601; null where nothing tells. */
  format(log: Log): string | null;
}

/**
 * The times of the rows that `client` gives for `filter`, of which it is asked for as many blocks at once as it takes.
 */
function createRowTimes(
  client: Pick<ChainClient, 'fetchBlockTimes'>,
  filter: LogFilter,
  { signal }: { readonly signal: AbortSignal },
): RowTimes {
  const logs = toLogsInBlocks(filter);
  let times = new Map<bigint, number>();
  let isTold = true;

  async function ask(blocks: readonly bigint[]): Promise<void> {
    let wanted = blocks;
    while (isTold && wanted.length > 0) {
      const some = wanted.slice(0, MAX_BLOCK_TIMES);
      const found = await client.fetchBlockTimes(some, { signal, logs });
      if (!found) {
        isTold = false;
        printMessage('the endpoint does not tell when blocks were made: rows without a time have null');
        return;
      }
      const told = some.flatMap((block) => {
        const known = found.get(block);
        return known ? [[block, known.time] as const] : [];
      });
      for (const [block, time] of told) times.set(block, time);
      // Some answers are of a part of what was asked. What one with nothing was about is not asked again.
      const left = told.length > 0 ? some.filter((block) => !times.has(block)) : [];
      wanted = [...left, ...wanted.slice(some.length)];
    }
  }

  return {
    async fetch(rows) {
      const blocks = new Set(
        rows.flatMap(({ time, blockNumber }) => (time === undefined ? [blockNumber] : [])),
      );
      times = new Map([...times].filter(([block]) => blocks.has(block)));
      await ask([...blocks].filter((block) => !times.has(block)));
    },
    format: (log) => formatIsoTime(log.time ?? times.get(log.blockNumber)) ?? null,
  };
}

/** What is the same of all rows, by which an explorer finds them again. */
function toLogsInBlocks({ addresses, topics: [first] }: LogFilter): LogsInBlocks {
  return {
    ...(addresses.length === 1 && { address: addresses[0] }),
    ...(first?.length === 1 && { topic0: first[0] }),
  };
}
