import type { Locator } from 'playwright-core';
import { type GridPanel, gridPanel } from './panel.ts';
import type { Workbench } from './workbench.ts';

type Column = 'kind' | 'block' | 'time' | 'from' | 'to' | 'amount' | 'transaction';

/** An NFT panel as a person sees it. */
export interface NftPanel extends GridPanel<Column> {
  readonly tokenId: Locator;
}

/** The NFT panel that `show` brings to the front, new or hidden before. */
export async function nftPanelShownBy(workbench: Workbench, show: () => Promise<unknown>): Promise<NftPanel> {
  const panel = gridPanel<Column>(await workbench.webviewShownBy(show), 'Transfers');
  return { ...panel, tokenId: panel.frame.getByLabel('Token id', { exact: true }) };
}

export async function openNftTransfers(
  workbench: Workbench,
  contract: string,
  tokenId: string,
): Promise<NftPanel> {
  return nftPanelShownBy(workbench, async () => {
    await workbench.runCommand('Chainside: Show NFT Transfers…');
    await workbench.answer(/^Address of an NFT contract/, contract);
    await workbench.answer(/^Token id, decimal/, tokenId);
  });
}

export async function openNftContract(workbench: Workbench, contract: string): Promise<NftPanel> {
  return nftPanelShownBy(workbench, async () => {
    await workbench.runCommand('Chainside: Show NFT Contract…');
    await workbench.answer(/^Address of an NFT contract/, contract);
  });
}
