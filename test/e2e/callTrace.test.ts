import type { Locator } from 'playwright-core';
import { type Anvil, startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { actUntil } from '../../scripts/support/workbench/driver.ts';
import { type Corpus, compileCorpus, findTrueLines, writeProject } from '../support/traces/buildCorpus.ts';
import { type SentCorpus, sendFailures } from '../support/traces/sendFailures.ts';
import { useWorkbench } from './support/workbench.ts';

describe('the calls of a transaction on a node', () => {
  let anvil: Anvil;
  let corpus: Corpus;
  let sent: SentCorpus;

  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    corpus = await compileCorpus('plain');
    sent = await sendFailures(createNodeRpc(anvil.url), corpus);
  });
  after(() => anvil.stop());
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'node',
      'chainside.networks': {
        node: { name: 'Test Node', chainId: 31337, symbol: 'ETH', rpcUrl: anvil.url },
      },
    },
    fillFolder: (folder) => writeProject(folder, corpus, 'foundry'),
  }));

  const line = (text: string) => workbench().editorLine(text);

  /** The editor finds links a little later. */
  async function clickLink(text: string, shown: Locator): Promise<void> {
    const { keyboard } = workbench().page;
    const link = line(text).locator('span').last();
    await link.waitFor();
    await actUntil(async () => {
      // It is gone once what it leads to is on its way to the front.
      if (!(await link.isVisible())) return;
      await keyboard.down('Control');
      await link.click();
      await keyboard.up('Control');
    }, shown);
  }

  it('are lines of its document and rows of the Calls view, where a failure leads to its line', async () => {
    const { page } = workbench();
    const failure = sent.failures.find(({ label }) => label === 'through a call');
    const truth = findTrueLines(corpus).get('overflow');
    if (!failure || !truth) throw new Error('The corpus has no such failure.');
    // The project is read when it is first used.
    await workbench().openFile(truth.file);
    const question = /^Hash of a transaction on Test Node/;
    await workbench().runCommand('Chainside: Show Transaction…', workbench().question(question));
    await workbench().fillInput(failure.hash);
    await page.keyboard.press('Enter');
    await line('Failed: an integer overflowed or underflowed at ').waitFor();
    await line('It failed at').waitFor();
    await line(`${truth.file}:${truth.line} · Failing.subtract`).waitFor();
    await line('· Callers.through').waitFor();
    await workbench().screenshot('transaction-failed-at');
    await page.keyboard.press('Control+End');
    await line('CALL Callers.through(a: 1)').waitFor();
    await line('log Called(id: 1), undone').waitFor();
    await line('STATICCALL Failing.subtract(a: 1, b: 1)').waitFor();
    await workbench().screenshot('transaction-calls');

    await workbench().openView('Chainside');
    const row = (name: RegExp) => page.getByRole('treeitem', { name });
    await row(/^CALL, Callers\.through\(a: 1\), an integer overflowed or underflowed, [\d,]+ gas/).waitFor();
    await row(/^log Called\(id: 1\), undone/).waitFor();
    await workbench().screenshot('calls-view');
    const caller = workbench().quickPickRow('Callers');
    await workbench().runCommand('Chainside: Filter Calls by Contract…', caller);
    await workbench().screenshot('calls-filter');
    await caller.click();
    await row(/^STATICCALL/).waitFor({ state: 'hidden' });
    await workbench().screenshot('calls-filtered');
    await row(/^Only calls to Callers/).click();
    await workbench().quickPickRow('All Contracts').click();
    await row(/^Only calls to Callers/).waitFor({ state: 'hidden' });
    await row(/^STATICCALL, Failing\.subtract\(a: 1, b: 1\)/).click();
    await page.locator('.statusbar-item', { hasText: `Ln ${truth?.line}, ` }).waitFor();
    await row(/^CALL, Callers\.through/).waitFor();
  });

  it('are those of a simulation, by a link in the document, until it is closed', async () => {
    const { page } = workbench();
    const rows = page.getByRole('treeitem', { name: /^CALL, Callers\.through/ });
    await page.getByRole('tab', { name: /^Transaction 0x/ }).click();
    await page.keyboard.press('Control+Home');
    await clickLink('Simulate it again at the latest block', line('Status: Would fail'));
    await line('Nothing was sent to the chain.').waitFor();
    await line(', the latest').waitFor();
    await line('It failed at').waitFor();
    await rows.waitFor();
    await workbench().screenshot('simulation');
    await workbench().closeEditors();
    await rows.waitFor({ state: 'hidden' });
  });
});
