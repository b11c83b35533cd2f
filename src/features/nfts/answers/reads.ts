import {
  type Address,
  fetchNftPicture,
  type HttpDeps,
  type NftContract,
  type NftPicture,
  type NftToken,
} from '../../../core/index.ts';
import { type Read, requireClient } from './nftSources.ts';

/** What is known of the contract, and by whose word. */
export type ContractAnswer =
  | { readonly state: 'known'; readonly source: 'chain' | 'dataApi'; readonly contract: NftContract }
  | { readonly state: 'notAnNft' | 'notOffered' | 'unknownToDataApi' };

/** What the data API says of the token; undefined inside where it knows none of this id. */
export interface TokenAnswer {
  readonly token: NftToken | undefined;
}

export function readContract(contract: Address, from: 'chain' | 'dataApi'): Read<ContractAnswer> {
  return async function* ({ client, dataApi }, { signal }) {
    if (from === 'chain') {
      const answer = await client.nftContract(contract, { signal });
      yield answer.state === 'known' ? { ...answer, source: 'chain' } : answer;
    } else {
      const known = await requireClient(dataApi).nftContract(contract, { signal });
      yield known ? { state: 'known', source: 'dataApi', contract: known } : { state: 'unknownToDataApi' };
    }
  };
}

export function readToken(contract: Address, tokenId: bigint): Read<TokenAnswer> {
  return async function* ({ dataApi }, { signal }) {
    yield { token: await requireClient(dataApi).nftToken(contract, tokenId, { signal }) };
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
  const isOwnWord = known?.state === 'known' && known.source === 'chain';
  return isOwnWord && known.contract.standard === 'erc721' ? 'erc721' : undefined;
}
