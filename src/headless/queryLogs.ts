import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import {
  asAppError,
  badInput,
  type ChainClient,
  createWaits,
  type LogQuery,
  logToJson,
  parseLogFilter,
  reasonText,
  systemClock,
  type Verdict,
  type Waits,
} from '../core/index.ts';
import { errorToJson, printLines, say, verdictToJson } from './output.ts';

/**
 * Prints the logs of a query, page by page, then its verdict. A failure after the first rows ends with the error
 * and what the rows before it are worth.
 *
 * @returns whether it went through.
 */
export async function queryLogs(
  client: ChainClient,
  options: { readonly query: string | undefined; readonly pages: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const query = client.openLogQuery(parseLogFilter(await readQuery(options.query)), spokenWaits());
  try {
    for await (const { logs } of pagesOf(query, options)) await printLines(logs.map(logToJson));
  } catch (cause) {
    return printFailure(query, cause);
  }
  await printVerdict(query.verdict);
  return true;
}

/** Waits of which each that ends later than those before is said on standard error. */
function spokenWaits(): Waits {
  let saidUntil = 0;
  const waits: Waits = createWaits(systemClock, () => {
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
  if (pages === Number.POSITIVE_INFINITY) {
    yield* query.rest({ signal });
    return;
  }
  for (let page = 0; page < pages; page++) {
    const answer = await query.nextPage({ signal });
    yield answer;
    if (answer.verdict.state !== 'more') return;
  }
}

async function printVerdict(verdict: Verdict | undefined): Promise<void> {
  if (!verdict) return;
  await printLines([{ verdict: verdictToJson(verdict) }]);
  const { state, rows, fromBlock, toBlock, head, reasons } = verdict;
  say(`${rows} logs, blocks ${fromBlock} to ${toBlock} at head ${head}: ${state}`);
  for (const reason of reasons) say(`- ${reasonText(reason)}`);
}

async function printFailure(query: LogQuery, cause: unknown): Promise<boolean> {
  const { verdict } = query;
  const error = asAppError(cause);
  if (!verdict) throw error;
  const cancelled = error.kind === 'aborted';
  const readThrough = verdict.readThrough;
  const reason = cancelled
    ? reasonText({ code: 'cancelled', ...(readThrough === undefined ? {} : { block: readThrough }) })
    : error.message;
  const broken = { ...verdictToJson(verdict), state: 'uncertain' };
  const ending = { verdict: { ...broken, reasons: [...broken.reasons, reason] } };
  await printLines([cancelled ? ending : { error: errorToJson(error), ...ending }]);
  say(reason);
  return false;
}

async function readQuery(source: string | undefined): Promise<unknown> {
  if (source === undefined) return {};
  const json = source === '-' ? await text(process.stdin) : await readQueryFile(source);
  try {
    return JSON.parse(json);
  } catch {
    throw badInput('query', 'The query is not JSON. Write an object such as {"address":"0x…"}.');
  }
}

async function readQueryFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw badInput('query', `The query file ${path} cannot be read.`);
  }
}
