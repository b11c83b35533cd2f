import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseAddress, parseTokenId } from '../../core/index.ts';
import { registerCommand } from '../../host/commands/commands.ts';
import { PanelSet } from '../../host/panels/panelSet.ts';
import { openTab } from '../../host/surface/tabs.ts';
import { showError } from '../../host/words/showError.ts';
import { sourceName } from '../../host/words/sourceName.ts';
import type { CommandId } from '../../manifest.ts';
import { type AskedNft, askForContract, askForTokenId, readNftArguments } from './answers/question.ts';
import type { NftsDeps } from './panel/deps.ts';
import type { NftPanel } from './panel/nftPanel.ts';
import { columns, NFT_VIEW_TYPE, viewStateSchema } from './protocol/protocol.ts';
import { costWords } from './words/costWords.ts';

/** What the context menu of a row hands to its commands, from the `data-vscode-context` of the cell. */
const cellContext = z.object({ answer: z.string(), transfer: z.string(), column: z.enum(columns) });

/** The NFT panels: their commands, and their return after the window was reloaded. */
export function registerNfts(deps: NftsDeps): vscode.Disposable {
  const panels = new PanelSet<NftPanel>();

  /** What a panel is made of is loaded with the first one. */
  async function fill(panel: vscode.WebviewPanel, asked: AskedNft): Promise<NftPanel> {
    const { NftPanel } = await import('./panel/nftPanel.ts');
    return panels.add(new NftPanel(panel, deps, asked));
  }

  /** The panel that is about it already, brought to the front, or a new one. */
  async function open(asked: AskedNft): Promise<NftPanel> {
    const known = panels.find((candidate) => candidate.isAbout(asked));
    known?.panel.reveal();
    if (known) return known;
    return fill(openTab(NFT_VIEW_TYPE, vscode.l10n.t('NFT')), asked);
  }

  async function showTransfers(asked: Partial<AskedNft>): Promise<void> {
    const title = vscode.l10n.t('Show NFT Transfers');
    const contract = asked.contract ?? (await askForContract(title));
    if (contract === undefined) return;
    const cost = asked.tokenId === undefined ? await transfersCost(deps) : '';
    const tokenId = asked.tokenId ?? (await askForTokenId(title, cost));
    if (tokenId === undefined) return;
    const panel = await open({ contract, tokenId });
    // The contract first: what it says of its standard saves half of the logs.
    await panel.showContract();
    await panel.showTransfers({ costIsTold: cost !== '' });
  }

  async function showContract(asked: Partial<AskedNft>): Promise<void> {
    const contract = asked.contract ?? (await askForContract(vscode.l10n.t('Show NFT Contract')));
    if (contract === undefined) return;
    const panel = await open({ contract, tokenId: asked.tokenId });
    await panel.showContract();
  }

  const nftCommand = (id: CommandId, show: (asked: Partial<AskedNft>) => Promise<void>) =>
    registerCommand(id, async (argument, tokenId) => {
      try {
        await show(readNftArguments(argument, tokenId));
      } catch (error) {
        const { network } = deps.session;
        await showError(error, { service: 'endpoint', network, log: deps.log });
      }
    });
  const cellCommand = (id: CommandId, run: (panel: NftPanel, cell: z.infer<typeof cellContext>) => unknown) =>
    registerCommand(id, (argument) => {
      const cell = cellContext.safeParse(argument);
      return cell.success && panels.active ? run(panels.active, cell.data) : undefined;
    });

  return vscode.Disposable.from(
    panels,
    nftCommand('chainside.showNftTransfers', showTransfers),
    nftCommand('chainside.showNftContract', showContract),
    cellCommand('chainside.nfts.copyCell', (panel, cell) => panel.copyCell(cell)),
    cellCommand('chainside.nfts.copyTransfer', (panel, cell) => panel.copyTransfer(cell)),
    cellCommand('chainside.nfts.openTransaction', (panel, cell) => panel.openTransaction(cell)),
    vscode.window.registerWebviewPanelSerializer(NFT_VIEW_TYPE, {
      async deserializeWebviewPanel(panel, state) {
        const kept = viewStateSchema.safeParse(state).data;
        const contract = parseAddress(kept?.contract);
        if (!contract) {
          panel.dispose();
          return;
        }
        const filled = await fill(panel, { contract, tokenId: parseTokenId(kept?.tokenId) });
        filled.restore();
      },
    }),
  );
}

/** What reading transfers will cost, if a source is going to be asked. */
async function transfersCost({ session }: NftsDeps): Promise<string> {
  const access = await session.nfts();
  if (access.state !== 'ready') return '';
  const { source } = access;
  const price = source.offers.nftTransfers;
  if (price === undefined) return '';
  const cost = costWords(price, vscode.l10n, vscode.env.language);
  return vscode.l10n.t('Transfers come from {0}. {1}', sourceName(source.label, vscode.l10n), cost);
}
