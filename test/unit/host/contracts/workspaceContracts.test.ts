import assert from 'node:assert/strict';
import { Uri, window, workspace } from 'vscode';
import { createProjectIndexer, systemClock } from '../../../../src/core/index.ts';
import {
  createWorkspaceProjectFiles,
  createWorkspaceRoots,
} from '../../../../src/host/contracts/indexedWorkspace.ts';
import {
  createWorkspaceContracts,
  type WorkspaceContracts,
} from '../../../../src/host/contracts/workspaceContracts.ts';
import { readTextFile } from '../../../../src/host/workspace/listFiles.ts';
import { createWorkspaceFiles } from '../../../../src/host/workspace/workspaceFiles.ts';
import { registerMemoryFiles } from '../../../support/host/memoryFiles.ts';
import { waitUntil } from '../../../support/host/settings.ts';
import { createWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';

const event = (name: string) => ({ type: 'event', name, inputs: [], anonymous: false });

function artifact(...events: readonly string[]): string {
  const settings = { compilationTarget: { 'src/Shop.sol': 'Shop' } };
  return JSON.stringify({ abi: events.map(event), metadata: { settings } });
}

describe('contracts of the workspace', () => {
  const log = window.createOutputChannel('Contracts', { log: true });
  let folder: Uri;
  let storage: Uri;
  let sessions = 0;
  const opened: WorkspaceContracts[] = [];

  before(async () => {
    folder = await createWorkspaceFolder('contracts');
  });
  // Each of its own: what a session keeps may be written after it.
  beforeEach(() => {
    storage = Uri.joinPath(folder, `.kept${++sessions}`);
  });
  afterEach(() => {
    for (const each of opened.splice(0)) each.dispose();
  });
  after(async () => {
    await workspace.fs.delete(folder, { recursive: true });
    log.dispose();
  });

  async function write(path: string, text: string): Promise<void> {
    await workspace.fs.writeFile(Uri.joinPath(folder, path), new TextEncoder().encode(text));
  }

  function open(files = createWorkspaceFiles(systemClock)): WorkspaceContracts {
    const contracts = createWorkspaceContracts({
      ...{ files, clock: systemClock, log, storageUri: storage, version: '1' },
    });
    opened.push(contracts);
    return contracts;
  }

  const eventsOf = (contracts: WorkspaceContracts) =>
    contracts.known?.contractNamed('Shop').flatMap(({ abi }) => abi);

  it('are read when first asked for, and follow what is built, what is new and what goes', async () => {
    await write('foundry.toml', '[profile.default]\n');
    await write('src/Shop.sol', 'contract Shop {}\n');
    await write('out/Shop.json', artifact('Paid'));
    const contracts = open();
    assert.deepEqual([contracts.state, contracts.known], [{ kind: 'idle' }, undefined]);
    const [shop] = (await contracts.index()).contractNamed('Shop');
    assert.deepEqual([shop?.abi, shop?.line, contracts.state], [['event Paid()'], 1, { kind: 'ready' }]);
    const source = contracts.uriOf(shop?.source ?? '');
    assert.equal(source?.toString(), Uri.joinPath(folder, 'src/Shop.sol').toString());
    assert.equal(source && contracts.pathOf(source), shop?.source);
    await write('out/Shop.json', artifact('Paid', 'Refunded'));
    await waitUntil(() => eventsOf(contracts)?.length === 2);
    await write('src/more/New.sol', 'contract New {}\n');
    await waitUntil(() => contracts.known?.contractNamed('New').length === 1);
    await workspace.fs.delete(Uri.joinPath(folder, 'src/more'), { recursive: true });
    await waitUntil(() => contracts.known?.contractNamed('New').length === 0);
  });

  it('are all read again on request, as the editor may miss a change', async () => {
    await write('out/Shop.json', artifact('Paid'));
    const files = createWorkspaceFiles(systemClock);
    // An editor that reports nothing.
    const contracts = open({ ...files, watch: (_, changed) => files.watch(() => false, changed) });
    await contracts.index();
    await write('out/Shop.json', artifact('Paid', 'Refunded'));
    assert.equal(eventsOf(contracts)?.length, 1);
    files.refresh();
    await waitUntil(() => eventsOf(contracts)?.length === 2);
  });

  it('tell when they have been read and are others, not while they are read nor when they are the same', async () => {
    await write('out/Shop.json', artifact('Paid'));
    const contracts = open();
    const told: string[] = [];
    contracts.onDidRead(() => told.push(`${contracts.state.kind} ${eventsOf(contracts)?.length}`));
    await contracts.index();
    await contracts.index();
    assert.deepEqual(told, ['ready 1']);
    await write('out/Shop.json', artifact('Paid', 'Refunded'));
    await waitUntil(() => told.length > 1);
    assert.deepEqual(told, ['ready 1', 'ready 2']);
  });

  it('are known again in the next session', async () => {
    await write('out/Shop.json', artifact('Paid'));
    const kept = Uri.joinPath(storage, 'contracts.ndjson');
    const first = open();
    await first.index();
    let text = '';
    const look = () =>
      void readTextFile(kept).then((read) => {
        text = read;
      });
    await waitUntil(() => {
      look();
      return text.includes('event Paid()');
    });
    first.dispose();
    await workspace.fs.writeFile(
      kept,
      new TextEncoder().encode(text.replace('event Paid()', 'event Kept()')),
    );
    const second = open();
    await second.index();
    assert.deepEqual(eventsOf(second), ['event Kept()']);
  });

  it('are read through the editor where they are on no disk, of a folder the first 20,000 entries', async () => {
    const memory = registerMemoryFiles('contracts-nowhere');
    try {
      const write = (name: string, text: string) =>
        workspace.fs.writeFile(memory.uri(name), new TextEncoder().encode(text));
      await write('foundry.toml', '[profile.default]\n');
      await write('Shop.json', JSON.stringify([event('Paid')]));
      await write('Shop.sol', 'contract Source {}\n');
      const roots = createWorkspaceRoots([{ uri: memory.uri(''), name: 'nowhere', index: 0 }]);
      const indexer = createProjectIndexer({
        ...{ files: createWorkspaceProjectFiles(roots), roots: roots.paths, clock: systemClock },
      });
      await indexer.update('all');
      assert.deepEqual(
        indexer.index.contracts.map(({ name, abi }) => [name, ...abi]),
        [['Shop', 'event Paid()'], ['Source']],
      );
      assert.deepEqual(indexer.skipped, []);
      for (let nth = 0; nth < 20_000; nth++) memory.files.set(`/${nth}.png`, new Uint8Array());
      await indexer.update('all');
      assert.deepEqual(
        indexer.skipped.map(({ reason }) => reason),
        ['Only the first 20000 entries of a folder are read.'],
      );
    } finally {
      memory.dispose();
    }
  });
});
