import type { Locator } from 'playwright-core';
import { frontPanel, type GridPanel } from './panel.ts';
import type { Workbench } from './workbench.ts';

const columns = ['time', 'block', 'from', 'to', 'amount', 'transaction'] as const;

/** An NFT panel as a person sees it. */
export interface NftPanel extends GridPanel<(typeof columns)[number]> {
  readonly tokenId: Locator;
}

/** The NFT panel in front. */
export function frontNftPanel({ page }: Workbench): NftPanel {
  const panel = frontPanel(page, 'Transfers', columns);
  return { ...panel, tokenId: panel.frame.getByLabel('Token id', { exact: true }) };
}

export async function openNftTransfers(
  workbench: Workbench,
  contract: string,
  tokenId: string,
): Promise<NftPanel> {
  await workbench.runCommand('Chainside: Show NFT Transfers…');
  await workbench.answer(/^Address of an NFT contract/, contract);
  await workbench.answer(/^Token id, decimal/, tokenId);
  return frontNftPanel(workbench);
}

export async function openNftContract(workbench: Workbench, contract: string): Promise<NftPanel> {
  await workbench.runCommand('Chainside: Show NFT Contract…');
  await workbench.answer(/^Address of an NFT contract/, contract);
  return frontNftPanel(workbench);
}
