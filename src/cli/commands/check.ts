import { resolve } from 'node:path';
import { type ChainClient, systemClock } from '../../core/index.ts';
import { checkFiles } from '../checks/checkFiles.ts';
import { type CheckReport, formatChosenNames, formatResultLine } from '../checks/checkReport.ts';
import type { CheckResult } from '../checks/checkResult.ts';
import { createGithubReport } from '../checks/githubReport.ts';
import { createJunitReport } from '../checks/junitReport.ts';
import { createJsonReport, createTextReport } from '../checks/lineReports.ts';
import { createSarifReport } from '../checks/sarifReport.ts';
import type { CheckFormat, CommandLine } from '../commandLine.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exitCode.ts';
import type { Output } from '../output.ts';
import { openProjectIndex, settleProject } from '../projectFolder.ts';
import { resolveArgument } from '../queryPaths.ts';

/**
 * Runs the queries of files and adds each result to a report, which the caller ends if this throws.
 *
 * @returns 0 if all results are complete and as their files expect; else the smallest code of a result.
 */
export async function printChecks(
  client: ChainClient,
  { files, chainId, projectFolder: folder, update, strict, strictNames, timeoutMs }: CommandLine,
  report: CheckReport,
  context: CheckContext,
): Promise<ExitCode> {
  const { env, signal } = context;
  const startFolders = context.startFolders();
  let code: ExitCode = 0;
  for await (const located of checkFiles(client, {
    files,
    startFolders,
    repository: resolve(startFolders[0] ?? '.', env.GITHUB_WORKSPACE ?? ''),
    chainId,
    folder: folder === undefined ? undefined : await resolveArgument(folder, startFolders),
    update,
    strict,
    names: { isStrict: strictNames },
    timeoutMs,
    trustsNoLinks: context.trustsNoLinks,
    async openIndex(from) {
      const index = await openProjectIndex(from, context);
      const id = chainId ?? (await client.getChainId(context).catch(() => undefined));
      await settleProject({ index, folder: from }, { client, chainId: id }, context);
      return index;
    },
    signal,
  })) {
    const own = getResultExitCode(located.result);
    if (own !== 0 && (code === 0 || own < code)) code = own;
    await report.add(located);
  }
  await report.end();
  return code;
}

/** A build that is older than its sources has to be made again: the endpoint cannot help. */
function getResultExitCode({ state, code }: Pick<CheckResult, 'state' | 'code'>): ExitCode {
  if (state === 'ok') return 0;
  if (state === 'invalid') return 2;
  return state === 'incomplete' && !code?.isOutdated ? 3 : 1;
}

interface CheckContext extends Pick<CliContext, 'env' | 'output' | 'signal' | 'startFolders'> {
  /** As of a repository that strangers may change. */
  readonly trustsNoLinks?: boolean;
}

/** Creates the report of a `--format`, on standard output. */
export function createCheckReport(
  format: CheckFormat,
  { output, version }: Pick<CliContext, 'output' | 'version'>,
): CheckReport {
  const { printText } = output;
  switch (format) {
    case 'json':
      return withMessages(createJsonReport(output), output);
    case 'text':
      return createTextReport(printText);
    case 'github':
      return createGithubReport(printText);
    case 'junit':
      return withMessages(createJunitReport(printText, systemClock), output);
    case 'sarif':
      return withMessages(createSarifReport(printText, version), output);
  }
}

/** Adds lines for people, on standard error, to a report for programs. */
function withMessages(report: CheckReport, { printMessage }: Output): CheckReport {
  return {
    async add(located) {
      await report.add(located);
      const { result } = located;
      printMessage(formatResultLine(result.file, result));
      for (const reason of [...result.reasons, ...formatChosenNames(result)]) printMessage(`- ${reason}`);
    },
    end: (error) => report.end(error),
  };
}
