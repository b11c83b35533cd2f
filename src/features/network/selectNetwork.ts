import * as vscode from 'vscode';
import { builtInNetworks, type Network } from '../../core/index.ts';
import { runCommand } from '../../host/commands/commands.ts';
import { readRow } from '../../host/commands/rowArguments.ts';
import { showMessage } from '../../host/surface/messages.ts';
import { type Choice, pickOne } from '../../host/surface/questions.ts';
import type { NetworkDeps } from './deps.ts';

interface NetworkItem extends Choice {
  readonly network?: Network;
  readonly add?: true;
}

/** Makes the network with `id` the active one, or lets the user pick one: also where a row of a view is handed over. */
export async function selectNetwork(deps: NetworkDeps, id: unknown): Promise<void> {
  if (id === undefined || readRow(id)) return pickNetwork(deps);
  const network = deps.settings.current.networks.find((known) => known.id === id);
  if (network) return deps.settings.selectNetwork(network);
  const name = typeof id === 'string' ? id : '';
  void showMessage('error', vscode.l10n.t('No network has the id “{0}”.', name));
}

async function pickNetwork(deps: NetworkDeps): Promise<void> {
  const picked = await pickOne(networkItems(deps), {
    title: vscode.l10n.t('Select Network'),
    placeHolder: vscode.l10n.t('Everything that Chainside shows is of this network'),
    matchOnDescription: true,
  });
  if (picked?.add) await runCommand('chainside.addNetwork');
  if (picked?.network) await deps.settings.selectNetwork(picked.network);
}

async function networkItems({ settings, session, keys }: NetworkDeps): Promise<NetworkItem[]> {
  const { networks } = settings.current;
  const builtIn = new Set(builtInNetworks.map(({ id }) => id));
  const describe = async (network: Network): Promise<NetworkItem> => {
    const active = network.id === session.network.id;
    return {
      label: network.name,
      iconPath: new vscode.ThemeIcon(active ? 'check' : 'blank'),
      description: vscode.l10n.t('chain {0} · {1}', network.chainId, await keyWords(network)),
      network,
    };
  };
  async function keyWords({ dataApiUrl }: Network): Promise<string> {
    if (dataApiUrl === undefined) return vscode.l10n.t('no data API');
    const key = await keys.get(dataApiUrl).catch(() => undefined);
    return key === undefined ? vscode.l10n.t('no data API key') : vscode.l10n.t('data API key set');
  }
  return [
    separator(vscode.l10n.t('built in')),
    ...(await Promise.all(networks.filter(({ id }) => builtIn.has(id)).map(describe))),
    separator(vscode.l10n.t('added')),
    ...(await Promise.all(networks.filter(({ id }) => !builtIn.has(id)).map(describe))),
    separator(''),
    { label: vscode.l10n.t('Add Network…'), iconPath: new vscode.ThemeIcon('add'), add: true },
  ];
}

function separator(label: string): NetworkItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
