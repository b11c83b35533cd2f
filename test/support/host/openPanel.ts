import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventEmitter, l10n, Uri, window, workspace } from 'vscode';
import { type Address, emptyForm, systemClock } from '../../../src/core/index.ts';
import { FormHelp } from '../../../src/features/logs/form/formHelp.ts';
import { FollowNotices, type HeadReader } from '../../../src/features/logs/panel/followNotices.ts';
import { LogsPanel, type LogsSurface } from '../../../src/features/logs/panel/logsPanel.ts';
import { PanelNetwork } from '../../../src/features/logs/panel/panelQuery.ts';
import { TabTitles } from '../../../src/features/logs/panel/panelServices.ts';
import { QueryStore } from '../../../src/features/logs/queries/queryStore.ts';
import { openLogDecoding } from '../../../src/host/logDecoding.ts';
import { createKeyStore } from '../../../src/host/session/secrets.ts';
import { memorySecrets } from '../memory.ts';
import type { AddressView } from './addressView.ts';
import { memoryMemento } from './memoryFiles.ts';
import { waitUntil } from './settings.ts';

export type OpenedDecoding = Awaited<ReturnType<typeof openDecoding>>;

/** What gives logs a meaning, over the services of an address view and a storage of its own. */
export async function openDecoding({ contracts, names, session, settings }: AddressView) {
  const storage = await mkdtemp(join(tmpdir(), 'chainside-meaning-'));
  const log = window.createOutputChannel('Meaning under test', { log: true });
  const storageUri = Uri.file(storage);
  const meaning = await openLogDecoding({
    ...{ contracts, names, session, settings, log, storageUri },
    http: { fetch: globalThis.fetch, clock: systemClock },
    keys: createKeyStore(memorySecrets()),
    noteAddresses: () => undefined,
  });
  return {
    ...{ meaning, log, storageUri },
    async dispose() {
      meaning.dispose();
      log.dispose();
      // Ends after a save that has begun, which would write into the folder while it is deleted.
      await meaning.clearVerified();
      await rm(storage, { recursive: true, force: true });
    },
  };
}

/** Help with a query form of a panel on the active network. */
export function openFormHelp(view: AddressView, meaning: FormHelpDeps['meaning']) {
  const panelNetwork = new PanelNetwork(view);
  const told = { changes: 0 };
  const help = new FormHelp(
    { ...view, meaning, panelNetwork, clock: systemClock, l10n, listFoundAddresses: () => [] },
    () => told.changes++,
  );
  return {
    ...{ help, told, network: panelNetwork },
    dispose() {
      help.dispose();
      panelNetwork.dispose();
    },
  };
}
type FormHelpDeps = ConstructorParameters<typeof FormHelp>[0];

/** Tells no block: nothing is followed. */
const quietHead = {
  state: {},
  read: () => Promise.reject(new Error('No block is asked for.')),
  onDidChange: () => ({ dispose: () => undefined }),
};

/** A log panel with such a meaning, whose view shows nothing. Without a head, it cannot be followed. */
export async function openPanel(view: AddressView, head?: HeadReader) {
  const { contracts, names, session, settings } = view;
  const { meaning, log, storageUri, dispose } = await openDecoding(view);
  const surface: LogsSurface = {
    title: '',
    ...(head && { visible: true, reveal: () => undefined }),
    webview: { onDidReceiveMessage: new EventEmitter<unknown>().event, postMessage: async () => true },
  };
  const extensionUri = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
  const queries = new QueryStore({
    ...{ storageUri, log, clock: systemClock },
    ...{ workspaceState: memoryMemento(), workspaceStorageUri: Uri.joinPath(storageUri, 'workspace') },
  });
  const panel = new LogsPanel(
    surface,
    {
      ...{ contracts, names, session, settings, log, storageUri, extensionUri, meaning },
      ...{ clock: systemClock, version: '0.0.0', titles: new TabTitles() },
      ...{ notices: new FollowNotices(), head: head ?? quietHead },
      differences: { show: async () => undefined, dispose: () => undefined },
      queries,
      workspaceState: memoryMemento(),
    },
    emptyForm,
  );
  return {
    ...{ panel, meaning, queries },
    async run(address: Address) {
      panel.run({ ...emptyForm, address });
      await waitUntil(() => panel.results.loading === undefined);
    },
    /** Has a row in sight, and gives all that its details say. */
    look(row: number) {
      panel.rows.sync();
      const { resultId } = panel.results as typeof panel.results & { readonly resultId: string };
      const place = panel.rows.findRow({ resultId, log: row }) ?? assert.fail(`There is no row ${row}.`);
      panel.rows.getRows({ resultId, order: place.order, start: place.row, count: 1 });
      return panel.rows.getLog(place) ?? assert.fail(`Row ${row} is not there.`);
    },
    async dispose() {
      panel.dispose();
      queries.dispose();
      await queries.settled();
      await dispose();
    },
  };
}
