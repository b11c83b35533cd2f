import type { FrameLocator, Locator } from 'playwright-core';
import { failedWait, waitFor } from '../../../scripts/support/workbench/waitUntil.ts';

/** Where a panel is shown: a webview in a window, or a page. */
export type PanelFrame = Pick<
  FrameLocator,
  'getByLabel' | 'getByPlaceholder' | 'getByRole' | 'getByText' | 'locator'
>;

/** A panel with a grid, as a person sees it. */
export interface GridPanel<Column> {
  readonly frame: PanelFrame;
  /** Its line of what the answer is worth. */
  readonly status: Locator;
  readonly grid: Locator;
  button(name: string): Locator;
  cell(row: number, column: Column): Locator;
}

/** The panel in `frame`, whose grid has that name. */
export function gridPanel<Column extends string>(frame: PanelFrame, name: string): GridPanel<Column> {
  return {
    frame,
    status: frame.getByRole('status'),
    grid: frame.getByRole('grid', { name }),
    button: (label) => frame.getByRole('button', { name: label, exact: true }),
    cell: (row, column) =>
      frame
        .locator(`[data-row="${row}"]`)
        .getByRole('gridcell')
        .and(frame.locator(`[data-vscode-context*='"column":"${column}"']`)),
  };
}

export async function waitForText(element: Locator, words: RegExp): Promise<void> {
  const said = element.filter({ hasText: words }).waitFor();
  await said.catch(async (cause) => {
    const instead = await element.allTextContents().catch(String);
    throw failedWait(`it says ${words}, and not ${JSON.stringify(instead)}`, cause);
  });
}

/** Waits until a cell has the focus: a key is worked off after it was pressed. */
export async function waitForFocus<Column>(
  panel: GridPanel<Column>,
  row: number,
  column: Column,
): Promise<void> {
  const focused = panel.cell(row, column).and(panel.frame.locator(':focus')).waitFor();
  await waitFor(`the focus is on ${column} of row ${row}`, focused);
}
