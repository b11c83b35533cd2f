import type * as vscode from 'vscode';
import { createContextKey, registerCommand } from '../../host/commands/commands.ts';
import { readRow } from '../../host/commands/rowArguments.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import { showPlace } from '../../host/surface/showPlace.ts';
import { showError } from '../../host/words/showError.ts';
import type { CommandId } from '../../manifest.ts';
import { exportAddresses } from './commands/exportAddresses.ts';
import { queryContractLogs } from './commands/queryContractLogs.ts';
import type { ContractsNode } from './tree/contractNodes.ts';
import { ContractTree } from './tree/contractTree.ts';

export interface ContractsDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly log: vscode.LogOutputChannel;
}

interface Contracts extends vscode.Disposable {
  readonly tree: ContractTree;
}

/** The Contracts view but its place in the editor; says what its commands do. */
export function openContracts(
  deps: ContractsDeps & { readonly view: Pick<vscode.TreeView<ContractsNode>, 'selection'> },
): Contracts {
  const disposables = new Disposables();
  const tree = disposables.add(new ContractTree(deps));
  const childrenOf = (node: ContractsNode) => tree.getChildren(node);

  // An empty view is told why it is empty, but only once that is known.
  const setRead = createContextKey('chainside.contracts.read');
  const tellRead = () => setRead(deps.contracts.state.kind === 'ready');
  tellRead();
  disposables.add(deps.contracts.onDidChange(tellRead));

  /** What is done with the row of the menu, or the selected one where a key binding runs it. */
  function command(
    id: CommandId,
    act: (node: ContractsNode | undefined, argument: unknown) => unknown,
  ): void {
    const run = async (argument: unknown) => {
      try {
        await act(tree.rowOf(argument), argument);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: deps.session.network, log: deps.log });
      }
    };
    disposables.add(registerCommand(id, run));
  }

  command('chainside.queryLogsOfContract', (node) => {
    const row = node ?? deps.view.selection[0];
    return row && queryContractLogs({ ...deps, childrenOf }, row);
  });
  command('chainside.openSource', async (node, argument) => {
    const place = readRow(argument ?? node ?? deps.view.selection[0])?.place;
    if (place) await showPlace(place);
  });
  command('chainside.exportAddresses', (node) => exportAddresses(deps, node));
  return { tree, dispose: () => disposables.dispose() };
}
