import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { lastLogLines } from '../../scripts/support/workbench/lastLogLines.ts';
import { environment } from './support/environment.ts';
import { useWorkbench } from './support/workbench.ts';

describe('data API key', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, dataApi } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl, dataApiUrl: dataApi.url },
          elsewhere: { name: 'Elsewhere', chainId: 31337, rpcUrl, dataApiUrl: 'http://127.0.0.1:4' },
          bare: { name: 'Bare', chainId: 31337, rpcUrl },
        },
      },
    };
  });
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name });
  const field = (): Locator => workbench().page.locator('.quick-input-widget');
  const keys = () => environment().localnet.dataApi.keys;

  before(() => workbench().openView('Chainside'));
  afterEach(() => environment().localnet.dataApi.setIntercept(undefined));

  async function openField(): Promise<void> {
    await workbench().runCommand('Chainside: Set Data API Key…', workbench().question(/^Key for http/));
  }
  async function enter(key: string): Promise<void> {
    await workbench().fillInput(key);
    await workbench().page.keyboard.press('Enter');
  }

  it('is typed unseen, tried by a real call in no URL, and refused at the field when it is wrong', async () => {
    const { dataApi } = environment().localnet;
    await openField();
    await field().locator('input[type=password]').waitFor();
    dataApi.forgetRequests();
    await enter('ckey_nobodys');
    await field().getByText('does not accept this key').waitFor();
    // The second call has no key: by its answer it shows that the first one's was looked at.
    assert.deepEqual(
      dataApi.requests.map(({ headers }) => headers.authorization),
      ['Bearer ckey_nobodys', undefined],
    );
    assert.ok(dataApi.requests.every(({ url }) => !url.includes('key=')));
    await workbench().screenshot('api-key-wrong');
    await enter('two words');
    await field().getByText('Not an API key').waitFor();
    assert.equal(dataApi.requestCount, 2);
  });

  it('is told from one that is used up, not entitled, or could not be tried', async () => {
    await enter(keys().exhausted);
    await field().getByText('its credits are used up').waitFor();
    await enter(keys().notEntitled);
    await field().getByText('not entitled to token balances').waitFor();
    environment().localnet.dataApi.setIntercept(() => ({ kind: 'respond', status: 404, body: '{}' }));
    await enter(keys().classic);
    await field().getByText('does not support Test Explorer').waitFor();
    environment().localnet.dataApi.setIntercept(() => ({ kind: 'respond', status: 200, body: '<html>' }));
    await enter(keys().current);
    await field()
      .getByText(/^The key could not be tested \(.*Press Enter to try again/)
      .waitFor();
    await row('Token data: no key').waitFor();
  });

  it('is saved when it is right, for its origin only', async () => {
    await enter(keys().classic);
    await row('Token data: key set').waitFor();
    await workbench().runCommand('Chainside: Select Network…', workbench().quickPickRow('Test Explorer'));
    await workbench().quickPickRow('Test Explorer').filter({ hasText: 'data API key set' }).waitFor();
    await workbench().quickPickRow('Elsewhere').filter({ hasText: 'no data API key' }).click();
    await row('Token data: no key').waitFor();
    await workbench().selectNetwork('Test Explorer');
    await row('Token data: key set').waitFor();
  });

  it('stands in no log', async () => {
    await workbench().runCommand('Chainside: Show Output');
    const output = workbench().page.locator('.part.panel .view-line');
    await output
      .filter({ hasText: /GET\s+http/ })
      .first()
      .waitFor();
    const shown = await workbench().page.locator('body').textContent();
    const logged = await lastLogLines(workbench().logs, 1000);
    assert.match(logged, / GET http/);
    for (const key of Object.values(keys())) assert.ok(!shown?.includes(key) && !logged.includes(key));
  });

  it('is forgotten after a question', async () => {
    await workbench().runCommand('Chainside: Forget Data API Key…');
    await workbench().page.getByRole('button', { name: 'Forget', exact: true }).click();
    await row('Token data: no key').waitFor();
  });

  it('goes in the URL to a server that looks for it there only, and the user is told', async () => {
    const { dataApi } = environment().localnet;
    dataApi.setKeyPlaces('query');
    try {
      await openField();
      await enter(keys().classic);
      await workbench().notification('It goes in the URL of each request').waitFor();
      await row('Token data: key set').waitFor();
      dataApi.forgetRequests();
      await workbench().runCommand(
        'Chainside: Look Up Address…',
        workbench().question(/^Address of an account/),
      );
      await workbench().answer(/^Address of an account/, environment().localnet.chain.accounts.alice);
      await row(/ in total/).waitFor();
      assert.ok(dataApi.requests.every(({ url }) => url.includes(`key=${keys().classic}`)));
    } finally {
      dataApi.setKeyPlaces('anywhere');
    }
  });

  it('is not asked for where no data API is', async () => {
    await workbench().selectNetwork('Bare');
    await row('Token data: from the explorer').waitFor();
    await workbench().runCommand('Chainside: Set Data API Key…');
    await workbench().notification('Bare has no data API').waitFor();
  });
});
