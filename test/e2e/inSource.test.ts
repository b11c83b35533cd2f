import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { sendTransactionKinds, type TransactionKinds } from '../../localnet/chain/transactionKinds.ts';
import { fromRoot } from '../../scripts/support/paths.ts';
import { writeFiles } from '../support/writeFiles.ts';
import { showHoverAt } from './support/hover.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

const DOLLAR = `contract HarborDollar is Ledger {
    address constant TREASURY = ADDRESS;
    uint8 public decimals;
    function balanceOf(address account) external view returns (uint256) {}
}
`;
const LEDGER = `abstract contract Ledger {
    event Transfer(address indexed from, address indexed to, uint256 value);
}
`;

describe('in the files of a project', () => {
  let kinds: TransactionKinds;
  before(async () => {
    const { node, catchUp } = environment().localnet;
    kinds = await sendTransactionKinds(node);
    await catchUp();
  });
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: {
          ...{ name: 'Test Explorer', chainId: 31337, symbol: 'ETH' },
          rpcUrl: environment().localnet.rpcUrl,
        },
      },
    },
    fillFolder: writeProject,
  }));
  afterEach(() => workbench().closeEditors());

  /** A project of Foundry that is deployed, with the addresses of the local network. */
  async function writeProject(folder: string): Promise<void> {
    const { contracts, accounts } = environment().localnet.chain;
    const { address } = contracts.usd;
    const created = {
      ...{ transactionType: 'CREATE', contractName: 'HarborDollar', contractAddress: address },
    };
    const receipt = { status: '0x1', blockNumber: '0x1', contractAddress: address };
    const run = { transactions: [created], receipts: [receipt], chain: 31337, timestamp: 1_750_000_000 };
    await writeFiles(folder, {
      'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n',
      'src/HarborDollar.sol': `import {Ledger} from "./Ledger.sol";\n${DOLLAR.replace('ADDRESS', accounts.alice)}`,
      'src/Ledger.sol': LEDGER,
      'src/Failures.sol': await readFile(fromRoot('localnet', 'contracts', 'Failures.sol'), 'utf8'),
      'broadcast/Deploy.s.sol/31337/run-latest.json': JSON.stringify(run),
      '.chainside/labels.json': JSON.stringify({ labels: [{ address: accounts.alice, name: 'Treasury' }] }),
    });
  }

  const lens = (title: string | RegExp): Locator =>
    workbench().page.locator('.codelens-decoration').getByRole('button', { name: title });
  const line = (text: string) => workbench().editorLine(text);

  it('shows public state over its declaration, and reads the contract in a panel', async () => {
    await workbench().openFile('src/HarborDollar.sol');
    await lens('= 6').waitFor();
    await workbench().screenshot('source-state');
    const panel = await workbench().webviewShownBy(() => lens('Read…').last().click());
    await panel.getByRole('heading', { name: 'HarborDollar' }).waitFor();
    await panel.getByRole('row', { name: /^decimals 6/ }).waitFor();
    const account = panel.getByLabel('account', { exact: true });
    await account.fill('Treasury');
    await account.press('Enter');
    await panel
      .locator('.result')
      .filter({ hasText: /^[\d,.]+ HUSD \(\d+\)$/ })
      .waitFor();
    await workbench().screenshot('read-contract');
  });

  it('tells what is at an address, and how often an event has fired, once that is counted', async () => {
    const { page } = workbench();
    await workbench().openFile('src/HarborDollar.sol');
    await lens(/^Deployed on Test Explorer · 0x.{4}….{4}$/).waitFor();
    await showHoverAt(page, 3, 40);
    const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'Treasury' });
    await hover.getByText('Test Explorer').first().waitFor();
    await hover
      .getByText(/[\d,.]+ ETH/)
      .first()
      .waitFor();
    await hover.getByRole('link', { name: 'Look Up', exact: true }).waitFor();
    await workbench().screenshot('source-hover');
    await page.keyboard.press('Escape');

    await workbench().openFile('src/Ledger.sol');
    // On a development chain of this machine, events are counted by themselves.
    const figure = lens(/^[\d,]+ logs$/);
    await figure.waitFor();
    await lens('Query…').waitFor();
    await workbench().screenshot('source-count');
    const fired = /([\d,]+) logs/.exec((await figure.textContent()) ?? '')?.[1];
    const log = await logPanelShownBy(workbench(), () => figure.click());
    await log.button('Load All').click();
    await waitForText(log.status, new RegExp(`^Complete · ${fired} logs`));
  });

  it('shows why a transaction failed and where, from the palette by keyboard alone', async () => {
    const { page } = workbench();
    const question = /^Hash of a transaction on Test Explorer/;
    await workbench().runCommand('Chainside: Show Transaction…', workbench().question(question));
    await workbench().fillInput('0x1234');
    await page.getByText('Not a transaction hash: expected 0x and 64 hex digits.').waitFor();
    await workbench().fillInput(kinds.customError);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Transaction' }).waitFor();
    await line(`Transaction ${kinds.customError} on Test Explorer`).waitFor();
    for (const text of ['Status: Failed', 'Why it failed', 'Unpaid', 'src/Failures.sol:']) {
      await line(text).waitFor();
    }
    // The document has the focus: it is read, and left for the line that reverted, by keys.
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Home');
    await page.locator('.statusbar').getByText('Ln 1, Col 1').waitFor();
    await workbench().screenshot('transaction-document');
  });
});
