import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sendTransactionKinds, type TransactionKinds } from '../../localnet/chain/transactionKinds.ts';
import { type Localnet, startLocalnet } from '../../localnet/start.ts';
import { chooseEntry, type Theme, themes } from '../../scripts/support/workbench/driver.ts';
import { hoverOn } from './support/hover.ts';
import { runLogQuery } from './support/logPanel.ts';
import { useWorkbench } from './support/workbench.ts';

const contractsFolder = fileURLToPath(new URL('../../localnet/contracts/', import.meta.url));

describe('transactions', () => {
  let localnet: Localnet;
  let kinds: TransactionKinds;

  before(async () => {
    localnet = await startLocalnet();
    kinds = await sendTransactionKinds(localnet.node);
    await localnet.catchUp();
  });
  const workbench = useWorkbench(() => ({
    size: { width: 1600, height: 1000 },
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: {
          ...{ name: 'Test Explorer', chainId: 31337, symbol: 'ETH', rpcUrl: localnet.rpcUrl },
          explorerUrl: 'https://explorer.example',
        },
      },
    },
    fillFolder: writeProject,
  }));
  after(() => localnet?.stop());
  afterEach(() => workbench().closeEditors());

  async function writeProject(folder: string): Promise<void> {
    await mkdir(join(folder, 'src'));
    await cp(join(contractsFolder, 'Failures.sol'), join(folder, 'src', 'Failures.sol'));
    await writeFile(join(folder, 'foundry.toml'), '[profile.default]\nsrc = "src"\n');
    const lines = [
      `paid by transaction ${kinds.paid}`,
      `refused, tx ${kinds.customError}`,
      `closed on Sundays: ${kinds.requireText}`,
      `private key ${kinds.panic}`,
    ];
    await writeFile(join(folder, 'notes.txt'), `${lines.join('\n')}\n`);
  }

  const line = (text: string) =>
    workbench()
      .page.locator('.editor-instance')
      .last()
      .locator('.view-line')
      .filter({ hasText: text })
      .first();

  async function isShown(hash: string, ...texts: readonly string[]): Promise<void> {
    await workbench().page.getByRole('tab', { name: 'Transaction' }).waitFor();
    await line(`Transaction ${hash} on Test Explorer`).waitFor();
    for (const text of texts) await line(text).waitFor();
  }

  it('are told in a hover on their hash, the failed one with its reason, where the text calls it one', async () => {
    const { page } = workbench();
    await workbench().openFile('notes.txt');
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      const failed = await hoverOn(page, kinds.customError, /Transaction on Test Explorer/);
      await failed.getByText('Failed').first().waitFor();
      await failed.getByText('Unpaid').first().waitFor();
      await workbench().screenshot(`transactions-hover-failed-${theme}`);
      await page.keyboard.press('Escape');
    }
    const paid = await hoverOn(page, kinds.paid, /Transaction on Test Explorer/);
    await paid.getByText('Success').first().waitFor();
    await workbench().screenshot('transactions-hover');
    await paid.getByRole('link', { name: 'Show Transaction' }).click();
    await isShown(kinds.paid, 'Status: Success', 'Paid');
  });

  it('are only offered to be looked up where the text does not say what the hash is', async () => {
    const { page } = workbench();
    await workbench().openFile('notes.txt');
    localnet.explorer.forgetRequests();
    const offer = await hoverOn(page, kinds.requireText, /Look up as a transaction on Test Explorer/);
    const asked = localnet.explorer.requests.filter(({ body }) => body.includes(kinds.requireText.slice(2)));
    if (asked.length > 0) throw new Error(`The hover alone asked: ${asked[0]?.body}`);
    await workbench().screenshot('transactions-hover-offer');
    await offer.getByRole('link', { name: 'Look up as a transaction on Test Explorer' }).click();
    await isShown(kinds.requireText, 'Not open on Sundays');
  });

  it('are shown from the palette, by keyboard alone, with why one failed and where', async () => {
    const { page } = workbench();
    const question = /^Hash of a transaction on Test Explorer/;
    await workbench().runCommand('Chainside: Show Transaction…', workbench().question(question));
    await workbench().fillInput('0x1234');
    await page.getByText('Not a transaction hash: expected 0x and 64 hex digits.').waitFor();
    await workbench().fillInput(kinds.customError);
    await page.keyboard.press('Enter');
    await isShown(kinds.customError, 'Status: Failed', 'Why it failed', 'Unpaid', 'src/Failures.sol:');
    // The document has the focus: it is read, and left for the line that reverted, by keys.
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Home');
    await page.locator('.statusbar').getByText('Ln 1, Col 1').waitFor();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`transactions-document-${theme}`);
    }
  });

  it('are shown from a row of the log panel', async () => {
    const { page } = workbench();
    const opened = await runLogQuery(workbench(), { Address: kinds.contract });
    const done = page.getByRole('tab', { name: 'Transaction', exact: true });
    await chooseEntry(page, { target: opened.cell(0, 'transaction'), name: 'Show Transaction', done });
    await line('Transaction 0x').waitFor();
    await line('Status: Success').waitFor();
    await workbench().screenshot('transactions-from-logs');
  });
});
