import assert from 'node:assert/strict';
import { toChecksumAddress } from '../../src/core/index.ts';
import { HARBOR_TRANSFER, writeHarborProject } from '../support/harborProject.ts';
import { environment } from './support/environment.ts';
import { type LogPanel, openLogPanel } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

describe('query form in a project', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, anvilUrl, chain } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'explorer',
        'chainside.networks': {
          explorer: { name: 'Test Explorer', chainId: 31337, rpcUrl },
          node: { name: 'Test Node', chainId: 31338, rpcUrl: anvilUrl },
        },
      },
      fillFolder: (folder) => writeHarborProject(folder, chain),
    };
  });

  const press = (key: string) => workbench().page.keyboard.press(key);
  const type = (text: string) => workbench().page.keyboard.insertText(text);

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

  it('completes names, the events of a deployment, and begins at its block', async () => {
    const { accounts, contracts } = environment().localnet.chain;
    const opened = await openLogPanel(workbench());
    await choose(opened, { field: 'Address', typed: 'har', offered: /^Harbor0x.*deployment in broadcast/ });
    await choose(opened, {
      field: 'Event or topic',
      typed: 'tr',
      offered: /Harbor · src\/Harbor\.sol · at this/,
    });
    await opened.frame.getByPlaceholder('3', { exact: true }).waitFor();
    await opened.frame.getByText('when Harbor was deployed').waitFor();
    assert.equal(
      await opened.field('Address').inputValue(),
      toChecksumAddress(contracts.tide.address as `0x${string}`),
    );
    assert.equal(await opened.field('Event or topic').inputValue(), HARBOR_TRANSFER);
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
});
