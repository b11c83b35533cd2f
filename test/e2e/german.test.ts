import { logPanelShownBy } from './support/logPanel.ts';
import { waitForText } from './support/panel.ts';
import { environment, useWorkbench } from './support/workbench.ts';

describe('in VS Code with German as its language', () => {
  const workbench = useWorkbench(() => ({
    language: 'de',
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
      },
    },
  }));

  it('views, commands and panels are German', async () => {
    const { page, openView, runCommand, screenshot } = workbench();
    await openView('Chainside');
    await page.getByRole('treeitem', { name: /^Netzwerk: Explorer, Neuester Block: [\d.]+/ }).waitFor();
    await page.getByRole('button', { name: 'Adressen' }).first().waitFor();
    const panel = await logPanelShownBy(workbench(), () => runCommand('Chainside: Logs abfragen…'));
    await panel.field('Event oder Topic').fill('Transfer(address,address,uint256)');
    await panel.button('Abfrage ausführen').click();
    await waitForText(panel.frame.getByRole('status').first(), /^Teilweise: Blöcke [\d.]+ bis [\d.]+ von/);
    await screenshot('german-window');
  });
});
