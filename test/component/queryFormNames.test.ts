import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { toChecksumAddress } from '../../src/core/index.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { type LogPanel, logPanelIn } from '../e2e/support/logPanel.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { ELSEWHERE, HARBOR_TRANSFER, writeHarborProject } from '../support/harborProject.ts';
import { environment } from './support/environment.ts';
import { tide, useLogPanels } from './support/logPanels.ts';
import { isReadableInEveryTheme } from './support/panelPage.ts';

const ROLE_DECLARED = 'RoleChanged(address indexed who, Role indexed role)';
const ROLE_CHANGED = 'RoleChanged(address indexed who, uint8 indexed role)';

interface PageDocument {
  querySelector(selector: string): { click(): void } | null;
}

describe('query form in a project', () => {
  let source = '';
  const { editor, openPanel, pageShownBy } = useLogPanels(() => {
    const { rpcUrl, anvilUrl, chain } = environment().localnet;
    return {
      settings: {
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl },
          node: { name: 'Test Node', chainId: 31338, rpcUrl: anvilUrl },
        },
      },
      fillFolder: async (folder) => {
        await writeHarborProject(folder, chain);
        const payroll = `contract Payroll { enum Role { Employee, Manager, Auditor }\n  event ${ROLE_DECLARED};\n}`;
        source = join(folder, 'src/Payroll.sol');
        await writeFile(source, payroll);
      },
    };
  });
  const selectExplorer = () => editor().runCommand('chainside.selectNetwork', 'explorer');
  afterEach(selectExplorer);

  const option = (opened: LogPanel, text: RegExp) =>
    opened.frame.getByRole('option').filter({ hasText: text });
  const region = (opened: LogPanel, title: string) => opened.frame.getByRole('region', { name: title });
  const noLogs = (opened: LogPanel) => region(opened, 'No logs match');

  it('is readable by everyone, filled in, in every theme', async () => {
    const opened = await openPanel();
    await opened.field('Address').fill('Harbor');
    await opened.field('Event or topic').fill(HARBOR_TRANSFER);
    await opened.frame.getByText('Deployment block of Harbor').waitFor();
    await opened.field('to').fill('Treasury');
    await opened.field('to').press('Enter');
    await waitForText(opened.status, /^(Complete|Partial)\b/);
    await opened.editQuery();
    await opened.button('Request').click();
    await opened.button('Topics').click();
    await opened.field('from').focus();
    await opened.page.keyboard.press('ArrowDown');
    await option(opened, /^Treasury/).waitFor();
    await isReadableInEveryTheme(opened.page, 'form-names');
    assert.ok(await option(opened, /^Treasury/).isVisible(), 'the list is closed');
  });

  it('queries all deployments on a chain together that are picked from a lens', async () => {
    const { usd, tide: other } = environment().localnet.chain.contracts;
    const [one, two] = [usd.address, other.address];
    const deployments = [
      { account: one, chainId: 31337, contractName: 'Token', file: 'usd/roots.json' },
      { account: two, chainId: 31337, contractName: 'Token', fromBlock: '2', file: 'tide/roots.json' },
      { account: one, chainId: 31338, contractName: 'Token', file: 'usd/roots.json' },
    ];
    const { user } = editor();
    user.picks.push('All Deployments on Test Explorer');
    const page = await pageShownBy(() =>
      editor().runCommand('chainside.queryLogsOfDeployment', {
        name: 'Token',
        event: HARBOR_TRANSFER,
        deployments,
      }),
    );
    const opened = { ...logPanelIn(page), page };
    await waitForText(opened.status, /^(Complete|Partial)\b/);
    await opened.editQuery();
    assert.equal(
      await opened.field('Address').inputValue(),
      `${toChecksumAddress(one)}, ${toChecksumAddress(two)}`,
    );
    assert.deepEqual(user.lists.at(-1)?.labels, [
      'All Deployments on Test Explorer',
      'Token · Test Explorer',
      'Token · Test Explorer',
      'Token · Test Node',
    ]);
  });

  it('offers the events of files as they are after Refresh, where the editor reports no change', async () => {
    const opened = await openPanel();
    const event = opened.field('Event or topic');
    await event.fill('RoleCh');
    await option(opened, /^RoleChanged/).waitFor();
    const before = await readFile(source, 'utf8');
    try {
      await writeFile(source, before.replace(/}$/, 'event RoleDropped(address indexed who);\n}'));
      await editor().runCommand('chainside.refresh');
      await waitUntil('the new event is offered', async () => {
        await event.fill('');
        await event.fill('RoleDr');
        return option(opened, /^RoleDropped/)
          .waitFor({ timeout: 500 })
          .then(
            () => true,
            () => false,
          );
      });
    } finally {
      await writeFile(source, before);
      await editor().runCommand('chainside.refresh');
    }
  });

  it('takes members of enums, and completes them', async () => {
    const opened = await openPanel();
    await opened.field('Event or topic').fill(ROLE_CHANGED);
    const role = opened.field('role');
    await role.fill('Emp');
    await option(opened, /^Employee/).waitFor();
    await role.press('Tab');
    await waitUntil('the number', async () => (await role.inputValue()) === '0');
    await opened.frame.getByText('Employee', { exact: true }).waitFor();
    await role.fill('Role.Auditor, Man');
    await option(opened, /^Manager/).waitFor();
    await role.press('Enter');
    assert.equal(await role.inputValue(), 'Role.Auditor, Manager');
    await role.press('Enter');
    await noLogs(opened).getByText('Filtered by role = Auditor, Manager').waitFor();
    // Without a filter, too, the menu is the last button of its line.
    await opened.page.setViewportSize({ width: 460, height: 600 });
    const place = async (name: string) => (await opened.button(name).boundingBox()) ?? assert.fail();
    const [last, menu] = [await place('Export…'), await place('More Actions…')];
    assert.ok(menu.x > last.x && menu.y === last.y, JSON.stringify({ last, menu }));
    assert.deepEqual(await accessibilityFindings(opened.page), []);
  });

  it('explains an answer without rows, and runs what it offers', async () => {
    const opened = await openPanel();
    await opened.field('Address').fill(tide());
    await opened.field('Event or topic').fill('Tansfer(address,address,uint256)');
    await opened.button('Run Query').click();
    await noLogs(opened).getByText('Unknown event: Tansfer. Did you mean:').waitFor();
    assert.deepEqual(await accessibilityFindings(opened.page), []);
    await noLogs(opened).getByRole('button', { name: HARBOR_TRANSFER }).press('Enter');
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();

    const filter = opened.frame.getByRole('searchbox', { name: 'Filter rows' });
    await filter.fill('VALUE >= 0');
    await opened.frame.getByText(/^\d+ of \d+ match$/).waitFor();
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    await filter.fill('amount > 5');
    await region(opened, 'No rows match the filter')
      .getByText('No field is called amount. Fields: from, to, value, event, address, block, index')
      .waitFor();
    assert.deepEqual(await accessibilityFindings(opened.page), []);
    await filter.fill('nothing-is-called-so');
    await region(opened, 'No rows match the filter').getByRole('button', { name: 'Clear Filter' }).click();
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
    await filter.fill('nothing-is-called-so');
    await region(opened, 'No rows match the filter').getByRole('button', { name: 'Clear Filter' }).waitFor();
    // Typed and cleared in one go. The timer of the typed text ends before one that begins later and is longer.
    await filter.evaluate(async (node) => {
      const input = node as unknown as { value: string; readonly ownerDocument: PageDocument } & EventTarget;
      input.value = 'nor-so';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.ownerDocument.querySelector('.empty .offers button')?.click();
      await new Promise((resolve) => setTimeout(resolve, 400));
    });
    assert.equal(await filter.inputValue(), '');
    await opened.cell(0, 'transaction').filter({ hasText: '0x' }).waitFor();
  });

  it('begins in the first field, and takes the first suggestion by Enter and by Tab', async () => {
    const opened = await openPanel();
    const address = opened.frame.locator('#address');
    await opened.frame.locator('#address:focus').waitFor();
    for (const key of ['Enter', 'Tab']) {
      await address.fill('');
      await opened.page.keyboard.insertText('Harb');
      // Enter waits for the list; Tab does not.
      if (key === 'Tab')
        await option(opened, /^Harbor/)
          .first()
          .waitFor();
      await opened.page.keyboard.press(key);
      await waitUntil('the name is complete', async () => /^Harbor|^0x/.test(await address.inputValue()));
      assert.equal(await opened.frame.locator('.problem').count(), 0);
    }
  });

  it('offers a name that becomes known while the list is open', async () => {
    const opened = await openPanel();
    await opened.field('Address').focus();
    await opened.page.keyboard.insertText('Treas');
    await option(opened, /^Treasury/).waitFor();
    const { bob } = environment().localnet.chain.accounts;
    await editor().runCommand('chainside.labelAddress', bob, 'Treasure Chest');
    await option(opened, /^Treasure Chest/).waitFor();
  });

  it('runs a query on the network that has its address', async () => {
    const opened = await openPanel();
    await opened.field('Address').fill(ELSEWHERE);
    await opened.button('Switch to Test Node').click();
    // Its node has no code there: the record names no first block.
    await opened.button('Switch to Test Node').waitFor({ state: 'detached' });
    await selectExplorer();
    await opened.button('Run Query').click();
    await noLogs(opened).getByText('Deployed on Test Node, not on Test Explorer').waitFor();
    await noLogs(opened).getByRole('button', { name: 'Run on Test Node' }).click();
    await noLogs(opened)
      .getByText(/^Test Node, blocks/)
      .waitFor();
    await selectExplorer();
    await opened.frame.getByText('Active network: Test Explorer').waitFor();
  });
});
