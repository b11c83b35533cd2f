import assert from 'node:assert/strict';
import {
  commands,
  env,
  extensions,
  Selection,
  type TextEditor,
  type TreeItem,
  window,
  workspace,
} from 'vscode';
import { type Address, toChecksumAddress } from '../../../../../src/core/index.ts';
import { setLabel } from '../../../../../src/features/addresses/commands/addressCommands.ts';
import { askForToken } from '../../../../../src/features/addresses/commands/holdingCommands.ts';
import { askForAnyAddress } from '../../../../../src/features/addresses/commands/pickAddress.ts';
import { refreshHover } from '../../../../../src/features/addresses/hover/hoverContent.ts';
import { askForAddress } from '../../../../../src/host/names/addressPicker.ts';
import { toTreeItem } from '../../../../../src/host/ui/tree.ts';
import { viewIds } from '../../../../../src/manifest.ts';
import { useAddressView } from '../../../../support/host/addressView.ts';
import { stubDialogs } from '../../../../support/host/dialogs.ts';
import { useNotedCommands } from '../../../../support/host/notedCommands.ts';
import { useNetworks, waitUntil } from '../../../../support/host/settings.ts';
import { useExtension } from '../../../../support/vscode/extension.ts';

const ACCOUNT: Address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const CHECKSUMMED = toChecksumAddress(ACCOUNT);

describe('commands on an address', () => {
  useExtension();
  useNetworks(() => ({ here: { name: 'Here', chainId: 77, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' } }));
  const view = useAddressView('here');
  const noted = new Set<string>();
  /** What the editor is told to do of what is noted. */
  const run = useNotedCommands((id) => noted.has(id));
  beforeEach(async () => {
    noted.clear();
    await view.book.ready;
  });
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  async function openText(content: string): Promise<TextEditor> {
    return window.showTextDocument(await workspace.openTextDocument({ content }));
  }

  it('act on the one that the cursor of the editor stands on, and ask for none', async () => {
    const editor = await openText(`// pays\naddress alice = ${CHECKSUMMED};\n`);
    editor.selection = new Selection(1, 30, 1, 30);
    using person = stubDialogs();
    await commands.executeCommand('chainside.copyAddress');
    assert.equal(await env.clipboard.readText(), CHECKSUMMED);
    noted.add('chainside.queryLogs');
    await commands.executeCommand('chainside.queryLogsOfAddress');
    assert.deepEqual(run, [['chainside.queryLogs', { address: CHECKSUMMED }]]);
    assert.deepEqual(person.prompts, []);
  });

  it('are in the menu of an editor whose text has one', async () => {
    noted.add('setContext');
    const isInMenu = () => run.findLast(([, key]) => key === 'chainside.editorHasAddress')?.[2];
    await openText(CHECKSUMMED);
    await waitUntil(() => isInMenu() === true);
    await openText('no address');
    await waitUntil(() => isInMenu() === false);
  });

  it('are in the menu of its row, and open the log form with it', async () => {
    const row = () => menuOf(toTreeItem(view.tree.getTreeItem(view.tree.getNode(ACCOUNT))));
    const always = ['queryLogsOfAddress', 'refresh', 'labelAddress', 'copyAddress'];
    for (const command of [...always, 'watchAddress']) assert.ok(row().includes(command), command);
    await view.book.watch(ACCOUNT);
    for (const command of [...always, 'unwatchAddress']) assert.ok(row().includes(command), command);
    assert.ok(!row().includes('watchAddress'));
    noted.add('chainside.queryLogs');
    await commands.executeCommand('chainside.queryLogsOfAddress', view.tree.getNode(ACCOUNT));
    assert.deepEqual(run, [['chainside.queryLogs', { address: CHECKSUMMED }]]);
  });

  it('ask for a label, which the row shows then with the address beside it', async () => {
    using person = stubDialogs();
    person.types = ['Treasury'];
    await setLabel(view.book, { address: ACCOUNT, chainId: 77 }, undefined);
    assert.deepEqual(person.prompts, [`Label for ${CHECKSUMMED}. Leave empty to remove the label.`]);
    const { label, description } = view.tree.getTreeItem(view.tree.getNode(ACCOUNT));
    assert.equal(label, 'Treasury');
    assert.match(description, /0x5aAe…eAed$/);
  });

  it('say at the field what is no address', async () => {
    using words = stubDialogs();
    words.types = ['0x1234', `${CHECKSUMMED.slice(0, -1)}D`];
    assert.equal(await askForAddress('Look Up', 'Address'), ACCOUNT);
    assert.ok(words.shown.includes('Not an address. Enter 0x and 40 hex digits.'), words.shown.join('\n'));
    assert.ok(words.shown.includes('Invalid EIP-55 checksum: a character may be wrong.'));
  });

  it('offer no precompile as a token, but do for a look-up', async () => {
    await view.book.setLabel(ACCOUNT, 'Treasury');
    const { book, names } = view;
    const active = { ready: async () => undefined, names, chainId: 77, name: () => undefined };
    using dialogs = stubDialogs();
    const offered: (readonly string[])[] = [];
    dialogs.choose = (labels) => {
      offered.push(labels);
      return labels.indexOf('Treasury');
    };
    assert.equal(await askForToken({ book, active }), ACCOUNT);
    assert.equal(await askForAnyAddress('Look Up', { book, active }), ACCOUNT);
    const [tokens = [], all = []] = offered;
    assert.deepEqual(tokens, ['Treasury', 'Other Address…']);
    assert.ok(
      ['Zero address', 'BLS12_G1MSM'].every((name) => all.includes(name)),
      all.join(),
    );
  });

  it('from a link of a hover have it say what can be done now, and leave the cursor where it is', async () => {
    const editor = await openText(`// pays\naddress alice = ${CHECKSUMMED};\n`);
    editor.selection = new Selection(0, 2, 0, 2);
    for (const id of ['editor.action.hideHover', 'editor.action.showHover']) noted.add(id);
    const place = { file: editor.document.uri.toString(), line: 1, character: 20 };
    await refreshHover(place);
    assert.deepEqual(
      run.map(([id]) => id),
      ['editor.action.hideHover', 'editor.action.showHover'],
    );
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [0, 2]);
    await refreshHover({ ...place, file: 'file:///another.sol' });
    assert.equal(run.length, 2);
  });
});

interface MenuEntry {
  readonly command: string;
  readonly when: string;
}

/** The commands, without their prefix, that the editor offers on a row of the Addresses view. */
function menuOf({ contextValue = '' }: TreeItem): readonly string[] {
  const { contributes } = extensions.getExtension('chainside.chainside')?.packageJSON ?? {};
  const entries: readonly MenuEntry[] = contributes.menus['view/item/context'];
  const holds = (condition: string): boolean => {
    if (condition.startsWith('!(')) return !holds(condition.slice(2, -1));
    const [, view] = /^view == (.+)$/.exec(condition) ?? [];
    if (view !== undefined) return view === viewIds.addresses;
    // Contexts of the window, as for a user who has just begun.
    if (condition.startsWith('chainside.')) return false;
    const [, pattern = ''] = /^viewItem =~ \/(.*)\/$/.exec(condition) ?? assert.fail(condition);
    return new RegExp(pattern).test(contextValue);
  };
  const ofView = entries.filter(({ when }) => when.startsWith(`view == ${viewIds.addresses} `));
  return ofView
    .filter(({ when }) => when.split(' || ').some((either) => either.split(' && ').every(holds)))
    .map(({ command }) => command.replace('chainside.', ''));
}
