import { type AssetUrl, parseAssetUrl } from '../pictures/assetUrl.ts';
import type { TokenStandard } from '../tokenStandard.ts';

/** Whose assets are read: what is in the place of `{id}`, and whether this machine may be asked. */
export interface TokenAssets {
  readonly tokenId: bigint;
  readonly standard: TokenStandard | undefined;
  /** Whether the network is one of this machine. */
  readonly local: boolean;
}

const LONGEST_TEMPLATE = 4_096;

/**
 * How URLs of a token are read: those of ERC-1155 with the id, as 64 lower-case hex digits, in place of each `{id}`.
 *
 * @example
 * const asset = createAssetReader({ tokenId: 10n, standard: 'erc1155', local: false });
 * asset('https://example.com/{id}.json'); // …/000…00a.json
 */
export function createAssetReader({ tokenId, standard, local }: TokenAssets) {
  const id = tokenId.toString(16).padStart(64, '0');
  return (text: string): AssetUrl | undefined => {
    const isTemplate = standard === 'erc1155' && text.length <= LONGEST_TEMPLATE;
    return parseAssetUrl(isTemplate ? text.replaceAll('{id}', id) : text, { local });
  };
}
