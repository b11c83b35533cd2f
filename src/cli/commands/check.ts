import { type ChainClient, systemClock } from '../../core/index.ts';
import { checkFiles } from '../checks/checkFiles.ts';
import type { CheckReport } from '../checks/checkReport.ts';
import { createGithubReport } from '../checks/githubReport.ts';
import { createJsonReport } from '../checks/jsonReport.ts';
import { createJunitReport } from '../checks/junitReport.ts';
import { createSarifReport } from '../checks/sarifReport.ts';
import { createTextReport } from '../checks/textReport.ts';
import type { CheckFormat, CommandLine } from '../commandLine.ts';
import { printText } from '../output.ts';
import { openProjectIndex } from '../projectFolder.ts';
import { resolveArgument } from '../queryPaths.ts';

/**
 * Runs the queries of files and adds each result to a report, which the caller ends if this throws.
 *
 * @returns whether all results are complete and as their files expect.
 */
export async function printChecks(
  client: ChainClient,
  { files, chainId, projectFolder: folder, update, strict, timeoutMs }: CommandLine,
  { report, signal }: { readonly report: CheckReport; readonly signal: AbortSignal },
): Promise<boolean> {
  let allOk = true;
  for await (const located of checkFiles(client, {
    files,
    chainId,
    folder: folder === undefined ? undefined : await resolveArgument(folder),
    update,
    strict,
    timeoutMs,
    openIndex: (from) => openProjectIndex(from, { signal }),
    signal,
  })) {
    allOk &&= located.result.state === 'ok';
    await report.add(located);
  }
  await report.end();
  return allOk;
}

/** Creates the report of a `--format`, on standard output. */
export function createCheckReport(format: CheckFormat): CheckReport {
  switch (format) {
    case 'json':
      return createJsonReport();
    case 'text':
      return createTextReport(printText);
    case 'github':
      return createGithubReport(printText);
    case 'junit':
      return createJunitReport(printText, systemClock);
    case 'sarif':
      return createSarifReport(printText);
  }
}
