import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { showHoverAt } from '../e2e/support/hover.ts';
import { environment, showFailures, startWorkbench, type Workbench } from '../e2e/support/workbench.ts';
import { type LoopbackServer, startTunnelProxy, type TunnelProxy } from '../support/loopbackServer.ts';
import { writeFiles } from '../support/writeFiles.ts';
import { canaryFiles, FAILURE, SAID, SPEAKER, startCanaryServer } from './support/canary.ts';
import { createHostProbe, type HostProbe, type ProbedHost, packageProbe } from './support/hostProbe.ts';
import { findTraps, type Reach, watchReach } from './support/shownHarm.ts';

/** A place where the editor shows words of others. */
interface Surface {
  readonly name: string;
  readonly open: () => Promise<unknown>;
  /** Where the canary is seen then: in the window, in a panel, or in a document of the extension. */
  readonly seenIn: Locator | 'panel' | 'document';
  /** What is seen there instead of the canary. */
  readonly text?: string;
}

describe('a canary in every word of servers and files, in a window', () => {
  const resources = new AsyncDisposableStack();
  let workbench: Workbench;
  let server: LoopbackServer;
  let probe: HostProbe;
  let proxy: TunnelProxy;
  let reach: Reach;
  let host: ProbedHost;
  let account: string;
  let hash: string;
  const page = (): Page => workbench.page;

  before(async () => {
    const { localnet } = environment();
    account = localnet.chain.accounts.alice;
    const block = (await localnet.node.call('eth_getBlockByNumber', ['0x20', false])) as {
      readonly transactions: readonly string[];
    };
    hash = block.transactions[0] ?? assert.fail('The block has no transaction.');
    server = resources.use(await startCanaryServer(localnet));
    proxy = resources.use(await startTunnelProxy({}));
    probe = resources.use(await createHostProbe());
    const network = { chainId: 31337, dataApiUrl: server.url };
    workbench = resources.use(
      await startWorkbench({
        ...{ extensions: [await packageProbe()], env: probe.env, size: { width: 1280, height: 1600 } },
        workspaceTrust: true,
        settings: {
          'security.workspace.trust.startupPrompt': 'never',
          'workbench.hover.delay': 300,
          'http.proxy': proxy.url,
          'http.noProxy': ['127.0.0.1'],
          'chainside.network': 'node',
          'chainside.networks': {
            node: { ...network, name: 'Node', rpcUrl: `${server.url}/node` },
            explorer: { ...network, name: 'Explorer', rpcUrl: `${server.url}/api/eth-rpc` },
          },
        },
        fillFolder: (folder) => writeFiles(folder, canaryFiles({ hash, account })),
      }),
    );
    reach = watchReach(page());
    host = await probe.newestHost();
    await workbench.openView('Chainside');
    await page().getByRole('treeitem', { name: 'Network: Node' }).waitFor();
  });
  showFailures(() => workbench);
  afterEach(async () => {
    await page().keyboard.press('Escape');
    await host.run('workbench.action.closeAllEditors');
    await host.run('notifications.clearAll');
  });
  after(() => resources.disposeAsync());

  const hover = () => page().locator('.monaco-hover:visible');
  const command = (name: string, ...args: readonly unknown[]) => void host.run(`chainside.${name}`, ...args);

  /** Opens each, waits until it shows the canary, and looks at all that the window shows. */
  async function look(surfaces: readonly Surface[]): Promise<void> {
    const failures: string[] = [];
    await probe.watch(async () => {
      for (const { name, open, seenIn, text = 'squirrel' } of surfaces) {
        await open();
        const isSeen = await waitUntil(`${name} shows the canary`, () => shows(seenIn, text), {
          seconds: 6,
        }).then(
          () => true,
          () => false,
        );
        await workbench.screenshot(`canary-${name.replaceAll(/\W+/g, '-')}`);
        if (!isSeen) failures.push(`${name}: no canary`);
        const found = [...(await findTraps(page())), ...reach.taken()];
        failures.push(...found.map((harm) => `${name}: ${harm}`));
        failures.push(
          ...(await host.documents()).filter(hides).map((text) => `${name}: ${JSON.stringify(text)}`),
        );
        if (typeof seenIn !== 'object') await host.run('workbench.action.closeAllEditors');
        await page().keyboard.press('Escape');
      }
    }, surfaces.length);
    assert.deepEqual(failures, []);
    assert.deepEqual(proxy.asked, []);
  }

  async function shows(place: Surface['seenIn'], text = 'squirrel'): Promise<boolean> {
    if (place === 'document') return (await host.documents()).some((made) => made.includes(text));
    if (place !== 'panel') return (await place.filter({ hasText: text }).count()) > 0;
    const frames = page()
      .frames()
      .filter((frame) => frame.name() === 'active-frame' || frame.url().includes('fake.html'));
    const counts = await Promise.all(
      frames.map((frame) =>
        frame
          .getByText(text)
          .count()
          .catch(() => 0),
      ),
    );
    return counts.some((count) => count > 0);
  }

  const hoverAt = (line: number, column: number) => async () => {
    await workbench.openFile('src/Speaker.sol');
    await showHoverAt(page(), line, column);
  };

  const words = { contract: SPEAKER, declaration: 'function words() view returns (string)', args: [] };
  const tree = () => page().locator('.part.sidebar .monaco-list-row');

  it('acts nowhere while the workspace is not trusted', async () => {
    await look([
      { name: 'restricted row', open: async () => command('watchValue', words), seenIn: tree() },
      {
        name: 'restricted hover',
        open: hoverAt(8, 35),
        seenIn: page().locator('.part.editor'),
        text: 'SELF',
      },
    ]);
  });

  describe('of a trusted workspace', () => {
    before(async () => {
      void host.run('workbench.trust.manage');
      await page().getByRole('button', { name: 'Trust', exact: true }).click();
      await page()
        .getByRole('treeitem', { name: /^Speaker/ })
        .first()
        .waitFor();
      await page().keyboard.press('Escape');
      await host.run('workbench.action.closeAllEditors');
    });

    it('acts in no hover, lens or problem of a file', async () => {
      await look([
        { name: 'hover of a label', open: hoverAt(3, 35), seenIn: hover() },
        { name: 'hover of a contract', open: hoverAt(8, 35), seenIn: hover() },
        { name: 'hover of a transaction', open: hoverAt(4, 30), seenIn: hover(), text: 'Node' },
        { name: 'hover of hex', open: hoverAt(5, 40), seenIn: hover() },
        {
          name: 'lenses',
          open: () => workbench.openFile('src/Lens.sol'),
          seenIn: page().locator('.codelens-decoration'),
        },
        {
          name: 'lenses of a query',
          open: () => workbench.openFile('said.chainlog.json'),
          seenIn: page().locator('.part.editor'),
        },
        {
          name: 'problems',
          open: async () => {
            await workbench.openFile('.chainside/labels.json');
            await host.run('workbench.actions.view.problems');
          },
          seenIn: page().locator('.markers-panel'),
        },
      ]);
    });

    it('acts in no row of the side bar and in no list', async () => {
      const list = page().locator('.quick-input-list .monaco-list-row');
      await look([
        { name: 'row of a contract', open: async () => command('lookUpAddress', SPEAKER), seenIn: tree() },
        { name: 'row of an account', open: async () => command('watchAddress', account), seenIn: tree() },
        { name: 'row of a token', open: async () => command('watchToken', SPEAKER), seenIn: tree() },
        { name: 'list of networks', open: async () => command('selectNetwork'), seenIn: list },
        { name: 'list of contracts', open: async () => command('compareCode'), seenIn: list },
        { name: 'list of query files', open: async () => command('runQueryFile'), seenIn: list },
      ]);
      const rows = await tree().filter({ hasText: 'squirrel' }).all();
      assert.ok(rows.length > 3, `${rows.length} rows`);
      for (const row of rows) {
        await row.hover();
        await hover().filter({ hasText: 'squirrel' }).first().waitFor();
        assert.deepEqual(await findTraps(page()), []);
      }
    });

    it('acts in no panel and no document, also when the window loads them again', async () => {
      const text = page().locator('.part.editor .view-lines');
      const query = { address: SPEAKER, event: SAID, fromBlock: 0, toBlock: 20, run: true };
      await look([
        { name: 'log panel', open: async () => command('queryLogs', query), seenIn: 'panel' },
        {
          name: 'groups',
          open: async () => command('queryLogs', { ...query, groupBy: 'words' }),
          seenIn: 'panel',
        },
        { name: 'read panel', open: async () => command('readContract', SPEAKER, 'name()'), seenIn: 'panel' },
        {
          name: 'holders',
          open: async () => command('showHolders', environment().localnet.chain.contracts.usd.address),
          seenIn: 'panel',
        },
        {
          name: 'NFT panel',
          open: async () =>
            command('showNftContract', environment().localnet.chain.contracts.badge.address, 1),
          seenIn: 'panel',
        },
        { name: 'transaction', open: async () => command('showTransaction', hash), seenIn: 'document' },
        { name: 'decoded', open: async () => command('decode', FAILURE), seenIn: 'document' },
        {
          name: 'compared code',
          open: async () => command('compareCode', { address: SPEAKER, contract: 'Speaker' }),
          seenIn: 'document',
        },
        {
          name: 'notebook',
          open: async () => {
            await workbench.openFile('page.chain.md');
            await host.run('chainside.openAsNotebook');
            await page().getByRole('button', { name: 'Run All' }).first().click();
          },
          seenIn: 'panel',
        },
        {
          name: 'restored document',
          open: async () => {
            command('queryLogs', query);
            await waitUntil('the panel shows the canary', () => shows('panel'));
            command('showTransaction', hash);
            await waitUntil('the document shows the canary', () => shows(text));
            host = await probe.hostOpenedBy(() => workbench.reloadWindow());
          },
          seenIn: text,
        },
        {
          name: 'restored panel',
          open: () => host.run('workbench.action.previousEditor'),
          seenIn: 'panel',
        },
      ]);
    });
  });
});

/** Whether a text has a character that hides or turns others. */
function hides(text: string): boolean {
  return /[^\P{Cc}\n\r\t]|[\u200b\u202a-\u202e\u2066-\u2069]/u.test(text);
}
