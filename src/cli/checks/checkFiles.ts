import {
  type AppError,
  asAppError,
  badInput,
  type ChainClient,
  type ChainFiledCheck,
  type ChainQueryDefinition,
  type ContractIndex,
  checkExpectation,
  createIndexKnowledge,
  createLineFinder,
  createMessage,
  createTimeSlices,
  decimal,
  digestResult,
  type Expectation,
  type ExpectationResult,
  englishMessage,
  findQueries,
  formatMessage,
  isAppError,
  isFiledCheck,
  type LogFilter,
  lazy,
  type NameOptions,
  parseFileDefinition,
  type RecordedVerdict,
  type ResultDigest,
  resolveQuery,
  systemClock,
  verdictToJson,
  withRecordedVerdict,
  writeExpectation,
} from '../../core/index.ts';
import { reconcileChainId } from '../endpoint.ts';
import { findProjectFolder } from '../projectFolder.ts';
import { readQueryText, replaceQueryText } from '../queryFileText.ts';
import { findQueryPaths, toRepositoryPath } from '../queryPaths.ts';
import {
  type CheckedQuery,
  type CheckResult,
  type ChosenNames,
  NO_RESULT,
  NOTHING_EXPECTED_MESSAGE,
  type QueryPlace,
  toChosenNames,
} from './checkResult.ts';
import {
  type CheckedProject,
  checkFiledCheck,
  createDeadline,
  createSilentError,
  createTimeoutError,
  openCheckedProject,
  type RunnableCheck,
  toFailedCheck,
} from './filedChecks.ts';

/** Runs the queries of files one after another and compares each result with what the file expects. */
export async function* checkFiles(client: ChainClient, options: CheckOptions): AsyncGenerator<LocatedResult> {
  const { files, startFolders, repository, update, strict, names, timeoutMs, trustsNoLinks, signal } =
    options;
  if (files.length === 0)
    throw badInput('file', 'There is no file to check. Name files, folders or patterns.');
  const chainId = await requireChainId(client, options);
  const openProject = createProjectCache(options);
  const slices = createTimeSlices(systemClock);
  let isSilent = false;
  for (const { file, path, isNamed = false, error: pathError } of await findQueryPaths(files, startFolders)) {
    const text = pathError ?? (await readQueryText({ file, path }, { mustStay: !isNamed || trustsNoLinks }));
    const found = text instanceof Error ? [{ title: file, line: 1, error: text }] : findQueries(text, file);
    let old = text instanceof Error ? '' : text;
    const findLine = createLineFinder(old, file);
    const repositoryPath = await toRepositoryPath(path, repository);
    for (const [at, { title, line, json, recordedVerdict, error }] of found.entries()) {
      if (slices.isOver()) await slices.rest({ signal });
      const place = { file, line, title };
      const locate = (result: CheckResult): LocatedResult => {
        const field = result.state === 'differs' ? 'expect' : result.error?.details.field;
        const failedLine = (field === undefined ? undefined : findLine(at, field)) ?? line;
        return { result, repositoryPath, failedLine };
      };
      // An update reads to the end of the query's own range, not to the recorded block.
      const isUpdate = update && recordedVerdict !== undefined;
      const definition = recordedVerdict && !isUpdate ? withRecordedVerdict(json, recordedVerdict) : json;
      const resolved =
        error ?? (await resolveFiledQuery(definition, { chainId, names, project: () => openProject(path) }));
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
      const limits = { timeoutMs, strict, names, signal };
      const { result, recordable, ...outcome } =
        'definition' in checked
          ? await checkFiledCheck(client, checked, limits)
          : await checkQuery(client, checked, limits);
      isSilent = outcome.isSilent === true;
      if (!update || !recordable) {
        yield locate(result);
        continue;
      }
      const newText = writeExpectation(old, { path: file, place: at }, recordable);
      const writeError = await replaceQueryText({ file, path }, { old, text: newText });
      if (!writeError) old = newText;
      const reasons = (result.contractState?.verdict.restsOn ?? []).map(formatMessage);
      const state = strict && reasons.length > 0 ? 'incomplete' : 'ok';
      const updated: CheckResult = { ...result, state, reasons, updated: true };
      yield locate(writeError ? toUnwrittenResult(result, writeError) : updated);
    }
  }
}

/** A result with its place on the disk. */
export interface LocatedResult {
  readonly result: CheckResult;
  /** With slashes; the absolute path of a file outside of the repository. */
  readonly repositoryPath: string;
  /** The line of the part that is the reason, such as `expect`; else that of the query. From 1. */
  readonly failedLine: number;
}

interface CheckOptions {
  /** Whether a link that leads out of its project is refused also for a file that an argument names. */
  readonly trustsNoLinks?: boolean | undefined;
  readonly files: readonly string[];
  /** The folders that relative paths of `files` start from. */
  readonly startFolders: readonly string[];
  readonly repository: string;
  /** Of the command line. */
  readonly chainId: number | undefined;
  /** The folder with the projects that provide names; undefined for the project of each file. */
  readonly folder: string | undefined;
  readonly openIndex: (folder: string) => Promise<ContractIndex>;
  /** Whether to write the results into the files. */
  readonly update: boolean;
  /** Whether a query without an expectation fails. */
  readonly strict: boolean;
  readonly names: NameOptions;
  /** For each query; undefined for no limit. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
}

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
function createProjectCache({ folder, openIndex }: CheckOptions): (file: string) => Promise<CheckedProject> {
  const projects = new Map<string, () => Promise<CheckedProject>>();
  return async (file) => {
    const from = folder ?? (await findProjectFolder(file));
    const project = projects.get(from) ?? lazy(() => openCheckedProject(from, openIndex));
    projects.set(from, project);
    return project();
  };
}

/** Resolves a query of a file to its filter, or to its validation errors. */
async function resolveFiledQuery(
  json: unknown,
  {
    chainId,
    names,
    project,
  }: Pick<CheckOptions, 'names'> & {
    readonly chainId: number;
    readonly project: () => Promise<CheckedProject>;
  },
): Promise<RunnableQuery | RunnableCheck | readonly AppError[]> {
  let query: ChainQueryDefinition | ChainFiledCheck;
  try {
    query = parseFileDefinition(json);
  } catch (error) {
    if (isAppError(error, 'badInput')) return [error];
    throw error;
  }
  if (query.chainId !== chainId) {
    const message = englishMessage`The query is for chain ${query.chainId}, but the server is on chain ${chainId}. The query was not run.`;
    return [badInput('chainId', message)];
  }
  if (isFiledCheck(query)) return { definition: query, ...(await project()) };
  const knowledge = createIndexKnowledge((await project()).index, chainId, names);
  const { filter, errors } = resolveQuery(query, knowledge);
  return errors ?? { query, filter, chosen: knowledge.chosen };
}

/** A query that can be run. */
interface RunnableQuery {
  readonly query: ChainQueryDefinition;
  readonly filter: LogFilter;
  readonly chosen: ChosenNames;
}

/** Why a query was not run. */
type ValidationErrors = AppError | readonly AppError[];

function isInvalid(resolved: RunnableQuery | RunnableCheck | ValidationErrors): resolved is ValidationErrors {
  return resolved instanceof Error || Array.isArray(resolved);
}

/** Runs a query and compares the result with what is expected. */
async function checkQuery(
  client: ChainClient,
  checked: QueryToCheck,
  { timeoutMs, strict, signal }: Pick<CheckOptions, 'timeoutMs' | 'strict' | 'signal'>,
): Promise<CheckedQuery> {
  const { query, filter, recorded, chosen, ...place } = checked;
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
    ...toChosenNames(chosen),
  };
  const recordable = { count, contentSha256, toBlock: verdict.toBlock };
  return judged.state !== 'incomplete' && isNewResult(recordable, expected, recorded)
    ? { result, recordable }
    : { result };
}

/** A query with its place; `recorded` is the verdict to replace. */
type QueryToCheck = QueryPlace & RunnableQuery & { readonly recorded?: RecordedVerdict | undefined };

function getExpectation({ query, recorded }: Pick<QueryToCheck, 'query' | 'recorded'>): Expectation | null {
  if (query.expect || !recorded) return query.expect ?? null;
  const { toBlock: _, ...expected } = recorded;
  return expected;
}

/** For a query that was not read to its end. */
function toFailedResult(checked: QueryToCheck | (QueryPlace & RunnableCheck), error: AppError): CheckResult {
  if ('definition' in checked) return toFailedCheck(checked, error);
  const { file, line, title } = checked;
  const expected = getExpectation(checked);
  return { file, line, title, state: 'incomplete', reasons: [error.message], ...NO_RESULT, expected, error };
}

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
    decimal(head),
    decimal(recorded.toBlock),
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
