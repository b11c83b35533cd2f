import type { Page } from 'playwright-core';
import { type NftPanel, nftPanelIn } from '../../e2e/support/nftPanel.ts';
import { type PanelWindow, type PanelWindowOptions, usePanelWindow } from './panels.ts';

/** An NFT panel in a page of its own. */
export interface ShownNftPanel extends NftPanel {
  readonly page: Page;
}

export interface NftPanelWindow extends PanelWindow {
  openTransfers(contract: string, tokenId: string): Promise<ShownNftPanel>;
  openContract(contract: string): Promise<ShownNftPanel>;
  panelShownBy(show: () => Promise<unknown>): Promise<ShownNftPanel>;
}

export function useNftPanels(options: () => PanelWindowOptions): NftPanelWindow {
  const window = usePanelWindow(options);
  const { editor } = window;
  async function panelShownBy(show: () => Promise<unknown>): Promise<ShownNftPanel> {
    const page = await window.pageShownBy(show);
    return { ...nftPanelIn(page), page };
  }
  return {
    ...window,
    openTransfers: (contract, tokenId) =>
      panelShownBy(() => {
        editor().user.types.push(tokenId);
        return editor().runCommand('chainside.showNftTransfers', contract);
      }),
    openContract: (contract) =>
      panelShownBy(() => editor().runCommand('chainside.showNftContract', contract)),
    panelShownBy,
  };
}
