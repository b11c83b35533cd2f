import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

const columns = ['block', 'index', 'transaction', 'address', 'topics', 'data'] as const;
export type Column = (typeof columns)[number];

/** A log panel as a person sees it. */
export interface LogPanel {
  readonly frame: FrameLocator;
  readonly status: Locator;
  readonly grid: Locator;
  field(name: string): Locator;
  button(name: string): Locator;
  cell(row: number, column: Column): Locator;
  columnName(name: string): Locator;
}

/** The log panel in front. */
export function frontLogPanel({ page }: Workbench): LogPanel {
  const frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  const grid = frame.getByRole('grid', { name: 'Logs' });
  return {
    frame,
    grid,
    status: frame.getByRole('status'),
    field: (name) => frame.getByLabel(name, { exact: true }),
    button: (name) => frame.getByRole('button', { name, exact: true }),
    cell: (row, column) =>
      frame.locator(`[data-row="${row}"]`).getByRole('gridcell').nth(columns.indexOf(column)),
    columnName: (name) => grid.getByRole('columnheader', { name }),
  };
}

export async function openLogPanel(workbench: Workbench): Promise<LogPanel> {
  await workbench.runCommand('Chainside: Query Logs…');
  const opened = frontLogPanel(workbench);
  await opened.button('Run query').waitFor();
  return opened;
}

/** Opens a panel, fills its form in, and waits for the first page. */
export async function runLogQuery(
  workbench: Workbench,
  form: Readonly<Record<string, string>>,
): Promise<LogPanel> {
  const opened = await openLogPanel(workbench);
  for (const [name, value] of Object.entries(form)) await opened.field(name).fill(value);
  await opened.button('Run query').click();
  await says(opened.status, /^(Complete|More pages|Not certain to be complete)\./);
  return opened;
}

export async function says(element: Locator, words: RegExp): Promise<void> {
  await element.filter({ hasText: words }).waitFor({ timeout: 25_000 });
}
