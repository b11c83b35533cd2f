import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type KeyedNode, startKeyedNode } from '../../localnet/gateway/keyedNode.ts';
import { lastLogLines } from '../../scripts/support/workbench/lastLogLines.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { environment } from './support/environment.ts';
import { useWorkbench } from './support/workbench.ts';

const KEY = 'Zx81nBq0Lr5tYw93KdPmVa72';
const WRONG = 'Wr0ng1nBq0Lr5tYw93KdPmVa';
const IN_URL = 'Qm47uRz2Tb8cXe61HsGnLd05';
const MARK = `\${key}`;

describe('the secret of an endpoint', () => {
  let byHeader: KeyedNode;
  let byPath: KeyedNode;
  before(async () => {
    const { anvilUrl: url } = environment().localnet;
    const wants = { in: 'header', name: 'authorization' } as const;
    byHeader = await startKeyedNode({ url, key: KEY, wants, refusal: 'echo' });
    byPath = await startKeyedNode({ url, key: IN_URL, wants: { in: 'path' }, refusal: 'echo' });
  });
  after(async () => {
    await byHeader.stop();
    await byPath.stop();
  });
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'keyed',
      'chainside.networks': {
        keyed: { name: 'Keyed Node', chainId: 31337, rpcUrl: byHeader.rpcUrl },
        written: { name: 'Written Key', chainId: 31337, rpcUrl: `${byPath.origin}/v3/${IN_URL}` },
      },
    },
  }));
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const field = (): Locator => workbench().page.locator('.quick-input-widget');
  const press = (key: string) => workbench().page.keyboard.press(key);
  const settings = () => readFile(join(workbench().storage, '..', '..', 'settings.json'), 'utf8');

  before(() => workbench().openView('Chainside'));

  it('is missed in words, with what to do about it', async () => {
    await row('Needs a key (HTTP 401)').waitFor();
    await row('Set Endpoint Secret…').waitFor();
    await workbench().screenshot('endpoint-secret-missing');
  });

  it('is set by keyboard alone, tried in its place, and blocks come then', async () => {
    const bearer = workbench().quickPickRow('Bearer Token');
    await workbench().runCommand('Chainside: Set Endpoint Secret…', bearer);
    await workbench().screenshot('endpoint-secret-place');
    await workbench().fillInput('Bearer');
    await press('Enter');
    await workbench()
      .question(/^Key for http:.* It goes as a bearer token/)
      .waitFor();
    await field().locator('input[type=password]').waitFor();
    byHeader.forgetRequests();
    await workbench().fillInput(WRONG);
    await press('Enter');
    await field()
      .getByText(/does not accept the key/)
      .waitFor();
    assert.deepEqual(
      byHeader.requests.map(({ headers, url }) => [headers.authorization, url]),
      [[`Bearer ${WRONG}`, '/rpc']],
    );
    await workbench().screenshot('endpoint-secret-wrong');
    await workbench().fillInput(KEY);
    await press('Enter');
    await workbench()
      .notification(/^The key for http:\/\/127\.0\.0\.1:\d+ is saved\./)
      .waitFor();
    await row(/^Network: Keyed Node, Latest block: [\d,]+/).waitFor();
    await waitUntil('the settings say where it goes', async () =>
      /"rpcAuth": "bearer"/.test(await settings()),
    );
    await workbench().runCommand('Notifications: Clear All Notifications');
  });

  it('stands in the page of the network as set, in every theme', async () => {
    const edited = workbench().quickPickRow('Keyed Node');
    for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
      await workbench().setTheme(theme);
      await workbench().runCommand('Chainside: Edit Network…', edited);
      await edited.click();
      await workbench().quickPickRow('Secret').filter({ hasText: 'bearer token · set' }).waitFor();
      await workbench().screenshot(`endpoint-secret-page-${theme}`);
      await press('Escape');
      await field().waitFor({ state: 'hidden' });
    }
    await workbench().setTheme('dark');
  });

  it('is offered a better place where a URL in the settings holds it', async () => {
    const written = workbench().quickPickRow('Written Key');
    await workbench().runCommand('Chainside: Select Network…', written);
    await workbench().screenshot('endpoint-secret-select');
    await written.click();
    const offer = workbench().notification('The URL of Written Key seems to hold a key');
    await offer.waitFor();
    await workbench().screenshot('endpoint-secret-offer');
    await offer.getByRole('button', { name: 'Keep in Secret Storage' }).click();
    await workbench()
      .notification(/is saved\./)
      .waitFor();
    await row(/^Network: Written Key, Latest block: [\d,]+/).waitFor();
    const { rpcUrl } = byPath;
    await waitUntil('the settings have the mark of it', async () => (await settings()).includes(rpcUrl));
    assert.ok(rpcUrl.endsWith(MARK));
  });

  it('stands in no setting, on no screen and in no log', async () => {
    await workbench().runCommand('Chainside: Show Output');
    await workbench().page.locator('.part.panel .view-line').filter({ hasText: /401/ }).first().waitFor();
    const written = await settings();
    const shown = (await workbench().page.locator('body').textContent()) ?? '';
    const logged = await lastLogLines(workbench().logs, 1000);
    assert.match(logged, /POST http/);
    for (const key of [KEY, WRONG, IN_URL]) {
      for (const text of [written, shown, logged]) assert.ok(!text.includes(key));
    }
  });

  it('is forgotten after a question, and missed again', async () => {
    await workbench().selectNetwork('Keyed Node');
    await row(/^Network: Keyed Node, Latest block/).waitFor();
    await workbench().runCommand('Chainside: Forget Endpoint Secret…');
    await workbench().page.getByRole('button', { name: 'Forget', exact: true }).click();
    await row('This endpoint needs a key').waitFor();
  });
});
