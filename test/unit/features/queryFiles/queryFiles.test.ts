import assert from 'node:assert/strict';
import {
  type CodeAction,
  type CodeLens,
  type CompletionList,
  commands,
  type Diagnostic,
  DiagnosticSeverity,
  languages,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { type RecordedServer, startRecordedServer } from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { answerEach, type RpcRequest } from '../../../support/loopbackServer.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const CHAIN = 7_700_140;
const SHOP = `0x${'5c'.repeat(20)}`;
const PAID = 'Paid(address indexed by, uint256 amount)';

const logAt = (block: number) => ({
  ...{ address: SHOP, data: `0x${block.toString(16).padStart(2, '0')}`, removed: false },
  ...{ topics: [`0x${'ab'.repeat(32)}`] },
  ...{ blockHash: `0x${block.toString(16).padStart(64, '0')}`, blockNumber: `0x${block.toString(16)}` },
  ...{ logIndex: '0x0', transactionIndex: '0x0', transactionHash: `0x${'22'.repeat(32)}` },
});

describe('query files', () => {
  useExtension();
  let server: RecordedServer;
  let other: RecordedServer;
  const person = useDialogs();
  let rows = [5, 6, 7];
  let cap = 1200;
  const root = workspace.workspaceFolders?.[0]?.uri ?? Uri.file('/');
  const folder = Uri.joinPath(root, 'query-files');

  before(async () => {
    [server, other] = await Promise.all([startRecordedServer(), startRecordedServer()]);
    server.answer = ({ body }) => ({ body: answerEach(answer)(JSON.parse(body)) });
    const abi = [
      {
        ...{ type: 'event', name: 'Paid', anonymous: false },
        inputs: [
          { name: 'by', type: 'address', indexed: true },
          { name: 'amount', type: 'uint256', indexed: false },
        ],
      },
      {
        ...{ type: 'function', name: 'capOf', stateMutability: 'view' },
        inputs: [{ name: 'who', type: 'address' }],
        outputs: [{ name: 'cap', type: 'uint256' }],
      },
    ];
    const artifact = { contractName: 'Corner', abi, networks: { [CHAIN]: { address: SHOP } } };
    await write('truffle-config.js', '');
    await write('build/contracts/Corner.json', JSON.stringify(artifact));
  });
  after(async () => {
    await Promise.all([server.close(), other.close()]);
    await workspace.fs.delete(folder, { recursive: true });
  });
  useNetworks(() => ({
    shops: { name: 'Shops', chainId: CHAIN, rpcUrl: server.url },
    elsewhere: { name: 'Elsewhere', chainId: CHAIN + 1, rpcUrl: other.url },
  }));
  beforeEach(async () => {
    rows = [5, 6, 7];
    await selectNetwork('elsewhere');
    server.requests.length = 0;
    other.requests.length = 0;
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  function answer({ id, method, params }: RpcRequest): object {
    if (method === 'eth_chainId') return { jsonrpc: '2.0', id, result: `0x${CHAIN.toString(16)}` };
    if (method === 'eth_call')
      return { jsonrpc: '2.0', id, result: `0x${cap.toString(16).padStart(64, '0')}` };
    if (method === 'eth_getBlockByNumber')
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'the method does not exist' } };
    if (method !== 'eth_getLogs') return { jsonrpc: '2.0', id, result: '0x10' };
    const { fromBlock, toBlock } = params[0] as { readonly fromBlock: string; readonly toBlock: string };
    const isWithin = (block: number) =>
      block >= Number(fromBlock) && (toBlock === 'latest' || block <= Number(toBlock));
    return { jsonrpc: '2.0', id, result: rows.filter(isWithin).map(logAt) };
  }

  async function write(path: string, text: string): Promise<Uri> {
    const uri = Uri.joinPath(folder, path);
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return uri;
  }

  let files = 0;
  async function open(content: unknown): Promise<TextDocument> {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    return workspace.openTextDocument(await write(`q${++files}.chainlog.json`, text));
  }
  const show = async (content: unknown) => (await window.showTextDocument(await open(content))).document;

  const ours = ({ uri }: TextDocument): readonly Diagnostic[] =>
    languages.getDiagnostics(uri).filter(({ source }) => source === 'Chainside');
  const marked = (document: TextDocument) => ours(document).map(({ range }) => document.getText(range));

  async function lensesOf({ uri }: TextDocument): Promise<readonly string[]> {
    const found = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri, 9);
    return found.map(({ command }) => command?.title ?? '');
  }

  async function offered(withMark: string): Promise<readonly (string | undefined)[]> {
    const document = await open(withMark.replace('|', ''));
    const list = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      document.positionAt(withMark.indexOf('|')),
    );
    return list.items.map(({ insertText }) =>
      typeof insertText === 'string' ? insertText : insertText?.value,
    );
  }

  /** What a server was asked that has to do with a query; beside it the extension looks for new blocks. */
  const asked = ({ requests }: RecordedServer) =>
    requests.filter((sent) => sent.includes('eth_getLogs') || sent.toLowerCase().includes(SHOP));

  const question = { chainId: CHAIN, address: 'Corner', fromBlock: 0, toBlock: 10 };
  /** What the server was asked by runs of the question; its panel asks for upgrades of the contract, too. */
  const runs = () => server.requests.filter((sent) => sent.includes('"toBlock":"0xa"'));

  it('are told at the value what a schema cannot know, and a slip in a name is mended', async () => {
    const document = await show({
      ...question,
      address: ['Corner', 'Cornr'],
      event: 'Paid',
      args: { to: 'x' },
    });
    await waitUntil(() => ours(document).length === 2);
    assert.deepEqual(marked(document), ['"Cornr"', '"to"']);
    assert.match(ours(document)[0]?.message ?? '', /^No address is called Cornr\./);
    assert.match(ours(document)[1]?.message ?? '', /^Paid has no indexed parameter to\. It has by\.$/);
    const actions = await commands.executeCommand<CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      ours(document)[0]?.range,
    );
    const fix = actions.find(({ title }) => title === 'Change to Corner');
    await workspace.applyEdit(fix?.edit ?? assert.fail('There is no fix.'));
    assert.match(document.getText(), /"Corner",\s+"Corner"/);
    await waitUntil(() => ours(document).length === 1);
  });

  it('are told of ranges, events and chains', async () => {
    const cases = [
      [{ ...question, fromBlock: 20 }, '20', DiagnosticSeverity.Error],
      [{ ...question, event: 'Paid(' }, '"Paid("', DiagnosticSeverity.Error],
      [{ ...question, event: PAID, groupBy: 'payer' }, '"payer"', DiagnosticSeverity.Error],
      [{ chainId: 424_242 }, '424242', DiagnosticSeverity.Warning],
      [{ ...question, toBlock: 'latest', expect: { count: 1 } }, '"expect"', DiagnosticSeverity.Information],
      [{ ...question, event: PAID, topics: [`0x${'1'.repeat(64)}`] }, undefined, DiagnosticSeverity.Error],
    ] as const;
    for (const [content, text, severity] of cases) {
      const document = await show(content);
      await waitUntil(() => ours(document).length > 0);
      assert.equal(ours(document).length, 1, JSON.stringify(content));
      assert.equal(ours(document)[0]?.severity, severity);
      if (text !== undefined) assert.deepEqual(marked(document), [text]);
    }
    const fine = await show({ ...question, event: 'Paid', args: { by: 'Corner' }, expect: { count: 3 } });
    await lensesOf(fine);
    assert.deepEqual(ours(fine), []);
  });

  it('offer chains, names of the chain, events and their arguments', async () => {
    assert.ok((await offered('{ "chainId": | }')).includes(String(CHAIN)));
    assert.ok((await offered(`{ "chainId": ${CHAIN}, "address": "|" }`)).includes('"Corner"'));
    assert.ok((await offered(`{ "chainId": ${CHAIN}, "address": ["|"] }`)).includes('"Corner"'));
    assert.ok(
      (await offered(`{ "chainId": ${CHAIN}, "address": "Corner", "event": "|" }`)).includes(`"${PAID}"`),
    );
    assert.ok(
      (await offered(`{ "chainId": ${CHAIN}, "event": "${PAID}", "args": { "|" } }`)).includes('"by"'),
    );
    assert.ok((await offered(`{ "chainId": ${CHAIN}, "event": "${PAID}", "args": {|} }`)).includes('"by": '));
    const values = await offered(`{ "chainId": ${CHAIN}, "event": "Paid", "args": { "by": "|" } }`);
    assert.ok(values.includes('"Corner"'));
    assert.ok(!(await offered(`{ "chainId": ${CHAIN + 1}, "address": "|" }`)).includes('"Corner"'));
    const fields = await offered(`{ "chainId": ${CHAIN}, "event": "Paid", "groupBy": ["|"] }`);
    assert.ok(['"by"', '"amount"', '"day"'].every((field) => fields.includes(field)));
    const numbers = await offered(`{ "chainId": ${CHAIN}, "event": "Paid", "sum": "|" }`);
    assert.ok(numbers.includes('"amount"') && !numbers.includes('"by"'));
  });

  it('read state, and compare it with what they expect, which is written into them on request', async () => {
    const read = { contract: 'Corner', function: 'capOf', arguments: ['Corner'] };
    const document = await show({ title: 'Cap', chainId: CHAIN, read });
    const compare = () => commands.executeCommand('chainside.compareQueryFile', document.uri);
    assert.deepEqual(await lensesOf(document), ['Read on Shops']);
    assert.deepEqual(asked(server), []);
    person.presses = ['Update Expectation'];
    await compare();
    assert.deepEqual(person.told, ['Cap: cap: 1,200 in block 16.']);
    assert.deepEqual(JSON.parse(document.getText()).expect, { value: '1200' });
    await compare();
    assert.equal(person.told.at(-1), 'Cap: cap: 1,200 in block 16. The result is as expected.');
    assert.equal((await lensesOf(document))[1], '✓ cap: 1,200 in block 16');
    cap = 7;
    await compare();
    assert.equal(person.told.at(-1), 'Cap: cap: 7 in block 16. The value is 7. Expected: 1,200.');
    assert.equal((await lensesOf(document))[1], '✗ cap: 7 in block 16: Update Expectation');
    assert.deepEqual(asked(other), []);
  });

  it('compare code and state, and are marked where such a check is wrong', async () => {
    const code = { contract: 'Corner', address: 'Corner' };
    const document = await show({ title: 'Corner', chainId: CHAIN, code });
    assert.deepEqual(await lensesOf(document), ['Compare on Shops']);
    await commands.executeCommand('chainside.compareQueryFile', document.uri);
    assert.match(person.told.at(-1) ?? '', /^Corner: Corner at 0x5c5c.*: unknown\. .*no code of Corner/i);
    assert.match((await lensesOf(document))[1] ?? '', /^\? Corner at 0x5c5c.*: unknown$/i);
    const roles = { kind: 'roles', contract: 'Corner' };
    const asked = await show({ chainId: CHAIN, state: roles });
    assert.deepEqual(await lensesOf(asked), ['Read on Shops']);
    const wrong = [
      [{ code: { ...code, address: 'Cornr' } }, '"Cornr"'],
      [{ code, expect: { immutables: { owner: 'Cornr' } } }, '"Cornr"'],
      [{ state: roles, expect: { members: { owner: ['Corner', 'Cornr'] } } }, '"Cornr"'],
      [{ state: roles, expect: { holders: ['Corner'] } }, '["Corner"]'],
    ] as const;
    for (const [part, text] of wrong) {
      const opened = await show(JSON.stringify({ chainId: CHAIN, ...part }));
      await waitUntil(() => marked(opened).length > 0);
      assert.deepEqual(marked(opened), [text]);
    }
    const offers = (text: string) => offered(`{ "chainId": ${CHAIN}, ${text} }`);
    assert.ok((await offers('"code": { "address": "|" }')).includes('"Corner"'));
    assert.ok((await offers('"expect": { "members": { "owner": ["|"] } }')).includes('"Corner"'));
  });

  it('are marked where a read is wrong, and offer contracts, functions and arguments of reads', async () => {
    const read = { contract: 'Corner', function: 'capOf', arguments: ['Corner'] };
    const cases = [
      [{ read: { ...read, contract: 'Cornr' } }, '"Cornr"'],
      [{ read: { ...read, arguments: ['Cornr'] } }, '["Cornr"]'],
      [{ read: { ...read, from: 'Cornr' } }, '"Cornr"'],
      [{ read, expect: { value: 'many' } }, '"many"'],
    ] as const;
    for (const [content, text] of cases) {
      const document = await open(JSON.stringify({ chainId: CHAIN, ...content }));
      await window.showTextDocument(document);
      await waitUntil(() => ours(document).length > 0);
      assert.deepEqual(marked(document), [text]);
    }
    const contract = `{ "chainId": ${CHAIN}, "read": { "contract": "Corner", "function": "capOf"`;
    assert.ok((await offered(`{ "chainId": ${CHAIN}, "read": { "contract": "|" } }`)).includes('"Corner"'));
    assert.deepEqual(
      await offered(`{ "chainId": ${CHAIN}, "read": { "contract": "Corner", "function": "|" } }`),
      ['"capOf"'],
    );
    assert.ok((await offered(`${contract}, "arguments": ["|"] } }`)).includes('"Corner"'));
    assert.ok((await offered(`${contract}, "from": "|" } }`)).includes('"Corner"'));
  });

  it('mean the newest deployment of a name, say which, and offer the others', async () => {
    const runs = [0x71, 0x72].map((digits, run) => {
      const contractAddress = `0x${digits.toString(16).repeat(20)}`;
      const hash = `0x${'0'.repeat(63)}${run}`;
      return {
        transactions: [{ hash, transactionType: 'CREATE', contractName: 'Ledger', contractAddress }],
        receipts: [{ status: '0x1', transactionHash: hash, contractAddress, blockNumber: '0x5' }],
        ...{ libraries: [], pending: [], returns: {}, timestamp: 1_700_000_000 + run, chain: CHAIN },
      };
    });
    await write('foundry.toml', '[profile.default]');
    for (const run of runs)
      await write(`broadcast/D.s.sol/${CHAIN}/run-${run.timestamp}.json`, JSON.stringify(run));
    const offers = () => offered(`{ "chainId": ${CHAIN}, "address": "|" }`);
    await waitUntil(async () => (await offers()).includes('"Ledger"'));
    const names = (await offers()).filter((name) => name?.startsWith('"Ledger'));
    assert.deepEqual(names, ['"Ledger@0x717171"', '"Ledger"']);
    const tooltips = async (content: unknown) => {
      const { uri } = await open(content);
      const found = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri, 9);
      return found.map(({ command }) => command?.tooltip ?? '');
    };
    const read = { contract: 'Ledger', function: 'total() view returns (uint256)' };
    for (const content of [
      { ...question, address: 'Ledger' },
      { chainId: CHAIN, read },
    ])
      for (const tooltip of await tooltips(content))
        assert.match(tooltip, /Ledger is 0x7272.*, the newest of 2 deployments\./);
    const [picked] = await tooltips({ ...question, address: 'Ledger@0x717171' });
    assert.equal(picked, 'Show the logs in a panel.');
  });

  it('take members of enums, offer them, and are marked at a wrong one', async () => {
    const source =
      'contract Staff { enum Role { Owner, Clerk } event Hired(address who, Role indexed role); }';
    await write('contracts/Staff.sol', source);
    const withRole = (role: string) =>
      `{ "chainId": ${CHAIN}, "event": "Hired", "args": { "role": "${role}" } }`;
    await waitUntil(async () => (await offered(withRole('|'))).includes('"Clerk"'));
    const document = await show(withRole('Clark'));
    await waitUntil(() => ours(document).length === 1);
    const [{ message } = assert.fail()] = ours(document);
    assert.equal(message, 'Role has no member Clark. Enter Owner, Clerk, or a number.');
    assert.deepEqual(marked(document), ['"Clark"']);
    const right = await show(withRole('Role.Clerk'));
    assert.ok((await lensesOf(right)).includes('Run on Shops'));
    assert.deepEqual(ours(right), []);
  });

  it('ask nobody until they are run, then the chain that they name and no other', async () => {
    const document = await show(question);
    assert.deepEqual(await lensesOf(document), ['Run on Shops', 'Run and Compare']);
    assert.deepEqual([...asked(server), ...asked(other)], []);
    const tabs = () => window.tabGroups.all.flatMap((group) => group.tabs).length;
    await commands.executeCommand('chainside.runQueryFile', document.uri.toString());
    await waitUntil(() => runs().length === 1 && tabs() === 2);
    assert.match(runs()[0] ?? '', new RegExp(SHOP, 'i'));
    await commands.executeCommand('chainside.runQueryFile', document.uri.toString());
    await waitUntil(() => runs().length === 2);
    assert.equal(tabs(), 2);
    assert.deepEqual(asked(other), []);
  });

  it('of a chain that no network has are not asked of another one', async () => {
    const document = await show({ ...question, chainId: 424_242, address: SHOP });
    await commands.executeCommand('chainside.runQueryFile', document.uri.toString());
    await commands.executeCommand('chainside.compareQueryFile', document.uri);
    assert.deepEqual(person.told, [
      'No network with chain ID 424242 is configured.',
      'No network with chain ID 424242 is configured.',
    ]);
    assert.deepEqual([...asked(server), ...asked(other)], []);
  });

  it('with a mistake say which when they are run', async () => {
    const document = await show({ ...question, address: 'Nobody' });
    await commands.executeCommand('chainside.runQueryFile', document.uri);
    assert.match(person.told[0] ?? '', /^Cannot run q\d+\. No address is called Nobody/);
    assert.deepEqual(asked(server), []);
  });

  it('are compared with what they expect, which is written into them on request', async () => {
    const document = await show({ title: 'Corner', ...question });
    const compare = () => commands.executeCommand('chainside.compareQueryFile', document.uri);
    person.presses = ['Update Expectation'];
    await compare();
    assert.deepEqual(person.told, ['Corner: 3 logs, complete to block 10.']);
    const { expect, ...others } = JSON.parse(document.getText());
    assert.deepEqual(others, { title: 'Corner', ...question });
    assert.equal(expect.count, 3);
    assert.match(expect.contentSha256, /^[0-9a-f]{64}$/);
    assert.equal(document.isDirty, false);
    assert.match((await lensesOf(document))[2] ?? '', /^✓ 3 logs, complete to block 10, as expected$/);

    await compare();
    assert.equal(person.told.at(-1), 'Corner: 3 logs, complete to block 10, as expected.');
    rows = [5, 6];
    await compare();
    assert.equal(person.told.at(-1), 'Corner: 2 logs, complete to block 10, but 3 expected.');
    assert.match((await lensesOf(document))[2] ?? '', /^✗ 2 logs.*: Update Expectation$/);
    await commands.executeCommand('chainside.updateExpectation', document.uri.toString());
    assert.equal(JSON.parse(document.getText()).expect.count, 2);
    rows = [5, 8];
    await compare();
    assert.equal(
      person.told.at(-1),
      'Corner: 2 logs, complete to block 10, but the rows differ from the expected hash.',
    );
  });

  it('of a range that the chain has not reached are complete so far, and not as expected', async () => {
    const document = await show({ title: 'Corner', ...question, toBlock: 9999, expect: { count: 3 } });
    await commands.executeCommand('chainside.compareQueryFile', document.uri);
    assert.match(
      person.told.at(-1) ?? '',
      /^Corner: 3 logs, complete so far, to block 16\. The range ends after the latest block, 16,/,
    );
    assert.match((await lensesOf(document))[2] ?? '', /^\? 3 logs, complete so far/);
  });

  it('of a range that moves are pinned on request, when the result is written into them', async () => {
    const { toBlock: _, ...open } = question;
    const document = await show({ title: 'Corner', ...open });
    const compare = () => commands.executeCommand('chainside.compareQueryFile', document.uri);
    person.presses = ['Update Expectation'];
    await compare();
    assert.equal(
      person.told.at(-1),
      'The expectation of Corner is updated. Its range moves with the chain: blocks 0 to 16 were read.',
    );
    assert.equal(JSON.parse(document.getText()).toBlock, undefined);
    assert.equal(JSON.parse(document.getText()).expect.count, 3);
    rows = [5, 6];
    person.presses = [];
    await compare();
    await commands.executeCommand('chainside.updateExpectation', document.uri.toString());
    assert.equal(JSON.parse(document.getText()).toBlock, undefined);
    assert.equal(JSON.parse(document.getText()).expect.count, 2);
    person.presses = ['Pin Range'];
    await commands.executeCommand('chainside.updateExpectation', document.uri.toString());
    assert.equal(JSON.parse(document.getText()).toBlock, 16);
    assert.match((await lensesOf(document))[2] ?? '', /^✓ 2 logs, complete to block 16, as expected$/);
  });

  it('are made of a panel, with names, and run again as they are', async () => {
    await selectNetwork('shops');
    person.saveAs = Uri.joinPath(folder, 'saved.json');
    await commands.executeCommand('chainside.queryLogs', {
      ...{ address: SHOP, event: PAID, args: { by: SHOP }, fromBlock: 1, toBlock: 10, run: true },
    });
    await waitUntil(() => runs().length === 1);
    await commands.executeCommand('chainside.saveQueryAsFile');
    const document = window.activeTextEditor?.document ?? assert.fail('Nothing was opened.');
    assert.equal(document.uri.path.split('/').at(-1), 'saved.chainlog.json');
    assert.match(person.offered[0] ?? '', /\.chainlog\.json$/);
    const { title, ...saved } = JSON.parse(document.getText());
    assert.match(title, /Paid/);
    assert.deepEqual(saved, {
      ...{
        chainId: CHAIN,
        address: 'Corner',
        event: PAID,
        args: { by: 'Corner' },
        fromBlock: 1,
        toBlock: 10,
      },
    });
    await commands.executeCommand('chainside.runQueryFile', document.uri);
    await waitUntil(() => runs().length === 2);
    const [first, second] = runs().map((sent) =>
      sent
        .split('\n')
        .at(-1)
        ?.replace(/"id":\d+/g, ''),
    );
    assert.equal(second, first);

    // A file of that name is there by now.
    await commands.executeCommand('chainside.saveQueryAsFile');
    assert.equal(person.told.at(-1), 'Replace saved.chainlog.json?');
  });

  it('in documents are marked, and have a lens that runs them in a panel', async () => {
    const block = (query: string) => `\`\`\`chainlog\n${query}\n\`\`\`\n\n`;
    const query = (more: object) => block(JSON.stringify({ chainId: CHAIN, address: SHOP, ...more }));
    const wrong = [{ address: 'Nobody' }, { toBlock: '!' }, { topics: ['0xzz'] }].map(query).join('');
    const stray = 'end\n\n<!-- 3 logs, complete to 16 -->\n';
    const text = `# Why\n\n${wrong}${block('{"event": ')}${query({ toBlock: 10 })}${stray}`;
    const { document } = await window.showTextDocument(await write('text.chain.md', text));
    // With the lenses, the editor has what marks them loaded.
    const found = await commands.executeCommand<CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      9,
    );
    const titles = found.map(({ command, range }) => [command?.title, document.lineAt(range.start).text]);
    assert.deepEqual(titles.at(-1), ['Run Query', '```chainlog']);
    await waitUntil(() => ours(document).length > 0);
    assert.deepEqual(
      ours(document).map(({ code, range }) => [code, document.getText(range).slice(0, 6)]),
      [
        ['query', '"addre'],
        ['query', '"toBlo'],
        ['query', '"0xzz"'],
        ['query', ' '],
        ['query', '<!-- 3'],
      ],
    );
    const { command } = found.at(-1) ?? assert.fail('There is no lens.');
    await commands.executeCommand(command?.command ?? '', ...(command?.arguments ?? []));
    await waitUntil(() => runs().length === 1);
    assert.deepEqual(asked(other), []);
  });
});
