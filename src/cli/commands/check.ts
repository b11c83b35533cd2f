import { randomUUID } from 'node:crypto';
import { access, constants, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type AppError,
  asAppError,
  badInput,
  type ChainClient,
  type ChainQueryDefinition,
  type ContractIndex,
  checkExpectation,
  createIndexKnowledge,
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
  MAX_QUERY_FILE_CHARS,
  parseChainQueryDefinition,
  type RecordedVerdict,
  type ResultDigest,
  resolveQuery,
  systemClock,
  verdictToJson,
  withRecordedVerdict,
  writeExpectation,
} from '../../core/index.ts';
import type { CommandLine } from '../commandLine.ts';
import { reconcileChainId } from '../endpoint.ts';
import { errorToJson, printLines, printMessage } from '../output.ts';
import { findProjectFolder, openProjectIndex } from '../projectFolder.ts';

/**
 * Runs the queries of files and prints one line for each.
 *
 * @returns whether all results are complete and as their files expect.
 */
export async function printChecks(
  client: ChainClient,
  { files, chainId, projectFolder: folder, update }: CommandLine,
  options: { readonly signal: AbortSignal },
): Promise<boolean> {
  let allOk = true;
  for await (const checked of checkFiles(client, {
    files,
    chainId,
    folder,
    update,
    openIndex: (from) => openProjectIndex(from, options),
    ...options,
  })) {
    allOk &&= checked.state === 'ok';
    await printCheckResult(checked);
  }
  return allOk;
}

async function printCheckResult({ error, ...checked }: CheckResult): Promise<void> {
  await printLines([{ ...checked, ...(error && { error: errorToJson(error) }) }]);
  const { file, title, state, reasons, count, updated } = checked;
  const rows = count === null ? '' : `, ${count} logs`;
  printMessage(`${file}: ${title}: ${state}${rows}${updated ? ', now expected' : ''}`);
  for (const reason of reasons) printMessage(`- ${reason}`);
}

/** Runs the queries of files one after another and compares each result with what the file expects. */
async function* checkFiles(client: ChainClient, options: CheckOptions): AsyncGenerator<CheckResult> {
  const { files, update, signal } = options;
  if (files.length === 0) throw badInput('file', 'There is no file to check. Write check FILE….');
  const chainId = await requireChainId(client, options);
  const openIndex = createIndexCache(options);
  const slices = createTimeSlices(systemClock);
  for (const file of files) {
    const text = await readQueryText(file);
    const found = text instanceof Error ? [{ title: file, line: 1, error: text }] : findQueries(text, file);
    let old = text instanceof Error ? '' : text;
    for (const [at, { title, line, json, recordedVerdict, error }] of found.entries()) {
      if (slices.isOver()) await slices.rest({ signal });
      const place = { file, line, title };
      // An update reads to the end of the query's own range, not to the recorded block.
      const isUpdate = update && recordedVerdict !== undefined;
      const definition = recordedVerdict && !isUpdate ? withRecordedVerdict(json, recordedVerdict) : json;
      const resolved =
        error ?? (await resolveFiledQuery(definition, { chainId, index: () => openIndex(file) }));
      if (isInvalid(resolved)) {
        yield toInvalidResult(place, resolved);
        continue;
      }
      const replacedVerdict = isUpdate ? recordedVerdict : undefined;
      const { result, verdict } = await checkQuery(
        client,
        { ...place, ...resolved, recorded: replacedVerdict },
        { signal },
      );
      if (!update || !verdict || !isNewResult(verdict, result, replacedVerdict)) {
        yield result;
        continue;
      }
      const newText = writeExpectation(old, { path: file, place: at }, verdict);
      const writeError = await replaceQueryText(file, { old, text: newText });
      if (!writeError) old = newText;
      yield writeError
        ? toUnwrittenResult(result, writeError)
        : { ...result, state: 'ok', reasons: [], updated: true };
    }
  }
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
  readonly signal: AbortSignal;
}

type CheckState = 'ok' | 'differs' | 'incomplete' | 'invalid';

interface CheckResult {
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly state: CheckState;
  readonly reasons: readonly string[];
  readonly verdict: object | null;
  readonly count: number | null;
  readonly sha256: string | null;
  readonly contentSha256: string | null;
  readonly expected: Expectation | null;
  readonly updated?: true;
  readonly error?: AppError;
}

type QueryPlace = Pick<CheckResult, 'file' | 'line' | 'title'>;

/** Whether the file expects another result, or none. */
function isNewResult(
  { count, contentSha256, toBlock }: RecordedVerdict,
  { expected }: CheckResult,
  recorded: RecordedVerdict | undefined,
): boolean {
  if (recorded && recorded.toBlock !== toBlock) return true;
  // `sha256` is replaced, since it holds on one chain only.
  const isSame = expected?.count === count && expected.contentSha256 === contentSha256;
  return !isSame || expected.sha256 !== undefined;
}

async function requireChainId(
  client: ChainClient,
  { chainId: requested, signal }: CheckOptions,
): Promise<number> {
  const chainId = reconcileChainId(requested, await client.getChainId({ signal }));
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
): Promise<RunnableQuery | readonly AppError[]> {
  let query: ChainQueryDefinition;
  try {
    query = parseChainQueryDefinition(json);
  } catch (error) {
    if (isAppError(error, 'badInput')) return [error];
    throw error;
  }
  if (query.chainId !== chainId) {
    const message = `The query is for chain ${query.chainId}, but the server is on chain ${chainId}. The query was not run.`;
    return [badInput('chainId', message)];
  }
  const { filter, errors } = resolveQuery(query, createIndexKnowledge(await index(), chainId));
  return errors ?? { query, filter };
}

/** A query that can be run. */
interface RunnableQuery {
  readonly query: ChainQueryDefinition;
  readonly filter: LogFilter;
}

/** Why a query was not run. */
type ValidationErrors = AppError | readonly AppError[];

function isInvalid(resolved: RunnableQuery | ValidationErrors): resolved is ValidationErrors {
  return resolved instanceof Error || Array.isArray(resolved);
}

/** Runs a query and compares the result with what is expected. `recorded` is the verdict to replace. */
async function checkQuery(
  client: ChainClient,
  {
    query,
    filter,
    recorded,
    ...place
  }: QueryPlace & RunnableQuery & { readonly recorded?: RecordedVerdict | undefined },
  { signal }: { readonly signal: AbortSignal },
): Promise<CheckedQuery> {
  const { toBlock: _, ...recordedExpectation } = recorded ?? {};
  const expected = query.expect ?? (recorded ? recordedExpectation : null);
  let digest: ResultDigest;
  try {
    digest = await digestResult(client, filter, { maxRows: MAX_ROWS, signal });
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const empty = { ...NO_RESULT, expected };
    return { result: { ...place, state: 'incomplete', reasons: [error.message], ...empty, error } };
  }
  const { verdict, count, sha256, contentSha256 } = digest;
  const { state, reasons } = judgeResult(digest, { query, recorded });
  const result = {
    ...place,
    state,
    reasons: reasons.map(formatMessage),
    verdict: verdictToJson(verdict),
    count,
    sha256,
    contentSha256,
    expected,
  };
  return state === 'incomplete'
    ? { result }
    : { result, verdict: { count, contentSha256, toBlock: verdict.toBlock } };
}

interface CheckedQuery {
  readonly result: CheckResult;
  /** Undefined if incomplete. */
  readonly verdict?: RecordedVerdict;
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

/** Reads the text of a query file, with its byte order mark, or returns why it cannot be read. */
async function readQueryText(file: string): Promise<string | AppError> {
  let bytes: Uint8Array;
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return badInput('file', `${file} is not a file.`);
    if (stats.size > MAX_FILE_BYTES) return badInput('file', `${file} is too large for a query file.`);
    bytes = await readFile(file);
  } catch {
    return badInput('file', `${file} cannot be read.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return badInput('file', `${file} is not UTF-8.`);
  }
}

const MAX_FILE_BYTES = 4 * MAX_QUERY_FILE_CHARS;

/**
 * Replaces the text of a file atomically. Resolves to the error if it was not replaced, as when the file has
 * changed since it was read.
 */
async function replaceQueryText(
  file: string,
  { old, text }: { readonly old: string; readonly text: string },
): Promise<AppError | undefined> {
  let part: string | undefined;
  try {
    const target = await realpath(file);
    // A rename would ignore that the file is read-only.
    await access(target, constants.W_OK);
    part = join(dirname(target), `.${randomUUID()}.part`);
    await writePartFile(part, { text, mode: (await stat(target)).mode });
    if ((await readQueryText(target)) !== old)
      return badInput('file', `${file} has changed since it was read. Nothing was written.`);
    await rename(part, target);
    return undefined;
  } catch {
    return badInput('file', `${file} cannot be written.`);
  } finally {
    if (part !== undefined) await rm(part, { force: true });
  }
}

async function writePartFile(
  part: string,
  { text, mode }: { readonly text: string; readonly mode: number },
): Promise<void> {
  const handle = await open(part, 'wx', mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
