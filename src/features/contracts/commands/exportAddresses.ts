import * as vscode from 'vscode';
import type { IndexedDeployment } from '../../../core/index.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import { type ChainDeps, chainName } from '../../../host/session/chains.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import { addressesJson, addressesMarkdown, addressesSolidity } from '../export/addressFormats.ts';
import { namedDeployments } from '../export/namedDeployments.ts';
import type { ContractsNode } from '../tree/contractNodes.ts';

interface ExportDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
}

/** Opens the addresses of a contract, or of all, in a new document that is not saved. */
export async function exportAddresses(deps: ExportDeps, node: ContractsNode | undefined): Promise<void> {
  const deployments = await deploymentsOf(deps, node);
  if (deployments.length === 0) {
    const words = vscode.workspace.isTrusted
      ? vscode.l10n.t('No deployments found in this workspace.')
      : vscode.l10n.t('Contracts are read from the files of this workspace once you trust it.');
    void showMessage('information', words);
    return;
  }
  const format = await pickOne(formats(), {
    title: vscode.l10n.t('Export Addresses'),
    placeHolder: vscode.l10n.t('Choose a format'),
    matchOnDescription: true,
  });
  if (!format) return;
  const content = format.write(namedDeployments(deployments, (chainId) => chainName(deps, chainId)));
  const document = await vscode.workspace.openTextDocument({
    content,
    language: await known(format.language),
  });
  await vscode.window.showTextDocument(document);
}

async function deploymentsOf(
  { contracts }: ExportDeps,
  node: ContractsNode | undefined,
): Promise<readonly IndexedDeployment[]> {
  if (node?.kind === 'contract') return node.deployments;
  if (node?.kind === 'deployment') return [node.deployment];
  return (await contracts.index()).deployments;
}

function formats() {
  return [
    {
      ...{ label: 'JSON', description: vscode.l10n.t('by chain id and name, for a front end or a script') },
      ...{ language: 'json', write: addressesJson },
    },
    {
      ...{ label: 'Solidity', description: vscode.l10n.t('a library of constants for each chain') },
      ...{ language: 'solidity', write: addressesSolidity },
    },
    {
      ...{ label: 'Markdown', description: vscode.l10n.t('a table with block and commit, for a document') },
      ...{ language: 'markdown', write: addressesMarkdown },
    },
  ];
}

/** The language if the editor knows it: none of Solidity comes with it. */
async function known(language: string): Promise<string> {
  return (await vscode.languages.getLanguages()).includes(language) ? language : 'plaintext';
}
