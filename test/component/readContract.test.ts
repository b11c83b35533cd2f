import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { compileFolder } from '../../localnet/chain/compile.ts';
import { compileSolidity } from '../../localnet/chain/solidity.ts';
import { type SignatureServer, startSignatures } from '../../localnet/signatures/server.ts';
import { createVerifiedRegistry } from '../../localnet/verified/registry.ts';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { type Address, toChecksumAddress } from '../../src/core/index.ts';
import { accessibilityFindings } from '../e2e/support/accessibility.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { encodeItem } from '../support/decodingStubs.ts';
import { ledgerSource } from '../support/ledger.ts';
import { environment } from './support/environment.ts';
import { BESIDE_CODE, isReadableInEveryTheme } from './support/panelPage.ts';
import { usePanelWindow } from './support/panels.ts';

describe('Read panel', () => {
  const localnet = () => environment().localnet;
  const husd = () => localnet().chain.contracts.usd.address;
  let signatures: SignatureServer;
  before(async () => {
    const unverified = [{ type: 'error', name: 'HarborClosed', inputs: [] }];
    signatures = await startSignatures({ registry: createVerifiedRegistry(), unverified });
  });
  after(() => signatures.stop());
  const { editor, pageShownBy, reload } = usePanelWindow(() => ({
    settings: {
      'chainside.sources.signatures': 'allow',
      'chainside.sources.signaturesUrl': signatures.url,
      'chainside.network': 'node',
      'chainside.networks': {
        node: { name: 'Test Node', chainId: 31337, rpcUrl: localnet().anvilUrl },
        other: { name: 'Other Node', chainId: 31338, rpcUrl: localnet().anvilUrl },
      },
    },
    fillFolder: writeProject,
  }));

  const LEDGER = `0x${'1ed9e5'.padStart(40, '0')}`;

  /** Puts the ledger into the state of the shared chain, which gets no block by it. */
  async function placeLedger(): Promise<readonly unknown[]> {
    const { contracts } = await compileSolidity({ 'Ledger.sol': { content: ledgerSource } }, [
      'abi',
      'evm.bytecode.object',
    ]);
    const { abi, bytecode } = contracts.find(({ name }) => name === 'Ledger') ?? assert.fail();
    const { node } = localnet();
    const code = await node.call('eth_call', [{ data: bytecode }, 'latest']);
    await node.call('anvil_setCode', [LEDGER, code]);
    return abi;
  }

  async function writeProject(folder: string): Promise<void> {
    const { Token } = await compileFolder('.');
    const { accounts } = localnet().chain;
    const files = {
      'deployments/local/.chainId': '31337',
      'deployments/local/HarborDollar.json': { address: husd(), abi: Token?.abi },
      'deployments/local/Ledger.json': { address: LEDGER, abi: await placeLedger() },
      'src/Ledger.sol': ledgerSource,
      '.chainside/labels.json': { labels: [{ address: accounts.alice, name: 'Treasury' }] },
    };
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  const [BALANCE_OF, DECIMALS] = ['0x70a08231', '0x313ce567'];
  const isFocused = (element: Locator) =>
    waitUntil('it has the focus', () =>
      element.evaluate((node) => node === node.ownerDocument.activeElement),
    );
  const open = (...args: readonly unknown[]) =>
    pageShownBy(() => editor().runCommand('chainside.readContract', ...args));
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  const form = (page: Page, name: string) =>
    page.locator('details.callable').filter({ hasText: new RegExp(`^${name}`) });
  async function callForm(page: Page, name: string, ...args: readonly string[]) {
    const shown = form(page, name);
    if ((await shown.getAttribute('open')) === null) await shown.locator('summary').first().click();
    for (const [index, text] of args.entries())
      await shown.locator('.form').getByRole('textbox').or(shown.getByRole('combobox')).nth(index).fill(text);
    await shown.getByRole('button', { name: 'Read' }).click();
    return shown;
  }

  it('opens for a row of a view, reads what needs no arguments at once, and says of which block', async () => {
    const page = await open({ kind: 'account', account: husd(), chainId: 31337 });
    await waitForText(page.getByRole('status').first(), /^Block \d+ on Test Node$/);
    await waitForText(row(page, 'symbol'), /HUSD/);
    await waitForText(row(page, 'totalSupply'), /[\d,]+\.\d\d HUSD \(\d+\)/);
    await row(page, 'totalSupply').getByRole('button', { name: 'Copy', exact: true }).click();
    assert.match(editor().clipboard, /^\d+$/);
    await waitForText(row(page, 'decimals'), /6.*uint8/);
    await page.getByRole('heading', { name: 'HarborDollar' }).waitFor();
    await page.getByText(/^ABI: deployments\/local\/HarborDollar\.json$/).waitFor();
    await editor().runCommand('chainside.readContract', '0x12');
    await editor().runCommand('chainside.readContract', { kind: 'block' });
    assert.match(editor().user.told.at(-2) ?? '', /0x and 40 hex digits/);
    assert.match(editor().user.told.at(-1) ?? '', /Expected the address of a contract/);
    assert.equal(editor().errors.splice(0).length, 2);
  });

  it('suggests addresses, members of enums and the values of a bool', async () => {
    const page = await open(LEDGER);
    await waitForText(row(page, 'count'), /0/);
    const amounts = form(page, 'amounts');
    await amounts.locator('summary').first().click();
    const [owner, side] = [0, 1].map((index) => amounts.getByRole('combobox').nth(index));
    assert.ok(owner && side);
    const alice = toChecksumAddress(localnet().chain.accounts.alice as Address);
    await owner.pressSequentially('treas');
    await waitForText(page.getByRole('option'), new RegExp(`^Treasury${alice} · `));
    await isReadableInEveryTheme(page, 'read-contract-suggestions');
    await owner.press('Enter');
    assert.equal(await owner.inputValue(), alice);
    await owner.fill(LEDGER.slice(0, 38));
    await waitForText(page.getByRole('option'), new RegExp(`^Ledger${LEDGER}`, 'i'));
    await owner.press('Enter');
    await side.press('ArrowDown');
    await waitUntil('the members are listed', async () => (await page.getByRole('option').count()) === 2);
    await page.getByText('Suggestions: 2. Use the up and down arrows.').waitFor();
    await side.press('ArrowDown');
    assert.deepEqual(await accessibilityFindings(page), []);
    await side.press('Tab');
    assert.equal(await side.inputValue(), 'Sell');
    await side.press('Enter');
    await waitForText(amounts.locator('.result'), /^0$/);
    const echo = form(page, 'echo').filter({ hasText: 'flag' });
    await echo.locator('summary').first().click();
    await echo.getByLabel('flag').press('ArrowDown');
    await page.getByRole('option', { name: 'false' }).click();
    assert.equal(await echo.getByLabel('flag').inputValue(), 'false');
    const order = form(page, 'order');
    await order.locator('summary').first().click();
    const legs = order.getByRole('combobox').nth(1);
    await legs.press('ArrowDown');
    await waitForText(page.getByRole('option'), /^\[\{"token": "0x…", "amount": 1\}\]/);
    await legs.press('Escape');
    await legs.pressSequentially('[{"tok');
    await waitForText(page.getByRole('option'), /^tokenaddress$/);
    await legs.press('Enter');
    await legs.pressSequentially('"treas');
    await waitForText(page.getByRole('option'), /^Treasury/);
    assert.deepEqual(await accessibilityFindings(page), []);
    await legs.press('Enter');
    await legs.pressSequentially(', ');
    assert.equal(await legs.inputValue(), `[{"token": "${alice}", `);
  });

  it('reads a function by the names of the workspace, marks a wrong one, and copies it for other tools', async () => {
    const page = await open(husd());
    const { user } = editor();
    const copied = async (label: string, name: string) => {
      user.picks.push(label);
      await page.getByRole('button', { name: `Copy As… ${name}`, exact: true }).press('Enter');
      await waitUntil(`${label} is copied`, () => user.told.includes(`Copied as ${label}`));
      user.told.length = 0;
      return editor().clipboard;
    };
    await waitForText(row(page, 'decimals'), /6/);
    const block = /^Block (\d+) /.exec((await page.getByRole('status').first().textContent()) ?? '')?.[1];
    const result = await callForm(page, 'balanceOf', 'Nobody');
    await waitForText(result.locator('.problem'), /No address is called Nobody/);
    assert.equal(await result.locator('[aria-invalid=true]').count(), 1);
    assert.equal(await page.getByRole('button', { name: 'Copy As… balanceOf' }).count(), 0);
    await callForm(page, 'balanceOf', 'Treasury');
    await waitForText(result.locator('.result'), /^[\d,]+\.\d\d HUSD \(\d+\)$/);
    const cast = await copied('cast', 'balanceOf');
    const { alice } = localnet().chain.accounts;
    assert.ok(cast.endsWith(` '${'balanceOf(address)(uint256)'}' ${alice}\n`), cast);
    assert.ok(cast.includes(`--block ${block} `), cast);
  });

  it('reads as a sender, who is named beside the values, stored, copied and watched', async () => {
    const page = await open(LEDGER);
    const { user } = editor();
    const { alice } = localnet().chain.accounts;
    await waitForText(row(page, 'sender'), /Zero address/);
    const sender = field(page, 'Sender');
    await sender.fill('Nobody');
    await sender.press('Enter');
    await waitForText(page.locator('.field.from .problem'), /No address is called Nobody/);
    const status = page.getByRole('status').first();
    assert.doesNotMatch((await status.textContent()) ?? '', /Sender/);
    await sender.fill('treas');
    await waitForText(page.getByRole('option'), /^Treasury/);
    await sender.press('Escape');
    await sender.fill('Treasury');
    // Its own button reads all: the values have one sender.
    await callForm(page, 'limited', '5');
    await waitForText(row(page, 'sender'), /sender.*Treasury \(0x.*address/);
    await waitForText(form(page, 'limited').locator('.result'), /^2$/);
    await waitForText(status, new RegExp(`^Block \\d+ on Test Node · Sender: Treasury \\(${alice}\\)$`, 'i'));
    await page.setViewportSize({ width: 460, height: 720 });
    await isReadableInEveryTheme(page, 'read-contract-sender');
    assert.deepEqual(await accessibilityFindings(page), []);
    user.picks.push('cast');
    await page.getByRole('button', { name: 'Copy As… sender', exact: true }).press('Enter');
    await waitUntil('cast is copied', () => user.told.includes('Copied as cast'));
    user.told.length = 0;
    assert.match(editor().clipboard, new RegExp(` --from ${alice} `, 'i'));
    const again = await reload(page);
    await waitForText(row(again, 'sender'), /Treasury/);
    assert.equal(await field(again, 'Sender').inputValue(), 'Treasury');
    // A value that another account gets is not shown among these.
    const [senderId, none] = ['0x67e404ce', ''];
    const other = await pageShownBy(() =>
      editor().runCommand('chainside.readContract', LEDGER, senderId, [], none),
    );
    await waitForText(row(other, 'sender'), /Zero address/);
    await editor().runCommand('chainside.readContract', LEDGER, senderId, [], alice);
    assert.equal(editor().panels.length, 2);
  });

  it('shows another function of its contract in the open panel, where that loses nothing typed', async () => {
    const page = await open(husd());
    const { accounts } = localnet().chain;
    const show = (id: string, ...args: readonly string[]) =>
      editor().runCommand('chainside.readContract', husd(), id, ...(args.length > 0 ? [args] : []));
    await waitForText(row(page, 'symbol'), /HUSD/);
    await callForm(page, 'allowance', 'Treasury');
    await field(page, 'Filter Functions').fill('symbol');
    await field(page, 'Block').fill('latest-1');
    await show(BALANCE_OF);
    const balance = form(page, 'balanceOf');
    const owner = balance.getByRole('combobox');
    await isFocused(owner);
    await isReadableInEveryTheme(page, 'read-contract-shown');
    await show(DECIMALS);
    await isFocused(page.getByRole('rowheader', { name: 'decimals' }));
    await waitForText(page.getByRole('row').nth(1), /decimals/);
    assert.deepEqual(await accessibilityFindings(page), []);
    await field(page, 'Filter Functions').fill('');
    assert.equal(await form(page, 'allowance').getByRole('combobox').first().inputValue(), 'Treasury');
    assert.equal(await field(page, 'Block').inputValue(), 'latest-1');
    await balance.locator('summary').first().click();
    await show(BALANCE_OF, accounts.alice);
    await waitForText(balance.locator('.result'), /HUSD/);
    await isFocused(owner);
    assert.equal(await owner.inputValue(), accounts.alice);
    assert.equal(editor().panels.length, 1);
    await owner.fill('Treasury');
    const other = await pageShownBy(() => show(BALANCE_OF, accounts.bob));
    await waitForText(form(other, 'balanceOf').locator('.result'), /HUSD/);
    assert.equal(await owner.inputValue(), 'Treasury');
    const again = await reload(page);
    await waitForText(row(again, 'symbol'), /HUSD/);
    await pageShownBy(() => show(BALANCE_OF, husd()));
    assert.equal(await form(again, 'balanceOf').getByRole('combobox').inputValue(), 'Treasury');
  });

  it('compares two blocks, marks what differs, filters by value, and leaves with its network', async () => {
    const page = await open(husd());
    await waitForText(row(page, 'symbol'), /HUSD/);
    await callForm(page, 'balanceOf', 'Treasury');
    await field(page, 'Compare with Block').fill('2');
    await field(page, 'Compare with Block').press('Enter');
    await waitForText(page.getByRole('status').first(), /^Blocks \d+ and 2 on Test Node$/);
    await page.getByRole('columnheader', { name: 'Block 2' }).waitFor();
    await waitForText(form(page, 'balanceOf').locator('.result.differs'), /Block 2/);
    assert.equal(await row(page, 'symbol').locator('.badge').count(), 0);
    await field(page, 'Compare with Block').fill('99999999');
    await field(page, 'Compare with Block').press('Enter');
    await waitForText(page.locator('.field.compare .problem'), /The latest block is \d+/);
    await field(page, 'Filter Functions').fill('HUSD');
    await waitUntil('two rows are left', async () => (await page.getByRole('row').count()) === 3);
    editor().updateSettings({ 'chainside.network': 'other' });
    await waitUntil('nothing is shown of it', async () => (await page.getByRole('row').count()) === 0);
    editor().updateSettings({ 'chainside.network': 'node' });
  });

  it('says why a block has nothing, and keeps what is typed when the page is shown again', async () => {
    const page = await open(husd());
    await waitForText(row(page, 'symbol'), /HUSD/);
    await callForm(page, 'balanceOf', 'Treasury');
    await field(page, 'Block').fill('0');
    await field(page, 'Block').press('Enter');
    await waitForText(row(page, 'symbol'), /no contract/);
    await page.getByText('There is no contract at this address in block 0.').waitFor();
    await waitUntil('the page has stored it', () =>
      /"block":"0".*Treasury/.test(JSON.stringify(editor().panels[0]?.state)),
    );
    const again = await reload(page);
    await waitForText(row(again, 'symbol'), /no contract/);
    assert.equal(await field(again, 'Block').inputValue(), '0');
    assert.equal(await form(again, 'balanceOf').getByRole('combobox').inputValue(), 'Treasury');
  });

  it('reads a function that has to be declared, and names an error that only the signature database knows', async () => {
    const closed = `0x${'c105ed'.padStart(40, '0')}`;
    const selector = encodeItem('error HarborClosed()').slice(2);
    // Reverts with the selector: PUSH4, shifted to the front of the word, in memory.
    await localnet().node.call('anvil_setCode', [closed, `0x63${selector}60e01b60005260046000fd`]);
    const before = signatures.requests.length;
    const page = await open(closed);
    await page.getByText(/ABI of this contract is not known/).waitFor();
    const other = field(page, 'Other Function');
    await other.fill('isOpen');
    await other.press('Enter');
    await waitForText(page.locator('.field.function .problem'), /Declare it with its types/);
    await other.fill('isOpen() view returns (bool)');
    await other.press('Enter');
    await waitForText(row(page, 'isOpen'), /The call reverted: HarborClosed\(\)/);
    assert.deepEqual(
      signatures.requests
        .slice(before)
        .map(({ url }) => new URL(url, signatures.url).searchParams.get('function')),
      [`0x${selector}`],
    );
  });

  it('counts the items of a long list that its tree leaves out, and escapes a title', async () => {
    const page = await open(LEDGER);
    const rows = Array.from({ length: 1203 }, (_, index) => [index, 0]);
    const result = await callForm(
      page,
      'echo\\(uint256',
      JSON.stringify(rows),
      `0x${'ab'.repeat(500)}`,
      'true',
    );
    const tree = result.locator('.result .value > details').first();
    await tree.locator('summary').first().click();
    await waitForText(tree.locator(':scope > ul > li').last(), /^…\s*1,003 more/);
    const titles = await result
      .locator('.result .text[title]')
      .evaluateAll((all) => all.map((one) => (one as { title: string }).title.length));
    assert.ok(titles.length > 0 && titles.every((length) => length <= 301), titles.join());
  });

  it('shows structs as trees and members of enums by name, and is readable in every theme', async () => {
    const page = await open(LEDGER);
    await waitForText(row(page, 'count'), /0/);
    const legs = JSON.stringify([{ token: 'Treasury', amount: '1.5 ether' }]);
    const made = await callForm(page, 'order', 'Sell', legs);
    const struct = made.locator('.result details').first();
    await waitForText(struct, /side: Sell \(1\)/);
    await struct.locator('summary').first().click();
    const list = struct.locator('details').first();
    await list.locator('summary').first().click();
    await list.locator('details summary').first().click();
    await waitForText(list.locator('details li').nth(1), /amount1,500,000,000,000,000,000/);
    await callForm(page, 'limited', '6');
    await waitForText(form(page, 'limited').locator('.failed'), /TooMany\(asked: 6, allowed: 5\)/);
    await field(page, 'Compare with Block').fill('earliest');
    await field(page, 'Compare with Block').press('Enter');
    await page.getByRole('columnheader', { name: 'Block 0' }).waitFor();
    await waitUntil('all is read', async () => (await page.locator('[aria-busy=true]').count()) === 0);
    const getHeight = async () => (await row(page, 'count').boundingBox())?.height;
    await page.setViewportSize({ width: 1280, height: 800 });
    await row(page, 'count').hover();
    await isReadableInEveryTheme(page, 'read-contract');
    const wide = await getHeight();
    await page.setViewportSize(BESIDE_CODE);
    assert.deepEqual(await accessibilityFindings(page), []);
    await page.setViewportSize({ width: 460, height: 720 });
    await row(page, 'first').hover();
    assert.deepEqual(await accessibilityFindings(page), []);
    assert.equal(await getHeight(), wide, 'Hidden buttons leave a blank line.');
  });
});
