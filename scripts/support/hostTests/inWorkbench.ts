import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { parseCounts, type TestCounts } from '../../../test/support/runMocha.ts';
import { projectRoot } from '../paths.ts';
import { installWorkbench } from '../workbench/install.ts';
import { openWorkbench } from '../workbench/page.ts';
import { type Settings, startWorkbenchServer } from '../workbench/server.ts';
import type { WorkbenchVersion } from '../workbench/versions.ts';

export interface HostTestRun {
  readonly version: WorkbenchVersion;
  readonly browser: Browser;
  /** Path of the runner that `bundleHostTests` returned. */
  readonly runner: string;
  readonly env: Readonly<Record<string, string>>;
  readonly settings: Settings;
}

const reportMark = '[host test] ';
const limitMs = 5 * 60_000;

/** Runs the host tests in the extension host of one version of VS Code and prints their report. */
export async function runHostTestsInWorkbench(run: HostTestRun): Promise<TestCounts> {
  const workbench = await installWorkbench(run.version);
  const workspace = await mkdtemp(join(tmpdir(), 'chainside-workspace-'));
  await using server = await startWorkbenchServer(workbench, {
    acceptPayload: true,
    settings: run.settings,
    env: { ...run.env, CHAINSIDE_REPORT_MARK: reportMark },
  });
  const remote = `vscode-remote://${server.authority}`;
  const report = createReport();
  const page = await openWorkbench(run.browser, server, {
    workspace,
    payload: {
      extensionDevelopmentPath: `${remote}${projectRoot}`,
      extensionTestsPath: `${remote}${run.runner}`,
    },
    prepare: (page) => listen(page, report),
  });
  try {
    const code = await report.exitCode;
    const counts = parseCounts(report.text());
    if (counts !== undefined) return counts;
    console.error(
      `VS Code ${run.version.vscode} ended its tests with ${code} and no report:\n${report.rest()}`,
    );
    return { passed: 0, failed: 1 };
  } finally {
    await page.context().close();
    await rm(workspace, { recursive: true, force: true });
  }
}

type Report = ReturnType<typeof createReport>;

function createReport() {
  const report: string[] = [];
  const other: string[] = [];
  let exit: (code: number | string) => void = () => {};
  const exitCode = new Promise<number | string>((resolve) => {
    exit = resolve;
  });
  const timer = setTimeout(() => exit(`no end within ${limitMs / 60_000} minutes`), limitMs);
  return {
    exitCode: exitCode.finally(() => clearTimeout(timer)),
    exit,
    text: () => report.join('\n'),
    /** The last that was printed beside the report. */
    rest: () => other.slice(-20).join('\n'),
    log(_type: string, args: readonly unknown[]) {
      const text = format(...args);
      if (!text.startsWith(reportMark)) {
        other.push(text);
        return;
      }
      const line = text.slice(reportMark.length);
      report.push(line);
      console.log(line);
    },
  };
}

/** The workbench hands the extension host's console and the runner's end to these functions of the page. */
async function listen(page: Page, report: Report): Promise<void> {
  await page.exposeFunction('codeAutomationLog', report.log);
  await page.exposeFunction('codeAutomationExit', report.exit);
}
