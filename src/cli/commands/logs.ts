import {
  asAppError,
  type BackoffControl,
  badInput,
  type ChainClient,
  compareClients,
  createAnonymousError,
  createBackoffControl,
  createIndexKnowledge,
  createLoadedClient,
  createLogStore,
  decodedLogToJson,
  describeOpinionReason,
  describeProof,
  describeReasons,
  englishMessage,
  formatIsoTime,
  formatMessage,
  formatQuantity,
  type Grouping,
  getLoadedBlocks,
  type Hex,
  isAnonymousSignature,
  isAppError,
  isRecord,
  iteratePages,
  judge,
  type Log,
  type LogFilter,
  type LogOrder,
  type LogProof,
  type LogQuery,
  type LogStore,
  logToJson,
  MAX_BLOCK_TIMES,
  opinionToJson,
  PlaceError,
  parseChainQueryDefinition,
  parseGrouping,
  parseLogFilter,
  parseQueryDefinition,
  requireProvableRange,
  resolveQuery,
  safeUrl,
  systemClock,
  type Verdict,
  verdictToJson,
  withProof,
} from '../../core/index.ts';
import type { CliContext } from '../context.ts';
import { readNamedFile } from '../disk.ts';
import {
  type ExitCode,
  getErrorExitCode,
  isProvenEnough,
  type Outcome,
  type ProofDemand,
} from '../exitCode.ts';
import type { LogDecoding } from '../logDecoding.ts';
import { type OpenDecoding, openLogGroups, type PrintedGroups, toLogsInBlocks } from '../logGroups.ts';
import { errorToJson, type Output } from '../output.ts';
import { describeFileError, MAX_FILE_BYTES } from '../queryFileText.ts';
import { readStandardInput, withoutByteOrderMark } from '../standardInput.ts';

/**
 * Prints the logs of a query, page by page, then its verdict. If it fails or is cancelled after the first rows,
 * prints the error and, on the same line, the verdict on the rows before it.
 *
 * @returns whether no proof and no other endpoint contradicts the result; 3 if it failed, or could not be compared.
 */
export async function printLogs(client: ChainClient, options: QueryOptions): Promise<Outcome> {
  const { decoding, output, signal } = options;
  const { filter, event, grouping } = await parseLogsQuery(await readQuery(options.query, options), {
    ...options,
    client,
  });
  if (grouping && options.times)
    throw badInput('times', 'Groups have no times. Remove --times, or group by day.');
  const groups = grouping && (await openLogGroups({ ...options, client, grouping, filter, event }));
  const times = options.times ? createRowTimes(client, filter, options) : undefined;
  const toLine = (log: Log) => ({
    ...logToJson(log),
    ...(times && { time: times.format(log) }),
    ...(decoding && { decoded: decodedLogToJson(decoding.decode(log)) }),
  });
  const query = client.openLogQuery(filter, { order: options.order, waits: createPrintedWaits(output) });
  // The second opinion and the proof compare the rows that are printed or grouped.
  const loaded = options.second || options.proof ? createLogStore() : undefined;
  let proof: LogProof | undefined;
  const pages = options.pages ?? (grouping ? Number.POSITIVE_INFINITY : 1);
  try {
    for await (const { logs, verdict } of readPages(query, { pages, signal })) {
      if (options.proof) requireProvableRange(verdict);
      loaded?.append(logs);
      if (groups) {
        await groups.add(logs);
        continue;
      }
      await Promise.all([decoding?.prepare(logs), times?.fetch(logs)]);
      await output.printLines(logs.map(toLine));
    }
    if (options.proof && loaded && query.verdict) proof = await proveRows(query.verdict, loaded);
  } catch (cause) {
    if (options.proof && isAppError(cause, 'badInput')) throw cause;
    return printFailure(query, cause, { groups, output });
  }
  await groups?.print();
  const { verdict } = query;
  const second =
    options.second && loaded && verdict
      ? await compareWithSecond(options.second, { client, filter, verdict, rows: loaded, output, signal })
      : undefined;
  await printVerdict(verdict && proof ? withProof(verdict, proof) : verdict, { second, groups, output });
  if (second?.json.state === 'differ') return 1;
  const isEnough = isProvenEnough(proof, options.proof?.demand);
  if (second?.json.state === 'unknown' && isEnough) return 3;
  return isEnough;

  function proveRows(loadedVerdict: Verdict, rows: LogStore): Promise<LogProof> {
    const { order, fromBlock, toBlock, readThrough } = loadedVerdict;
    const isRead = readThrough === (order === 'newestFirst' ? fromBlock : toBlock);
    return client.proveLogs(
      { filter, range: { fromBlock, toBlock }, logs: rows, order, isRead },
      { trustHash: options.proof?.trustHash, signal },
    );
  }
}

interface LogsQuery {
  readonly filter: LogFilter;
  /** As the query has it. */
  readonly event: string;
  /** Undefined to print logs. */
  readonly grouping: Grouping | undefined;
}

type ParseOptions = QueryOptions & { readonly client: ChainClient };

/** A query with a chain is that of a query file. */
async function parseLogsQuery(json: unknown, options: ParseOptions): Promise<LogsQuery> {
  if (!isRecord(json)) return { filter: parseLogFilter(json), event: '', grouping: parseOptions(options) };
  if (json.chainId !== undefined) return parseFiledQuery({ ...json, ...options.bounds }, options);
  const { groupBy, sum, ...query } = json;
  const filter = parseLogFilter({ ...query, ...options.bounds });
  const { grouping } = parseQueryDefinition({
    ...(groupBy !== undefined && { groupBy }),
    ...(sum !== undefined && { sum }),
  });
  const event = typeof query.event === 'string' ? query.event : '';
  await refuseAnonymous(event, filter, options);
  return { filter, event, grouping: parseOptions(options) ?? grouping };
}

/** @throws AppError `badInput` if the projects of `--decode` declare the event as anonymous. */
async function refuseAnonymous(event: string, { addresses }: LogFilter, options: ParseOptions) {
  if (!options.decoding) return;
  const { index, chainId } = await options.openDecoding();
  const findEvents = index && createIndexKnowledge(index, chainId).findEventsByName;
  if (isAnonymousSignature(event, (name) => findEvents?.(name, addresses) ?? []))
    throw createAnonymousError(event);
}

/** Undefined if no option groups. */
function parseOptions({ groupBy, sum }: QueryOptions): Grouping | undefined {
  return parseGrouping({ by: groupBy?.split(',') ?? [], sum }, 'group-by');
}

/** Names are those of the projects of `--decode`. */
async function parseFiledQuery(json: object, options: ParseOptions): Promise<LogsQuery> {
  const definition = parseChainQueryDefinition(json);
  const { index, chainId } = await options.openDecoding();
  if (chainId !== definition.chainId) {
    const message = englishMessage`The query is for chain ${definition.chainId}, but the server is on chain ${chainId}. The query was not run.`;
    throw badInput('chainId', message);
  }
  const knowledge = index ? createIndexKnowledge(index, chainId) : { findAddressesByName: () => [] };
  const resolved = resolveQuery(definition, knowledge);
  if (resolved.errors) throw resolved.errors[0] ?? badInput('query', 'The query is not valid.');
  const { filter, form } = resolved;
  return { filter, event: form.event, grouping: parseOptions(options) ?? definition.grouping };
}

interface QueryOptions extends Pick<CliContext, 'output' | 'signal' | 'stdin'> {
  readonly query: string | undefined;
  /** Override the bounds of the query. */
  readonly bounds: { readonly fromBlock?: string; readonly toBlock?: string };
  readonly order: LogOrder;
  /** `Infinity` for all; undefined for one page, or for all that are grouped. */
  readonly pages: number | undefined;
  /** FIELDs between commas. */
  readonly groupBy: string | undefined;
  readonly sum: string | undefined;
  /** Whether each row is printed with the time of its block. */
  readonly times: boolean;
  /** Decodes each row; undefined to print rows as they are. */
  readonly decoding: LogDecoding | undefined;
  /** Opens a decoding for groups. */
  readonly openDecoding: OpenDecoding;
  /** Whether providers may have more ABIs. */
  readonly hasProviders: boolean;
  readonly second: SecondEndpoint | undefined;
  /** Undefined if the result is not proven. */
  readonly proof: { readonly trustHash: Hex | undefined; readonly demand: ProofDemand } | undefined;
}

/** An endpoint of the same chain, for the second opinion. */
export interface SecondEndpoint {
  readonly client: ChainClient;
  /** Number of windows to compare; undefined for all blocks. */
  readonly sample: number | undefined;
  /** Whether both endpoints are on this machine, where the chain has no reorgs. */
  readonly isLocal: boolean;
}

/** Prints each wait that ends at least a second after the last printed one. */
function createPrintedWaits(output: Output): BackoffControl {
  let printedUntil = 0;
  const waits: BackoffControl = createBackoffControl(systemClock, () => {
    const { visible } = waits;
    if (!visible || visible.endsAt < printedUntil + 1000) return;
    printedUntil = visible.endsAt;
    const end = new Date(visible.endsAt).toLocaleTimeString('en-GB');
    output.printMessage(
      visible.byServer
        ? `The server requires a wait until ${end}.`
        : `The server failed. The request is retried at ${end}.`,
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
  {
    second,
    groups,
    output,
  }: {
    readonly second: Awaited<ReturnType<typeof compareWithSecond>> | undefined;
    readonly groups: PrintedGroups | undefined;
    readonly output: Output;
  },
): Promise<void> {
  if (!verdict) return;
  const { printLines, printMessage } = output;
  const { rows, fromBlock, toBlock, head } = verdict;
  const ownReasons = [
    ...(second?.reason === undefined ? [] : [second.reason]),
    ...(groups?.describe() ?? []),
  ];
  const line = verdictToLine(verdict);
  const { state, reasons } = judge({
    state: ownReasons.length > 0 && verdict.state !== 'more' ? 'uncertain' : verdict.state,
    otherwise: 'uncertain',
    reasons: [...line.reasons, ...ownReasons],
  });
  const fullLine = { ...line, state, reasons };
  await printLines([
    { verdict: { ...fullLine, ...groups?.toJson(), ...(second && { second: second.json }) } },
  ]);
  if (fromBlock > head)
    printMessage(`range not reached yet: it starts at block ${fromBlock}, the head is ${head}`);
  else
    printMessage(`${formatQuantity(rows, 'log')}, blocks ${fromBlock} to ${toBlock}, head ${head}: ${state}`);
  printFoundBlocks(verdict, output);
  if (verdict.proof) printProof(verdict.proof, output);
  const messages = describeReasons(verdict.reasons).map(formatMessage);
  for (const reason of [...messages, ...ownReasons]) printMessage(`- ${reason}`);
}

export function printProof(proof: LogProof, { printMessage }: Output): void {
  const { blocks, receipts, requests } = proof;
  const cost = `${formatQuantity(blocks, 'header')}, receipts of ${formatQuantity(receipts, 'block')}, ${formatQuantity(requests, 'request')}`;
  printMessage(`proof: ${formatMessage(describeProof(proof))} (${cost})`);
  for (const reason of proof.reasons) printMessage(`- ${formatMessage(reason)}`);
}

/** Prints the blocks that the times of the query were resolved to. */
export function printFoundBlocks(
  { found: bounds = {} }: { readonly found?: Verdict['found'] | undefined },
  output: Output,
): void {
  for (const [which, bound] of Object.entries(bounds)) {
    const blockTime = formatIsoTime(bound.time);
    const when = blockTime === undefined ? '' : ` at ${blockTime}`;
    output.printMessage(
      `- ${which} ${formatIsoTime(bound.requestedTime) ?? 'that time'}: block ${bound.block}${when} (source: ${bound.source})`,
    );
  }
}

/** The verdict without what is only needed to continue. */
function verdictToLine(verdict: Verdict) {
  const { readThrough: _, ...line } = verdictToJson(verdict);
  return line;
}

async function printFailure(
  query: LogQuery,
  cause: unknown,
  { groups, output }: { readonly groups: PrintedGroups | undefined; readonly output: Output },
): Promise<ExitCode> {
  const { verdict } = query;
  const error = asAppError(cause);
  if (!verdict || (groups && error.kind === 'badInput')) throw error;
  await groups?.print();
  const { readThrough } = verdict;
  const isCancelled = error.kind === 'aborted' && readThrough !== undefined;
  const reason = isCancelled ? `Cancelled at block ${readThrough}.` : error.message;
  const partial = { ...verdictToLine(verdict), state: 'uncertain', ...groups?.toJson() };
  await output.printLines([
    { error: errorToJson(error), verdict: { ...partial, reasons: [...partial.reasons, reason] } },
  ]);
  output.printMessage(reason);
  return getErrorExitCode(error);
}

async function readQuery(
  path: string | undefined,
  input: Pick<CliContext, 'signal' | 'stdin'>,
): Promise<unknown> {
  if (path === undefined) return {};
  const json = path === '-' ? await readStandardInput(input) : await readQueryFile(path);
  try {
    return JSON.parse(json);
  } catch {
    throw badInput('query', 'The query is not JSON. Enter an object such as {"address":"0x…"}.');
  }
}

async function readQueryFile(path: string): Promise<string> {
  try {
    return withoutByteOrderMark(new TextDecoder().decode(await readNamedFile(path, MAX_FILE_BYTES)));
  } catch (cause) {
    if (cause instanceof PlaceError && cause.reason === 'special')
      throw badInput(
        'query',
        englishMessage`${path} is not a file. To read from a pipe, use --query - and standard input.`,
      );
    throw badInput('query', englishMessage`${describeFileError(path, 'read', cause).message}`);
  }
}

/**
 * Compares the printed rows with the logs of another endpoint.
 *
 * @returns the opinion as JSON, and the reason why it contradicts the verdict, if it does.
 * @throws AppError `aborted`.
 */
async function compareWithSecond(
  { client: second, sample, isLocal }: SecondEndpoint,
  { client, filter, verdict, rows, output, signal }: PrintedLogs,
) {
  const { printMessage } = output;
  const opinion = await compareClients(createLoadedClient(client, rows, verdict), second, {
    filter,
    range: getLoadedBlocks(verdict),
    signal,
    sample: sample === undefined ? undefined : { windows: sample, blocks: SAMPLE_BLOCKS, seed: SEED },
    unsettled: isLocal ? 0n : undefined,
  });
  const { state, alike, onlyHere, onlyThere, different, fromBlock, toBlock, reasons } = opinion;
  const counts = `${formatQuantity(alike, 'equal log')}, ${onlyHere} only here, ${onlyThere} only there, ${different} different`;
  const where = toBlock < fromBlock ? '' : `, blocks ${fromBlock} to ${toBlock}`;
  printMessage(`second opinion${where}: ${state} (${counts})`);
  for (const reason of reasons) printMessage(`- ${formatMessage(describeOpinionReason(reason))}`);
  return {
    json: opinionToJson(opinion, safeUrl(second.url)),
    reason:
      state === 'differ'
        ? `The other endpoint returned different logs (${counts}). Either may be wrong.`
        : undefined,
  };
}

interface PrintedLogs extends Pick<CliContext, 'output' | 'signal'> {
  readonly client: ChainClient;
  readonly filter: LogFilter;
  readonly verdict: Verdict;
  readonly rows: LogStore;
}

const SAMPLE_BLOCKS = 1000n;
const SEED = 1;

/** Creates the times of the rows of `filter`, fetched for up to `MAX_BLOCK_TIMES` blocks at once. */
function createRowTimes(
  client: Pick<ChainClient, 'fetchBlockTimes'>,
  filter: LogFilter,
  { output, signal }: Pick<CliContext, 'output' | 'signal'>,
): RowTimes {
  const logs = toLogsInBlocks(filter);
  let times = new Map<bigint, number>();
  let isSupported = true;

  async function fetchTimes(blocks: readonly bigint[]): Promise<void> {
    let missing = blocks;
    while (isSupported && missing.length > 0) {
      const batch = missing.slice(0, MAX_BLOCK_TIMES);
      const response = await client.fetchBlockTimes(batch, { signal, logs });
      if (!response) {
        isSupported = false;
        output.printMessage('The endpoint does not report block times. Rows without a time have null.');
        return;
      }
      const received = batch.flatMap((block) => {
        const blockTime = response.get(block);
        return blockTime ? [[block, blockTime.time] as const] : [];
      });
      for (const [block, time] of received) times.set(block, time);
      // A provider may return only some of the requested times. If it returned none, those blocks are not
      // requested again.
      const rest = received.length > 0 ? batch.filter((block) => !times.has(block)) : [];
      missing = [...rest, ...missing.slice(batch.length)];
    }
  }

  return {
    async fetch(rows) {
      const blocks = new Set(
        rows.flatMap(({ time, blockNumber }) => (time === undefined ? [blockNumber] : [])),
      );
      times = new Map([...times].filter(([block]) => blocks.has(block)));
      await fetchTimes([...blocks].filter((block) => !times.has(block)));
    },
    format: (log) => formatIsoTime(log.time ?? times.get(log.blockNumber)) ?? null,
  };
}

/** The times of the blocks of printed rows. */
interface RowTimes {
  /** Fetches the times that these rows lack, and drops those of earlier rows. */
  fetch(logs: readonly Log[]): Promise<void>;
  /** In ISO 8601; null if unknown. */
  format(log: Log): string | null;
}
