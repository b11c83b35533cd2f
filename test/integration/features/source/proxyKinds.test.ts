import assert from 'node:assert/strict';
import {
  type CompletionList,
  commands,
  type Hover,
  MarkdownString,
  type Uri,
  window,
  workspace,
} from 'vscode';
import type { Address } from '../../../../src/core/index.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { useWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';
import { encodeCall, type ProxyKindsProject, startProxyKinds } from '../../../support/proxyKindsProject.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

describe('proxies of each kind, in the editor', () => {
  useExtension();
  let chain: ProxyKindsProject;
  before(async () => {
    chain = await startProxyKinds();
  });
  after(() => chain.stop());
  useNetworks(() => ({ kinds: { name: 'Kinds', chainId: 31337, rpcUrl: chain.url, symbol: 'ETH' } }));
  const { open, uri, write } = useWorkspaceFolder('kinds');
  before(async () => {
    await chain.writeProject(write);
    await selectNetwork('kinds');
  });
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  const addressOf = (name: string): Address => chain.addresses[name] ?? assert.fail(name);

  async function offered(withMark: string) {
    const document = await open(withMark.replace('|', ''), 'chainlog.json');
    const list = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      document.positionAt(withMark.indexOf('|')),
    );
    return list.items.map(
      ({ label, detail }) => `${typeof label === 'string' ? label : label.label} ${detail}`,
    );
  }
  async function hover(file: Uri, text: string): Promise<string> {
    const document = await workspace.openTextDocument(file);
    const position = document.positionAt(document.getText().indexOf(text) + text.length - 1);
    const hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', file, position);
    const contents = hovers.flatMap((one) => one.contents).filter((one) => one instanceof MarkdownString);
    return decodeURIComponent(contents.map(({ value }) => value).join('\n'));
  }

  it('complete query files with the events and functions of the code that runs', async () => {
    const functionsOf = async (name: string) =>
      (await offered(`{ "chainId": 31337, "read": { "contract": "${name}", "function": "|" } }`)).map(
        (text) => text.split(' ')[0],
      );
    await waitUntil(async () => (await functionsOf('Transparent')).includes('paused'));
    for (const name of ['Transparent', 'Uups', 'BeaconProxy']) {
      const functions = await functionsOf(name);
      assert.ok(functions.includes('fee') && functions.includes('quote'), name);
      assert.ok(!functions.includes('legacy'), name);
    }
    assert.ok((await functionsOf('Diamond')).includes('hasRole'));
    for (const name of ['Transparent', 'Uups', 'BeaconProxy', 'Diamond']) {
      const events = await offered(`{ "chainId": 31337, "address": "${name}", "event": "|" }`);
      const here = events.filter((text) => text.endsWith(' at this address') && text.startsWith('Paid'));
      assert.deepEqual(here, ['Paid(address indexed payer, uint256 value) at this address'], name);
    }
    const args = await offered('{ "chainId": 31337, "address": "Uups", "event": "Paid", "args": { "|" } }');
    assert.deepEqual(args, ['payer indexed address']);
  });

  it('lead from an address to the source of the code that runs', async () => {
    for (const [name, source] of [
      ['Uups', 'LedgerV2'],
      ['Diamond', 'LedgerV2'],
      ['Ledger', 'Ledger'],
    ] as const) {
      const document = await open(addressOf(name));
      await waitUntil(async () => (await hover(document.uri, '0x12')).includes(`/${source}.sol`));
    }
  });

  it('decode a call by the code that its target runs', async () => {
    const call = { to: addressOf('BeaconProxy'), data: encodeCall('pay(uint256)', 3) };
    await commands.executeCommand('chainside.decode', JSON.stringify(call));
    const { document } = window.activeTextEditor ?? assert.fail('No editor is active.');
    assert.match(document.getText(), /src\/LedgerV2\.sol/);
  });

  it('list a clone that no file names with the contract that it runs, once its address is watched', async () => {
    await commands.executeCommand('chainside.watchAddress', addressOf('Clone'));
    await commands.executeCommand('chainside.refresh');
    const clone = new RegExp(addressOf('Clone').slice(2), 'i');
    await waitUntil(async () => clone.test(await hover(uri('src/Ledger.sol'), 'contract Ledger')));
  });
});
