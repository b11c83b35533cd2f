import assert from 'node:assert/strict';
import { commands, TabInputText, window } from 'vscode';
import { openText } from '../support/host/openText.ts';
import { activateExtension, selectNetwork, useNetworks, waitUntil } from './support/extension.ts';

const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('a log panel', () => {
  before(() => activateExtension());
  useNetworks(() => ({ logs: { name: 'Logs', chainId: 5, rpcUrl: 'http://127.0.0.1:1' } }));
  beforeEach(() => selectNetwork('logs'));
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens beside the code, and the next one in the same group', async () => {
    const { tabGroups } = window;
    const labels = () => tabGroups.all.map(({ tabs }) => tabs.map(({ label }) => label));
    const showCode = async () => {
      await commands.executeCommand('workbench.action.focusFirstEditorGroup');
      await waitUntil(() => tabGroups.activeTabGroup.viewColumn === 1);
    };
    const document = await openText('contract A {}');
    await window.showTextDocument(document);
    await waitUntil(() => tabGroups.activeTabGroup.activeTab?.input instanceof TabInputText);
    const [[code = '']] = labels() as [[string]];
    await commands.executeCommand('chainside.queryLogs');
    await waitUntil(() => JSON.stringify(labels()) === JSON.stringify([[code], ['Logs']]));
    await showCode();
    await commands.executeCommand('chainside.queryLogs', { address: TOKEN });
    const two = [[code], ['Logs', 'Logs · 0x5aAe…eAed']];
    await waitUntil(() => JSON.stringify(labels()) === JSON.stringify(two));
    // From a panel: in its own group, whatever other groups there are.
    await waitUntil(() => tabGroups.activeTabGroup.viewColumn === 2);
    await commands.executeCommand('chainside.queryLogs');
    await waitUntil(() => tabGroups.all[1]?.tabs.length === 3);
    assert.deepEqual(labels()[0], [code]);
  });
});
