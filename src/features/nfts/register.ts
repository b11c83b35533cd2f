import { type LazyFeature, registerLazyPanels } from '../../host/commands.ts';
import { nftPanelType } from '../../manifest.ts';
import type { NftsDeps } from './askForNft.ts';

/** Registers the NFT panels, their commands, and their restoration after a reload. The code is loaded on first use. */
export function registerNfts(deps: Omit<NftsDeps, 'allowedHosts'>): LazyFeature {
  return registerLazyPanels(nftPanelType, async () => {
    const { openNfts } = await import('./nfts.ts');
    return openNfts(deps);
  });
}
