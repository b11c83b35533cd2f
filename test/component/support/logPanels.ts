import type { Page } from 'playwright-core';
import { type LogPanel, logPanelIn } from '../../e2e/support/logPanel.ts';
import { waitForText } from '../../e2e/support/panel.ts';
import { environment } from './environment.ts';
import { type PanelWindow, type PanelWindowOptions, usePanelWindow } from './panels.ts';

export const TRANSFER = 'Transfer(address,address,uint256)';
export const TRANSFER_TOPIC0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** A log panel in a page of its own. */
export interface ShownLogPanel extends LogPanel {
  readonly page: Page;
}

/** A window on the local explorer, which is also another network. */
export interface LogPanelWindow extends PanelWindow {
  openPanel(): Promise<ShownLogPanel>;
  /** Opens a panel and runs its query, by default for transfers. */
  openAndRun(form?: Readonly<Record<string, string>>): Promise<ShownLogPanel>;
}

/** @param options beside those of the two networks; settings are added to them. */
export function useLogPanels(options: () => Partial<PanelWindowOptions> = () => ({})): LogPanelWindow {
  const window = usePanelWindow(() => {
    const { settings, ...others } = options();
    const { rpcUrl } = environment().localnet;
    const networks = {
      explorer: { name: 'Local Explorer', chainId: 31337, rpcUrl },
      other: { name: 'Other Network', chainId: 31338, rpcUrl },
    };
    return {
      ...others,
      settings: { 'chainside.network': 'explorer', 'chainside.networks': networks, ...settings },
    };
  });
  async function openPanel(): Promise<ShownLogPanel> {
    const page = await window.pageShownBy(() => window.editor().runCommand('chainside.queryLogs'));
    const opened = { ...logPanelIn(page), page };
    await opened.button('Run Query').waitFor();
    return opened;
  }
  return {
    ...window,
    openPanel,
    async openAndRun(form = { 'Event or topic': TRANSFER }) {
      const opened = await openPanel();
      for (const [name, value] of Object.entries(form)) await opened.field(name).fill(value);
      await opened.button('Run Query').click();
      await waitForText(opened.status, /^(Complete|Partial|May be incomplete)\b/);
      return opened;
    },
  };
}

/** The address of a token with some thousands of transfers. */
export function tide(): string {
  return environment().localnet.chain.contracts.tide.address;
}

/** How often the explorer was asked for logs. */
export function logRequests(): number {
  return environment().localnet.explorer.requests.filter(({ body }) => body.includes('eth_getLogs')).length;
}
