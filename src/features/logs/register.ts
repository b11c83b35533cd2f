import * as vscode from 'vscode';
import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { registerCodeLenses } from '../../host/ui/languageFeatures.ts';
import { openTreeView } from '../../host/ui/tree.ts';
import { logsPanelType, notebookType, viewIds } from '../../manifest.ts';
import type { Logs } from './logs.ts';
import type { LogsDeps } from './panel/panelServices.ts';
import type { QueriesNode } from './queries/queryTree.ts';

/** Registers the log panels and the Queries view, and loads them with the first use of either. */
export function registerLogs(deps: LogsDeps): LazyFeature & Pick<Logs, 'open' | 'settled'> {
  const disposables = new Disposables();
  let opened: Logs | undefined;
  const loadLogs = lazyPart(async () => {
    const { openLogs } = await import('./logs.ts');
    opened = disposables.add(openLogs({ ...deps, view }));
    return opened;
  });
  const view: vscode.TreeView<QueriesNode> = disposables.add(
    openTreeView(viewIds.queries, async () => (await loadLogs()).queries, {
      readKey: 'chainside.queries.read',
    }),
  );
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(logsPanelType, {
      deserializeWebviewPanel: async (panel, state) => (await loadLogs()).restore(panel, state),
    }),
  );
  const documents: vscode.DocumentSelector = { pattern: '**/*.chain.md' };
  const loadDocumentFeatures = lazyPart(async () => {
    const { createDocumentLenses, registerDocumentDiagnostics } = await import('./notebook/documents.ts');
    disposables.add(registerDocumentDiagnostics(deps, documents));
    return createDocumentLenses;
  });
  const serializer = lazyPart(async () => {
    const { createChainSerializer } = await import('./notebook/serializer.ts');
    // The document opens at once; the kernel may load later.
    void loadLogs().then(({ openKernel }) => openKernel());
    void loadDocumentFeatures();
    return createChainSerializer();
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
    registerCodeLenses(documents, changed.event, async (document) => {
      const createLenses = await loadDocumentFeatures();
      return deps.settings.isEnabled('chainside.codeLens.enabled', document)
        ? createLenses(document)
        : undefined;
    }),
  );
  return {
    load: loadLogs,
    open: async (form, options) => (await loadLogs()).open(form, options),
    settled: async () => opened?.settled(),
    dispose: () => disposables.dispose(),
  };
}
