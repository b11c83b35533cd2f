import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { commands, Uri, window, workspace } from 'vscode';
import { type Address, formatShortAddress, toChecksumAddress } from '../../../../src/core/index.ts';
import {
  type AddressTreeNode,
  getAddressNodeId,
} from '../../../../src/features/addresses/tree/addressNodes.ts';
import { toTreeItem } from '../../../../src/host/ui/tree.ts';
import { type AddressView, createAddressView } from '../../../support/host/addressView.ts';
import { waitUntil } from '../../../support/host/settings.ts';
import { createWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
// In no other file that a test leaves in this workspace.
const checksummed = toChecksumAddress('0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb');

describe('addresses of the workspace', () => {
  useExtension();
  let folders = 0;
  let folder: Uri;
  let view: AddressView;

  beforeEach(async () => {
    // Each of a name of its own: the editor keeps documents for a while whose file is gone.
    folder = await createWorkspaceFolder(`places${++folders}`);
    view = createAddressView();
  });
  afterEach(async () => {
    view.dispose();
    await workspace.fs.delete(folder, { recursive: true });
  });

  async function write(path: string, text: string): Promise<void> {
    await workspace.fs.writeFile(Uri.joinPath(folder, path), new TextEncoder().encode(text));
  }

  /** Where each address stands first, of those in the folder of this test. */
  async function places(): Promise<Readonly<Record<string, string>>> {
    const { occurrences } = await view.search.found();
    const own = occurrences.filter(({ uri }) => uri.path.startsWith(`${folder.path}/`));
    return Object.fromEntries(
      own.map(({ address, uri, line }) => [address, `${uri.path.slice(folder.path.length + 1)}:${line}`]),
    );
  }

  it('follow the files: as they change, come, and go with their folder', async () => {
    await write('A.sol', address('a'));
    await become({ [address('a')]: 'A.sol:0' });
    await write('A.sol', `\n${address('b')}`);
    await become({ [address('b')]: 'A.sol:1' });
    await write('deep/C.sol', address('c'));
    await become({ [address('b')]: 'A.sol:1', [address('c')]: 'deep/C.sol:0' });
    await workspace.fs.delete(Uri.joinPath(folder, 'deep'), { recursive: true });
    await become({ [address('b')]: 'A.sol:1' });
  });

  it('are those of unsaved documents, not of what an extension shows in a document', async () => {
    const shown = workspace.registerTextDocumentContentProvider('shown-in-test', {
      provideTextDocumentContent: () => `From: ${address('5')}`,
    });
    try {
      await workspace.openTextDocument(Uri.parse('shown-in-test:Transaction'));
      const { uri } = await workspace.openTextDocument({ content: `From: ${address('4')}` });
      const { occurrences } = await view.search.found();
      const foundIn = (wanted: Address) =>
        occurrences.find((each) => each.address === wanted)?.uri.toString();
      assert.deepEqual([foundIn(address('4')), foundIn(address('5'))], [uri.toString(), undefined]);
    } finally {
      shown.dispose();
    }
  });

  it('are all of them, though a change overtakes the search', async () => {
    await write('A.sol', address('a'));
    const found = view.search.found();
    view.search.searchAgain();
    const paths = (await found).occurrences.map(({ uri }) => uri.path);
    assert.ok(paths.includes(`${folder.path}/A.sol`), paths.join());
  });

  it('are not those of what .gitignore, settings and Foundry leave out, until that changes', async () => {
    await write('.gitignore', 'generated/\n*.tmp.json\n!keep.tmp.json\n');
    await write('foundry.toml', '[profile.default]\nlibs = ["deps"]\n');
    await write('A.sol', address('a'));
    await write('generated/B.sol', address('b'));
    await write('x.tmp.json', address('c'));
    await write('keep.tmp.json', address('7'));
    await write('deps/D.sol', address('8'));
    await write('private/F.sol', address('6'));
    await write('out/B.json', address('2'));
    await write('node_modules/p/D.js', address('3'));
    const kept = { [address('a')]: 'A.sol:0', [address('7')]: 'keep.tmp.json:0' };
    await become({ ...kept, [address('6')]: 'private/F.sol:0' });
    const files = workspace.getConfiguration('files');
    try {
      await files.update('exclude', { '**/private': true });
      await become(kept);
    } finally {
      await files.update('exclude', undefined);
    }
    await become({ ...kept, [address('6')]: 'private/F.sol:0' });
    await write('private/.gitignore', '*');
    await become(kept);
    await write('.gitignore', '*.tmp.json\n');
    await become({ [address('a')]: 'A.sol:0', [address('b')]: 'generated/B.sol:0' });
  });

  it('are a row each, of its name, with its place last, and lead to all of their places', async () => {
    await write('src/A.sol', `// one\naddress constant TREASURY = ${checksummed};\n`);
    await write('src/b.json', JSON.stringify({ vault: address('b'), treasury: checksummed }, undefined, 1));
    await become({ [checksummed.toLowerCase()]: 'src/A.sol:1', [address('b')]: 'src/b.json:1' });
    assert.deepEqual(await spokenIn(folder), [
      `TREASURY, ${formatShortAddress(checksummed)}, A.sol:2, 2 places`,
      `vault, ${formatShortAddress(toChecksumAddress(address('b')))}, b.json:2`,
    ]);
    const [treasury] = await rowsIn(folder);
    assert.ok(treasury);
    const item = toTreeItem(view.tree.getTreeItem(treasury));
    assert.ok(item.contextValue?.includes('placed'));
    await commands.executeCommand(item.command?.command ?? '', ...(item.command?.arguments ?? []));
    await waitUntil(() => window.activeTextEditor?.document.uri.path.endsWith('src/A.sol') === true);
    assert.equal(window.activeTextEditor?.selection.active.line, 1);
    const places = (await view.items(treasury)).filter(
      ({ command }) => command?.command === 'chainside.goToPlace',
    );
    assert.deepEqual(
      places.map(({ label }) => label),
      ['A.sol:2', 'b.json:3'],
    );
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('of sources come before those that only a record of deployments has, which repeats none', async () => {
    await write('z.json', JSON.stringify({ vault: address('b') }));
    const record = JSON.stringify({ contractAddress: address('b'), from: address('5') });
    for (const name of ['run-1.json', 'run-latest.json']) await write(`broadcast/A.s.sol/1/${name}`, record);
    await become({ [address('b')]: 'z.json:0', [address('5')]: 'broadcast/A.s.sol/1/run-1.json:0' });
    const short = (digit: string) => formatShortAddress(toChecksumAddress(address(digit)));
    assert.deepEqual(await spokenIn(folder), [
      `vault, ${short('b')}, z.json:1, 3 places`,
      `${short('5')}, run-1.json:1, 2 places`,
    ]);
  });

  it('are called by their label before what stands beside them', async () => {
    await write('b.json', JSON.stringify({ vault: address('b') }));
    await become({ [address('b')]: 'b.json:0' });
    await view.book.setLabel(address('b'), 'Mine');
    assert.deepEqual(await spokenIn(folder), [
      `Mine, ${formatShortAddress(toChecksumAddress(address('b')))}, b.json:1`,
    ]);
  });

  it('are shown some at a time, however many they are, with the balances of the first', async () => {
    const many = Array.from(
      { length: 10_000 },
      (_, nth) => `0x${(nth + 2 ** 32).toString(16).padStart(40, '1')}`,
    );
    await write('many.json', JSON.stringify(many));
    const group = await workspaceGroup();
    const rows = await view.items(group);
    assert.equal(rows.length, 201);
    assert.equal(rows.at(-1)?.label, 'Show 200 more…');
    await view.tree.showMore(getAddressNodeId(group));
    assert.equal((await view.items(group)).length, 401);
    const accounts = (await view.tree.getChildren(group)).flatMap((node) =>
      node.kind === 'address' ? node.account : [],
    );
    const isRequested = accounts.map((account) => view.balances.native(account).state !== 'idle');
    assert.deepEqual(isRequested, [...Array(50).fill(true), ...Array(350).fill(false)]);
  });

  async function workspaceGroup(): Promise<AddressTreeNode> {
    const group = (await view.tree.getChildren()).find((node) => getAddressNodeId(node) === 'workspace');
    return group ?? assert.fail('no group');
  }

  async function rowsIn({ path }: Uri): Promise<readonly AddressTreeNode[]> {
    const nodes = await view.tree.getChildren(await workspaceGroup());
    return nodes.filter(
      (node) => node.kind === 'address' && node.occurrence?.uri.path.startsWith(`${path}/`),
    );
  }

  /** What a screen reader hears of the rows, but for what the chain says. */
  async function spokenIn(where: Uri): Promise<readonly string[]> {
    return (await rowsIn(where)).map((row) => view.tree.getTreeItem(row).accessibleLabel.replace(', …', ''));
  }

  /** Waits until the search, which is only looked at when it tells of a change, finds these. */
  async function become(expected: Readonly<Record<string, string>>): Promise<void> {
    let found: Readonly<Record<string, string>> = {};
    let looks = 0;
    const look = async () => {
      const nth = ++looks;
      const seen = await places();
      // A search that a change has overtaken may end after the one that came of it.
      if (nth === looks) found = seen;
    };
    const listening = view.search.onDidChange(look);
    try {
      await look();
      await waitUntil(() => isDeepStrictEqual(found, expected)).catch(() =>
        assert.deepEqual(found, expected),
      );
    } finally {
      listening.dispose();
    }
  }
});
