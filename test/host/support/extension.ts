import assert from 'node:assert/strict';
import { extensions } from 'vscode';
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
