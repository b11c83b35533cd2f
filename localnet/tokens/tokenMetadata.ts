import type { Standard } from './movements.ts';

/** What the host of a token's metadata would say, had the local network one. */
export function tokenMetadata(
  { name, standard }: { readonly name: string | undefined; readonly standard: Standard },
  tokenId: bigint,
) {
  return {
    ...{ name: `${name ?? 'Token'} #${tokenId}`, description: 'A token of the local network.' },
    image: standard === 'erc721' ? drawnImage(tokenId) : `ipfs://${imageFolder}/${tokenId}.png`,
    attributes: [
      { trait_type: 'Number', value: Number(tokenId) },
      { trait_type: 'Parity', value: tokenId % 2n === 0n ? 'even' : 'odd' },
    ],
  };
}

const imageFolder = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';

/** A picture that needs no host, as tokens have that keep all of theirs on the chain. */
function drawnImage(tokenId: bigint): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="30" fill="#246"/><text x="32" y="40" font-size="22" text-anchor="middle" fill="#fff">${tokenId}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
