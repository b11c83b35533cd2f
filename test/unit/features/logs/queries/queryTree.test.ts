import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Memento, Uri } from 'vscode';
import { emptyForm } from '../../../../../src/core/index.ts';
import { toNetworkQuery } from '../../../../../src/features/logs/panel/panelRuns.ts';
import { type StoredRun, toStoredVerdict } from '../../../../../src/features/logs/queries/queryHistory.ts';
import { QueryStore } from '../../../../../src/features/logs/queries/queryStore.ts';
import { type QueriesNode, QueryTree } from '../../../../../src/features/logs/queries/queryTree.ts';
import { toTreeItem } from '../../../../../src/host/ui/tree.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { createAddressView } from '../../../../support/host/addressView.ts';
import { memoryMemento } from '../../../../support/host/memoryFiles.ts';
import { waitUntil } from '../../../../support/host/settings.ts';
import { anyNetwork, verdictOf } from '../../../../support/stubs.ts';

const TOKEN = `0x${'5f'.repeat(20)}` as const;
const network = anyNetwork(77, { name: 'Node' });

const idOf = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
const asked = (fromBlock = '0') =>
  toNetworkQuery({ form: { ...emptyForm, address: TOKEN, fromBlock }, network });
const run = (id: number, toBlock = 9n): StoredRun => ({
  ...{ id: idOf(id), at: id, count: 1, verdict: toStoredVerdict(verdictOf({ toBlock })) },
});

describe('kept queries', () => {
  let folder: string;
  let state: Memento;
  const opened: QueryStore[] = [];
  const log = { warn: (text: string) => void warned.push(text) };
  let warned: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-queries-'));
    state = memoryMemento();
    warned = [];
  });
  afterEach(async () => {
    for (const queries of opened.splice(0)) {
      queries.dispose();
      await queries.settled();
    }
    await rm(folder, { recursive: true, force: true });
  });

  /** As a window of a workspace opens them. */
  async function open(workspaceState = state): Promise<QueryStore> {
    const queries = new QueryStore({
      ...{ workspaceState, log, clock: createTestClock(), storageUri: Uri.file(folder) },
      workspaceStorageUri: Uri.file(join(folder, 'workspace')),
    });
    opened.push(queries);
    await queries.ready;
    return queries;
  }

  it('are those of a release that kept rows of runs, whose files are deleted', async () => {
    (await open()).addRun(asked(), run(1));
    const [stored] = state.get<{ queries: { last: object }[] }>('chainside.queries')?.queries ?? [];
    const rows = { sha256: 'ab'.repeat(32), bytes: 10, count: 1, verdict: toStoredVerdict(verdictOf()) };
    const last = { ...stored?.last, rows, compared: true };
    await state.update('chainside.queries', { version: 1, queries: [{ ...stored, last }] });
    const workspace = join(folder, 'workspace');
    await mkdir(join(workspace, 'rows'), { recursive: true });
    await writeFile(join(workspace, 'rows', `${idOf(1)}.ndjson.gz`), 'rows');
    await writeFile(join(workspace, 'index.ndjson'), 'of another feature');
    const [query] = (await open()).recent;
    assert.deepEqual(query?.last, run(1));
    await waitUntil(async () => (await readdir(workspace)).length === 1);
    assert.deepEqual([await readdir(workspace), warned], [['index.ndjson'], []]);
  });

  it('are saved for every window, by a name that can be changed, and go among the recent ones without', async () => {
    const [here, elsewhere] = [await open(), await open(memoryMemento())];
    here.addRun(asked(), run(1));
    assert.equal(await here.save(asked(), 'Vault'), 'saved');
    assert.deepEqual([here.saved.length, here.recent.length], [1, 0]);
    assert.equal(here.saved[0]?.last?.id, idOf(1));
    assert.equal(await here.save(asked(), 'Vault again'), 'saved');
    await waitUntil(() => elsewhere.saved[0]?.name === 'Vault again');
    assert.equal(elsewhere.saved[0]?.last, undefined);
    await here.remove(here.saved[0]?.id ?? '');
    assert.deepEqual([here.saved.length, here.recent.length], [0, 1]);
    await waitUntil(() => elsewhere.saved.length === 0);
  });

  it('are listed as they are on disk when several are saved and removed at the same time', async () => {
    const queries = await open();
    const names = ['First', 'Second', 'Third'];
    await Promise.all(names.map((name, block) => queries.save(asked(String(block)), name)));
    assert.deepEqual(
      queries.saved.map(({ name }) => name),
      names,
    );
    await Promise.all([
      queries.save(asked('9'), 'Fourth'),
      ...queries.saved.slice(0, 2).map(({ id }) => queries.remove(id)),
    ]);
    for (const { saved } of [queries, await open()]) {
      assert.deepEqual(
        saved.map(({ name }) => name),
        ['Fourth', 'Third'],
      );
    }
  });

  it('read what others wrote into their folder only if it is a query', async () => {
    await (await open()).save(asked(), 'Vault');
    const [kept] = await readdir(join(folder, 'queries'));
    await writeFile(join(folder, 'queries', `${idOf(5)}.json`), '{"version":1}');
    await writeFile(join(folder, 'queries', `${idOf(6)}.json`), 'x'.repeat(1_000_000));
    await copyFile(join(folder, 'queries', kept ?? ''), join(folder, 'queries', 'other.json'));
    assert.deepEqual(
      (await open()).saved.map(({ name }) => name),
      ['Vault'],
    );
  });

  it('are rows of a view, in words', async () => {
    const queries = await open();
    const view = createAddressView();
    const clock = createTestClock();
    const tree = new QueryTree({
      ...{ queries, session: view.session, clock, names: async () => view.names },
      view: { visible: false, onDidChangeVisibility: () => ({ dispose: () => undefined }) },
    });
    try {
      assert.deepEqual(await tree.getChildren(), []);
      const at = clock.now() - 180_000;
      const count = 12_034;
      queries.addRun(asked(), { ...run(1, 21_000_000n), at, count });
      queries.addRun(asked('5'), { ...run(2), at, count, ended: 'failed', verdict: undefined } as never);
      await queries.save(asked('5'), 'Since [five](http://evil.example)');
      const groups = await tree.getChildren();
      const spoken = async (node: QueriesNode) =>
        (await tree.getChildren(node)).map(
          (child) => toTreeItem(tree.getTreeItem(child)).accessibilityInformation?.label,
        );
      assert.deepEqual(
        groups.map((node) => toTreeItem(tree.getTreeItem(node)).label),
        ['Saved', 'Recent'],
      );
      const [saved, recent] = groups;
      if (!saved || !recent) assert.fail();
      assert.deepEqual(await spoken(saved), [
        'Since [five] (http://evil.example), failed · 3 min ago · Node',
      ]);
      assert.deepEqual(await spoken(recent), [
        'Logs · 0x5f5f…5F5f, 12,034 logs, complete to 21,000,000 · 3 min ago · Node',
      ]);
    } finally {
      tree.dispose();
      view.dispose();
    }
  });
});
