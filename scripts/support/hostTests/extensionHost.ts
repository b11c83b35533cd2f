import { format } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { keepMessages } from '../workbench/describeWindow.ts';
import { openWorkbench } from '../workbench/page.ts';
import type { WorkbenchServer } from '../workbench/server.ts';

export interface ExtensionHostRun {
  /** Folder of the built extension. */
  readonly extension: string;
  /** Started with `acceptPayload`. */
  readonly server: WorkbenchServer;
  readonly browser: Browser;
  readonly workspace: string;
  /** Path of a bundle with a `run` function, for VS Code's `extensionTestsPath`. */
  readonly runner: string;
  /** Called with each line that the extension host writes to its console, and with its window. */
  readonly onLog: (line: string, page: Page) => void;
}

const limitMs = 15 * 60_000;

/**
 * Runs a program beside the built extension, in an extension host of its own. Returns its exit code, or a word about
 * why there is none.
 */
export async function runInExtensionHost(run: ExtensionHostRun): Promise<number | string> {
  const { extension, server, browser, workspace, runner, onLog } = run;
  const remote = `vscode-remote://${server.authority}`;
  let end: (code: number | string) => void = () => {};
  const ended = new Promise<number | string>((resolve) => {
    end = resolve;
  });
  const timer = setTimeout(() => end(`no end within ${limitMs / 60_000} minutes`), limitMs);
  // The workbench hands the extension host's console and the program's end to these functions of the page.
  const prepare = async (page: Page) => {
    await keepMessages(page);
    await page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) =>
      onLog(format(...args), page),
    );
    await page.exposeFunction('codeAutomationExit', end);
  };
  const payload = {
    extensionDevelopmentPath: `${remote}${extension}`,
    extensionTestsPath: `${remote}${runner}`,
  };
  try {
    const page = await openWorkbench(browser, server, { workspace, payload, prepare });
    try {
      return await ended;
    } finally {
      await page.context().close();
    }
  } finally {
    clearTimeout(timer);
  }
}
