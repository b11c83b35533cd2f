import type { AssetUrl } from '../../../core/index.ts';
import { hostOf } from '../words/fileHost.ts';

/** The hosts of files of tokens that the user allowed to be asked, until the window closes. */
export class AllowedHosts {
  readonly #hosts = new Set<string>();

  /** Whether the file may be loaded: from a host that was allowed, or out of its own URL. */
  has(asset: AssetUrl, ipfsGateway: string | undefined): boolean {
    const host = hostOf(asset, ipfsGateway);
    return asset.kind === 'data' || (host !== undefined && this.#hosts.has(host));
  }

  allow(asset: AssetUrl, ipfsGateway: string | undefined): void {
    const host = hostOf(asset, ipfsGateway);
    if (host !== undefined) this.#hosts.add(host);
  }
}
