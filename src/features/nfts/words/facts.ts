import { type Address, type AssetUrl, formatShortAddress, toChecksumAddress } from '../../../core/index.ts';
import type { Fact } from '../protocol/nftSnapshot.ts';
import type { WordsContext } from './wordsContext.ts';

/** A fact of plain words. */
export function wordsFact(name: string, value: string | undefined): Fact | undefined {
  return value === undefined ? undefined : { name, value, canCopy: false };
}

/** An address by its name, where it has one; in full in the tooltip and on the clipboard. */
export function addressFact(
  name: string,
  address: Address | undefined,
  { nameOf }: Pick<WordsContext, 'nameOf'>,
): Fact | undefined {
  if (address === undefined) return undefined;
  const full = toChecksumAddress(address);
  const called = nameOf(address);
  return called === undefined
    ? { name, value: full, canCopy: true }
    : { name, value: `${called} · ${formatShortAddress(full)}`, full, canCopy: true };
}

/** Where a file is. */
export function assetFact(name: string, asset: AssetUrl | undefined): Fact | undefined {
  const value = assetText(asset);
  return value === undefined ? undefined : { name, value, canCopy: true };
}

function assetText(asset: AssetUrl | undefined): string | undefined {
  switch (asset?.kind) {
    case 'https':
    case 'local':
      return asset.url;
    case 'ipfs':
      return `ipfs://${asset.path}`;
    case 'data':
      return `data:${asset.mediaType}`;
    default:
      return undefined;
  }
}
