import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CompletionList,
  commands,
  languages,
  NotebookCellData,
  NotebookCellKind,
  type NotebookDocument,
  NotebookEdit,
  NotebookRange,
  Position,
  Range,
  TabInputNotebook,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { type SourcifyServer, startSourcify } from '../../localnet/sourcify/server.ts';
import { createVerifiedRegistry } from '../../localnet/verified/registry.ts';
import { type LoopbackServer, type RpcRequest, startRpcServer } from '../support/loopbackServer.ts';
import {
  activateExtension,
  selectNetwork,
  useNetworks,
  useSettings,
  waitUntil,
  writeSettings,
} from './support/extension.ts';

const TOKEN = `0x${'5f'.repeat(20)}`;
const LOG = {
  ...{ address: TOKEN, data: '0x', topics: [`0x${'ab'.repeat(32)}`], removed: false },
  ...{ blockHash: `0x${'11'.repeat(32)}`, blockNumber: '0x5', logIndex: '0x0' },
  ...{ transactionHash: `0x${'22'.repeat(32)}`, transactionIndex: '0x0' },
};
const OWN_WORD = `0x${TOKEN.slice(2).padStart(64, '0')}`;
const ROLE_GRANTED = [
  // RoleGranted(bytes32,address,address)
  '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d',
  `0x${'cd'.repeat(32)}`,
  OWN_WORD,
  OWN_WORD,
];
const CAP_AND_OWNER = `0x${'4b0'.padStart(64, '0')}${TOKEN.slice(2).padStart(64, '0')}`;
const question = (chainId: number, more: object = {}) =>
  `\`\`\`chainlog\r\n${JSON.stringify({ chainId, address: TOKEN, ...more })}\r\n\`\`\`\r\n`;

describe('documents as notebooks', () => {
  const asked = { here: 0, there: 0 };
  let here: LoopbackServer;
  let there: LoopbackServer;
  let hangs = false;
  /** Whether their log is that a role was granted. */
  let granted = false;
  /** The contract of the log that they give. */
  let emitter = TOKEN;
  let folder: string;

  const serverOf = (name: 'here' | 'there') =>
    startRpcServer(({ id, method }: RpcRequest) => {
      if (/Transaction|ByHash/.test(method)) return { jsonrpc: '2.0', id, result: null };
      if (method === 'eth_call') return { jsonrpc: '2.0', id, result: CAP_AND_OWNER };
      if (method === 'eth_getBlockByNumber')
        return { jsonrpc: '2.0', id, error: { code: -32601, message: 'the method does not exist' } };
      if (method !== 'eth_getLogs') return { jsonrpc: '2.0', id, result: '0x10' };
      asked[name]++;
      const topics = granted ? ROLE_GRANTED : LOG.topics;
      return hangs ? undefined : { jsonrpc: '2.0', id, result: [{ ...LOG, topics, address: emitter }] };
    });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-documents-'));
    [here, there] = await Promise.all([serverOf('here'), serverOf('there')]);
    await activateExtension();
  });
  after(async () => {
    await Promise.all([here.close(), there.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  useNetworks(() => ({
    here: { name: 'Here', chainId: 77, rpcUrl: here.url },
    there: { name: 'There', chainId: 5, rpcUrl: there.url },
  }));
  beforeEach(async () => {
    await selectNetwork('here');
    hangs = false;
    granted = false;
    emitter = TOKEN;
    Object.assign(asked, { here: 0, there: 0 });
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await writeSettings({ 'chainside.documents.verdicts': undefined });
  });

  async function open(text: string): Promise<NotebookDocument> {
    const file = join(folder, `${crypto.randomUUID()}.chain.md`);
    await writeFile(file, text);
    const notebook = await workspace.openNotebookDocument(Uri.file(file));
    assert.equal(notebook.notebookType, 'chainside.chain');
    await window.showNotebookDocument(notebook);
    return notebook;
  }
  /** Begins to run a cell; the kernel comes a moment after the cells. */
  async function begin(notebook: NotebookDocument, cell: number): Promise<void> {
    const kernel = { id: 'chainside.chain', extension: 'chainside.chainside' };
    await waitUntil(async () => (await commands.executeCommand('notebook.selectKernel', kernel)) === true);
    const ranges = [{ start: cell, end: cell + 1 }];
    // Settles only when the cell has ended.
    void commands.executeCommand('notebook.cell.execute', { ranges, document: notebook.uri });
  }
  async function run(notebook: NotebookDocument, cell: number): Promise<string> {
    const summary = () => notebook.cellAt(cell).executionSummary;
    const before = summary()?.executionOrder ?? 0;
    await begin(notebook, cell);
    await waitUntil(() => (summary()?.executionOrder ?? 0) > before && summary()?.success !== undefined);
    return textOf(notebook, cell);
  }
  function textOf(notebook: NotebookDocument, cell: number): string {
    const items = notebook.cellAt(cell).outputs.flatMap((output) => output.items);
    const shown = items.find(({ mime }) => mime === 'text/plain' || mime.endsWith('notebook.error'));
    return new TextDecoder().decode(shown?.data);
  }
  async function change({ uri }: NotebookDocument, change: NotebookEdit): Promise<void> {
    const edit = new WorkspaceEdit();
    edit.set(uri, [change]);
    assert.ok(await workspace.applyEdit(edit));
  }
  const onDisk = ({ uri }: NotebookDocument) => readFile(uri.fsPath, 'utf8');

  it('are saved as they were, but for what was edited', async () => {
    const text = `\uFEFF# Why\r\n\r\n${question(77)}\r\n\r\nEnd\twithout a line end`;
    const notebook = await open(text);
    assert.deepEqual(
      notebook
        .getCells()
        .map(({ document }) => [document.languageId, document.getText().split('\n')[0]?.trim()]),
      [
        ['markdown', '# Why'],
        ['json', `{"chainId":77,"address":"${TOKEN}"}`],
        ['markdown', 'End\twithout a line end'],
      ],
    );
    const added = new NotebookCellData(NotebookCellKind.Code, '{}', 'json');
    await change(notebook, NotebookEdit.insertCells(1, [added]));
    await waitUntil(() => notebook.isDirty);
    await notebook.save();
    assert.match(
      await onDisk(notebook),
      /^\uFEFF# Why\r\n\r\n```chainlog\r\n{}\r\n```\r\n\r\n```chainlog\r\n/,
    );
    await change(notebook, NotebookEdit.deleteCells(new NotebookRange(1, 2)));
    await waitUntil(() => notebook.cellCount === 3);
    await notebook.save();
    assert.equal(await onDisk(notebook), text);
  });

  it('show what a read returns as a table, and whether it is as expected', async () => {
    const block = (expect?: object, view = 'limits() view returns (uint256 cap, address owner)') => {
      const read = { contract: TOKEN, function: view };
      return `\`\`\`chainlog\n${JSON.stringify({ chainId: 77, read, ...(expect && { expect }) })}\n\`\`\`\n\n`;
    };
    const notebook = await open(
      `${block()}${block({ value: { cap: 1200 } })}${block({ atLeast: 1 })}${block({ value: { cap: 7 } })}`,
    );
    const owner = '0x5F5f5F5f5f5F5f5F5f5f5f5f5F5F5F5F5f5f5f5F';
    const values = `cap uint256 1,200\nowner address ${owner}`;
    const plain = await run(notebook, 0);
    assert.equal(plain.toLowerCase(), `Block 16 on Here\n${values}`.toLowerCase());
    assert.match(await run(notebook, 1), /^Block 16 on Here\nThe result is as expected\.\ncap uint256/);
    assert.match(await run(notebook, 2), /does not return one number/);
    assert.match(await run(notebook, 3), /^Block 16 on Here\ncap is 1,200\. Expected: 7\.\n/);
    assert.deepEqual(
      notebook.getCells().map(({ executionSummary }) => executionSummary?.success),
      [true, true, false, false],
    );
    const [output] = notebook.cellAt(0).outputs;
    const markdown = output?.items.find(({ mime }) => mime === 'text/markdown');
    assert.match(
      new TextDecoder().decode(markdown?.data),
      /\| Name \| Type \| Value \|\n.*\n\| cap \| uint256 \| 1,200 \|/,
    );
    assert.equal(asked.here + asked.there, 0);
  });

  it('show state as a table with its verdict, and say why code is not compared', async () => {
    const block = (check: object) =>
      `\`\`\`chainlog\n${JSON.stringify({ chainId: 77, ...check })}\n\`\`\`\n\n`;
    const state = { kind: 'roles', contract: TOKEN };
    granted = true;
    const notebook = await open(
      block({ state }) +
        block({ code: { contract: 'Nothing' } }) +
        block({ state: { ...state, kind: 'role' } }),
    );
    const shown = await run(notebook, 0);
    assert.match(shown, /^1 row in block 16, not confirmed\n/);
    assert.match(shown, /\n.*0x[0-9a-fA-F]{40}$/);
    assert.match(await run(notebook, 1), /The project has no contract Nothing/);
    assert.match(await run(notebook, 2), /Enter holders, roles or allowances/);
    assert.ok(notebook.getCells().every(({ executionSummary }) => executionSummary?.success === false));
    const [output] = notebook.cellAt(0).outputs;
    const markdown = output?.items.find(({ mime }) => mime === 'text/markdown');
    assert.match(new TextDecoder().decode(markdown?.data), /\| Role \| Member \|\n/);
  });

  it('ask the network of the chain that stands in the question, and no other', async () => {
    const notebook = await open(question(5));
    assert.match(await run(notebook, 0), /^Complete · 1 log to block 16/);
    assert.deepEqual([asked.here, asked.there > 0], [0, true]);
    const mimes = notebook.cellAt(0).outputs.flatMap(({ items }) => items.map(({ mime }) => mime));
    assert.deepEqual(mimes, ['application/vnd.chainside.answer+json', 'text/markdown', 'text/plain']);
    assert.equal(notebook.isDirty, false);
  });

  it('ask nobody where there is no network of that chain, or the question is wrong, and say what to do', async () => {
    const notebook = await open(question(6) + question(77, { address: 'Nobody' }));
    assert.match(await run(notebook, 0), /No network with chain ID 6 is configured\..*Add Network/);
    assert.match(await run(notebook, 1), /address: No address is called Nobody\./);
    assert.deepEqual(asked, { here: 0, there: 0 });
  });

  const wrong =
    question(77, { address: 'Nobody' }) + question(77, { toBlock: '!' }) + question(77, { topics: ['0xzz'] });
  const told = (uri: Uri) =>
    languages.getDiagnostics(uri).map(({ message, source, code, range: { start } }) => ({
      ...{ message, source, code },
      at: workspace.textDocuments
        .find((document) => String(document.uri) === String(uri))
        ?.getText(new Range(start, start.translate(0, 9))),
    }));

  it('show in their cells what is wrong there, and offer what fits, before anybody is asked', async () => {
    const notebook = await open(wrong);
    const cells = notebook.getCells().map(({ document }) => document);
    await waitUntil(() => cells.every(({ uri }) => told(uri).some(({ source }) => source === 'Chainside')));
    assert.deepEqual(
      cells.map(({ uri }) => told(uri).map(({ at }) => at)),
      [['"address"'], ['"toBlock"'], ['"0xzz"]}']],
    );
    const [{ uri } = assert.fail()] = cells;
    const list: CompletionList = await commands.executeCommand(
      'vscode.executeCompletionItemProvider',
      ...[uri, new Position(0, '{"chainId":'.length)],
    );
    const chains = list.items.flatMap(({ detail, insertText }) => (detail ? [insertText] : []));
    assert.ok(chains.includes('5') && chains.includes('77'), JSON.stringify(list.items));
    assert.deepEqual(asked, { here: 0, there: 0 });
  });

  it('take the place of their text as a notebook, whose outputs stay when the text is opened again', async () => {
    const file = join(folder, 'place.chain.md');
    await writeFile(file, `# Why\n\n${question(77)}`);
    const kinds = () =>
      window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ label }) => label === 'place.chain.md')
        .map(({ input }) => (input instanceof TabInputNotebook ? 'notebook' : 'text'));
    await window.showTextDocument(Uri.file(file), { preview: false });
    await commands.executeCommand('chainside.openAsNotebook');
    await waitUntil(() => kinds().join() === 'notebook');
    await commands.executeCommand('chainside.openAsText');
    await waitUntil(() => kinds().join() === 'notebook,text');
  });

  it('are interrupted', async () => {
    hangs = true;
    const notebook = await open(question(77));
    await begin(notebook, 0);
    await waitUntil(() => asked.here > 0);
    await commands.executeCommand('notebook.cell.cancelExecution', {
      ranges: [{ start: 0, end: 1 }],
      document: notebook.uri,
    });
    await waitUntil(() => notebook.cellAt(0).executionSummary?.success === false);
  });

  it('keep a verdict of a complete answer where that is wanted, and it comes back from the disk', async () => {
    await writeSettings({ 'chainside.documents.verdicts': true });
    const text = `${question(77)}\r\n${question(5)}\r\nEnd`;
    const notebook = await open(text);
    for (const cell of [0, 1]) {
      await run(notebook, cell);
      await waitUntil(() => notebook.isDirty);
      await notebook.save();
    }
    const saved = await onDisk(notebook);
    assert.match(
      saved,
      /(```\r\n<!-- 1 log, complete to 16, content sha256 [0-9a-f]{64} -->\r\n\r\n[\s\S]*){2}End$/,
    );
    assert.equal(saved.replaceAll(/<!--.*-->\r\n/g, ''), text);
    await run(notebook, 0);
    assert.equal(notebook.isDirty, false);
  });

  describe('whose tab is closed', () => {
    const SHOWN = `0x${'60'.repeat(20)}`;
    let sourcify: SourcifyServer;
    before(async () => {
      const registry = createVerifiedRegistry();
      sourcify = await startSourcify({ registry, chainId: 77, ask: async () => '0x0' });
    });
    after(() => sourcify.stop());
    useSettings(() => ({
      'chainside.sources.sourcify': undefined,
      'chainside.sources.sourcifyUrl': sourcify.url,
    }));
    const isAsked = (address: string) => sourcify.requests.some(({ url }) => url.includes(address));

    it('have nothing of their logs sent to services that are allowed later', async () => {
      await run(await open(question(77)), 0);
      await commands.executeCommand('workbench.action.closeAllEditors');
      await waitUntil(() => window.tabGroups.all.every(({ tabs }) => tabs.length === 0));
      emitter = SHOWN;
      await commands.executeCommand('chainside.queryLogs', { address: SHOWN, run: true });
      await waitUntil(() => asked.here > 1);
      await writeSettings({ 'chainside.sources.sourcify': 'allow' });
      // Requests are sent in the order in which the queries ran.
      await waitUntil(() => isAsked(SHOWN));
      assert.equal(isAsked(TOKEN), false);
    });
  });
});
