import { readFile, stat, writeFile } from 'node:fs/promises';
import {
  type AnswerDigest,
  type AppError,
  asAppError,
  badInput,
  type ChainClient,
  type ContractIndex,
  createTimeSlices,
  digestAnswer,
  type Expectation,
  type FiledQuestion,
  indexKnowledge,
  isAppError,
  judgeAnswer,
  LONGEST_QUESTIONS,
  type LogFilter,
  late,
  parseFiledQuestion,
  questionsIn,
  resolveQuestion,
  systemClock,
  verdictToJson,
  withExpectation,
} from '../../core/index.ts';
import { projectFolder } from './projectFolder.ts';

/** Rows of one answer: none that is told by its digest in a file is larger. */
const MOST_ROWS = 50_000_000;
/** Problems of one question that are told. */
const MOST_TOLD = 20;
const MOST_BYTES = 4 * LONGEST_QUESTIONS;

interface CheckOptions {
  readonly files: readonly string[];
  /** The chain as the command line tells it. */
  readonly chainId: number | undefined;
  /** The folder whose projects tell names; undefined: that of the project of each file. */
  readonly folder: string | undefined;
  /** What the projects below a folder tell. */
  readonly known: (folder: string) => Promise<ContractIndex>;
  /** Writes what came into the files. */
  readonly update: boolean;
  readonly signal: AbortSignal;
}

type State = 'ok' | 'differs' | 'incomplete' | 'invalid';

/** What came of a question. */
export interface Checked {
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly state: State;
  readonly reasons: readonly string[];
  readonly verdict: object | null;
  readonly count: number | null;
  readonly sha256: string | null;
  readonly expected: Expectation | null;
  readonly updated?: true;
  readonly error?: AppError;
}

/** Asks the questions of files, one after another, and says of each whether its answer is complete, and as the file expects. */
export async function* checkFiles(client: ChainClient, options: CheckOptions): AsyncGenerator<Checked> {
  const { files, signal } = options;
  if (files.length === 0) throw badInput('file', 'Give the files of the questions: check FILE…');
  const chainId = await chainOf(client, options);
  const known = knownByFolders(options);
  const slices = createTimeSlices(systemClock);
  for (const file of files) {
    const text = await readText(file);
    const found = text instanceof Error ? [{ title: file, line: 1, problem: text }] : questionsIn(text, file);
    let written = text;
    for (const { title, line, json, problem } of found) {
      if (slices.isOver()) await slices.rest({ signal });
      const place = { file, line, title };
      const asked = problem ?? (await readQuestion(json, { chainId, index: () => known(file) }));
      const checked = isInvalid(asked)
        ? invalid(place, asked)
        : await ask(client, { ...place, ...asked }, { signal });
      const update = options.update ? updateOf(checked) : undefined;
      if (update && typeof written === 'string') {
        written = withExpectation(written, { path: file, line }, update);
        await writeFile(file, written);
        yield { ...checked, state: 'ok', reasons: [], updated: true };
      } else yield checked;
    }
  }
}

async function chainOf(client: ChainClient, { chainId, signal }: CheckOptions): Promise<number> {
  const told = await client.chainId({ signal });
  if (told === undefined && chainId === undefined)
    throw badInput('chain-id', 'The server does not tell its chain id. Give it with --chain-id N.');
  if (told !== undefined && chainId !== undefined && told !== chainId)
    throw badInput('chain-id', `The server is of chain ${told}, not of chain ${chainId}.`);
  return told ?? chainId ?? 0;
}

/** What the projects around each file tell, read once a folder. */
function knownByFolders({ folder, known }: CheckOptions): (file: string) => Promise<ContractIndex> {
  const read = new Map<string, () => Promise<ContractIndex>>();
  return async (file) => {
    const from = folder ?? (await projectFolder(file));
    const index = read.get(from) ?? late(() => known(from));
    read.set(from, index);
    return index();
  };
}

async function readText(file: string): Promise<string | AppError> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return badInput('file', `${file} is no file.`);
    if (stats.size > MOST_BYTES) return badInput('file', `${file} is longer than a file of questions.`);
    return await readFile(file, 'utf8');
  } catch {
    return badInput('file', `${file} cannot be read.`);
  }
}

interface Asked {
  readonly question: FiledQuestion;
  readonly filter: LogFilter;
}

/** What is asked, or what is wrong with it. */
async function readQuestion(
  json: unknown,
  { chainId, index }: { readonly chainId: number; readonly index: () => Promise<ContractIndex> },
): Promise<Asked | readonly AppError[]> {
  let question: FiledQuestion;
  try {
    question = parseFiledQuestion(json);
  } catch (error) {
    if (isAppError(error, 'badInput')) return [error];
    throw error;
  }
  if (question.chainId !== chainId) {
    const message = `This is of chain ${question.chainId}, the server of chain ${chainId}: it was not asked.`;
    return [badInput('chainId', message)];
  }
  const { filter, problems } = resolveQuestion(question, indexKnowledge(await index(), chainId));
  return problems ?? { question, filter };
}

type Wrong = AppError | readonly AppError[];

function isInvalid(asked: Asked | Wrong): asked is Wrong {
  return asked instanceof Error || Array.isArray(asked);
}

type Place = Pick<Checked, 'file' | 'line' | 'title'>;

function invalid(place: Place, wrong: Wrong): Checked {
  const problems = wrong instanceof Error ? [wrong] : wrong;
  const [first] = problems;
  return {
    ...place,
    state: 'invalid',
    reasons: problems.slice(0, MOST_TOLD).map(({ message }) => message),
    ...{ verdict: null, count: null, sha256: null, expected: null },
    ...(first && { error: first }),
  };
}

async function ask(
  client: ChainClient,
  { question, filter, ...place }: Place & Asked,
  { signal }: { readonly signal: AbortSignal },
): Promise<Checked> {
  const expected = question.expect ?? null;
  let answer: AnswerDigest;
  try {
    answer = await digestAnswer(client, filter, { mostRows: MOST_ROWS, signal });
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const nothing = { verdict: null, count: null, sha256: null, expected };
    return { ...place, state: 'incomplete', reasons: [error.message], ...nothing, error };
  }
  const { state, reasons } = judgeAnswer(answer, question.expect);
  const { verdict, count, sha256 } = answer;
  return { ...place, state, reasons, verdict: verdictToJson(verdict), count, sha256, expected };
}

/** What the file is to expect; undefined where it does so already, or nobody knows. */
function updateOf({ state, count, sha256, expected }: Checked): Expectation | undefined {
  if ((state !== 'ok' && state !== 'differs') || count === null || sha256 === null) return undefined;
  return expected?.count === count && expected.sha256 === sha256 ? undefined : { count, sha256 };
}
