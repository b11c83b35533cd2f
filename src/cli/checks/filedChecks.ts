import {
  AppError,
  type BuildReader,
  type ChainClient,
  type ChainFiledCheck,
  type ContractIndex,
  createBuildReader,
  createFileContext,
  createFiledCheckDeps,
  expectsNothing,
  type FiledCheckOutcome,
  formatMessage,
  type NameOptions,
  openReads,
  type ProjectFiles,
  runFiledCheck,
  systemClock,
} from '../../core/index.ts';
import { openLogDecoding } from '../logDecoding.ts';
import { createDiskFiles, createSourceReader } from '../projectFolder.ts';
import {
  type CheckedQuery,
  type CheckResult,
  NO_RESULT,
  NOTHING_EXPECTED_MESSAGE,
  type QueryPlace,
  toChosenNames,
} from './checkResult.ts';

/** The projects around a file. */
export interface CheckedProject {
  readonly index: ContractIndex;
  readonly files: ProjectFiles;
  readonly builds: BuildReader;
  readonly readSource: (file: string) => Promise<string | undefined>;
}

/** A check that can be run, with the projects that give its names. */
export interface RunnableCheck extends CheckedProject {
  readonly definition: ChainFiledCheck;
}

/** Indexes the projects below a folder. */
export async function openCheckedProject(
  folder: string,
  openIndex: (folder: string) => Promise<ContractIndex>,
): Promise<CheckedProject> {
  const files = createDiskFiles(folder);
  const readSource = createSourceReader(folder);
  return { index: await openIndex(folder), files, builds: createBuildReader(files), readSource };
}

type CheckToRun = QueryPlace & RunnableCheck;

/** Runs a check of a file, and compares its result with what is expected. */
export async function checkFiledCheck(
  client: ChainClient,
  checked: CheckToRun,
  limits: {
    readonly timeoutMs: number | undefined;
    readonly strict: boolean;
    readonly names: NameOptions;
    readonly signal: AbortSignal;
  },
): Promise<CheckedQuery> {
  const { definition, index } = checked;
  const { timeoutMs, strict, names } = limits;
  const deadline = createDeadline(timeoutMs, limits.signal);
  const context = createFileContext(index, definition.chainId, names);
  const deps = createCheckDeps(client, checked, deadline.signal);
  let outcome: FiledCheckOutcome;
  try {
    outcome = await runFiledCheck(definition, context, deps, { signal: deadline.signal });
  } catch (cause) {
    if (!deadline.isOver()) throw cause;
    const error = createTimeoutError('read' in definition ? 'The read' : 'The check', timeoutMs);
    return { result: toFailedCheck(checked, error), isSilent: true };
  }
  const { state, reasons, error, update } = outcome;
  const lacksExpectation = strict && state === 'ok' && expectsNothing(definition);
  const isConditional = strict && state === 'ok' && reasons.length > 0;
  return {
    result: {
      ...toCommonResult(checked),
      ...getFinding(definition, outcome),
      state: lacksExpectation ? 'nothingExpected' : isConditional ? 'incomplete' : state,
      reasons: lacksExpectation ? [NOTHING_EXPECTED_MESSAGE] : reasons.map(formatMessage),
      ...(error && state !== 'ok' && { error }),
      ...toChosenNames(context.chosen),
    },
    ...(update && { recordable: update }),
  };
}

/** For a check that did not run to its end. */
export function toFailedCheck(checked: CheckToRun, error: AppError): CheckResult {
  return {
    ...toCommonResult(checked),
    ...getFinding(checked.definition, {}),
    state: 'incomplete',
    reasons: [error.message],
    error,
  };
}

function toCommonResult({ file, line, title, definition }: CheckToRun) {
  return { file, line, title, ...NO_RESULT, expected: definition.expect ?? null };
}

/** What was found, null if nothing was, as a member that says of which kind the check is. */
function getFinding(
  definition: ChainFiledCheck,
  { read, code, contractState }: Partial<FiledCheckOutcome>,
): Pick<CheckResult, 'read' | 'code' | 'contractState'> {
  if ('read' in definition) return { read: read ?? null };
  return 'code' in definition ? { code: code ?? null } : { contractState: contractState ?? null };
}

function createCheckDeps(
  client: ChainClient,
  { definition: { chainId }, ...project }: RunnableCheck,
  signal: AbortSignal,
) {
  const { index } = project;
  return createFiledCheckDeps({
    ...{ client, chainId, clock: systemClock, ...project },
    async openReads() {
      const decoding = await openLogDecoding(client, { index, abiProviders: undefined, chainId }, { signal });
      const knowledge = { ...decoding, index, names: [], code: index };
      return openReads({ client, chainId: async () => chainId, knowledge: async () => knowledge });
    },
  });
}

/** The end of the time that a query may take. */
export interface Deadline {
  /** Also that of the user. */
  readonly signal: AbortSignal;
  /** Whether the time is over, and the user did not end the check. */
  isOver(): boolean;
}

/** @param timeoutMs undefined for no limit. */
export function createDeadline(timeoutMs: number | undefined, signal: AbortSignal): Deadline {
  const timer = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  return {
    signal: timer ? AbortSignal.any([signal, timer]) : signal,
    isOver: () => timer?.aborted === true && !signal.aborted,
  };
}

/** @param what took too long, such as `The query`. */
export function createTimeoutError(what: string, timeoutMs = 0): AppError {
  const seconds = timeoutMs / 1000;
  return new AppError(
    'timeout',
    `${what} took longer than ${seconds} s. Set --timeout to more, or try later.`,
  );
}

/** The error of queries after one for which the server did not respond. */
export function createSilentError(): AppError {
  return new AppError(
    'timeout',
    'The server did not respond in time to an earlier query. This query was not run.',
  );
}
