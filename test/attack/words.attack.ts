import assert from 'node:assert/strict';
import { hostileTexts } from '../fixtures/hostileTexts.ts';
import { campaign, chosenTexts } from './support/campaign.ts';
import { useHostileEditor } from './support/hostileEditor.ts';
import { CONTRACT } from './support/hostileServer.ts';
import { findShownMarkup, type Reach, watchReach } from './support/shownHarm.ts';

/** A command that harms nobody and shows that it was run: an editor opens. */
const opensEditor = '[Retry](command:workbench.action.files.newUntitledFile) or wait';
const texts = [...chosenTexts(hostileTexts), ['command link that shows', opensEditor]] as const;
const some = texts.filter((_, index) => index % (campaign.short ? 4 : 8) === 0);

describe('words of others in the editor', () => {
  const editor = useHostileEditor();
  let reach: Reach;
  before(() => {
    reach = watchReach(editor().workbench.page);
  });

  /** Looks at all that is shown now. */
  async function isHarmless(what: string): Promise<void> {
    const { page } = editor().workbench;
    assert.deepEqual(await findShownMarkup(page), [], what);
    assert.deepEqual(reach.taken(), [], what);
    assert.equal(await page.locator('.tabs-container .tab', { hasText: 'Untitled' }).count(), 0, what);
  }

  it('do nothing in the notification of a token that is refused', async () => {
    const { workbench, server, probe } = editor();
    const { page } = workbench;
    const host = await probe.newestHost();
    const shown = page.locator('.notification-list-item-message').filter({ visible: true });
    await probe.watch(async () => {
      for (const [what, message] of texts) {
        server.behaviour = ({ method, params }) =>
          method === 'eth_call'
            ? isProbe(params)
              ? { result: PROBE }
              : { error: { code: -32000, message } }
            : undefined;
        // It ends when somebody answers.
        void host.run('chainside.watchToken', CONTRACT);
        // The editor shows only so many at once by itself.
        const showList = () => host.run('notifications.showList');
        await shown.first().waitFor({ timeout: 2000 }).catch(showList);
        await shown
          .first()
          .waitFor()
          .catch(() => assert.fail(`${what}: no notification`));
        await isHarmless(what);
        if (message.includes('](')) await shown.first().click({ position: { x: 12, y: 8 } });
        if (message === opensEditor) {
          await workbench.screenshot('attack-words');
          for (const y of [8, 30]) {
            for (let x = 10; x < 330; x += 20) await shown.first().click({ position: { x, y } });
          }
          await isHarmless(what);
        }
        await host.run('notifications.clearAll');
        await shown.first().waitFor({ state: 'detached' });
      }
    }, texts.length);
  });

  it('do nothing in names, symbols and ids of networks', async () => {
    const { workbench, server, probe } = editor();
    const { page } = workbench;
    const host = await probe.newestHost();
    const rpcUrl = `${server.url}/api/eth-rpc`;
    const hostile = { name: 'Hostile', chainId: 31337, rpcUrl, dataApiUrl: server.url };
    const named = Object.fromEntries(
      texts.map(([, text], index) => {
        const name = text.trim().slice(0, 80) || 'Empty';
        const symbol = text.trim().slice(0, 12) || 'NONE';
        return [`n${index}`, { chainId: 31337, rpcUrl, name, symbol }];
      }),
    );
    const broken = texts.map(([, text]) => [text.slice(0, 1000), { name: text.slice(0, 5000) }]);
    await probe.watch(async () => {
      await workbench.updateSettings({
        'chainside.networks': { hostile, ...named, ...Object.fromEntries(broken) },
      });
      await page
        .getByRole('treeitem', { name: /^chainside\.networks/ })
        .first()
        .waitFor();
      await isHarmless('problems of the settings');
      void host.run('chainside.selectNetwork');
      await workbench.quickPickRow('Hostile').waitFor();
      for (let screen = 0; screen < texts.length / 10 + 1; screen++) {
        await isHarmless(`the list of networks, screen ${screen}`);
        await page.keyboard.press('PageDown');
      }
      await page.keyboard.press('Escape');
    });
    try {
      await workbench.updateSettings({ 'chainside.networks': { hostile, ...named } });
      for (const [index, [what]] of some.entries()) {
        // Ends when it is selected.
        await host.run('chainside.selectNetwork', `n${texts.indexOf(some[index] ?? assert.fail())}`);
        await isHarmless(what);
        for (const place of [
          page.locator('.statusbar-item[id^="chainside"]').first(),
          page.getByRole('treeitem', { name: /^Network: / }),
        ]) {
          await place.hover();
          await page.locator('.monaco-hover').first().waitFor();
          await isHarmless(what);
        }
        void host.run('chainside.forgetApiKey');
        // Whether the editor shows a message on its own depends on those before.
        await host.run('notifications.showList');
        await page.locator('.notification-list-item-message').filter({ visible: true }).first().waitFor();
        await isHarmless(what);
        await host.run('notifications.clearAll');
      }
    } finally {
      await workbench.updateSettings({
        'chainside.network': 'hostile',
        'chainside.networks': { hostile },
      });
      await page.getByRole('treeitem', { name: 'Network: Hostile' }).waitFor();
    }
  });
});

/** What an endpoint answers that has `eth_call`, when it is asked whether it has. */
const PROBE = '0x43686169';

function isProbe(params: readonly unknown[]): boolean {
  return (params[0] as { readonly data?: string }).data === PROBE;
}
