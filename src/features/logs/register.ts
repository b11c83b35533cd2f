import * as vscode from 'vscode';
import { late } from '../../core/index.ts';
import { registerLateCommands } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { type CommandId, panelTypes } from '../../manifest.ts';
import type { LogsDeps } from './panel/deps.ts';

const commands: readonly CommandId[] = [
  'chainside.queryLogs',
  'chainside.loadNextPage',
  'chainside.loadAll',
  'chainside.exportLogs',
  'chainside.cancel',
  'chainside.logs.copyCell',
  'chainside.logs.copyLog',
  'chainside.logs.openTransaction',
  'chainside.logs.openAddress',
];

/** The log panels: their commands, and their return after the window was reloaded. Loaded with the first of either. */
export function registerLogs(deps: LogsDeps): vscode.Disposable {
  const disposables = new Disposables();
  const logs = late(async () => {
    const { openLogs } = await import('./logs.ts');
    return disposables.add(openLogs(deps));
  });
  disposables.add(registerLateCommands(commands, logs));
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(panelTypes.logs, {
      deserializeWebviewPanel: async (panel, state) => (await logs()).restore(panel, state),
    }),
  );
  return disposables;
}
