import type * as vscode from 'vscode';
import type { LateFeature } from '../../host/commands/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import { openTree } from '../../host/surface/tree.ts';
import { viewIds } from '../../manifest.ts';
import type { ContractsDeps } from './contracts.ts';
import type { ContractsNode } from './tree/contractNodes.ts';

/** The Contracts view and its commands; what they are made of is loaded with the first use. */
export function registerContracts(deps: ContractsDeps): LateFeature {
  const disposables = new Disposables();
  const contracts = latePart(async () => {
    const { openContracts } = await import('./contracts.ts');
    return disposables.add(openContracts({ ...deps, view }));
  });
  const view: vscode.TreeView<ContractsNode> = disposables.add(
    openTree(viewIds.contracts, async () => (await contracts()).tree, { showCollapseAll: true }),
  );
  return { load: contracts, dispose: () => disposables.dispose() };
}
