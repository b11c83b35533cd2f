import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type AppError, asAppError, badInput, createChainClient, isAppError } from '../../core/index.ts';
import type { CheckReport } from '../checks/checkReport.ts';
import type { CheckState } from '../checks/checkResult.ts';
import { createGithubReport, escapeCommandData, formatErrorAnnotation } from '../checks/githubReport.ts';
import { createSarifReport } from '../checks/sarifReport.ts';
import { printChecks } from '../commands/check.ts';
import { createHttp, withRpcKey } from '../endpoint.ts';
import { printErrorMessage, printText } from '../output.ts';
import { describeFileError } from '../queryFileText.ts';
import {
  type ActionInputs,
  enterWorkingDirectory,
  listSecrets,
  readInput,
  readInputs,
  toInputError,
} from './inputs.ts';
import { createJobSummary } from './jobSummary.ts';

// The program of action.yml.
const cancellation = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancellation.abort());

async function main(): Promise<void> {
  await mask(listSecrets());
  const states: CheckState[] = [];
  let sarif = '';
  const report = combineReports([
    createGithubReport(printText),
    createJobSummary((text) => appendTo('GITHUB_STEP_SUMMARY', text)),
    createSarifReport(async (text) => {
      sarif = text;
    }),
    { add: async ({ result }) => void states.push(result.state), end: async () => undefined },
  ]);
  let failOn: ActionInputs['failOn'] = 'incomplete';
  let error: AppError | undefined;
  try {
    enterWorkingDirectory();
    const inputs = readInputs();
    ({ failOn } = inputs);
    await check(inputs, report);
  } catch (cause) {
    error = toInputError(asAppError(cause));
    await report.end(error);
  }
  const sarifFile = readInput('sarif-file') && resolve(readInput('sarif-file'));
  const writeError = sarifFile === '' ? undefined : await writeSarif(sarifFile, sarif);
  if (writeError) await printText(formatErrorAnnotation(writeError));
  const result = getResult(states, writeError ?? error);
  const failed = states.filter((state) => state !== 'ok').length;
  await setOutputs({ result, checked: states.length, failed, 'sarif-file': sarifFile });
  process.exitCode = isFailure(result, failOn) ? 1 : 0;
}

async function check({ line }: ActionInputs, report: CheckReport): Promise<void> {
  if (line.rpcKey !== undefined) await mask([line.rpcKey]);
  if (line.rpcUrl === undefined) throw badInput('rpc', 'The JSON-RPC endpoint is missing. Set rpc-url.');
  const http = createHttp();
  const client = createChainClient({ ...withRpcKey(http, line), url: line.rpcUrl });
  try {
    await printChecks(client, line, { report, signal: cancellation.signal });
  } finally {
    cancellation.abort();
    await http.close();
  }
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
async function mask(values: readonly string[]): Promise<void> {
  for (const value of values) await printText(`::add-mask::${escapeCommandData(value)}\n`);
}

/** Resolves to the error if the file was not written. */
async function writeSarif(file: string, text: string): Promise<AppError | undefined> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return undefined;
  } catch (cause) {
    return describeFileError(file, 'written', cause);
  }
}

/** The delimiter is random, so that no value can end itself. */
async function setOutputs(outputs: Readonly<Record<string, string | number>>): Promise<void> {
  for (const [name, value] of Object.entries(outputs)) {
    const delimiter = `end_${randomUUID()}`;
    await appendTo('GITHUB_OUTPUT', `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
  }
}

/** Appends to a file that the runner names; a runner without it needs no such text. */
async function appendTo(variable: string, text: string): Promise<void> {
  const file = process.env[variable];
  if (file) await appendFile(file, text);
}

main().catch((cause: unknown) => {
  printErrorMessage(asAppError(cause));
  process.exitCode = 1;
});
