import {
  type AppError,
  badInput,
  type ChainClient,
  type ChainQueryDefinition,
  type ContractIndex,
  createIndexKnowledge,
  createTimeSlices,
  findQueries,
  isAppError,
  lazy,
  parseChainQueryDefinition,
  type RecordedVerdict,
  resolveQuery,
  systemClock,
  withRecordedVerdict,
  writeExpectation,
} from '../../core/index.ts';
import { agreedChain } from '../line/agreedChain.ts';
import { type Asked, askQuestion } from './askQuestion.ts';
import { type Checked, invalid, unwritten, type Wrong } from './checked.ts';
import { projectFolder } from './projectFolder.ts';
import { readText, replaceText } from './questionText.ts';

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

/** Asks the questions of files, one after another, and says of each whether its answer is complete, and as the file expects. */
export async function* checkFiles(client: ChainClient, options: CheckOptions): AsyncGenerator<Checked> {
  const { files, update, signal } = options;
  if (files.length === 0) throw badInput('file', 'Give the files of the questions: check FILE…');
  const chainId = await chainOf(client, options);
  const known = knownByFolders(options);
  const slices = createTimeSlices(systemClock);
  for (const file of files) {
    const read = await readText(file);
    const found = read instanceof Error ? [{ title: file, line: 1, problem: read }] : findQueries(read, file);
    let old = read instanceof Error ? '' : read;
    for (const [at, { title, line, json, kept, problem }] of found.entries()) {
      if (slices.isOver()) await slices.rest({ signal });
      const place = { file, line, title };
      // An update reads to where the question itself ends.
      const isAnew = update && kept !== undefined;
      const whole = kept && !isAnew ? withRecordedVerdict(json, kept) : json;
      const asked = problem ?? (await readQuestion(whole, { chainId, index: () => known(file) }));
      if (isInvalid(asked)) {
        yield invalid(place, asked);
        continue;
      }
      const replaced = isAnew ? kept : undefined;
      const { checked, answer } = await askQuestion(
        client,
        { ...place, ...asked, kept: replaced },
        { signal },
      );
      if (!update || !answer || !isNew(answer, checked, replaced)) {
        yield checked;
        continue;
      }
      const text = writeExpectation(old, { path: file, place: at }, answer);
      const refused = await replaceText(file, { old, text });
      if (!refused) old = text;
      yield refused ? unwritten(checked, refused) : { ...checked, state: 'ok', reasons: [], updated: true };
    }
  }
}

/** Whether the file expects another answer, or none. */
function isNew(
  { count, sha256, toBlock }: RecordedVerdict,
  { expected }: Checked,
  kept: RecordedVerdict | undefined,
): boolean {
  if (kept && kept.toBlock !== toBlock) return true;
  return expected?.count !== count || expected.sha256 !== sha256;
}

async function chainOf(client: ChainClient, { chainId: given, signal }: CheckOptions): Promise<number> {
  const chainId = agreedChain(given, await client.chainId({ signal }));
  if (chainId === undefined)
    throw badInput(
      'chain-id',
      'The server does not tell its chain id. See that --rpc is a JSON-RPC endpoint, or give the chain with --chain-id N.',
    );
  return chainId;
}

/** What the projects around each file tell, read once a folder. */
function knownByFolders({ folder, known }: CheckOptions): (file: string) => Promise<ContractIndex> {
  const read = new Map<string, () => Promise<ContractIndex>>();
  return async (file) => {
    const from = folder ?? (await projectFolder(file));
    const index = read.get(from) ?? lazy(() => known(from));
    read.set(from, index);
    return index();
  };
}

/** What is asked, or what is wrong with it. */
async function readQuestion(
  json: unknown,
  { chainId, index }: { readonly chainId: number; readonly index: () => Promise<ContractIndex> },
): Promise<Asked | readonly AppError[]> {
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
  const { filter, problems } = resolveQuery(question, createIndexKnowledge(await index(), chainId));
  return problems ?? { question, filter };
}

function isInvalid(asked: Asked | Wrong): asked is Wrong {
  return asked instanceof Error || Array.isArray(asked);
}
