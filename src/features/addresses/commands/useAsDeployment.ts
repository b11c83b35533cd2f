import * as vscode from 'vscode';
import {
  type Address,
  formatShortAddress,
  getLabeledFolder,
  toChecksumAddress,
} from '../../../core/index.ts';
import { listContractChoices, readRunCode } from '../../../host/code/contractChoices.ts';
import { type ChainDeps, getChainName } from '../../../host/session/chains.ts';
import { pickOne, showMessage, showStatusMessage } from '../../../host/ui/dialogs.ts';
import type { ActiveNames } from '../addressBook.ts';
import { showNotALabelFile } from './labelFolder.ts';

/**
 * *Use as a Deployment of…*: writes which contract of the project is at an address to the labels of the team, or removes
 * that from there.
 */
export async function useAsDeployment(
  deps: ChainDeps & { readonly active: Pick<ActiveNames, 'names'> },
  address: Address,
  chainId: number,
): Promise<void> {
  const { session, active } = deps;
  const { contracts, team } = active.names;
  const { l10n } = vscode;
  const index = await contracts.index();
  const before = index.deploymentRecordsAt(address, chainId).find(({ chosen }) => chosen !== undefined);
  const code =
    session.network.chainId === chainId ? await readRunCode(address, session.connection) : undefined;
  const candidates = code === '0x' ? [] : index.contracts.filter(({ abi }) => abi.length > 0);
  const removal = before && {
    label: l10n.t('Not a Deployment of {0}', before.contract ?? ''),
    description: before.file,
    contract: undefined,
  };
  const short = formatShortAddress(toChecksumAddress(address));
  if (candidates.length === 0 && !removal) {
    const message = !vscode.workspace.isTrusted
      ? l10n.t('Trust this workspace to read contracts from its files.')
      : code === '0x'
        ? l10n.t('There is no contract at {0} on {1}.', short, getChainName(deps, chainId))
        : l10n.t('The project has no contracts. Open a folder with contracts, or build them.');
    void showMessage('information', message);
    return;
  }
  const choices = await listContractChoices(candidates, { code });
  const picked = await pickOne([...(removal ? [removal] : []), ...choices], {
    title: l10n.t('Use {0} as a Deployment', short),
    placeHolder: l10n.t('Choose the contract that is deployed there'),
    matchOnDescription: true,
  });
  if (!picked) return;
  const { contract, description } = picked;
  const uri = contract && contracts.uriOf(description);
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const former = before && contracts.uriOf(getLabeledFolder(before.file));
  const write = async (at: vscode.Uri, name: string | undefined) => {
    const isWritten = await team.write({ uri: at }, { address, chainId, name, field: 'contract' });
    if (!isWritten) await showNotALabelFile(active, { uri: at });
    return isWritten;
  };
  // A project in the folder, or another folder of the workspace, may have the entry.
  if (former && former.toString() !== folder?.toString() && !(await write(former, undefined))) return;
  if (!contract || !folder) return;
  const isShared = index.contractNamed(contract.name).length > 1;
  const path = isShared ? `${vscode.workspace.asRelativePath(uri, false)}:` : '';
  if (await write(folder, `${path}${contract.name}`))
    showStatusMessage(l10n.t('{0} is used as a deployment of {1}', short, contract.name), 3000);
}
