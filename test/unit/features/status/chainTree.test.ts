import assert from 'node:assert/strict';
import { commands, env, type StatusBarItem, window } from 'vscode';
import { type ChainRow, ChainTree } from '../../../../src/features/status/chainTree.ts';
import { HeadStore } from '../../../../src/features/status/headStore.ts';
import { createStatusItem } from '../../../../src/features/status/statusItem.ts';
import { toTreeItem } from '../../../../src/host/ui/tree.ts';
import { createManualClock } from '../../../support/clocks.ts';
import { createAddressView } from '../../../support/host/addressView.ts';
import { stubDialogs } from '../../../support/host/dialogs.ts';
import { useServer } from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil, writeSettings } from '../../../support/host/settings.ts';
import { startRpcServer } from '../../../support/loopbackServer.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const DATA_API = 'http://127.0.0.1:4';

describe('the Chain view', () => {
  useExtension();
  let requests: string[] = [];
  let block: number;
  let isDown: boolean;
  let view: ReturnType<typeof openView>;

  const server = useServer(() =>
    startRpcServer(({ id, method }, response) => {
      requests.push(method);
      if (isDown) return void response.writeHead(503).end('down');
      return { jsonrpc: '2.0', id, result: `0x${(method === 'eth_chainId' ? 5 : block).toString(16)}` };
    }),
  );
  useNetworks(() => {
    const described = { chainId: 5, rpcUrl: server.url };
    return {
      counted: { name: 'Counted', ...described },
      other: { name: 'Other', ...described, chainId: 6 },
      served: { name: 'Served', ...described, dataApiUrl: DATA_API },
      explorer: { name: 'Explorer', chainId: 5, rpcUrl: `${server.url}/api/eth-rpc` },
    };
  });
  beforeEach(async () => {
    [block, isDown] = [1234, false];
    await selectNetwork('counted');
    view = openView();
    requests = [];
  });
  afterEach(() => view.dispose());

  /** The view with the status item, over a clock that moves only when told. */
  function openView() {
    const log = window.createOutputChannel('Chain view under test', { log: true });
    const clock = createManualClock();
    const services = createAddressView();
    const { session, settings, keys } = services;
    const head = new HeadStore({ session, settings, clock, log });
    const deps = { session, settings, head, clock, credits: { of: () => undefined } };
    const tree = new ChainTree(deps);
    const { createStatusBarItem } = window;
    let isShown = false;
    const show = () => {
      isShown = true;
    };
    const hide = () => {
      isShown = false;
    };
    const status = { show, hide, dispose() {} } as StatusBarItem;
    Object.assign(window, { createStatusBarItem: () => status });
    const item = createStatusItem(deps);
    Object.assign(window, { createStatusBarItem });
    const itemsOf = async (row?: ChainRow) =>
      (await tree.getChildren(row)).map((child) => toTreeItem(tree.getTreeItem(child)));
    return {
      ...{ head, keys, clock, tree, session, settings, status, itemsOf },
      isStatusShown: () => isShown,
      /** What a screen reader hears of the rows. */
      rows: async () => (await itemsOf()).map((row) => row.accessibilityInformation?.label ?? ''),
      dispose() {
        for (const part of [item, tree, head, services, log]) part.dispose();
      },
    };
  }

  it('is the network with block, age and latency in one row, and below it what a click copies', async () => {
    await view.head.read();
    assert.deepEqual(await view.rows(), [
      'Network: Counted, Latest block: 1,234, just now, responds in 0 ms',
    ]);
    const below = await view.itemsOf(view.tree.row('network'));
    const values: readonly string[] = ['1234', '5', server.url];
    assert.deepEqual(
      below.map(({ accessibilityInformation }) => accessibilityInformation?.label),
      ['Latest block: 1,234 · just now', 'Chain ID: 5', `Endpoint: ${server.url}`],
    );
    for (const [place, { command }] of below.entries()) {
      await commands.executeCommand(command?.command ?? '', ...(command?.arguments ?? []));
      assert.equal(await env.clipboard.readText(), values[place]);
    }
  });

  it('counts the age of the block up', async () => {
    await view.head.read();
    await view.clock.pass(42_000);
    const drawn: unknown[] = [];
    view.tree.onDidChangeTreeData((row) => drawn.push(row));
    view.tree.tick();
    assert.deepEqual(drawn, [view.tree.row('network')]);
    assert.match((await view.rows())[0] ?? '', /Latest block: 1,234, 42 s ago, /);
  });

  it('says that the endpoint is of another chain, and leads to the network', async () => {
    await selectNetwork('other');
    view.head.setVisible('view', true);
    await waitUntil(() => view.head.otherChain === 5);
    const failed = (await view.itemsOf()).find(({ label }) => label === 'The endpoint serves chain 5, not 6');
    assert.deepEqual(
      [failed?.command?.command, failed?.command?.arguments],
      ['chainside.editNetwork', ['other']],
    );
  });

  it('is that of the new network once another is selected, with its data API only where its key is set', async () => {
    await view.head.read();
    const last = async () => (await view.rows()).at(-1);
    await selectNetwork('served');
    await waitUntil(async () => /^Network: Served, /.test((await last()) ?? ''));
    await view.keys.set(DATA_API, 'ckey_0123456789abcdef0123456789a');
    await waitUntil(async () => (await last()) === 'Token data: key set');
    await view.keys.forget(DATA_API);
    await waitUntil(async () => /^Network: Served, /.test((await last()) ?? ''));
    await selectNetwork('explorer');
    await waitUntil(async () => /^Network: Explorer, /.test((await last()) ?? ''));
  });

  it('asks a node of this machine every second while it is in sight, whatever the setting is', async () => {
    await writeSettings({ 'chainside.poll.seconds': 3600 });
    try {
      view.head.setVisible('view', true);
      await waitUntil(() => view.head.state.head?.block === 1234n);
      block++;
      await view.clock.pass(1000);
      await waitUntil(() => view.head.state.head?.block === 1235n);
    } finally {
      await writeSettings({ 'chainside.poll.seconds': undefined });
    }
  });

  it('redraws no row but that of the network where a poll changes only the block', async () => {
    await view.head.read();
    const drawn: unknown[] = [];
    view.tree.onDidChangeTreeData((row) => drawn.push(row));
    block++;
    await view.clock.pass(1);
    await view.head.read(0);
    assert.deepEqual(new Set(drawn), new Set([view.tree.row('network')]));
    isDown = true;
    await view.clock.pass(1);
    for (let times = 0; times < 2; times++) await assert.rejects(view.head.read(0));
    assert.ok(drawn.includes(undefined));
  });

  it('tells of settings that it cannot use, and asks nothing of a network that is not there', async () => {
    await writeSettings({ 'chainside.poll.seconds': 'often', 'chainside.network': 'nowhere' });
    try {
      await waitUntil(() => view.settings.invalidSettings.length === 2);
      view.head.setVisible('view', true);
      assert.deepEqual((await view.rows()).toSorted(), [
        'Select Network…',
        'chainside.network: refers to an undefined network: nowhere',
        'chainside.poll.seconds: must be a number from 2 to 3600',
      ]);
      await view.clock.pass(3_600_000);
      assert.deepEqual(requests, []);
    } finally {
      await writeSettings({ 'chainside.poll.seconds': undefined, 'chainside.network': 'counted' });
    }
    await waitUntil(() => view.settings.invalidSettings.length === 0);
  });

  it('asks while it or the status item is in sight, and nothing when neither is', async () => {
    assert.ok(window.state.focused);
    const asked = (times: number) => waitUntil(() => requests.filter(isBlock).length === times);
    view.head.setVisible('view', true);
    await asked(1);
    await waitUntil(() => view.head.state.head !== undefined);
    view.head.setVisible('view', false);
    await view.clock.pass(60_000);
    await asked(2);
    await waitUntil(() => view.head.state.requestedElapsed === undefined);
    await writeSettings({ 'chainside.statusBar.enabled': false });
    try {
      await waitUntil(() => !view.isStatusShown());
      const before = requests.length;
      await view.clock.pass(3_600_000);
      assert.equal(requests.length, before);
    } finally {
      await writeSettings({ 'chainside.statusBar.enabled': undefined });
    }
    await waitUntil(() => view.isStatusShown());
  });

  it('has a status item with network and block, which warns where these are not to be had, and leads to the choice', async () => {
    assert.equal(view.status.command, 'chainside.selectNetwork');
    await view.head.read();
    assert.match(view.status.text, / Counted 1,234$/);
    block++;
    await view.clock.pass(1);
    await view.head.read(0);
    await waitUntil(() => / Counted 1,235$/.test(view.status.text));
    assert.equal(view.status.backgroundColor, undefined);
    isDown = true;
    await view.clock.pass(1);
    for (let times = 0; times < 2; times++) await assert.rejects(view.head.read(0));
    await waitUntil(() => /\$\(warning\) Counted$/.test(view.status.text));
    assert.ok(view.status.backgroundColor);
    await waitUntil(() => /HTTP 503/.test(String(view.status.tooltip)));
    const rows = (await view.rows()).join('\n');
    assert.match(
      rows,
      /^Network: Counted, Latest block: 1,235, just now\nNot available at the moment \(HTTP 503\)/,
    );
    assert.match(rows, /^Retry$/m);
    assert.match(rows, /^Select Another Network…$/m);
  });

  it('is shown at its block by the command, which copies it', async () => {
    using person = stubDialogs();
    person.presses = ['Copy'];
    await commands.executeCommand('chainside.showLatestBlock');
    assert.deepEqual(person.told, ['Latest block of Counted: 1,234', 'Copied 1234']);
    await waitUntil(async () => (await env.clipboard.readText()) === '1234');
  });
});

function isBlock(method: string): boolean {
  return method === 'eth_blockNumber';
}
