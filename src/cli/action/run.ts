import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import {
  type AppError,
  asAppError,
  badInput,
  createChainClient,
  isAppError,
  writeInside,
} from '../../core/index.ts';
import type { CheckReport } from '../checks/checkReport.ts';
import type { CheckState } from '../checks/checkResult.ts';
import { createGithubReport, escapeCommandData, formatErrorAnnotation } from '../checks/githubReport.ts';
import { createSarifReport } from '../checks/sarifReport.ts';
import { printChecks } from '../commands/check.ts';
import type { ProgramInputs } from '../context.ts';
import { appendToFile, disk } from '../disk.ts';
import { withContext } from '../endpoint.ts';
import { createOutput, type Output } from '../output.ts';
import { describeFileError } from '../queryFileText.ts';
import type { Env } from '../terminal.ts';
import {
  type ActionInputs,
  findWorkingDirectory,
  listSecrets,
  readInput,
  readInputs,
  requireInRepository,
  splitAtRepository,
  toInputError,
} from './inputs.ts';
import { createJobSummary } from './jobSummary.ts';

/** Runs the program of action.yml; resolves to its exit code. */
export async function runAction(program: ProgramInputs): Promise<number> {
  const output = createOutput(program);
  try {
    return await checkRepository(program, output);
  } catch (cause) {
    output.printErrorMessage(asAppError(cause));
    return 1;
  }
}

async function checkRepository(program: ProgramInputs, output: Output): Promise<number> {
  const { env, version } = program;
  const { printText } = output;
  await mask(listSecrets(env), output);
  const states: CheckState[] = [];
  let sarif = '';
  const report = combineReports([
    createGithubReport(printText),
    createJobSummary((text) => appendTo(env.GITHUB_STEP_SUMMARY, text)),
    createSarifReport(async (text) => {
      sarif = text;
    }, version),
    { add: async ({ result }) => void states.push(result.state), end: async () => undefined },
  ]);
  let failOn: ActionInputs['failOn'] = 'incomplete';
  let folder = env.GITHUB_WORKSPACE || '.';
  let error: AppError | undefined;
  try {
    folder = await findWorkingDirectory(env);
    const inputs = readInputs(env);
    ({ failOn } = inputs);
    await check(inputs, report, { program, output, folder });
  } catch (cause) {
    error = toInputError(asAppError(cause));
    await report.end(error);
  }
  const sarifInput = readInput('sarif-file', env);
  const sarifFile = sarifInput && resolve(folder, sarifInput);
  const writeError = sarifFile === '' ? undefined : await writeSarif(sarifFile, sarif, env);
  if (writeError) await printText(formatErrorAnnotation(writeError));
  const result = getResult(states, writeError ?? error);
  const failed = states.filter((state) => state !== 'ok').length;
  await setOutputs({ result, checked: states.length, failed, 'sarif-file': sarifFile }, env);
  return isFailure(result, failOn) ? 1 : 0;
}

async function check(
  { line }: ActionInputs,
  report: CheckReport,
  {
    program,
    output,
    folder,
  }: { readonly program: ProgramInputs; readonly output: Output; readonly folder: string },
): Promise<void> {
  const { rpcUrl, rpcKey } = line;
  if (rpcKey !== undefined) await mask([rpcKey], output);
  if (rpcUrl === undefined) throw badInput('rpc', 'The JSON-RPC endpoint is missing. Set rpc-url.');
  await withContext(line, { program, output }, async (context) => {
    const client = createChainClient({ ...context.http, url: rpcUrl });
    await requireInRepository('dir', line.projectFolder, { folder, env: program.env });
    await printChecks(client, line, report, {
      ...context,
      startFolders: () => [folder],
      trustsNoLinks: true,
    });
  });
}

type ActionResult = 'ok' | 'incomplete' | 'difference' | 'error';

function getResult(states: readonly CheckState[], error: AppError | undefined): ActionResult {
  // With a wrong key, nothing will ever be checked.
  if (isAppError(error, 'badInput', 'internal', 'unauthorized')) return 'error';
  if (states.some((state) => state !== 'ok' && state !== 'incomplete')) return 'difference';
  return error || states.includes('incomplete') ? 'incomplete' : 'ok';
}

function isFailure(result: ActionResult, failOn: ActionInputs['failOn']): boolean {
  if (result === 'error' || failOn === 'never') return result === 'error';
  return failOn === 'difference' ? result === 'difference' : result !== 'ok';
}

function combineReports(reports: readonly CheckReport[]): CheckReport {
  return {
    async add(located) {
      for (const report of reports) await report.add(located);
    },
    async end(error) {
      for (const report of reports) await report.end(error);
    },
  };
}

/** Has the runner hide values in the log. */
async function mask(values: readonly string[], { printText }: Output): Promise<void> {
  for (const value of values) await printText(`::add-mask::${escapeCommandData(value)}\n`);
}

/** Resolves to the error if the file was not written. */
async function writeSarif(file: string, text: string, env: Env): Promise<AppError | undefined> {
  try {
    await writeInside(disk, await splitAtRepository(file, env), new TextEncoder().encode(text));
    return undefined;
  } catch (cause) {
    return describeFileError(file, 'written', cause);
  }
}

/** The delimiter is random, so that no value can end itself. */
async function setOutputs(outputs: Readonly<Record<string, string | number>>, env: Env): Promise<void> {
  for (const [name, value] of Object.entries(outputs)) {
    const delimiter = `end_${randomUUID()}`;
    await appendTo(env.GITHUB_OUTPUT, `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
  }
}

/** Appends to a file that the runner names. A runner that names none needs no such text. */
async function appendTo(file: string | undefined, text: string): Promise<void> {
  if (file) await appendToFile(file, text);
}
