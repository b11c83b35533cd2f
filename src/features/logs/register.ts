import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { registerCommand } from '../../host/commands/commands.ts';
import type { CommandId } from '../../manifest.ts';
import type { LogsDeps } from './panel/deps.ts';
import { LogsPanels } from './panel/logsPanels.ts';
import { readQueryLogsArguments } from './protocol/commandArguments.ts';
import { columns, LOGS_VIEW_TYPE, viewStateSchema } from './protocol/protocol.ts';
import { emptyForm } from './protocol/queryForm.ts';

/** What the context menu of a row hands to its commands, from the `data-vscode-context` of the cell. */
const cellContext = z.object({
  answer: z.string(),
  log: z.int().check(z.minimum(0)),
  column: z.enum(columns),
});

/** The log panels: their commands, and their return after the window was reloaded. */
export function registerLogs(deps: LogsDeps): vscode.Disposable {
  const panels = new LogsPanels(deps);
  const cellCommand = (id: CommandId, run: (cell: z.infer<typeof cellContext>) => unknown) =>
    registerCommand(id, (argument) => {
      const cell = cellContext.safeParse(argument);
      return cell.success ? run(cell.data) : undefined;
    });

  return vscode.Disposable.from(
    panels,
    registerCommand('chainside.queryLogs', async (argument) => {
      const { form, run } = readQueryLogsArguments(argument);
      const panel = await panels.open(form);
      if (run) panel.run(form);
    }),
    registerCommand('chainside.loadNextPage', () => panels.active?.nextPage()),
    registerCommand('chainside.loadAll', () => panels.active?.loadAll()),
    registerCommand('chainside.exportLogs', () => panels.active?.exportLogs()),
    registerCommand('chainside.cancel', () => panels.active?.cancel()),
    cellCommand('chainside.logs.copyCell', (cell) => panels.active?.copyCell(cell)),
    cellCommand('chainside.logs.copyLog', (cell) => panels.active?.copyLog(cell)),
    cellCommand('chainside.logs.openTransaction', (cell) =>
      panels.active?.openInExplorer({ ...cell, page: 'transaction' }),
    ),
    cellCommand('chainside.logs.openAddress', (cell) =>
      panels.active?.openInExplorer({ ...cell, page: 'address' }),
    ),
    vscode.window.registerWebviewPanelSerializer(LOGS_VIEW_TYPE, {
      async deserializeWebviewPanel(panel, state) {
        const kept = viewStateSchema.safeParse(state);
        const adopted = await panels.adopt(panel, kept.success ? kept.data.form : emptyForm);
        adopted.restore(kept.data?.arrangement);
      },
    }),
  );
}
