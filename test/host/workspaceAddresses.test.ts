import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type TreeItem, Uri, WorkspaceEdit, workspace } from 'vscode';
import type { Address } from '../../src/core/index.ts';
import { type AddressView, createAddressView } from './support/addressView.ts';
import { until } from './support/extension.ts';
import { watchedFolder } from './support/watchedFolder.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;

describe('addresses of the workspace', () => {
  let folders = 0;
  let folder: Uri;
  let view: AddressView;

  beforeEach(async () => {
    // Each of a name of its own: the editor keeps documents for a while whose file is gone.
    folder = await watchedFolder(`places${++folders}`);
    view = createAddressView();
  });
  afterEach(async () => {
    view.dispose();
    await workspace.getConfiguration('files').update('watcherExclude', undefined);
    await workspace.fs.delete(folder, { recursive: true });
  });

  async function write(path: string, text: string): Promise<void> {
    await workspace.fs.writeFile(Uri.joinPath(folder, path), new TextEncoder().encode(text));
  }

  /** Where each address stands, of those in the folder of this test. */
  async function places(): Promise<Readonly<Record<string, string>>> {
    const { occurrences } = await view.search.found();
    const own = occurrences.filter(({ uri }) => uri.path.startsWith(`${folder.path}/`));
    return Object.fromEntries(
      own.map((place) => [place.address, `${place.uri.path.slice(folder.path.length + 1)}:${place.line}`]),
    );
  }

  it('are those of sources, not of what is built or of what others wrote', async () => {
    await write('src/A.sol', `// one\n${address('a')}`);
    await write('out/B.json', address('b'));
    await write('lib/forge/C.sol', address('c'));
    await write('node_modules/p/D.js', address('d'));
    await become({ [address('a')]: 'src/A.sol:1' });
  });

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

  it('follow what is saved, made, renamed and deleted in the editor, where no watcher looks', async () => {
    const [one, two] = ['unwatched/One.sol', 'unwatched/Two.sol'].map((path) =>
      Uri.joinPath(folder, path),
    ) as [Uri, Uri];
    await workspace.getConfiguration('files').update('watcherExclude', { '**/unwatched/**': true });
    await write('unwatched/One.sol', address('d'));
    await become({ [address('d')]: 'unwatched/One.sol:0' });
    const document = await workspace.openTextDocument(one);
    await edit((changes) => changes.insert(one, document.positionAt(0), `${address('e')}\n`));
    await document.save();
    await become({ [address('e')]: 'unwatched/One.sol:0', [address('d')]: 'unwatched/One.sol:1' });
    await edit((changes) => changes.renameFile(one, two));
    const renamed = { [address('e')]: 'unwatched/Two.sol:0', [address('d')]: 'unwatched/Two.sol:1' };
    await become(renamed);
    await edit((changes) => changes.createFile(one, { contents: new TextEncoder().encode(address('f')) }));
    await become({ ...renamed, [address('f')]: 'unwatched/One.sol:0' });
    await edit((changes) => changes.deleteFile(one));
    await become(renamed);
  });

  it('are all of them, though a change overtakes the search', async () => {
    await write('A.sol', address('a'));
    const found = view.search.found();
    view.search.searchAgain();
    const paths = (await found).occurrences.map(({ uri }) => uri.path);
    assert.ok(paths.includes(`${folder.path}/A.sol`), paths.join());
  });

  it('are rows that lead to their line', async () => {
    await write('A.sol', address('a'));
    await become({ [address('a')]: 'A.sol:0' });
    const group = (await view.tree.getChildren()).find((node) => node.kind === 'group');
    assert.ok(group?.kind === 'group' && group.group === 'workspace');
    const items: readonly TreeItem[] = await view.items(group);
    const item = items.find(({ description }) => String(description).endsWith('A.sol:1'));
    assert.equal(item?.contextValue?.includes('placed'), true);
  });

  async function edit(make: (changes: WorkspaceEdit) => void): Promise<void> {
    const changes = new WorkspaceEdit();
    make(changes);
    assert.equal(await workspace.applyEdit(changes), true);
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
      await until(() => isDeepStrictEqual(found, expected));
    } finally {
      listening.dispose();
    }
  }
});
