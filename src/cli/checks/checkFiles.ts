import {
  AppError,
  asAppError,
  badInput,
  type ChainClient,
  type ChainQueryDefinition,
  type ChainReadDefinition,
  type ContractIndex,
  checkExpectation,
  checkRead,
  createIndexKnowledge,
  createLineFinder,
  createMessage,
  createTimeSlices,
  digestResult,
  type Expectation,
  type ExpectationResult,
  findQueries,
  formatMessage,
  isAppError,
  type LogFilter,
  lazy,
  openReads,
  parseFileDefinition,
  type ReadCheck,
  type ReadExpectation,
  type ReadResult,
  type RecordedVerdict,
  type ResultDigest,
  resolveQuery,
  systemClock,
  verdictToJson,
  withRecordedVerdict,
  writeExpectation,
} from '../../core/index.ts';
import { reconcileChainId } from '../endpoint.ts';
import { openLogDecoding } from '../logDecoding.ts';
import { findProjectFolder } from '../projectFolder.ts';
import { readQueryText, replaceQueryText } from '../queryFileText.ts';
import { findQueryPaths } from '../queryPaths.ts';

/** Runs the queries of files one after another and compares each result with what the file expects. */
export async function* checkFiles(client: ChainClient, options: CheckOptions): AsyncGenerator<LocatedResult> {
  const { files, update, strict, timeoutMs, signal } = options;
  if (files.length === 0)
    throw badInput('file', 'There is no file to check. Name files, folders or patterns.');
  const chainId = await requireChainId(client, options);
  const openIndex = createIndexCache(options);
  const slices = createTimeSlices(systemClock);
  let isSilent = false;
  for (const { file, path, error: pathError } of await findQueryPaths(files)) {
    const text = pathError ?? (await readQueryText({ file, path }));
    const found = text instanceof Error ? [{ title: file, line: 1, error: text }] : findQueries(text, file);
    let old = text instanceof Error ? '' : text;
    const findLine = createLineFinder(old, file);
    for (const [at, { title, line, json, recordedVerdict, error }] of found.entries()) {
      if (slices.isOver()) await slices.rest({ signal });
      const place = { file, line, title };
      const locate = (result: CheckResult): LocatedResult => {
        const field = result.state === 'differs' ? 'expect' : result.error?.details.field;
        const failedLine = (field === undefined ? undefined : findLine(at, field)) ?? line;
        return { result, path, failedLine };
      };
      // An update reads to the end of the query's own range, not to the recorded block.
      const isUpdate = update && recordedVerdict !== undefined;
      const definition = recordedVerdict && !isUpdate ? withRecordedVerdict(json, recordedVerdict) : json;
      const resolved =
        error ?? (await resolveFiledQuery(definition, { chainId, index: () => openIndex(path) }));
      if (isInvalid(resolved)) {
        yield locate(toInvalidResult(place, resolved));
        continue;
      }
      const replacedVerdict = isUpdate ? recordedVerdict : undefined;
      const checked = { ...place, ...resolved, recorded: replacedVerdict };
      if (isSilent) {
        yield locate(toFailedResult(checked, createSilentError()));
        continue;
      }
      const limits = { timeoutMs, strict, signal };
      const { result, recordable, ...outcome } =
        'definition' in checked
          ? await checkFiledRead(client, checked, limits)
          : await checkQuery(client, checked, limits);
      isSilent = outcome.isSilent === true;
      if (!update || !recordable) {
        yield locate(result);
        continue;
      }
      const newText = writeExpectation(old, { path: file, place: at }, recordable);
      const writeError = await replaceQueryText({ file, path }, { old, text: newText });
      if (!writeError) old = newText;
      const updated: CheckResult = { ...result, state: 'ok', reasons: [], updated: true };
      yield locate(writeError ? toUnwrittenResult(result, writeError) : updated);
    }
  }
}

/** A result with its place on the disk. */
export interface LocatedResult {
  readonly result: CheckResult;
  readonly path: string;
  /** The line of the part that is the reason, such as `expect`; else that of the query. From 1. */
  readonly failedLine: number;
}

interface CheckOptions {
  readonly files: readonly string[];
  /** Of the command line. */
  readonly chainId: number | undefined;
  /** The folder with the projects that provide names; undefined for the project of each file. */
  readonly folder: string | undefined;
  readonly openIndex: (folder: string) => Promise<ContractIndex>;
  /** Whether to write the results into the files. */
  readonly update: boolean;
  /** Whether a query without an expectation fails. */
  readonly strict: boolean;
  /** For each query; undefined for no limit. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
}

export type CheckState = 'ok' | 'differs' | 'incomplete' | 'invalid' | 'nothingExpected';

export interface CheckResult {
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly state: CheckState;
  readonly reasons: readonly string[];
  readonly verdict: object | null;
  readonly count: number | null;
  readonly sha256: string | null;
  readonly contentSha256: string | null;
  /** What a read returned; null if it returned nothing. Logs have none. */
  readonly read?: ReadResult | null;
  readonly expected: Expectation | ReadExpectation | null;
  readonly updated?: true;
  readonly error?: AppError;
}

type QueryPlace = Pick<CheckResult, 'file' | 'line' | 'title'>;

/** Whether the file expects another result, or none. */
function isNewResult(
  { count, contentSha256, toBlock }: RecordedVerdict,
  expected: Expectation | null,
  recorded: RecordedVerdict | undefined,
): boolean {
  if (recorded && recorded.toBlock !== toBlock) return true;
  // `sha256` is replaced, since it holds on one chain only.
  const isSame = expected?.count === count && expected.contentSha256 === contentSha256;
  return !isSame || expected.sha256 !== undefined;
}

async function requireChainId(
  client: ChainClient,
  { chainId: requested, timeoutMs, signal }: CheckOptions,
): Promise<number> {
  const deadline = createDeadline(timeoutMs, signal);
  const reported = await client.getChainId({ signal: deadline.signal }).catch((error: unknown) => {
    throw deadline.isOver() ? createTimeoutError('The request for the chain ID', timeoutMs) : error;
  });
  const chainId = reconcileChainId(requested, reported);
  if (chainId === undefined)
    throw badInput(
      'chain-id',
      'The server does not report its chain ID. Check that --rpc is a JSON-RPC endpoint, or set --chain-id N.',
    );
  return chainId;
}

/** Indexes the projects around each file, once per folder. */
function createIndexCache({ folder, openIndex }: CheckOptions): (file: string) => Promise<ContractIndex> {
  const indexes = new Map<string, () => Promise<ContractIndex>>();
  return async (file) => {
    const from = folder ?? (await findProjectFolder(file));
    const index = indexes.get(from) ?? lazy(() => openIndex(from));
    indexes.set(from, index);
    return index();
  };
}

/** Resolves a query of a file to its filter, or to its validation errors. */
async function resolveFiledQuery(
  json: unknown,
  { chainId, index }: { readonly chainId: number; readonly index: () => Promise<ContractIndex> },
): Promise<RunnableQuery | RunnableRead | readonly AppError[]> {
  let query: ChainQueryDefinition | ChainReadDefinition;
  try {
    query = parseFileDefinition(json);
  } catch (error) {
    if (isAppError(error, 'badInput')) return [error];
    throw error;
  }
  if (query.chainId !== chainId) {
    const message = `The query is for chain ${query.chainId}, but the server is on chain ${chainId}. The query was not run.`;
    return [badInput('chainId', message)];
  }
  if ('read' in query) return { definition: query, index: await index() };
  const { filter, errors } = resolveQuery(query, createIndexKnowledge(await index(), chainId));
  return errors ?? { query, filter };
}

/** A query that can be run. */
interface RunnableQuery {
  readonly query: ChainQueryDefinition;
  readonly filter: LogFilter;
}

/** A read, with the projects that give its names. */
interface RunnableRead {
  readonly definition: ChainReadDefinition;
  readonly index: ContractIndex;
}

/** Why a query was not run. */
type ValidationErrors = AppError | readonly AppError[];

function isInvalid(resolved: RunnableQuery | RunnableRead | ValidationErrors): resolved is ValidationErrors {
  return resolved instanceof Error || Array.isArray(resolved);
}

/** Runs a query and compares the result with what is expected. */
async function checkQuery(
  client: ChainClient,
  checked: QueryToCheck,
  { timeoutMs, strict, signal }: Pick<CheckOptions, 'timeoutMs' | 'strict' | 'signal'>,
): Promise<CheckedQuery> {
  const { query, filter, recorded, ...place } = checked;
  const expected = getExpectation(checked);
  const deadline = createDeadline(timeoutMs, signal);
  const startedAt = systemClock.elapsed();
  let respondedAt = startedAt;
  let digest: ResultDigest;
  try {
    digest = await digestResult(client, filter, {
      maxRows: MAX_ROWS,
      signal: deadline.signal,
      onProgress: () => {
        respondedAt = systemClock.elapsed();
      },
    });
  } catch (cause) {
    const error = deadline.isOver() ? createTimeoutError('The query', timeoutMs) : asAppError(cause);
    if (error.kind === 'aborted') throw error;
    // A server that responds, but not in time for this query, may be in time for the next.
    const now = systemClock.elapsed();
    const isSilent = error.kind === 'timeout' && now - respondedAt >= (now - startedAt) / 2;
    return { result: toFailedResult(checked, error), isSilent };
  }
  const { verdict, count, sha256, contentSha256 } = digest;
  const judged = judgeResult(digest, { query, recorded });
  const lacksExpectation = strict && judged.state === 'ok' && expected === null;
  const state = lacksExpectation ? 'nothingExpected' : judged.state;
  const reasons = lacksExpectation ? [createMessage(NOTHING_EXPECTED_MESSAGE)] : judged.reasons;
  const result: CheckResult = {
    ...place,
    state,
    reasons: reasons.map(formatMessage),
    verdict: verdictToJson(verdict),
    count,
    sha256,
    contentSha256,
    expected,
  };
  const recordable = { count, contentSha256, toBlock: verdict.toBlock };
  return judged.state !== 'incomplete' && isNewResult(recordable, expected, recorded)
    ? { result, recordable }
    : { result };
}

/** Reads what a file says, and compares it with what is expected. */
async function checkFiledRead(
  client: ChainClient,
  { definition, index, ...place }: QueryPlace & RunnableRead,
  { timeoutMs, strict, signal }: Pick<CheckOptions, 'timeoutMs' | 'strict' | 'signal'>,
): Promise<CheckedQuery> {
  const { chainId, expect } = definition;
  const deadline = createDeadline(timeoutMs, signal);
  const options = { signal: deadline.signal };
  const decoding = await openLogDecoding(client, { index, abiProviders: undefined, chainId }, options);
  const knowledge = { ...decoding, index, names: [], code: index };
  const reads = await openReads({ client, chainId: async () => chainId, knowledge: async () => knowledge });
  const { findAddressesByName } = createIndexKnowledge(index, chainId);
  const deps = { reads, client, findAddressesByName, now: systemClock.now() };
  const common = { ...place, ...NO_RESULT, read: null, expected: expect ?? null };
  let checked: ReadCheck;
  try {
    checked = await checkRead(definition, deps, options);
  } catch (cause) {
    if (!deadline.isOver()) throw cause;
    const error = createTimeoutError('The read', timeoutMs);
    return { result: { ...common, state: 'incomplete', reasons: [error.message], error }, isSilent: true };
  }
  const { state, reasons, result, error, update } = checked;
  const lacksExpectation = strict && state === 'ok' && !expect;
  return {
    result: {
      ...common,
      state: lacksExpectation ? 'nothingExpected' : state,
      reasons: lacksExpectation ? [NOTHING_EXPECTED_MESSAGE] : reasons.map(formatMessage),
      read: result ?? null,
      ...(error && state !== 'ok' && { error }),
    },
    ...(update && { recordable: update }),
  };
}

const NOTHING_EXPECTED_MESSAGE =
  'Nothing is expected of this query. Add "expect" to it, or run check with --update.';

/** A query with its place; `recorded` is the verdict to replace. */
type QueryToCheck = QueryPlace & RunnableQuery & { readonly recorded?: RecordedVerdict | undefined };

function getExpectation({ query, recorded }: Pick<QueryToCheck, 'query' | 'recorded'>): Expectation | null {
  if (query.expect || !recorded) return query.expect ?? null;
  const { toBlock: _, ...expected } = recorded;
  return expected;
}

/** For a query that was not read to its end. */
function toFailedResult(checked: QueryToCheck | (QueryPlace & RunnableRead), error: AppError): CheckResult {
  const { file, line, title } = checked;
  const place = { file, line, title };
  if ('definition' in checked) {
    const expected = checked.definition.expect ?? null;
    return {
      ...place,
      state: 'incomplete',
      reasons: [error.message],
      ...NO_RESULT,
      read: null,
      expected,
      error,
    };
  }
  const expected = getExpectation(checked);
  return { ...place, state: 'incomplete', reasons: [error.message], ...NO_RESULT, expected, error };
}

function createDeadline(timeoutMs: number | undefined, signal: AbortSignal) {
  const timer = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  return {
    signal: timer ? AbortSignal.any([signal, timer]) : signal,
    isOver: () => timer?.aborted === true && !signal.aborted,
  };
}

function createTimeoutError(what: string, timeoutMs = 0): AppError {
  const seconds = timeoutMs / 1000;
  return new AppError(
    'timeout',
    `${what} took longer than ${seconds} s. Set --timeout to more, or try later.`,
  );
}

function createSilentError(): AppError {
  return new AppError(
    'timeout',
    'The server did not respond in time to an earlier query. This query was not run.',
  );
}

interface CheckedQuery {
  readonly result: CheckResult;
  /** The server stopped responding. */
  readonly isSilent?: boolean;
  /** What the file should expect; undefined if it does, or if the result is incomplete. */
  readonly recordable?: Parameters<typeof writeExpectation>[2];
}

const NO_RESULT = { verdict: null, count: null, sha256: null, contentSha256: null } as const;

/** Results with more rows are not digested. */
const MAX_ROWS = 50_000_000;

/** The result of a server that lags behind the recorded verdict must not replace it. */
function judgeResult(
  digest: ResultDigest,
  { query, recorded }: Pick<RunnableQuery, 'query'> & { readonly recorded: RecordedVerdict | undefined },
): Pick<ExpectationResult, 'state' | 'reasons'> {
  const { head } = digest.verdict;
  if (!recorded || recorded.toBlock <= head) return checkExpectation(digest, query.expect);
  const reason = createMessage(
    'The latest block of the server is {0}, below block {1}, where the recorded result ends.',
    ...[head, recorded.toBlock].map(String),
  );
  return { state: 'incomplete', reasons: [reason] };
}

function toInvalidResult(place: QueryPlace, errors: ValidationErrors): CheckResult {
  const list = errors instanceof Error ? [errors] : errors;
  const [first] = list;
  return {
    ...place,
    state: 'invalid',
    reasons: list.slice(0, MAX_REASONS).map(({ message }) => message),
    ...NO_RESULT,
    expected: null,
    ...(first && { error: first }),
  };
}

const MAX_REASONS = 20;

/** For a result that could not be written into its file. */
function toUnwrittenResult(checked: CheckResult, error: AppError): CheckResult {
  return { ...checked, state: 'invalid', reasons: [...checked.reasons, error.message], error };
}
