import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { startVaultChain, type VaultChain } from '../support/vaultChain.ts';
import { menuOpenedBy } from './support/contextMenu.ts';
import { useLogPanels } from './support/logPanels.ts';

describe('units of one’s own in rows of logs', () => {
  let chain: VaultChain;
  let folder = '';
  before(async () => {
    chain = await startVaultChain();
  });
  after(() => chain.stop());

  const { editor, openAndRun } = useLogPanels(() => ({
    settings: {
      'chainside.network': 'vault',
      'chainside.networks': { vault: { name: 'Vault Chain', chainId: 31337, rpcUrl: chain.url } },
    },
    async fillFolder(target) {
      folder = target;
      await cp(chain.folder, target, { recursive: true });
    },
  }));

  it('come from the doc comment, or are set once at a value, and filter as they are shown', async () => {
    const opened = await openAndRun({
      Address: 'Vault',
      'Event or topic': 'Deposited(address indexed from, uint256 amount, uint256 fee)',
    });
    await opened
      .cell(0, 'argument1')
      .filter({ hasText: /^0\.25 PBL$/ })
      .waitFor();
    await opened
      .cell(2, 'argument1')
      .filter({ hasText: /^1,250\.00 PBL$/ })
      .waitFor();
    const fee = opened.cell(2, 'argument2');
    await fee.filter({ hasText: /^50$/ }).waitFor();

    const openMenu = (column: 'argument0' | 'argument2') =>
      menuOpenedBy(editor(), opened.page, () => opened.cell(2, column).click({ button: 'right' }));
    assert.ok(!(await openMenu('argument0')).entries.includes('Set Unit…'));
    const { user } = editor();
    user.types.push('Nobody');
    await (await openMenu('argument2')).choose('Set Unit…');
    assert.equal(user.told.at(-1), 'No token on this chain is called Nobody.');
    user.types.push('percent of 10000');
    await (await openMenu('argument2')).choose('Set Unit…');
    assert.match(user.prompts.at(-1) ?? '', /Vault\.Deposited\.fee/);
    const labels = JSON.parse(await readFile(join(folder, '.chainside/labels.json'), 'utf8'));
    assert.deepEqual(labels, { labels: [], units: { 'Vault.Deposited.fee': 'percent of 10000' } });
    await fee.filter({ hasText: /^0\.50 %$/ }).waitFor();

    await opened.field('Filter rows').fill('amount > 3000');
    await opened
      .cell(0, 'argument1')
      .filter({ hasText: /^3,000\.50 PBL$/ })
      .waitFor();
    await waitUntil('one row is left', async () => (await opened.cell(1, 'argument1').count()) === 0);
  });
});
