import * as vscode from 'vscode';
import type { KeptQueries } from '../kept/keptQueries.ts';
import type { LogPanels } from '../panel/askedPanel.ts';
import type { LogsDeps } from '../panel/deps.ts';
import { registerQueryCommands } from './queryCommands.ts';
import type { QueriesNode } from './queryNodes.ts';
import { QueryTree } from './queryTree.ts';

interface QueriesView extends vscode.Disposable {
  readonly tree: QueryTree;
}

/** The Queries view but its place in the editor; says what its commands do. */
export function openQueries(
  deps: LogsDeps & {
    readonly queries: KeptQueries;
    readonly panels: LogPanels;
    readonly view: vscode.TreeView<QueriesNode>;
  },
): QueriesView {
  const tree = new QueryTree(deps);
  const commands = registerQueryCommands({ ...deps, tree });
  return { tree, dispose: () => vscode.Disposable.from(commands, tree).dispose() };
}
