import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { sumRuns, type TestRun, toFailure } from '../../../test/support/runMocha.ts';
import { describeFailure } from '../workbench/describeWindow.ts';
import { installWorkbench } from '../workbench/install.ts';
import { type Settings, startWorkbenchServer } from '../workbench/server.ts';
import { testSettings } from '../workbench/testSettings.ts';
import type { WorkbenchVersion } from '../workbench/versions.ts';
import { hostTestsToEnv } from './bundle.ts';
import { runInExtensionHost } from './extensionHost.ts';

export interface HostTestRun {
  /** Folder of the built extension. */
  readonly extension: string;
  readonly version: WorkbenchVersion;
  readonly browser: Browser;
  /** Path of the runner that `bundleHostTests` returned. */
  readonly runner: string;
  /** Test files that it has bundled too. */
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly settings: Settings;
}

const reportMark = '[host test] ';

/**
 * A folder of which the editor's watcher tells nothing. From the start: where this setting changes while a folder is
 * deleted, the watcher may tell of nothing but the uppermost folder from then on.
 */
const unwatched: Settings = { 'files.watcherExclude': { '**/unwatched/**': true } };

/** Saves nothing by itself, as in a window of its own; in a browser the editor saves a moment after each change. */
const savesOnRequest: Settings = { 'files.autoSave': 'off' };

/**
 * Runs host tests in the extension host of one version of VS Code and prints their report, in one piece. If the window
 * ends early, the files that did not end have failed.
 */
export async function runHostTestsInWorkbench(run: HostTestRun): Promise<TestRun> {
  const workbench = await installWorkbench(run.version);
  const workspace = await mkdtemp(join(tmpdir(), 'chainside-workspace-'));
  const failures = await mkdtemp(join(tmpdir(), 'chainside-failures-'));
  await using server = await startWorkbenchServer(workbench, {
    acceptPayload: true,
    settings: { ...testSettings, ...unwatched, ...savesOnRequest, ...run.settings },
    env: {
      ...run.env,
      ...hostTestsToEnv(run.files),
      CHAINSIDE_REPORT_MARK: reportMark,
      CHAINSIDE_FAILURES: failures,
    },
  });
  const report = createReport({ failures, logs: server.logsFolder, name: run.version.vscode });
  try {
    const { extension, browser, runner } = run;
    const code = await runInExtensionHost({
      extension,
      server,
      browser,
      workspace,
      runner,
      onLog: report.log,
    });
    console.log(`\nVS Code ${run.version.vscode}\n${report.text()}`);
    const missing = run.files.slice(report.runs.length).map((file) => {
      const failure = toFailure(file, 'runs to its end', `VS Code ended with ${code}`);
      return { passed: 0, failed: 1, failures: [failure] };
    });
    if (missing.length > 0)
      console.error(`VS Code ${run.version.vscode} ended with ${code} before its tests:\n${report.rest()}`);
    return sumRuns([...report.runs, ...missing]);
  } finally {
    for (const folder of [workspace, failures]) await rm(folder, { recursive: true, force: true });
  }
}

interface Failures {
  /** Folder where a file says that a failure has been looked at. */
  readonly failures: string;
  readonly logs: string;
  readonly name: string;
}

function createReport({ failures, logs, name }: Failures) {
  const report: string[] = [];
  /** What came of each file, in their order. */
  const runs: TestRun[] = [];
  /** Where the report of the file that runs begins. */
  let start = 0;
  const other: string[] = [];
  async function showFailure(number: string, title: string, page: Page): Promise<void> {
    const place = report.push('') - 1;
    report[place] = await describeFailure(page, { title, logs, picture: `host-${name}-${title}` });
    await writeFile(join(failures, number), '');
  }
  function endFile(run: TestRun): void {
    runs.push(run);
    if (run.passed + run.failed === 0) report.length = start;
    start = report.length;
  }
  return {
    runs,
    text: () => report.join('\n'),
    /** The last that was printed beside the report. */
    rest: () => other.slice(-20).join('\n'),
    log(text: string, page: Page) {
      if (!text.startsWith(reportMark)) {
        other.push(text);
        return;
      }
      const line = text.slice(reportMark.length);
      const [, number, title] = /^failed (\d+): (.*)$/s.exec(line) ?? [];
      if (number !== undefined && title !== undefined) void showFailure(number, title, page);
      else if (line.startsWith('ran ')) endFile(JSON.parse(line.slice('ran '.length)));
      else report.push(line);
    },
  };
}
