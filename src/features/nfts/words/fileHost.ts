import type { AssetUrl } from '../../../core/index.ts';

/** The host that a file comes from; undefined where none is asked, or where no gateway is chosen yet. */
export function hostOf(asset: AssetUrl, ipfsGateway: string | undefined): string | undefined {
  if (asset.kind === 'data') return undefined;
  const url = asset.kind === 'ipfs' ? ipfsGateway : asset.url;
  return url === undefined ? undefined : new URL(url).host;
}
