import * as vscode from 'vscode';
import type { LateFeature } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import { registerLenses } from '../../host/surface/lenses.ts';
import { openTree } from '../../host/surface/tree.ts';
import { notebookType, viewIds } from '../../manifest.ts';
import type { Logs } from './logs.ts';
import type { LogsDeps } from './panel/deps.ts';
import { panelType } from './protocol/panelType.ts';
import type { QueriesNode } from './queries/queryNodes.ts';

/** The log panels and the Queries view: their commands, and their return after the window was reloaded. Loaded with the first of either. */
export function registerLogs(deps: LogsDeps): LateFeature & Pick<Logs, 'open' | 'settled'> {
  const disposables = new Disposables();
  let opened: Logs | undefined;
  const logs = latePart(async () => {
    const { openLogs } = await import('./logs.ts');
    opened = disposables.add(openLogs({ ...deps, view }));
    return opened;
  });
  const view: vscode.TreeView<QueriesNode> = disposables.add(
    openTree(viewIds.queries, async () => (await logs()).queries),
  );
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(panelType, {
      deserializeWebviewPanel: async (panel, state) => (await logs()).restore(panel, state),
    }),
  );
  const documents: vscode.DocumentSelector = { pattern: '**/*.chain.md' };
  const inDocuments = latePart(async () => {
    const { documentLenses, registerDocumentProblems } = await import('./notebook/inDocuments.ts');
    disposables.add(registerDocumentProblems(deps, documents));
    return documentLenses;
  });
  const serializer = latePart(async () => {
    const { chainSerializer } = await import('./notebook/chainSerializer.ts');
    // A document is read at once; what runs it may come a little later.
    void logs().then(({ openKernel }) => openKernel());
    void inDocuments();
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
  const changed = disposables.add(new vscode.EventEmitter<void>());
  disposables.add(deps.settings.onDidChange(() => changed.fire()));
  disposables.add(
    registerLenses(documents, changed.event, async (document) => {
      const lensesOf = await inDocuments();
      return deps.settings.isEnabled('chainside.codeLens.enabled', document) ? lensesOf(document) : undefined;
    }),
  );
  return {
    load: logs,
    open: async (form, options) => (await logs()).open(form, options),
    settled: async () => opened?.settled(),
    dispose: () => disposables.dispose(),
  };
}
