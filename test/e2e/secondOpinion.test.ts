import { environment } from './support/environment.ts';
import { type LogPanel, runLogQuery } from './support/logPanel.ts';
import { says } from './support/panel.ts';
import { useWorkbench } from './support/workbench.ts';

describe('a second opinion', () => {
  const workbench = useWorkbench(() => {
    const { rpcUrl, portal } = environment().localnet;
    return {
      settings: {
        'chainside.network': 'portal',
        'chainside.networks': {
          explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl },
          portal: { name: 'Local Portal', chainId: 31337, rpcUrl: portal.rpcUrl },
        },
      },
    };
  });

  async function firstResult(): Promise<LogPanel> {
    const { address } = environment().localnet.chain.contracts.tide;
    const opened = await runLogQuery(workbench(), { Address: address, 'From block': '0', 'To block': '110' });
    // A portal's pages end where its responses do.
    const isPartial = /^Partial/.test((await opened.status.textContent()) ?? '');
    if (isPartial) await opened.button('Load all').click();
    await says(opened.status, /^Complete · \d+ logs to block 110/);
    return opened;
  }

  it('comes from a portal, which as a network has logs with a complete verdict', async () => {
    const { page } = workbench();
    const ofPortal = await firstResult();
    await ofPortal.cell(0, 'time').filter({ hasText: /\d/ }).waitFor();
    await workbench().openView('Chainside');
    await page.getByRole('treeitem', { name: /^Network: Local Portal/ }).waitFor();
    await workbench().updateSettings({ 'chainside.network': 'explorer' });
    await page.getByRole('treeitem', { name: /^Network: Local Explorer/ }).waitFor();
    const ofExplorer = await firstResult();
    await ofExplorer.button('Second opinion…').press('Enter');
    await workbench()
      .question(/address, topics and blocks are told to it/)
      .waitFor();
    await workbench().quickPickRow('Local Portal').waitFor();
    await workbench().fillInput('Local Portal');
    await page.keyboard.press('Enter');
    await says(ofExplorer.status, /^Complete · .* two sources agree: Local Portal/);
  });
});
