import type { FrameLocator, Locator } from 'playwright-core';
import { type GridPanel, gridPanel, says } from './panel.ts';
import type { Workbench } from './workbench.ts';

type Column =
  | 'block'
  | 'event'
  | `argument${number}`
  | 'index'
  | 'transaction'
  | 'address'
  | 'topics'
  | 'data';

/** A log panel as a person sees it. */
export interface LogPanel extends GridPanel<Column> {
  field(name: string): Locator;
  columnName(name: string): Locator;
}

/** The log panel that `show` brings to the front, new or hidden before. */
export async function logPanelShownBy(workbench: Workbench, show: () => Promise<unknown>): Promise<LogPanel> {
  return logPanelIn(await workbench.webviewShownBy(show));
}

/** The log panel in a webview. */
export function logPanelIn(frame: FrameLocator): LogPanel {
  const panel = gridPanel<Column>(frame, 'Logs');
  return {
    ...panel,
    field: (name) => panel.frame.getByLabel(name, { exact: true }),
    columnName: (name) => panel.grid.getByRole('columnheader', { name }),
  };
}

export async function openLogPanel(workbench: Workbench): Promise<LogPanel> {
  const opened = await logPanelShownBy(workbench, () => workbench.runCommand('Chainside: Query Logs…'));
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
