import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Memento, Uri } from 'vscode';
import {
  createLogStore,
  emptyForm,
  type Hex,
  type Log,
  type Network,
  type Verdict,
} from '../../src/core/index.ts';
import { MAX_STORED_ROWS } from '../../src/features/logs/compareRuns/runRows.ts';
import { toNetworkQuery } from '../../src/features/logs/panel/panelRuns.ts';
import { type StoredRun, toStoredVerdict } from '../../src/features/logs/queries/queryHistory.ts';
import { QueryStore } from '../../src/features/logs/queries/queryStore.ts';
import { type QueriesNode, QueryTree } from '../../src/features/logs/queries/queryTree.ts';
import { toTreeItem } from '../../src/host/ui/tree.ts';
import { createTestClock } from '../support/clocks.ts';
import { answerEach, type RpcRequest } from '../support/loopbackServer.ts';
import { type AddressView, createAddressView } from './support/addressView.ts';
import { type DialogStub, stubDialogs } from './support/dialogs.ts';
import { selectNetwork, useNetworks, waitUntil } from './support/extension.ts';
import { memoryMemento } from './support/memoryFiles.ts';
import { openPanel } from './support/openPanel.ts';
import { type RecordedServer, startRecordedServer } from './support/recordedServer.ts';

const TOKEN = `0x${'5f'.repeat(20)}` as const;
const network: Network = {
  ...{ id: 'node', name: 'Node', chainId: 77, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH', decimals: 18 },
};
const hex32 = (digits: string): Hex => `0x${digits.padStart(64, '0')}`;

const logAt = (block: number, branch = 'a'): Log => ({
  ...{
    address: TOKEN,
    blockNumber: BigInt(block),
    blockHash: hex32(`${branch}${block}`),
    data: '0xaa' as Hex,
  },
  ...{ logIndex: 0, topics: [hex32('ab')], transactionHash: hex32(`${block}`), transactionIndex: 0 },
});
const verdict = (toBlock: bigint): Verdict => ({
  ...{ state: 'complete', reasons: [], fromBlock: 0n, toBlock, head: toBlock, order: 'oldestFirst' },
  ...{ readThrough: toBlock, rows: 0, requests: 1 },
});
const idOf = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
const asked = (fromBlock = '0') =>
  toNetworkQuery({ form: { ...emptyForm, address: TOKEN, fromBlock }, network });
const run = (id: number, toBlock = 9n): StoredRun => ({
  ...{ id: idOf(id), at: id, count: 1, verdict: toStoredVerdict(verdict(toBlock)) },
});
function rowsOf(...logs: readonly Log[]) {
  const rows = createLogStore();
  rows.append(logs);
  return rows;
}

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
  async function open(workspaceState = state, { isWorkspace = true } = {}): Promise<QueryStore> {
    const queries = new QueryStore({
      ...{ workspaceState, log, clock: createTestClock(), storageUri: Uri.file(folder) },
      workspaceStorageUri: isWorkspace ? Uri.file(join(folder, 'workspace')) : undefined,
    });
    opened.push(queries);
    await queries.ready;
    return queries;
  }
  const files = async () => (await readdir(join(folder, 'workspace', 'rows')).catch(() => [])).sort();
  const keep = async (queries: QueryStore, id: number, fromBlock = '0') => {
    queries.addRun(asked(fromBlock), run(id));
    await queries.storeRows(idOf(id), rowsOf(logAt(3), logAt(5)), verdict(9n));
  };

  it('come back in another window of the workspace, with the rows of their runs', async () => {
    await keep(await open(), 1);
    const again = await open();
    const [query] = again.recent;
    assert.deepEqual([query?.last?.id, query?.last?.rows?.count], [idOf(1), 2]);
    const rows = query?.last && (await again.rowsOf(query.last));
    assert.deepEqual(rows?.slice(0, 5), [logAt(3), logAt(5)]);
  });

  it('leave nothing on disk of what is forgotten, or of a run that two others followed', async () => {
    const queries = await open();
    for (const id of [1, 2, 3]) await keep(queries, id);
    await waitUntil(async () => (await files()).length === 2);
    assert.deepEqual(await files(), [`${idOf(2)}.ndjson.gz`, `${idOf(3)}.ndjson.gz`]);
    await keep(queries, 4, '1');
    const [newest] = queries.recent;
    await queries.remove(newest?.id ?? '');
    await waitUntil(async () => (await files()).length === 2);
    queries.clearRecent();
    await waitUntil(async () => (await files()).length === 0);
    assert.deepEqual(queries.recent, []);
  });

  it('take what a window has left over off the disk, and touch nothing else', async () => {
    await keep(await open(), 1);
    const rows = join(folder, 'workspace', 'rows');
    await writeFile(join(rows, `${idOf(9)}.ndjson.gz`), 'left over');
    await writeFile(join(rows, 'notes.txt'), 'of somebody else');
    await open();
    await waitUntil(async () => !(await files()).includes(`${idOf(9)}.ndjson.gz`));
    assert.deepEqual(await files(), [`${idOf(1)}.ndjson.gz`, 'notes.txt']);
  });

  for (const [what, change] of Object.entries<(file: string) => Promise<void>>({
    'are gone': (file) => rm(file),
    'are none': (file) => writeFile(file, 'no gzip'),
    'were cut': async (file) => writeFile(file, (await readFile(file)).subarray(0, 60)),
    'are of another run': async (file) => writeFile(file, await readFile(file.replace(idOf(1), idOf(2)))),
  })) {
    it(`have no rows any more that ${what}, and go on without`, async () => {
      const queries = await open();
      await keep(queries, 1);
      queries.addRun(asked('1'), run(2));
      await queries.storeRows(idOf(2), rowsOf(logAt(4)), verdict(9n));
      await change(join(folder, 'workspace', 'rows', `${idOf(1)}.ndjson.gz`));
      const query = queries.recent.find(({ last }) => last?.id === idOf(1));
      assert.equal(query?.last && (await queries.rowsOf(query.last)), undefined);
      assert.equal(queries.byId(query?.id ?? '')?.last?.rows, undefined);
      assert.equal(warned.length, 1);
    });
  }

  it('keep the rows that there were when they began to be kept, and not too many', async () => {
    const queries = await open();
    queries.addRun(asked(), run(1));
    const rows = rowsOf(logAt(3));
    const kept = queries.storeRows(idOf(1), rows, verdict(9n));
    rows.append([logAt(20)]);
    await kept;
    const [query] = queries.recent;
    assert.deepEqual(query?.last && (await queries.rowsOf(query.last))?.length, 1);
    queries.addRun(asked('1'), run(2));
    const tooMany = { ...rows, length: MAX_STORED_ROWS + 1 };
    await queries.storeRows(idOf(2), tooMany, verdict(9n));
    assert.equal(queries.recent[0]?.last?.rows, undefined);
  });

  it('keep rows in memory where there is no workspace', async () => {
    const queries = await open(state, { isWorkspace: false });
    await keep(queries, 1);
    const [query] = queries.recent;
    assert.equal(query?.last && (await queries.rowsOf(query.last))?.length, 2);
    assert.deepEqual(await files(), []);
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

describe('comparing with the last run', () => {
  let server: RecordedServer;
  let logs: readonly Log[];
  let head: number;
  /** Blocks from here on are others than they were. */
  let fork: number;
  let view: AddressView;
  let opened: Awaited<ReturnType<typeof openPanel>>;
  let person: DialogStub;

  before(async () => {
    server = await startRecordedServer();
    server.answer = ({ body }) => ({ body: answerEach(answer)(JSON.parse(body)) });
  });
  after(() => server.close());
  useNetworks(() => ({ runs: { name: 'Runs', chainId: 7_700_090, rpcUrl: server.url } }));

  function answer({ id, method, params }: RpcRequest): object {
    const reply = (result: unknown) => ({ jsonrpc: '2.0', id, result });
    const hex = (number: number | bigint): Hex => `0x${number.toString(16)}`;
    if (method === 'eth_blockNumber') return reply(hex(head));
    if (method === 'eth_getBlockByNumber' && /^0x/.test(String(params[0]))) {
      const number = Number(params[0]);
      const hash = hex32(`${number >= fork ? 'b' : 'a'}${number}`);
      return reply({ number: hex(number), hash, timestamp: hex(1000 + number), parentHash: hex32('0') });
    }
    if (method !== 'eth_getLogs')
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } };
    const { fromBlock, toBlock } = params[0] as { readonly fromBlock: string; readonly toBlock: string };
    const last = toBlock === 'latest' ? head : Number(toBlock);
    return reply(
      logs
        .filter(({ blockNumber }) => blockNumber >= BigInt(fromBlock) && blockNumber <= BigInt(last))
        .map((log) => ({
          ...log,
          blockNumber: hex(log.blockNumber),
          logIndex: '0x0',
          transactionIndex: '0x0',
        })),
    );
  }

  beforeEach(async () => {
    [logs, head, fork] = [[logAt(3), logAt(5), logAt(8)], 9, 100];
    await selectNetwork('runs');
    person = stubDialogs();
    view = createAddressView();
    opened = await openPanel(view);
    await waitUntil(() => view.session.network.id === 'runs');
  });
  afterEach(async () => {
    person.leave();
    await opened.dispose();
    view.dispose();
  });

  const text = () => opened.shown.at(-1) ?? '';

  it('says that there is none, and asks nobody', async () => {
    await opened.panel.compareWithLast();
    assert.match(person.told[0] ?? '', /^No run of this query was complete yet\./);
    assert.deepEqual(opened.shown, []);
  });

  it('shows nothing where nothing has changed', async () => {
    await opened.run(TOKEN);
    await opened.panel.compareWithLast();
    assert.deepEqual(opened.shown, []);
    const [query] = opened.queries.recent;
    assert.equal(opened.queries.recent.length, 1);
    assert.ok(query?.last && query.earlier && query.last.compared);
  });

  it('tells what is new since from what is lost in the same blocks', async () => {
    await opened.run(TOKEN);
    [logs, head] = [[logAt(3), logAt(8), logAt(11)], 12];
    await opened.panel.compareWithLast();
    assert.match(text(), /gave other logs of blocks 0 to 9: 1 only from the last run\./);
    assert.match(text(), /\n1 of them are of blocks that are still the same: the server gives other logs/);
    assert.match(text(), /\nOnly from the last run: 1\nBlock 5, log index 0\n/);
    assert.match(text(), /\nNew since the last run: 1\nBlock 11, log index 0\n/);
  });

  it('tells a reorganisation by the blocks, asking for one where no row tells', async () => {
    await opened.run(TOKEN);
    [logs, fork] = [[logAt(3), logAt(5)], 8];
    await opened.panel.compareWithLast();
    assert.match(text(), /\n1 of them are of blocks that were replaced: the chain was reorganised\.\n/);
    assert.match(text(), /\nOnly from the last run: 1\nBlock 8, log index 0\n/);
  });

  it('asks which run is meant where the newest one was not compared yet', async () => {
    await opened.run(TOKEN);
    logs = [logAt(3), logAt(5), logAt(8), logAt(9)];
    await opened.run(TOKEN);
    person.picks = ['The Run Before It'];
    await opened.panel.compareWithLast();
    assert.deepEqual(
      person.lists[0]?.items.map(({ label }) => label),
      ['Last Run', 'The Run Before It'],
    );
    assert.match(text(), /\nOnly from this run: 1\nBlock 9, log index 0\n/);
    person.lists.length = 0;
    await opened.panel.compareWithLast();
    assert.deepEqual([person.lists, opened.shown.length], [[], 1]);
  });
});
