import {
  type Address,
  fetchNftPicture,
  type HttpDeps,
  type NftContract,
  type NftPicture,
  type NftToken,
  type SourceLabel,
} from '../../../core/index.ts';
import { type Read, requireSource } from './nftSources.ts';

/** What is known of the contract, and by whose word. */
export type ContractAnswer =
  | { readonly state: 'known'; readonly from: 'chain'; readonly contract: NftContract }
  | {
      readonly state: 'known';
      readonly from: 'source';
      readonly source: SourceLabel;
      readonly contract: NftContract;
    }
  | { readonly state: 'unknownToSource'; readonly source: SourceLabel }
  | { readonly state: 'notAnNft' | 'notOffered' };

/** What the source says of the token; undefined inside where it knows none of this id. */
export interface TokenAnswer {
  readonly source: SourceLabel;
  readonly token: NftToken | undefined;
}

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

export function readToken(contract: Address, tokenId: bigint): Read<TokenAnswer> {
  return async function* ({ nfts }, { signal }) {
    const source = requireSource(nfts);
    yield { source: source.label, token: await source.nftToken(contract, tokenId, { signal }) };
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
  const isOwnWord = known?.state === 'known' && known.from === 'chain';
  return isOwnWord && known.contract.standard === 'erc721' ? 'erc721' : undefined;
}
