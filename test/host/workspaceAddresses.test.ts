import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type TreeItem, Uri, workspace } from 'vscode';
import type { Address } from '../../src/core/index.ts';
import { type AddressView, createAddressView } from './support/addressView.ts';
import { until } from './support/extension.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;

describe('addresses of the workspace', () => {
  let folder: Uri;
  let view: AddressView;

  beforeEach(async () => {
    const root = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    folder = Uri.joinPath(root, 'places');
    view = createAddressView();
  });
  afterEach(async () => {
    view.dispose();
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
    await write('src/A.sol', address('a'));
    await become({ [address('a')]: 'src/A.sol:0' });
    await write('src/A.sol', `\n${address('b')}`);
    await become({ [address('b')]: 'src/A.sol:1' });
    await write('src/deep/C.sol', address('c'));
    await become({ [address('b')]: 'src/A.sol:1', [address('c')]: 'src/deep/C.sol:0' });
    await workspace.fs.delete(Uri.joinPath(folder, 'src', 'deep'), { recursive: true });
    await become({ [address('b')]: 'src/A.sol:1' });
  });

  it('are rows that lead to their line', async () => {
    await write('A.sol', address('a'));
    const group = (await view.tree.getChildren()).find((node) => node.kind === 'group');
    assert.ok(group?.kind === 'group' && group.group === 'workspace');
    const items: readonly TreeItem[] = await view.items(group);
    const item = items.find(({ description }) => String(description).endsWith('A.sol:1'));
    assert.equal(item?.contextValue?.includes('placed'), true);
  });

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
