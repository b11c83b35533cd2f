import * as vscode from 'vscode';
import type { LateFeature } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import { openTree } from '../../host/surface/tree.ts';
import { viewIds } from '../../manifest.ts';
import type { LogsDeps } from './panel/deps.ts';
import { notebookType } from './protocol/notebookType.ts';
import { panelType } from './protocol/panelType.ts';
import type { QueriesNode } from './queries/queryNodes.ts';

/** The log panels and the Queries view: their commands, and their return after the window was reloaded. Loaded with the first of either. */
export function registerLogs(deps: LogsDeps): LateFeature {
  const disposables = new Disposables();
  const logs = latePart(async () => {
    const { openLogs } = await import('./logs.ts');
    return disposables.add(openLogs({ ...deps, view }));
  });
  const view: vscode.TreeView<QueriesNode> = disposables.add(
    openTree(viewIds.queries, async () => (await logs()).queries),
  );
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(panelType, {
      deserializeWebviewPanel: async (panel, state) => (await logs()).restore(panel, state),
    }),
  );
  const serializer = latePart(async () => {
    const { chainSerializer } = await import('./notebook/chainSerializer.ts');
    // A document is read at once; what runs it may come a little later.
    void logs().then(({ openKernel }) => openKernel());
    return chainSerializer();
  });
  disposables.add(
    vscode.workspace.registerNotebookSerializer(
      notebookType,
      {
        deserializeNotebook: async (...args) => (await serializer()).deserializeNotebook(...args),
        serializeNotebook: async (...args) => (await serializer()).serializeNotebook(...args),
      },
      { transientOutputs: true },
    ),
  );
  return { load: logs, dispose: () => disposables.dispose() };
}
