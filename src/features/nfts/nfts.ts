import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseAddress, parseTokenId } from '../../core/index.ts';
import { registerCommand } from '../../host/commands.ts';
import { showError } from '../../host/errors.ts';
import { formatCost, formatProviderName } from '../../host/formatting.ts';
import { askOnNetwork } from '../../host/session/chains.ts';
import { Panels } from '../../host/ui/panels.ts';
import { type CommandId, nftPanelType } from '../../manifest.ts';
import {
  askForContract,
  askForTokenId,
  type NftsDeps,
  type NftTarget,
  parseNftArguments,
} from './askForNft.ts';
import { AllowedHosts } from './fileHosts.ts';
import type { NftPanel } from './nftPanel.ts';
import { nftViewStateSchema, transferColumnIds } from './protocol.ts';

/** From the `data-vscode-context` of a cell, which VS Code passes to commands of its context menu. */
const cellContext = z.object({
  resultId: z.string(),
  transfer: z.string(),
  column: z.enum(transferColumnIds),
});

interface Nfts extends vscode.Disposable {
  /** Restores a panel of an earlier window. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

/** The NFT panels and their commands. */
export function openNfts(services: Omit<NftsDeps, 'allowedHosts'>): Nfts {
  const deps: NftsDeps = { ...services, allowedHosts: new AllowedHosts() };
  const panels = new Panels<NftPanel, NftTarget>({
    viewType: nftPanelType,
    title: () => vscode.l10n.t('NFT'),
    async fill(panel, target) {
      const { NftPanel } = await import('./nftPanel.ts');
      return new NftPanel(panel, deps, target);
    },
    restore(state) {
      const saved = nftViewStateSchema.safeParse(state).data;
      const contract = parseAddress(saved?.contract);
      if (!contract) return undefined;
      const target = { contract, tokenId: parseTokenId(saved?.tokenId) };
      return { asked: target, begin: (panel) => panel.restore() };
    },
    shows: (panel, target) => panel.isAbout(target),
    contextKeys: {
      'chainside.nfts.running': (panel) => panel.isLoading,
      'chainside.nfts.canLoadToken': ({ offered }) => offered.has('token'),
      'chainside.nfts.canLoadPicture': ({ offered }) => offered.has('picture'),
      'chainside.nfts.canLoadTransfers': ({ offered }) => offered.has('transfers'),
      'chainside.nfts.canReadLogs': ({ offered }) => offered.has('transfersFromLogs'),
    },
  });

  async function showTransfers(target: Partial<NftTarget>): Promise<void> {
    const title = vscode.l10n.t('Show NFT Transfers');
    const contract = target.contract ?? (await askOnNetwork(deps, () => askForContract(title, deps)));
    if (contract === undefined) return;
    const { connection } = deps.session;
    const cost = target.tokenId === undefined ? await transfersCost(deps) : '';
    const tokenId = target.tokenId ?? (await askOnNetwork(deps, () => askForTokenId(title, cost)));
    if (tokenId === undefined) return;
    const isCostShown = cost !== '' && connection === deps.session.connection;
    const panel = await panels.open({ contract, tokenId });
    // The contract first: its standard decides whether the numbers in its transfers are IDs.
    await panel.showContract();
    await panel.showToken();
    await panel.showTransfers({ isCostShown });
  }

  async function showContract(target: Partial<NftTarget>): Promise<void> {
    const title = vscode.l10n.t('Show NFT Contract');
    const contract = target.contract ?? (await askOnNetwork(deps, () => askForContract(title, deps)));
    if (contract === undefined) return;
    const panel = await panels.open({ contract, tokenId: target.tokenId });
    await panel.showContract();
    await panel.showToken();
  }

  const nftCommand = (id: CommandId, show: (target: Partial<NftTarget>) => Promise<void>) =>
    registerCommand(id, async (argument, tokenId) => {
      try {
        await show(parseNftArguments(argument, tokenId));
      } catch (error) {
        const { network } = deps.session;
        await showError(error, { service: 'endpoint', network, log: deps.log });
      }
    });

  const registered = vscode.Disposable.from(
    panels,
    nftCommand('chainside.showNftTransfers', showTransfers),
    nftCommand('chainside.showNftContract', showContract),
    panels.command('chainside.nfts.loadToken', (panel) => panel.act('token')),
    panels.command('chainside.nfts.loadPicture', (panel) => panel.act('picture')),
    panels.command('chainside.nfts.loadTransfers', (panel) => panel.act('transfers')),
    panels.command('chainside.nfts.readLogs', (panel) => panel.act('transfersFromLogs')),
    panels.command('chainside.nfts.cancel', (panel) => panel.cancel()),
    panels.cellCommand('chainside.nfts.copyCell', cellContext, ({ transfers }, cell) =>
      transfers.copyCell(cell),
    ),
    panels.cellCommand('chainside.nfts.copyTransfer', cellContext, ({ transfers }, cell) =>
      transfers.copyTransfer(cell),
    ),
    panels.cellCommand('chainside.nfts.openTransaction', cellContext, ({ transfers }, cell) =>
      transfers.openTransaction(cell),
    ),
  );
  return {
    restore: (panel, state) => panels.restore(panel, state),
    dispose: () => registered.dispose(),
  };
}

/** The provider and price of reading transfers; empty if they are read from logs, or the price is not known. */
async function transfersCost({ session }: NftsDeps): Promise<string> {
  const access = await session.provider('nfts');
  if (access.state !== 'ready') return '';
  const { provider } = access;
  const price = provider.offers.nftTransfers;
  if (price === undefined) return '';
  const cost = formatCost(price, vscode.l10n, vscode.env.language);
  return vscode.l10n.t('Transfers come from {0}. {1}', formatProviderName(provider.label, vscode.l10n), cost);
}
