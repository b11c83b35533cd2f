import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { environment } from './support/environment.ts';
import { exportLogs } from './support/exportLogs.ts';
import { tide, useLogPanels } from './support/logPanels.ts';

const contract =
  'contract Vault { event Stored(uint256 amount); function store(uint256 amount) external {} }';

describe('in a browser without a server', () => {
  const { editor, openAndRun } = useLogPanels(() => ({
    isWeb: true,
    settings: {
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
    async fillFolder(folder) {
      await mkdir(join(folder, 'src'));
      await writeFile(join(folder, 'src', 'Vault.sol'), contract);
    },
  }));
  it('reads contracts of a folder that is on no disk, and says that it has no artifacts', async () => {
    const tree = editor().trees.get('chainside.contracts') as vscode.TreeDataProvider<unknown>;
    const labels = async () => {
      const rows = (await tree.getChildren()) ?? [];
      const items = await Promise.all(rows.map((row) => tree.getTreeItem(row)));
      return items.map(({ label }) => (typeof label === 'string' ? label : label?.label));
    };
    let shown = await labels();
    await waitUntil('all is read', async () => {
      shown = await labels();
      return shown.length === 2;
    });
    assert.deepEqual(shown, ['Vault', 'Compiled artifacts are not in the repository']);
  });

  it('runs a query, and exports it in one step into the chosen file alone', async () => {
    await openAndRun({ Address: tide() });
    const { fs } = editor().api.workspace;
    Object.assign(fs, { rename: () => assert.fail('A browser gives access to one file.') });
    const path = await exportLogs(editor(), 'logs.csv', ['CSV', 'All logs of the query']);
    assert.match(await readFile(path, 'utf8'), /^\S+,/);
    const names = await readdir(dirname(path));
    assert.deepEqual(
      names.filter((name) => name.includes('logs')),
      ['logs.csv'],
    );
  });
});
