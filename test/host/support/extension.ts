import assert from 'node:assert/strict';
import { commands, extensions, workspace } from 'vscode';
import type { ChainsideApi } from '../../../src/api.d.ts';
import { waitUntil, writeSettings } from '../../support/host/settings.ts';

export { useNetworks, useSettings, waitUntil, writeSettings } from '../../support/host/settings.ts';

/** The extension's API, activated. */
export async function activateExtension(): Promise<ChainsideApi> {
  const extension = extensions.getExtension<ChainsideApi>('chainside.chainside');
  assert.ok(extension);
  return extension.activate();
}

/** Has the user's settings name a network and waits until it is the active one. */
export async function selectNetwork(id: string): Promise<void> {
  const api = await activateExtension();
  await writeSettings({ 'chainside.network': id });
  await waitUntil(() => api.network.id === id && api.isNetworkChosen);
}

/** Has no network active: the one that was chosen is no longer defined, and no setting names another. */
export async function leaveNetwork(): Promise<void> {
  const api = await activateExtension();
  const written = workspace.getConfiguration().inspect('chainside.networks')?.globalValue;
  const left = { name: 'Left', chainId: 99, rpcUrl: 'http://127.0.0.1:9' };
  await writeSettings({
    'chainside.network': undefined,
    'chainside.networks': { ...(written as object), left },
  });
  await commands.executeCommand('chainside.selectNetwork', 'left');
  await waitUntil(() => api.network.id === 'left');
  await writeSettings({ 'chainside.networks': written });
  await waitUntil(() => !api.isNetworkChosen);
}
