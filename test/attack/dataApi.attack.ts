import assert from 'node:assert/strict';
import { actUntil } from '../../scripts/support/workbench/driver.ts';
import { assertWithinBounds } from './support/bounds.ts';
import { chosen } from './support/campaign.ts';
import { hasTerminalControls, runCli } from './support/cli.ts';
import { dataApiAttacks, onDataApi } from './support/dataApiBehaviours.ts';
import { useHostileEditor } from './support/hostileEditor.ts';
import { CONTRACT, type HostileServer, startHostileServer } from './support/hostileServer.ts';
import type { HostProbe } from './support/hostProbe.ts';

const KEY = 'ckey_!\'()*~+/=&<\\>"%#';

describe('data APIs that mean harm', () => {
  let server: HostileServer;
  before(async () => {
    server = await startHostileServer();
  });
  after(() => server.close());

  function headlessTokens() {
    const api = ['--chain-id', '31337', '--data-api', server.url, '--key-env', 'ATTACK_KEY'];
    return runCli(['tokens', CONTRACT, ...api], { env: { ATTACK_KEY: KEY } });
  }

  for (const { name, answer } of chosen(dataApiAttacks)) {
    it(`do not hurt the headless runner by ${name}`, async () => {
      server.behaviour = onDataApi(answer);
      const run = await headlessTokens();
      assert.ok(
        !hasTerminalControls(run.output) && !hasTerminalControls(run.words),
        'Something would steer the terminal.',
      );
      assert.ok(run.words.length < 8000, `${run.words.length} characters of words`);
      assertWithinBounds(`headless tokens: ${name}`, run.course);
    });
  }

  it('do not get the key out, however they write it', async () => {
    const html = [...KEY].map((character) => `&#x${character.charCodeAt(0).toString(16)};`).join('');
    const written = [
      ...[KEY, encodeURIComponent(KEY), new URLSearchParams({ k: KEY }).toString().slice(2), html],
      ...[btoa(KEY), btoa(KEY).replaceAll('=', ''), JSON.stringify(KEY).slice(1, -1)],
    ];
    server.behaviour = onDataApi(() => ({
      status: 400,
      body: JSON.stringify({ data: null, error: true, error_message: written.join(' '), error_code: 400 }),
    }));
    const { output, words } = await headlessTokens();
    const said = [
      ...JSON.stringify(JSON.parse(output)).split(' '),
      ...JSON.parse(output).error.serverMessage.split(' '),
      ...words.split(' '),
    ];
    for (const form of written) assert.ok(!said.some((word) => word.includes(form)), form);
  });

  describe('in the editor', () => {
    const editor = useHostileEditor();
    const workbench = () => editor().workbench;
    let server: HostileServer;
    let probe: HostProbe;
    before(() => {
      ({ server, probe } = editor());
    });
    before(async () => {
      server.behaviour = onDataApi(() => ({ body: '{"data":{"items":[]},"error":false}' }));
      await workbench().runCommand('Chainside: Set Data API Key…');
      await workbench().answer(/^Key for http/, KEY);
      await workbench().page.getByRole('treeitem', { name: 'Token data: key set' }).waitFor();
    });

    const answered = () =>
      workbench().page.getByRole('treeitem', {
        name: / in total|not included|^No tokens|^Tokens not |^Could not (load|refresh) tokens|(entry is|entries are) not shown/,
      });

    for (const [index, { name, answer }] of chosen(dataApiAttacks).entries()) {
      it(`leave the extension host awake with ${name}`, async () => {
        server.behaviour = onDataApi(answer);
        const holder = `0x${(index + 1).toString(16).padStart(40, 'c')}`;
        const { page } = workbench();
        // So that the rows that come are those of this address alone.
        const focused = page.locator('.pane', { hasText: 'Addresses' }).locator('.monaco-list:focus');
        await actUntil(() => workbench().runCommand('Chainside: Focus on Addresses View'), focused);
        await page.keyboard.press('Control+ArrowLeft');
        await answered().first().waitFor({ state: 'detached' });
        const course = await probe.watch(async () => {
          await workbench().runCommand('Chainside: Look Up Address…');
          await workbench().answer(/^Address of an account/, holder);
          await answered().first().waitFor({ timeout: 60_000 });
        });
        assert.equal(await page.locator('.notification-list-item-message a').count(), 0);
        assertWithinBounds(`Addresses view: ${name}`, course);
      });
    }
  });
});
