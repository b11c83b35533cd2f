import * as vscode from 'vscode';
import type { LateFeature } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import type { Logs } from './logs.ts';
import type { LogsDeps } from './panel/deps.ts';
import { panelType } from './protocol/panelType.ts';

/** The log panels: their commands, and their return after the window was reloaded. Loaded with the first of either. */
export function registerLogs(deps: LogsDeps): LateFeature & Pick<Logs, 'open'> {
  const disposables = new Disposables();
  const logs = latePart(async () => {
    const { openLogs } = await import('./logs.ts');
    return disposables.add(openLogs(deps));
  });
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(panelType, {
      deserializeWebviewPanel: async (panel, state) => (await logs()).restore(panel, state),
    }),
  );
  return {
    load: logs,
    open: async (form, options) => (await logs()).open(form, options),
    dispose: () => disposables.dispose(),
  };
}
