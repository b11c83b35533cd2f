import { environment } from './environment.ts';
import { type LogPanel, logPanelShownBy, openLogPanel, runLogQuery } from './logPanel.ts';
import { useWorkbench, type Workbench } from './workbench.ts';

export const TRANSFER = 'Transfer(address,address,uint256)';

/** A window on the local explorer, which is also another network. */
interface LogWindow {
  workbench(): Workbench;
  openPanel(): Promise<LogPanel>;
  /** Opens a panel and runs its query, by default for transfers. */
  openAndRun(form?: Readonly<Record<string, string>>): Promise<LogPanel>;
  panelOfTab(name: RegExp): Promise<LogPanel>;
}

/** For a suite: such a window, without editors and with an explorer that answers again after each test. */
export function useLogWindow(): LogWindow {
  const workbench = useWorkbench(() => ({
    settings: {
      'chainside.network': 'explorer',
      'chainside.networks': {
        explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl: environment().localnet.rpcUrl },
        other: { name: 'Other Network', chainId: 31338, rpcUrl: environment().localnet.rpcUrl },
      },
    },
  }));
  afterEach(async () => {
    environment().localnet.explorer.setIntercept(undefined);
    await workbench().closeEditors();
  });
  return {
    workbench,
    openPanel: () => openLogPanel(workbench()),
    openAndRun: (form = { 'Event or topic': TRANSFER }) => runLogQuery(workbench(), form),
    panelOfTab: (name) =>
      logPanelShownBy(workbench(), () => workbench().page.getByRole('tab', { name }).click()),
  };
}

/** How often the explorer was asked for logs. */
export function logRequests(): number {
  return environment().localnet.explorer.requests.filter(({ body }) => body.includes('eth_getLogs')).length;
}
