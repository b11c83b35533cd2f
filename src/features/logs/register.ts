import * as vscode from 'vscode';
import { panelTypes } from '../../manifest.ts';
import { openLogs } from './logs.ts';
import type { LogsDeps } from './panel/deps.ts';

/** The log panels: their commands, and their return after the window was reloaded. */
export function registerLogs(deps: LogsDeps): vscode.Disposable {
  const panels = openLogs(deps);
  return vscode.Disposable.from(
    panels,
    vscode.window.registerWebviewPanelSerializer(panelTypes.logs, {
      deserializeWebviewPanel: (panel, state) => panels.restore(panel, state),
    }),
  );
}
