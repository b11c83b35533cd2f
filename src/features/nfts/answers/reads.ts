import {
  type Address,
  fetchNftPicture,
  type HttpDeps,
  type NftContract,
  type NftPicture,
  type ProviderLabel,
} from '../../../core/index.ts';
import { type Read, requireSource } from './nftSources.ts';

/** What is known of the contract, and where it was read. */
export type ContractAnswer =
  | { readonly state: 'known'; readonly from: 'chain'; readonly contract: NftContract }
  | {
      readonly state: 'known';
      readonly from: 'source';
      readonly source: ProviderLabel;
      readonly contract: NftContract;
    }
  | { readonly state: 'unknownToSource'; readonly source: ProviderLabel }
  | { readonly state: 'notAnNft' | 'notOffered' };

export function readContract(contract: Address, from: 'chain' | 'source'): Read<ContractAnswer> {
  return async function* ({ client, nfts }, { signal }) {
    if (from === 'chain') {
      const answer = await client.nftContract(contract, { signal });
      yield answer.state === 'known' ? { ...answer, from: 'chain' } : answer;
    } else {
      const source = requireSource(nfts);
      const known = await source.nftContract(contract, { signal });
      const { label } = source;
      yield known
        ? { state: 'known', from: 'source', source: label, contract: known }
        : { state: 'unknownToSource', source: label };
    }
  };
}

type Image = Parameters<typeof fetchNftPicture>[1];

export function readPicture(http: HttpDeps, image: Image, ipfsGateway: string | undefined): Read<NftPicture> {
  return async function* (_, { signal }) {
    yield await fetchNftPicture(http, image, { ipfsGateway, signal });
  };
}

/**
 * ERC-721 where the contract itself claims that alone: the logs of ERC-1155, which are many more, need not be read.
 * One that claims ERC-1155 may be of both.
 */
export function standardOf(known: ContractAnswer | undefined): 'erc721' | undefined {
  const isFromChain = known?.state === 'known' && known.from === 'chain';
  return isFromChain && known.contract.standard === 'erc721' ? 'erc721' : undefined;
}
