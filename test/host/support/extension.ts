import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { ConfigurationTarget, commands, extensions, workspace } from 'vscode';
import type { ChainsideApi } from '../../../src/api.d.ts';

/** The extension's API, activated. */
export async function activateExtension(): Promise<ChainsideApi> {
  const extension = extensions.getExtension<ChainsideApi>('chainside.chainside');
  assert.ok(extension);
  return extension.activate();
}

/** Writes user settings, of which the editor has told everybody then; undefined takes one away. */
export async function writeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [id, value] of Object.entries(settings)) {
    const written = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
    const isWritten = () => isDeepStrictEqual(workspace.getConfiguration().inspect(id)?.globalValue, written);
    if (isWritten()) continue;
    await workspace.getConfiguration().update(id, value, ConfigurationTarget.Global);
    await waitUntil(isWritten);
  }
}

/** Adds networks to the user's settings for the tests of a suite and puts back what was there. */
export function useNetworks(networks: () => Readonly<Record<string, unknown>>): void {
  let defined: unknown;
  let active: unknown;
  before(async () => {
    const configuration = workspace.getConfiguration();
    defined = configuration.inspect('chainside.networks')?.globalValue;
    active = configuration.inspect('chainside.network')?.globalValue;
    await writeSettings({ 'chainside.networks': { ...(defined as object), ...networks() } });
  });
  after(() => writeSettings({ 'chainside.network': active, 'chainside.networks': defined }));
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

/** Milliseconds after which a wait is taken for one without end, also on a machine with much other work. */
const TIMEOUT_MS = 60_000;

/** Waits until `holds` is true. */
export async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `still not so after ${TIMEOUT_MS / 1000} s: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Has each test of a suite begin with these user settings, and puts back afterwards what was there before. */
export function useSettings(settings: () => Readonly<Record<string, unknown>>): void {
  let replaced: Readonly<Record<string, unknown>> = {};
  before(() => {
    const configuration = workspace.getConfiguration();
    replaced = Object.fromEntries(
      Object.keys(settings()).map((id) => [id, configuration.inspect(id)?.globalValue]),
    );
  });
  beforeEach(() => writeSettings(settings()));
  after(() => writeSettings(replaced));
}
