import type * as vscode from 'vscode';
import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { openTreeView } from '../../host/ui/tree.ts';
import { viewIds } from '../../manifest.ts';
import type { ContractsNode } from './contractNodes.ts';
import type { ContractsDeps } from './contracts.ts';

/** Registers the Contracts view and its commands; their code is loaded on first use. */
export function registerContracts(
  deps: Omit<ContractsDeps, 'identities' | 'verdicts'> & {
    /** Loaded on first use. */
    readonly addresses: () => Promise<Pick<ContractsDeps, 'identities'>>;
    /** Loaded on first use. */
    readonly verdicts: () => Promise<ContractsDeps['verdicts']>;
  },
): LazyFeature {
  const disposables = new Disposables();
  const contracts = lazyPart(async () => {
    const [{ identities }, verdicts] = await Promise.all([deps.addresses(), deps.verdicts()]);
    const { openContracts } = await import('./contracts.ts');
    return disposables.add(openContracts({ ...deps, identities, verdicts, view }));
  });
  const view: vscode.TreeView<ContractsNode> = disposables.add(
    openTreeView(viewIds.contracts, async () => (await contracts()).tree, { showCollapseAll: true }),
  );
  return { load: contracts, dispose: () => disposables.dispose() };
}
