import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toChecksumAddress } from '../../src/core/index.ts';
import { accessibilityFindings, isReadableInEveryTheme } from './support/accessibility.ts';
import { environment } from './support/environment.ts';
import { type LogPanel, openLogPanel } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

const ELSEWHERE = `0x${'5e'.repeat(20)}`;
const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';

describe('query form in a project', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, anvilUrl } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl },
          node: { name: 'Test Node', chainId: 31338, rpcUrl: anvilUrl },
        },
      },
      fillFolder: writeProject,
    };
  });
  afterEach(() => workbench().closeEditors());

  /** A project of Foundry with what was deployed by it, and names of the team. */
  async function writeProject(folder: string): Promise<void> {
    const { contracts, accounts } = environment().localnet.chain;
    const run = (address: string, chain: number, block: number) => {
      const hash = `0x${'12'.repeat(32)}`;
      const sent = { hash, transactionType: 'CREATE', contractName: 'Harbor', contractAddress: address };
      const receipt = { status: '0x1', transactionHash: hash, contractAddress: address };
      const receipts = [{ ...receipt, blockNumber: `0x${block.toString(16)}` }];
      return { transactions: [sent], receipts, chain, timestamp: 1_750_000_000 };
    };
    const files: Readonly<Record<string, string | object>> = {
      'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n',
      'src/Harbor.sol': `contract Harbor {\n  event ${TRANSFER};\n}\n`,
      'broadcast/Deploy.s.sol/31337/run-latest.json': run(contracts.tide.address, 31337, 3),
      'broadcast/Deploy.s.sol/31338/run-latest.json': run(ELSEWHERE, 31338, 1),
      '.chainside/labels.json': { labels: [{ address: accounts.alice, name: 'Treasury' }] },
    };
    for (const [path, content] of Object.entries(files)) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  const press = (key: string) => workbench().page.keyboard.press(key);
  const type = (text: string) => workbench().page.keyboard.insertText(text);
  const option = (opened: LogPanel, words: string | RegExp) =>
    opened.frame.getByRole('option').filter({ hasText: words });

  /** Chooses by keyboard what a field offers first for what is typed. */
  async function choose(
    opened: LogPanel,
    { field, typed, offered }: { readonly field: string; readonly typed: string; readonly offered: RegExp },
  ): Promise<void> {
    await opened.field(field).focus();
    await type(typed);
    await opened.frame.getByRole('option').first().filter({ hasText: offered }).waitFor();
    await press('ArrowDown');
    await opened.frame.getByRole('option', { selected: true }).filter({ hasText: offered }).waitFor();
    await press('Enter');
    await opened.frame.getByRole('option').first().waitFor({ state: 'detached' });
  }

  async function filledIn(): Promise<LogPanel> {
    const opened = await openLogPanel(workbench());
    await choose(opened, { field: 'Address', typed: 'har', offered: /^Harbor0x.*deployment in broadcast/ });
    await choose(opened, {
      field: 'Event or topic',
      typed: 'tr',
      offered: /Harbor · src\/Harbor\.sol · at this/,
    });
    await opened.frame.getByPlaceholder('3', { exact: true }).waitFor();
    await opened.frame.getByText('when Harbor was deployed').waitFor();
    return opened;
  }

  it('completes names, the events of a deployment, and begins at its block', async () => {
    const { accounts, contracts } = environment().localnet.chain;
    const opened = await filledIn();
    assert.equal(
      await opened.field('Address').inputValue(),
      toChecksumAddress(contracts.tide.address as `0x${string}`),
    );
    assert.equal(await opened.field('Event or topic').inputValue(), TRANSFER);
    // A name that is typed in full needs no choice.
    await opened.field('to').fill('Treasury');
    await press('Enter');
    await says(opened.status, /^(Complete|Partial)\b/);
    await opened.frame.getByRole('listitem').filter({ hasText: 'to Treasury' }).waitFor();
    await opened.frame.getByRole('listitem').filter({ hasText: 'blocks 3 – ' }).waitFor();
    await opened.editQuery();
    assert.equal(await opened.field('to').inputValue(), toChecksumAddress(accounts.alice as `0x${string}`));
    await opened.button('What is sent').click();
    const sent = opened.frame.getByRole('region', { name: 'What is sent' });
    await sent.filter({ hasText: '"fromBlock": "0x3"' }).waitFor();
    await sent.filter({ hasText: accounts.alice.slice(2).toLowerCase() }).waitFor();
    await opened.field('from').fill('Nobody');
    await press('Enter');
    await opened.frame.getByText(/^No address is called Nobody\./).waitFor();
  });

  it('is readable by everyone, filled in, in every theme', async () => {
    const opened = await filledIn();
    await opened.field('to').fill('Treasury');
    await press('Enter');
    await says(opened.status, /^(Complete|Partial)\b/);
    await opened.editQuery();
    await opened.button('What is sent').click();
    await opened.button('Raw topics').click();
    await isReadableInEveryTheme(workbench(), opened.frame, 'form-names', async () => {
      await opened.field('from').focus();
      await press('ArrowDown');
      await option(opened, 'Treasury').first().waitFor();
    });
  });

  const why = (opened: LogPanel, title: string) => opened.frame.getByRole('region', { name: title });

  it('explains an answer without rows, and runs what it offers', async () => {
    const { tide } = environment().localnet.chain.contracts;
    const opened = await openLogPanel(workbench());
    await opened.field('Address').fill(tide.address);
    await opened.field('Event or topic').fill('Tansfer(address,address,uint256)');
    await opened.button('Run query').click();
    const nothing = why(opened, 'No logs match');
    await nothing.getByText('Unknown event: Tansfer. Did you mean:').waitFor();
    for (const theme of ['dark', 'light'] as const) {
      await workbench().setTheme(theme);
      await nothing.waitFor();
      await workbench().screenshot(`empty-event-${theme}`);
    }
    assert.deepEqual(await accessibilityFindings(opened.frame), []);
    await nothing.getByRole('button', { name: TRANSFER }).focus();
    await press('Enter');
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();

    await opened.frame.getByRole('searchbox', { name: 'Filter rows' }).fill('nothing-is-called-so');
    await why(opened, 'No row passes the filter').getByRole('button', { name: 'Clear filter' }).click();
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
  });

  it('runs a query that was too narrow without what keeps rows out', async () => {
    const opened = await openLogPanel(workbench());
    await opened.field('Address').fill('Harbor');
    await opened.field('Event or topic').fill(TRANSFER);
    await opened.field('to').fill(ELSEWHERE);
    await opened.field('To block').fill('2');
    await opened.button('Run query').click();
    const nothing = why(opened, 'No logs match');
    await nothing.getByText('Harbor was deployed in block 3, above the range.').waitFor();
    for (const theme of ['dark', 'light'] as const) {
      await workbench().setTheme(theme);
      await nothing.waitFor();
      await workbench().screenshot(`empty-narrow-${theme}`);
    }
    await nothing.getByRole('button', { name: 'Run from block 3' }).click();
    await nothing.getByText(/^Filtered by to = 0x5e/i).waitFor();
    await nothing.getByText('above the range').waitFor({ state: 'detached' });
    await nothing.getByRole('button', { name: 'Run without to' }).click();
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
  });

  it('offers a name that becomes known while the list is wanted', async () => {
    const { alice, bob } = environment().localnet.chain.accounts;
    const opened = await openLogPanel(workbench());
    await opened.field('Address').focus();
    await type('Treas');
    await option(opened, /^Treasury/).waitFor();
    const labels = [
      { address: alice, name: 'Treasury' },
      { address: bob, name: 'Treasure Chest' },
    ];
    await writeFile(join(workbench().folder, '.chainside/labels.json'), JSON.stringify({ labels }));
    await option(opened, /^Treasure Chest/).waitFor();
  });

  it('runs a query on the network that has its address', async () => {
    const opened = await openLogPanel(workbench());
    await opened.field('Address').fill(ELSEWHERE);
    await opened.button('Run query').click();
    const nothing = why(opened, 'No logs match');
    await nothing.getByText('Deployed on Test Node, not on Test Explorer').waitFor();
    await nothing.getByRole('button', { name: 'Run on Test Node' }).click();
    await nothing.getByText(/^Test Node, blocks/).waitFor();
    await workbench().updateSettings({ 'chainside.network': 'explorer' });
    await opened.frame.getByText('Active network: Test Explorer').waitFor();
  });

  // The last one: it leaves another network behind.
  it('says on which other network an address is deployed, and goes there', async () => {
    const opened = await openLogPanel(workbench());
    await opened.field('Address').fill(ELSEWHERE);
    await opened.frame.getByText('Deployed on Test Node, not on Test Explorer').waitFor();
    await opened.button('Switch to Test Node').click();
    await opened.frame.getByPlaceholder('1', { exact: true }).waitFor();
    assert.equal(await opened.button('Switch to Test Node').count(), 0);
  });
});
