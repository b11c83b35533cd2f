import type { AssetUrl } from '../../core/index.ts';

/** The hosts of files of tokens that the user allowed to be asked, until the window closes. */
export class AllowedHosts {
  readonly #hosts = new Set<string>();

  /** Whether the file may be loaded: from a host that was allowed, or out of its own URL. */
  has(asset: AssetUrl, ipfsGateway: string | undefined): boolean {
    const host = getFileHost(asset, ipfsGateway);
    return asset.kind === 'data' || (host !== undefined && this.#hosts.has(host));
  }

  allow(asset: AssetUrl, ipfsGateway: string | undefined): void {
    const host = getFileHost(asset, ipfsGateway);
    if (host !== undefined) this.#hosts.add(host);
  }
}

/** The host that a file comes from; undefined where none is asked, or where no gateway is chosen yet. */
export function getFileHost(asset: AssetUrl, ipfsGateway: string | undefined): string | undefined {
  if (asset.kind === 'data') return undefined;
  const url = asset.kind === 'ipfs' ? ipfsGateway : asset.url;
  return url === undefined ? undefined : new URL(url).host;
}
