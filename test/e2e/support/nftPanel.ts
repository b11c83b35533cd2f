import type { Locator } from 'playwright-core';
import { type GridPanel, gridPanel, type PanelFrame } from './panel.ts';
import type { Workbench } from './workbench.ts';

type Column = 'kind' | 'block' | 'time' | 'from' | 'to' | 'amount' | 'transaction';

/** An NFT panel as a person sees it. */
export interface NftPanel extends GridPanel<Column> {
  readonly tokenId: Locator;
}

/** The NFT panel in a webview. */
export function nftPanelIn(frame: PanelFrame): NftPanel {
  return { ...gridPanel<Column>(frame, 'Transfers'), tokenId: frame.getByLabel('Token ID', { exact: true }) };
}

export async function openNftContract(workbench: Workbench, contract: string): Promise<NftPanel> {
  const show = async () => {
    await workbench.openView('Chainside');
    await workbench.runCommand('Chainside: Show NFT Contract…');
    await workbench.answer(/^Address of an NFT contract/, contract);
  };
  return nftPanelIn(await workbench.webviewShownBy(show));
}
