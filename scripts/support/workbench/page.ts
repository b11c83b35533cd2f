import type { Browser, Page } from 'playwright-core';
import { workbenchReady } from './driver.ts';
import type { WorkbenchServer } from './server.ts';
import { PATIENCE_MS } from './waitUntil.ts';

export interface WorkbenchPageOptions {
  /** Folder or `.code-workspace` file to open. */
  readonly workspace: string;
  readonly payload?: Readonly<Record<string, string>>;
  readonly size?: { readonly width: number; readonly height: number };
  /** Called with the page before anything is loaded into it. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export function workbenchAddress(server: WorkbenchServer, options: WorkbenchPageOptions): string {
  const address = new URL(server.origin);
  const kind = options.workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
  address.searchParams.set(kind, options.workspace);
  if (options.payload !== undefined) {
    address.searchParams.set('payload', JSON.stringify(Object.entries(options.payload)));
  }
  return address.href;
}

/** Opens the workbench in a browser profile of its own and waits until it is drawn. */
export async function openWorkbench(
  browser: Browser,
  server: WorkbenchServer,
  options: WorkbenchPageOptions,
): Promise<Page> {
  const context = await browser.newContext({ viewport: options.size ?? { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await options.prepare?.(page);
  await page.goto(workbenchAddress(server, options));
  await workbenchReady(page);
  return page;
}
