import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type Theme, themes, unfold } from '../../scripts/support/workbench/driver.ts';
import { localnetSettings } from '../../scripts/support/workbench/localnetSettings.ts';
import { addTokens } from '../support/extraTokens.ts';
import { writeHarborDollarProject } from './support/harborDollarProject.ts';
import { runLogQuery } from './support/logPanel.ts';
import { isReadable, themeFindings } from './support/themeLook.ts';
import { environment, useWorkbench } from './support/workbench.ts';

/** Of each kind that the view folds or marks. */
const TOKENS = [
  { name: 'SOLID', fields: { quote_rate: 2, quote: 2 } },
  { name: 'MAD', fields: { quote_rate: 9.5e19, quote: 9.5e19 } },
  { name: 'CRUMB', fields: { quote_rate: 0.02, quote: 0.02, type: 'dust' } },
  { name: 'CLAIM', fields: { quote_rate: 500, quote: 500, is_spam: true } },
];

describe('the side bar of a project', () => {
  const workbench = useWorkbench(() => ({
    size: { width: 1280, height: 1600 },
    settings: {
      ...localnetSettings(environment().localnet),
      'chainside.poll.seconds': 2,
    },
    fillFolder: writeHarborDollarProject,
  }));
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name }).first();

  async function lookUp(address: string): Promise<void> {
    const question = /^Address of an account/;
    await workbench().runCommand('Chainside: Look Up Address…', workbench().question(question));
    await workbench().answer(question, address);
  }

  afterEach(async () => {
    const { explorer, dataApi } = environment().localnet;
    explorer.setIntercept(undefined);
    dataApi.setIntercept(undefined);
    await workbench().closeEditors();
  });

  /** Rows of every kind that the views have. */
  async function fillViews(): Promise<void> {
    const { chain, dataApi } = environment().localnet;
    const { alice } = chain.accounts;
    dataApi.setIntercept(addTokens(TOKENS));
    await workbench().openView('Chainside');
    await unfold(row(/^HarborDollar, 2 deployments/), row(/^Ethereum Sepolia, 0x/));
    await workbench().runCommand('Chainside: Set Data API Key…', workbench().question(/^Key for http/));
    await workbench().answer(/^Key for http/, dataApi.keys.current);
    await row('Token data: key set').waitFor();
    const query = {
      Address: chain.contracts.usd.address,
      'Event or topic': 'Transfer(address,address,uint256)',
    };
    await runLogQuery(workbench(), query);
    await workbench().runCommand('Chainside: Save Query…', workbench().question(/^Name of the query/));
    await workbench().answer(/^Name of the query/, 'Dollar moves');
    await workbench()
      .question(/^Name of the query/)
      .waitFor({ state: 'hidden' });
    await runLogQuery(workbench(), { ...query, 'To block': '60' });
    await workbench().closeEditors();
    // It is folded at first: the other views have the room.
    await workbench().runCommand('Chainside: Focus on Queries View');
    await row(/^Dollar moves, /).waitFor();
    await row(/^Recent$/).waitFor();
    await lookUp(chain.contracts.usd.address);
    await row(/^ERC-20 token contract, /).waitFor();
    await workbench().runCommand('Chainside: Watch Address', workbench().question(/^Address of an account/));
    await workbench().answer(/^Address of an account/, alice);
    await lookUp(alice);
    await row(/^1 MAD, implausible price$/).waitFor();
    await row(/^Dust, 1 · \$0\.02$/).waitFor();
    await row(/^Spam, 1$/).waitFor();
  }

  async function areReadableInEveryTheme(name: string): Promise<void> {
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`${name}-${theme}`);
      await isReadable(workbench().page, theme);
    }
  }

  it('can be read in every theme, also while nothing answers', async () => {
    await fillViews();
    await areReadableInEveryTheme('side-bar');
    environment().localnet.explorer.setIntercept(() => ({ kind: 'respond', status: 503, body: 'down' }));
    await row(/^Not available at the moment \(HTTP 503\)/).waitFor();
    await row(/last read /).waitFor();
    await areReadableInEveryTheme('side-bar-failing');
  });

  it('would not pass as readable in another theme, or with a label that is as pale as its background', async () => {
    const { page } = workbench();
    await workbench().setTheme('light');
    await isReadable(page, 'light');
    assert.match(
      (await themeFindings(page, 'highContrast')).join('\n'),
      /drawn as vs.*\n.*bright\nnothing parts/,
    );
    await page.addStyleTag({ content: '.part.sidebar .label-name { color: #ccc !important }' });
    assert.match((await themeFindings(page, 'light')).join('\n'), /^label “.*” has a contrast of 1\.\d\d$/m);
  });
});
