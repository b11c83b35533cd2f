import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { ConfigurationTarget, workspace } from 'vscode';

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

/** Has the user's settings name the active network. */
export function selectNetwork(id: string): Promise<void> {
  return writeSettings({ 'chainside.network': id });
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
