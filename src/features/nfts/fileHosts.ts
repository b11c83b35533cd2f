import type { AssetUrl } from '../../core/index.ts';

/** Hosts of token files that the user has allowed in this window. */
export class AllowedHosts {
  readonly #hosts = new Set<string>();

  /** Whether the file may be loaded: from an allowed host, or from its own `data:` URL. */
  has(asset: AssetUrl, ipfsGateway: string | undefined): boolean {
    const host = getFileHost(asset, ipfsGateway);
    return asset.kind === 'data' || (host !== undefined && this.#hosts.has(host));
  }

  allow(asset: AssetUrl, ipfsGateway: string | undefined): void {
    const host = getFileHost(asset, ipfsGateway);
    if (host !== undefined) this.#hosts.add(host);
  }
}

/** The host of a file; undefined for a `data:` URL, and before an IPFS gateway is chosen. */
export function getFileHost(asset: AssetUrl, ipfsGateway: string | undefined): string | undefined {
  if (asset.kind === 'data') return undefined;
  const url = asset.kind === 'ipfs' ? ipfsGateway : asset.url;
  return url === undefined ? undefined : new URL(url).host;
}
