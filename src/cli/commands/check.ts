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
  createTimeSlices,
  digestResult,
  type Expectation,
  type ExpectationResult,
  findQueries,
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
 * Asks the questions of files, and prints one line for each.
 *
 * @returns whether all answers are complete, and as their files expect.
 */
export async function printChecks(
  client: ChainClient,
  { files, chainId, projectFolder: folder, update }: CommandLine,
  options: { readonly signal: AbortSignal },
): Promise<boolean> {
  const known = (from: string) => openProjectIndex(from, options);
  let isAll = true;
  for await (const checked of checkFiles(client, {
    files,
    chainId,
    folder,
    update,
    openIndex: known,
    ...options,
  })) {
    isAll &&= checked.state === 'ok';
    await printCheckResult(checked);
  }
  return isAll;
}

async function printCheckResult({ error, ...checked }: CheckResult): Promise<void> {
  await printLines([{ ...checked, ...(error && { error: errorToJson(error) }) }]);
  const { file, title, state, reasons, count, updated } = checked;
  const rows = count === null ? '' : `, ${count} logs`;
  printMessage(`${file}: ${title}: ${state}${rows}${updated ? ', now expected' : ''}`);
  for (const reason of reasons) printMessage(`- ${reason}`);
}

interface CheckOptions {
  readonly files: readonly string[];
  /** The chain as the command line tells it. */
  readonly chainId: number | undefined;
  /** The folder whose projects tell names; undefined: that of the project of each file. */
  readonly folder: string | undefined;
  /** What the projects below a folder tell. */
  readonly openIndex: (folder: string) => Promise<ContractIndex>;
  /** Writes what came into the files. */
  readonly update: boolean;
  readonly signal: AbortSignal;
}

/** Asks the questions of files, one after another, and says of each whether its answer is complete, and as the file expects. */
async function* checkFiles(client: ChainClient, options: CheckOptions): AsyncGenerator<CheckResult> {
  const { files, update, signal } = options;
  if (files.length === 0) throw badInput('file', 'Give the files of the questions: check FILE…');
  const chainId = await requireChainId(client, options);
  const known = createIndexCache(options);
  const slices = createTimeSlices(systemClock);
  for (const file of files) {
    const read = await readQueryText(file);
    const found = read instanceof Error ? [{ title: file, line: 1, problem: read }] : findQueries(read, file);
    let old = read instanceof Error ? '' : read;
    for (const [at, { title, line, json, kept, problem }] of found.entries()) {
      if (slices.isOver()) await slices.rest({ signal });
      const place = { file, line, title };
      // An update reads to where the question itself ends.
      const isAnew = update && kept !== undefined;
      const whole = kept && !isAnew ? withRecordedVerdict(json, kept) : json;
      const asked = problem ?? (await resolveFiledQuery(whole, { chainId, index: () => known(file) }));
      if (isInvalid(asked)) {
        yield toInvalidResult(place, asked);
        continue;
      }
      const replaced = isAnew ? kept : undefined;
      const { result, verdict } = await checkQuery(
        client,
        { ...place, ...asked, kept: replaced },
        { signal },
      );
      if (!update || !verdict || !isNewResult(verdict, result, replaced)) {
        yield result;
        continue;
      }
      const text = writeExpectation(old, { path: file, place: at }, verdict);
      const refused = await replaceQueryText(file, { old, text });
      if (!refused) old = text;
      yield refused
        ? toUnwrittenResult(result, refused)
        : { ...result, state: 'ok', reasons: [], updated: true };
    }
  }
}

/** Whether the file expects another answer, or none. */
function isNewResult(
  { count, sha256, toBlock }: RecordedVerdict,
  { expected }: CheckResult,
  kept: RecordedVerdict | undefined,
): boolean {
  if (kept && kept.toBlock !== toBlock) return true;
  return expected?.count !== count || expected.sha256 !== sha256;
}

async function requireChainId(
  client: ChainClient,
  { chainId: given, signal }: CheckOptions,
): Promise<number> {
  const chainId = reconcileChainId(given, await client.getChainId({ signal }));
  if (chainId === undefined)
    throw badInput(
      'chain-id',
      'The server does not tell its chain id. See that --rpc is a JSON-RPC endpoint, or give the chain with --chain-id N.',
    );
  return chainId;
}

/** What the projects around each file tell, read once a folder. */
function createIndexCache({ folder, openIndex }: CheckOptions): (file: string) => Promise<ContractIndex> {
  const read = new Map<string, () => Promise<ContractIndex>>();
  return async (file) => {
    const from = folder ?? (await findProjectFolder(file));
    const index = read.get(from) ?? lazy(() => openIndex(from));
    read.set(from, index);
    return index();
  };
}

/** What is asked, or what is wrong with it. */
async function resolveFiledQuery(
  json: unknown,
  { chainId, index }: { readonly chainId: number; readonly index: () => Promise<ContractIndex> },
): Promise<RunnableQuery | readonly AppError[]> {
  let question: ChainQueryDefinition;
  try {
    question = parseChainQueryDefinition(json);
  } catch (error) {
    if (isAppError(error, 'badInput')) return [error];
    throw error;
  }
  if (question.chainId !== chainId) {
    const message = `This is of chain ${question.chainId}, the server of chain ${chainId}: it was not asked.`;
    return [badInput('chainId', message)];
  }
  const { filter, errors } = resolveQuery(question, createIndexKnowledge(await index(), chainId));
  return errors ?? { query: question, filter };
}

function isInvalid(asked: RunnableQuery | ValidationErrors): asked is ValidationErrors {
  return asked instanceof Error || Array.isArray(asked);
}

/** Rows of one answer: none that is told by its digest in a file is larger. */
const MAX_ROWS = 50_000_000;

/** A question that can be asked. */
interface RunnableQuery {
  readonly query: ChainQueryDefinition;
  readonly filter: LogFilter;
}

export interface CheckedQuery {
  readonly result: CheckResult;
  /** Undefined where nobody knows it. */
  readonly verdict?: RecordedVerdict;
}

/** Reads the answer to a question, and holds it against what is expected. `kept` is the verdict that it is to replace. */
async function checkQuery(
  client: ChainClient,
  {
    query,
    filter,
    kept,
    ...place
  }: QueryPlace & RunnableQuery & { readonly kept?: RecordedVerdict | undefined },
  { signal }: { readonly signal: AbortSignal },
): Promise<CheckedQuery> {
  const expected = query.expect ?? (kept ? { count: kept.count, sha256: kept.sha256 } : null);
  let digest: ResultDigest;
  try {
    digest = await digestResult(client, filter, { mostRows: MAX_ROWS, signal });
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const nothing = { verdict: null, count: null, sha256: null, expected };
    return { result: { ...place, state: 'incomplete', reasons: [error.message], ...nothing, error } };
  }
  const { verdict, count, sha256 } = digest;
  const { state, reasons } = judgeResult(digest, { query, kept });
  const checked = { ...place, state, reasons, verdict: verdictToJson(verdict), count, sha256, expected };
  return state === 'incomplete'
    ? { result: checked }
    : { result: checked, verdict: { count, sha256, toBlock: verdict.toBlock } };
}

/** A server that is behind a verdict has nothing to replace it. */
function judgeResult(
  digest: ResultDigest,
  { query, kept }: Pick<RunnableQuery, 'query'> & { readonly kept: RecordedVerdict | undefined },
): Pick<ExpectationResult, 'state' | 'reasons'> {
  const { head } = digest.verdict;
  if (!kept || kept.toBlock <= head) return checkExpectation(digest, query.expect);
  const behind = `the newest block is ${head}, before the one to which the answer was read, ${kept.toBlock}`;
  return { state: 'incomplete', reasons: [behind] };
}

/** Problems of one question that are told. */
const MAX_REASONS = 20;

type CheckState = 'ok' | 'differs' | 'incomplete' | 'invalid';

/** What came of a question. */
interface CheckResult {
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly state: CheckState;
  readonly reasons: readonly string[];
  readonly verdict: object | null;
  readonly count: number | null;
  readonly sha256: string | null;
  readonly expected: Expectation | null;
  readonly updated?: true;
  readonly error?: AppError;
}

/** Why a question was not asked. */
type ValidationErrors = AppError | readonly AppError[];

type QueryPlace = Pick<CheckResult, 'file' | 'line' | 'title'>;

function toInvalidResult(place: QueryPlace, wrong: ValidationErrors): CheckResult {
  const problems = wrong instanceof Error ? [wrong] : wrong;
  const [first] = problems;
  return {
    ...place,
    state: 'invalid',
    reasons: problems.slice(0, MAX_REASONS).map(({ message }) => message),
    verdict: null,
    count: null,
    sha256: null,
    expected: null,
    ...(first && { error: first }),
  };
}

/** Its answer was not written down. */
function toUnwrittenResult(checked: CheckResult, error: AppError): CheckResult {
  return { ...checked, state: 'invalid', reasons: [...checked.reasons, error.message], error };
}

const MAX_FILE_BYTES = 4 * MAX_QUERY_FILE_CHARS;

/** The text of a file of questions, a byte order mark included, or why it cannot be read. */
async function readQueryText(file: string): Promise<string | AppError> {
  let bytes: Uint8Array;
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return badInput('file', `${file} is no file.`);
    if (stats.size > MAX_FILE_BYTES) return badInput('file', `${file} is longer than a file of questions.`);
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

/**
 * Puts a text in the place of the one that a file had when it was read, at once: the file is the old one or the new one.
 * Resolves to why it was not done, as where the file has another text by now.
 */
async function replaceQueryText(
  file: string,
  { old, text }: { readonly old: string; readonly text: string },
): Promise<AppError | undefined> {
  let part: string | undefined;
  try {
    const target = await realpath(file);
    // A rename would go past what the file itself forbids.
    await access(target, constants.W_OK);
    part = join(dirname(target), `.${randomUUID()}.part`);
    await writePartFile(part, { text, mode: (await stat(target)).mode });
    if ((await readQueryText(target)) !== old)
      return badInput('file', `${file} has changed since it was read: nothing was written.`);
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
