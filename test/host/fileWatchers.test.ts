import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { commands, Uri, WorkspaceEdit, window, workspace } from 'vscode';
import { type Address, systemClock } from '../../src/core/index.ts';
import {
  createWorkspaceContracts,
  type WorkspaceContracts,
} from '../../src/host/contracts/workspaceContracts.ts';
import { createWorkspaceFiles } from '../../src/host/workspace/workspaceFiles.ts';
import { waitUntil } from '../support/host/settings.ts';
import { watchedFolder } from './support/watchedFolder.ts';

const AGAIN: Address = `0x${'a9'.repeat(20)}`;

function deployedIn(block: number, chain: number): string {
  const hash = `0x${'1'.repeat(64)}`;
  const create = { hash, transactionType: 'CREATE', contractName: 'Again', contractAddress: AGAIN };
  const receipt = { transactionHash: hash, status: '0x1', blockNumber: `0x${block.toString(16)}` };
  return JSON.stringify({ transactions: [create], receipts: [receipt], chain });
}

describe('contracts of the workspace', () => {
  const log = window.createOutputChannel('Contracts', { log: true });
  let folder: Uri;
  let contracts: WorkspaceContracts;

  before(async () => {
    folder = await watchedFolder('contracts');
    const storageUri = Uri.joinPath(folder, '.storage');
    contracts = createWorkspaceContracts({
      ...{ files: createWorkspaceFiles(systemClock), clock: systemClock, log, storageUri, version: '1' },
    });
  });
  after(async () => {
    contracts.dispose();
    await workspace.fs.delete(folder, { recursive: true });
    log.dispose();
  });

  it('follow what is deployed again where the first time made folders in folders, also when these are made anew', async () => {
    const project = Uri.joinPath(folder, 'deployed');
    const broadcast = Uri.joinPath(project, 'broadcast');
    await workspace.fs.writeFile(Uri.joinPath(project, 'foundry.toml'), new Uint8Array());
    await contracts.index();
    const blockOn = (chainId: number) => contracts.known?.deploymentsAt(AGAIN, chainId)[0]?.block;
    const deploy = async (chainId: number, block: number) => {
      const chain = Uri.joinPath(broadcast, 'Deploy.s.sol', String(chainId));
      mkdirSync(chain.fsPath, { recursive: true });
      writeFileSync(Uri.joinPath(chain, 'run-latest.json').fsPath, deployedIn(block, chainId));
      await waitUntil(() => blockOn(chainId) === BigInt(block));
    };
    for (const nth of [1, 2]) {
      await deploy(31_337, nth);
      await deploy(31_337, nth + 10);
      await deploy(10, nth);
      await deploy(10, nth + 10);
      await workspace.fs.delete(broadcast, { recursive: true });
      await waitUntil(() => contracts.known?.deploymentsAt(AGAIN).length === 0);
    }
  });
});

describe('changes of files', () => {
  it('are those made in the editor too, where no watcher looks', async () => {
    const unwatched = workspace.getConfiguration('files').get<Record<string, boolean>>('watcherExclude');
    assert.equal(unwatched?.['**/unwatched/**'], true);
    const root = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    const [one, two] = ['One.sol', 'Two.sol'].map((name) => Uri.joinPath(root, 'unwatched', name)) as [
      Uri,
      Uri,
    ];
    await workspace.fs.writeFile(one, new Uint8Array());
    const told = new Set<string>();
    const watching = createWorkspaceFiles(systemClock).watch(
      () => true,
      ({ names }) => {
        for (const name of names) told.add(name);
      },
    );
    const areTold = async (...uris: readonly Uri[]) => {
      await waitUntil(() => uris.every((uri) => told.has(uri.toString())));
      told.clear();
    };
    const edit = async (make: (changes: WorkspaceEdit) => void) => {
      const changes = new WorkspaceEdit();
      make(changes);
      assert.equal(await workspace.applyEdit(changes), true);
    };
    const document = await workspace.openTextDocument(one);
    await edit((changes) => changes.insert(one, document.positionAt(0), '// one\n'));
    await document.save();
    await areTold(one);
    await edit((changes) => changes.renameFile(one, two));
    await areTold(one, two);
    await edit((changes) => changes.createFile(one, { contents: new Uint8Array() }));
    await areTold(one);
    await edit((changes) => changes.deleteFile(one));
    await areTold(one);
    watching.dispose();
    await commands.executeCommand('workbench.action.closeAllEditors');
  });
});
