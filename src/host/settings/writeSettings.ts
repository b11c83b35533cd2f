import * as vscode from 'vscode';
import { builtInNetworks, isRecord, type Network, systemClock } from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';
import type { ConsentSetting } from './settingTable.ts';

const networksSetting: SettingId = 'chainside.networks';
const networkSetting: SettingId = 'chainside.network';

/** Adds a network to the user's `chainside.networks`; of a built-in one, only the differences. */
export async function saveNetwork({ id, ...network }: Network): Promise<void> {
  const builtIn = builtInNetworks.find((each) => each.id === id) ?? {};
  const same = new Map(Object.entries(builtIn));
  const fields = Object.fromEntries(
    Object.entries(network).filter(([name, value]) => same.get(name) !== value),
  );
  const written = { ...getWrittenNetworks(), [id]: fields };
  await vscode.workspace
    .getConfiguration()
    .update(networksSetting, written, vscode.ConfigurationTarget.Global);
}

/** Removes a network from the user's `chainside.networks`, and clears the settings that name it. */
export async function removeNetwork(id: string): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const { [id]: _, ...others } = getWrittenNetworks();
  await vscode.workspace.getConfiguration().update(networksSetting, others, Global);
  if (builtInNetworks.some((network) => network.id === id)) return;
  const named = vscode.workspace.getConfiguration().inspect(networkSetting);
  if (named?.workspaceValue === id)
    await vscode.workspace.getConfiguration().update(networkSetting, undefined, Workspace);
  if (named?.globalValue === id)
    await vscode.workspace.getConfiguration().update(networkSetting, undefined, Global);
}

/** Names a network in the settings of the workspace. */
export async function saveAsDefault({ id }: Network): Promise<void> {
  await vscode.workspace.getConfiguration().update(networkSetting, id, vscode.ConfigurationTarget.Workspace);
}

export async function saveIpfsGateway(gateway: string): Promise<void> {
  const setting: SettingId = 'chainside.nft.ipfsGateway';
  await vscode.workspace.getConfiguration().update(setting, gateway, vscode.ConfigurationTarget.Global);
}

/** Stores in the user's settings whether a service is allowed. Resolves once that is in effect. */
export async function saveConsent(setting: ConsentSetting, consent: 'allow' | 'never'): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await writeSetting(setting, () => vscode.workspace.getConfiguration().update(setting, consent, Global));
}

/** The editor reports a change of a setting shortly after writing it, and nothing if the value stayed the same. */
const CHANGE_TIMEOUT_MS = 2_000;

/** Runs `write`, and waits until the editor has reported the change. */
async function writeSetting(setting: SettingId, write: () => PromiseLike<void>): Promise<void> {
  const changed = new AbortController();
  const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(setting)) changed.abort();
  });
  try {
    await write();
    // Ended early by the event.
    await systemClock.sleep(CHANGE_TIMEOUT_MS, changed).catch(() => undefined);
  } finally {
    subscription.dispose();
  }
}

function getWrittenNetworks(): Readonly<Record<string, unknown>> {
  const written: unknown = vscode.workspace.getConfiguration().inspect(networksSetting)?.globalValue;
  return isRecord(written) ? written : {};
}
