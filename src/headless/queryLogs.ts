import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  AppError,
  asAppError,
  type BackoffControl,
  badInput,
  type ChainClient,
  createBackoffControl,
  createLogStore,
  decodedLogToJson,
  formatIsoTime,
  formatVerdictReason,
  isRecord,
  iteratePages,
  type Log,
  type LogOrder,
  type LogQuery,
  logToJson,
  parseLogFilter,
  systemClock,
  type Verdict,
  verdictToJson,
} from '../core/index.ts';
import type { LogDecoding } from './line/logDecoding.ts';
import { errorToJson, printLines, say } from './line/output.ts';
import { createRowTimes } from './rowTimes.ts';
import { askSecond, type Second } from './secondOpinion.ts';

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
  readonly second: Second | undefined;
  readonly signal: AbortSignal;
}

/**
 * Prints the logs of a query, page by page, then its verdict. A failure or a cancel after the first rows ends with the
 * error and, on the same line, what the rows before it are worth.
 *
 * @returns whether it went through.
 */
export async function queryLogs(client: ChainClient, options: QueryOptions): Promise<boolean> {
  const { decoding } = options;
  const asked = await readQuery(options.query, options);
  const filter = parseLogFilter(isRecord(asked) ? { ...asked, ...options.bounds } : asked);
  const times = options.times ? createRowTimes(client, filter, options) : undefined;
  const line = (log: Log) => ({
    ...logToJson(log),
    ...(times && { time: times.textOf(log) }),
    ...(decoding && { decoded: decodedLogToJson(decoding.decode(log)) }),
  });
  const query = client.openLogQuery(filter, { order: options.order, waits: spokenWaits() });
  // What is compared is what was printed.
  const printed = options.second && createLogStore();
  try {
    for await (const { logs } of pagesOf(query, options)) {
      await Promise.all([decoding?.prepare(logs), times?.read(logs)]);
      printed?.append(logs);
      await printLines(logs.map(line));
    }
  } catch (cause) {
    return printFailure(query, cause);
  }
  const { verdict } = query;
  const second =
    options.second && printed && verdict
      ? await askSecond(options.second, { client, filter, verdict, rows: printed, signal: options.signal })
      : undefined;
  await printVerdict(verdict, second);
  return true;
}

/** Waits of which each that ends later than those before is said on standard error. */
function spokenWaits(): BackoffControl {
  let saidUntil = 0;
  const waits: BackoffControl = createBackoffControl(systemClock, () => {
    const { told } = waits;
    if (!told || told.endsAt < saidUntil + 1000) return;
    saidUntil = told.endsAt;
    const end = new Date(told.endsAt).toLocaleTimeString('en-GB');
    say(told.byServer ? `the server asks to wait: until ${end}` : `the server failed: asked again at ${end}`);
  });
  return waits;
}

async function* pagesOf(
  query: LogQuery,
  { pages, signal }: { readonly pages: number; readonly signal: AbortSignal },
) {
  if (pages === Number.POSITIVE_INFINITY) yield* query.rest({ signal });
  else yield* iteratePages(query, { most: pages, signal });
}

async function printVerdict(
  verdict: Verdict | undefined,
  second: Awaited<ReturnType<typeof askSecond>> | undefined,
): Promise<void> {
  if (!verdict) return;
  const { rows, fromBlock, toBlock, head, reasons } = verdict;
  const doubts = second?.doubt === undefined ? [] : [second.doubt];
  const state = doubts.length > 0 && verdict.state === 'complete' ? 'uncertain' : verdict.state;
  const line = verdictLine(verdict);
  const doubted = { ...line, state, reasons: [...line.reasons, ...doubts] };
  await printLines([{ verdict: { ...doubted, ...(second && { second: second.json }) } }]);
  if (fromBlock > head) say(`range not reached yet: it begins at block ${fromBlock}, the newest is ${head}`);
  else say(`${rows} logs, blocks ${fromBlock} to ${toBlock} at head ${head}: ${state}`);
  sayFound(verdict);
  for (const reason of [...reasons.map(formatVerdictReason), ...doubts]) say(`- ${reason}`);
}

/** Which blocks the times of the query stood for. */
function sayFound({ found = {} }: Verdict): void {
  for (const [which, bound] of Object.entries(found)) {
    const made = formatIsoTime(bound.time);
    const when = made === undefined ? '' : `, made ${made}`;
    say(
      `- ${which} ${formatIsoTime(bound.asked) ?? 'that time'}: block ${bound.block}${when} (by ${bound.source})`,
    );
  }
}

/** What is printed of a verdict. */
function verdictLine(verdict: Verdict) {
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
  const broken = { ...verdictLine(verdict), state: 'uncertain' };
  await printLines([
    { error: errorToJson(error), verdict: { ...broken, reasons: [...broken.reasons, reason] } },
  ]);
  say(reason);
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
