import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type Anvil, startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc, type NodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { forgeProgram, solcCommand } from '../../scripts/support/foundry/forge.ts';
import { actUntil, chooseEntry, type Theme, themes, unfold } from '../../scripts/support/workbench/driver.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import type { Address } from '../../src/core/index.ts';
import { cast } from '../support/copyAs/tools.ts';
import { DAY_SOURCE, type DeploymentDay, startDay } from '../support/deploymentDay.ts';
import { logPanelShownBy } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

const DEPOSITED = 'Deposited(address,uint256)';
const QUERY = 'queries/pings.chainlog.json';
/** Its panels are then 460 pixels wide. */
const NARROW = { width: 820, height: 800 };
const WIDE = { width: 1280, height: 800 };

describe('a day of deployments', () => {
  let anvil: Anvil;
  /** A chain of the same ID. */
  let second: Anvil;
  /** Where the day goes on. */
  let url: string;
  let day: DeploymentDay;
  before(async () => {
    anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
    second = await startAnvil({ port: 0, genesisTime: 1_710_000_000 });
    url = anvil.url;
  });
  after(() => Promise.all([anvil.stop(), second.stop()]));
  const node: NodeRpc = {
    call: (method, params) => createNodeRpc(url).call(method, params),
    batch: (calls) => createNodeRpc(url).batch(calls),
  };
  const program = forgeProgram() ?? assert.fail('There is no forge for this system.');
  const workbench = useWorkbench(() => ({
    size: WIDE,
    settings: {
      'chainside.network': 'day',
      'chainside.networks': {
        day: { name: 'Day', chainId: 31337, rpcUrl: anvil.url, symbol: 'ETH' },
        second: { name: 'Second', chainId: 31337, rpcUrl: second.url, symbol: 'ETH' },
      },
      'chainside.poll.seconds': 2,
      'terminal.integrated.env.linux': { PATH: [dirname(program), process.env.PATH].join(delimiter) },
    },
    fillFolder: async (folder) => {
      const write = async (path: string, text: string) => {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      };
      day = await startDay(node, 5, write);
      const settings = 'optimizer = true\noptimizer_runs = 200\nevm_version = "cancun"\noffline = true\n';
      const solc = JSON.stringify(await solcCommand());
      await write('foundry.toml', `[profile.default]\nsrc = "src"\nout = "out"\n${settings}solc = ${solc}\n`);
      const query = {
        title: 'Pings',
        chainId: 31337,
        address: 'Inner',
        event: 'Pinged',
        expect: { count: 99 },
      };
      await write(QUERY, JSON.stringify(query, undefined, 2));
    },
  }));
  const lens = (title: string | RegExp): Locator =>
    workbench().page.locator('.codelens-decoration').getByRole('button', { name: title });
  const row = (name: string | RegExp): Locator => workbench().page.getByRole('treeitem', { name }).first();
  const line = (text: string): Locator => workbench().editorLine(text);
  const readText = (path: string) => readFile(join(workbench().folder, path), 'utf8');

  const find = (name: string): Address => {
    const [address] = [...day.truth].findLast(([, place]) => place.name === name) ?? [];
    if (!address) throw new Error(`${name} is not deployed.`);
    return address;
  };
  async function countLogs(address: Address, event: string): Promise<number> {
    const printed = await cast(
      ...['logs', '--json', '--rpc-url', url, '--from-block', '0', '--address', address, event],
    );
    return JSON.parse(printed).length;
  }
  /** Over all deployments of a contract. */
  async function countBoth(name: string, event: string): Promise<number> {
    const places = [...day.truth].filter(([, place]) => place.name === name);
    const counts = await Promise.all(places.map(([address]) => countLogs(address, event)));
    return counts.reduce((sum, count) => sum + count, 0);
  }
  const format = (count: number) => (count === 0 ? 'No logs' : count === 1 ? '1 log' : `${count} logs`);
  const read = async (to: Address, view: string) => (await cast('call', '--rpc-url', url, to, view)).trim();

  /** In each theme, and with a panel of 460 pixels. */
  async function picture(name: string): Promise<void> {
    if (process.env.CHAINSIDE_PICTURES === 'none') return;
    const { page } = workbench();
    for (const theme of Object.keys(themes) as Theme[]) {
      await workbench().setTheme(theme);
      await workbench().screenshot(`day-${name}-${theme}`);
      await page.setViewportSize(NARROW);
      await workbench().screenshot(`day-${name}-${theme}-narrow`);
      await page.setViewportSize(WIDE);
    }
  }

  async function follow(link: string, shown: Locator): Promise<void> {
    const target = line(link).locator('.detected-link').first();
    // The editor draws the line anew while the pointer is over it.
    await actUntil(() => target.click({ modifiers: ['Control'], force: true }), shown);
  }

  /** The row of the newest contract that runs through the proxy. */
  async function showNewest(contract: string): Promise<Locator> {
    await workbench().openView('Chainside');
    const newest = row(/^Day, block [\d,]+ · .* · through VaultProxy · /);
    await unfold(row(new RegExp(`^${contract}, \\d+ deployment`)), newest);
    return newest;
  }

  const compare = (target: Locator) =>
    chooseEntry(workbench().page, { target, name: 'Compare with Deployed Code…' });

  /** Compares the build of the second version with what the proxy runs. */
  async function rehearse(): Promise<void> {
    await compare(row(/^VaultV2, src/));
    await workbench()
      .question(/^Address of the contract/)
      .waitFor();
    await workbench().fillInput('VaultProxy');
    await workbench().quickPickRow('VaultProxy').click();
    await line('Different code').waitFor();
  }

  /** Names of what is on the chain, as the Contracts view has them. */
  async function listContracts(): Promise<readonly string[]> {
    const labels = await workbench()
      .page.getByRole('treeitem', { name: /, \d+ deployments? · / })
      .evaluateAll((rows) => rows.map((each) => each.getAttribute('aria-label') ?? ''));
    return labels.map((label) => label.replace(/,.*/, '')).sort();
  }
  const listTruth = (truth: DeploymentDay['truth']) =>
    [...new Set([...truth.values()].map(({ name }) => name as string))].sort();

  it('compares what the proxy runs with the build, and builds the missing storage layouts', async () => {
    await workbench().openFile(DAY_SOURCE);
    const proxy = find('VaultProxy');
    await compare(await showNewest('Vault'));
    await line('Matches, except immutables').waitFor();
    await line(`Implementation: ${(await cast('implementation', '--rpc-url', url, proxy)).trim()}`).waitFor();
    await line(`token = ${await read(proxy, 'token()(address)')}`).waitFor();
    await follow('Compare the Proxy Itself: VaultProxy', line('Contract: VaultProxy'));
    await line('Same code').waitFor();
    await workbench().closeEditors();
    await row(/^Vault, /)
      .locator('.monaco-tl-twistie')
      .click();
    await rehearse();
    await picture('rehearsal-without-layout');
    await workbench().page.keyboard.press('Control+End');
    const terminal = workbench().page.locator('.terminal-wrapper').first();
    await follow('Run `forge build --extra-output storageLayout`', terminal);
    await waitUntil('forge has written the layouts', async () =>
      (await readText('out/Day.sol/VaultV2.json')).includes('"storageLayout"'),
    );
    await workbench().runCommand('View: Hide Panel');
    await workbench().closeEditors();
    await rehearse();
    await line('Storage after an upgrade to this build').waitFor();
    await picture('rehearsal');
    await workbench().closeEditors();
  });

  it('counts and reads at the proxy, before and after an upgrade', async () => {
    await day.do('call', 'call', 'call', 'call', 'call', 'call');
    await workbench().openFile(DAY_SOURCE);
    const proxy = find('VaultProxy');
    await lens(`${format(await countLogs(proxy, DEPOSITED))} · through VaultProxy`).waitFor();
    await day.do('upgrade', 'call', 'call', 'call', 'call');
    const later = format(await countLogs(proxy, DEPOSITED));
    await lens(`${later} · through VaultProxy`).waitFor();
    await picture('lenses');
    const panel = await logPanelShownBy(workbench(), () => lens(`${later} · through VaultProxy`).click());
    await waitForText(panel.status, new RegExp(`^Complete · ${later}`));
    await picture('panel');
    const newest = await showNewest('VaultV2');
    const { page } = workbench();
    const values = await workbench().webviewShownBy(() =>
      chooseEntry(page, { target: newest, name: 'Read Contract…' }),
    );
    const sum = await read(proxy, 'sum()(uint256)');
    await values.getByRole('row', { name: new RegExp(`sum\\s+${sum}\\b`) }).waitFor();
    await values.getByText(/A proxy, which runs the code of VaultV2/).waitFor();
    await picture('values');
    const roles = await workbench().webviewShownBy(() =>
      chooseEntry(page, { target: newest, name: 'Show Roles…' }),
    );
    const admin = BigInt(await cast('admin', '--rpc-url', url, proxy));
    assert.equal(admin, 0n);
    await waitForText(
      roles.getByRole('status'),
      /^No roles found .* The proxy has no admin in its admin slot\./,
    );
    const code = (await cast('implementation', '--rpc-url', url, proxy)).trim();
    const checksummed = (await cast('to-check-sum-address', code)).trim();
    await waitForText(roles.getByRole('status'), new RegExp(`its implementation ${checksummed},`));
    await picture('roles');
    await workbench().closeEditors();
  });

  it('means the newest of two deployments by a name, and folds the older', async () => {
    await day.do('run', 'call', 'call', 'call', 'call', 'call', 'call');
    await workbench().openView('Chainside');
    await row(/^Inner, 2 deployments/).waitFor();
    await unfold(row(/^Inner, 2 deployments/), row(/^Older Deployments, 1$/));
    await workbench().openFile(QUERY);
    await lens('Run and Compare').click();
    const count = await countLogs(find('Inner'), 'Pinged(uint256)');
    await lens(new RegExp(`^✗ ${count} logs?, .* but 99 expected: Update Expectation`)).click();
    await waitUntil('the expectation is that of the chain', async () => {
      return JSON.parse(await readText(QUERY)).expect.count === count;
    });
    await lens(new RegExp(`^✓ ${count} logs?, complete to block \\d+, as expected`)).waitFor();
    await picture('expectation');
    await workbench().closeEditors();
    await compare(row(/^Maker, src/));
    await workbench()
      .question(/^Address of the contract/)
      .waitFor();
    await workbench().fillInput('VaultProxy');
    const [first] = await workbench().page.locator('.quick-input-widget .monaco-list-row').allTextContents();
    assert.match(first?.toLowerCase() ?? '', new RegExp(`^vaultproxy\\s*${find('VaultProxy')}`));
    await picture('names');
    await workbench().page.keyboard.press('Escape');
    await workbench().openFile(DAY_SOURCE);
    const value = await read(find('Inner'), 'count()(uint256)');
    await lens(`= ${value} · newest of 2`).first().waitFor();
    await lens('Same code · newest of 2').first().waitFor();
    await lens(`${format(await countBoth('Inner', 'Pinged(uint256)'))} · 2 deployments`)
      .first()
      .waitFor();
    await picture('newest');
  });

  it('lists the function of an edited source that the deployed code has in another way', async () => {
    await workbench().closeEditors();
    const before = await readText(DAY_SOURCE);
    do await day.do('edit the source');
    while ((await readText(DAY_SOURCE)) === before);
    await compare(row(/^Inner, 2 deployments/));
    await workbench().page.locator('.quick-input-widget .monaco-list-row').first().click();
    await line('Different code').waitFor();
    const functions = workbench()
      .page.locator('.editor-instance')
      .last()
      .locator('.view-line')
      .filter({ hasText: ' · src/Day.sol:' });
    await functions.first().waitFor();
    assert.deepEqual(
      (await functions.allTextContents()).map((text) => text.trim().replace(/\s/g, ' ')),
      ['Inner.ping · src/Day.sol:11'],
    );
    await picture('edited');
    await workbench().closeEditors();
  });

  it('names what is there after a restart with an edited script, and hides the rest', async () => {
    await workbench().closeEditors();
    await day.do('restart, edit the script and run', 'call', 'call', 'call');
    await workbench().openView('Chainside');
    await row(/^Not on This Node/).waitFor();
    await workbench().openFile(DAY_SOURCE);
    await waitUntil('the view names what is on the chain', async () => {
      return (await listContracts()).join() === listTruth(day.truth).join();
    });
    await lens(/^(Deployed on Day · |\d deployments$)/)
      .nth(listTruth(day.truth).length - 1)
      .waitFor();
    await picture('restarted');
    await row(/^Not on This Node/).hover();
    await row(/^Not on This Node/)
      .getByRole('button', { name: 'Hide' })
      .click();
    await row(/^Not on This Node/).waitFor({ state: 'hidden' });
  });

  it('names what is on the chosen one of two chains with the same ID', async () => {
    const onDay = new Map(day.truth);
    await workbench().selectNetwork('Second');
    await row(/^Not on This Node/).waitFor();
    await lens(/^(Not on Second · |\d deployments, none on Second$)/)
      .first()
      .waitFor();
    assert.deepEqual(await listContracts(), []);
    url = second.url;
    await day.do('restart, edit the script and run', 'call', 'call', 'call');
    const isNamed = async (truth: DeploymentDay['truth']) =>
      (await listContracts()).join() === listTruth(truth).join();
    await waitUntil('the view names what is on the second chain', () => isNamed(day.truth));
    await picture('second');
    await workbench().selectNetwork('Day');
    await waitUntil('the view names what is on the first chain', () => isNamed(onDay));
  });
});
