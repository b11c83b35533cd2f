import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { parseCounts, type TestCounts } from '../../../test/support/runMocha.ts';
import { installWorkbench } from '../workbench/install.ts';
import { type Settings, startWorkbenchServer } from '../workbench/server.ts';
import type { WorkbenchVersion } from '../workbench/versions.ts';
import { runInExtensionHost } from './extensionHost.ts';

export interface HostTestRun {
  readonly version: WorkbenchVersion;
  readonly browser: Browser;
  /** Path of the runner that `bundleHostTests` returned. */
  readonly runner: string;
  readonly env: Readonly<Record<string, string>>;
  readonly settings: Settings;
}

const reportMark = '[host test] ';

/** Runs the host tests in the extension host of one version of VS Code and prints their report, in one piece. */
export async function runHostTestsInWorkbench(run: HostTestRun): Promise<TestCounts> {
  const workbench = await installWorkbench(run.version);
  const workspace = await mkdtemp(join(tmpdir(), 'chainside-workspace-'));
  await using server = await startWorkbenchServer(workbench, {
    acceptPayload: true,
    settings: run.settings,
    env: { ...run.env, CHAINSIDE_REPORT_MARK: reportMark },
  });
  const report = createReport();
  try {
    const { browser, runner } = run;
    const code = await runInExtensionHost({ server, browser, workspace, runner, onLog: report.log });
    console.log(`\nVS Code ${run.version.vscode}\n${report.text()}`);
    const counts = parseCounts(report.text());
    if (counts !== undefined) return counts;
    console.error(
      `VS Code ${run.version.vscode} ended its tests with ${code} and no report:\n${report.rest()}`,
    );
    return { passed: 0, failed: 1 };
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

function createReport() {
  const report: string[] = [];
  const other: string[] = [];
  return {
    text: () => report.join('\n'),
    /** The last that was printed beside the report. */
    rest: () => other.slice(-20).join('\n'),
    log(text: string) {
      if (!text.startsWith(reportMark)) {
        other.push(text);
        return;
      }
      report.push(text.slice(reportMark.length));
    },
  };
}
