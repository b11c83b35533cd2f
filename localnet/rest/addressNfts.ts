import { Address, type Hex } from 'ox';
import { readHoldings } from '../tokens/holdings.ts';
import { notTold } from './access.ts';
import type { RestCall, RestRoute } from './restCall.ts';
import {
  type InstanceFacts,
  instanceJson,
  isHidden,
  nodeOf,
  readTokenFacts,
  type TokenFacts,
  tokenJson,
} from './restFacts.ts';
import { integer, type PagedList, pageReply } from './restPages.ts';

type HeldNft = InstanceFacts & { readonly value: bigint };
type HeldCollection = { readonly token: TokenFacts; readonly nfts: readonly HeldNft[] };

/** `/addresses/{a}/nft?type=`: each token id that is held. */
const nfts: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)\/nft$/,
  async answer(call, [written = '']) {
    const refused = await notTold(call, written);
    if (refused) return refused;
    const collections = await readCollections(call, written.toLowerCase() as Hex.Hex);
    const rows = collections.flatMap((collection) => collection.nfts);
    const list: PagedList<HeldNft> = {
      ...{ rows, filters: ['type'], members: ['token_contract_address_hash', 'token_id', 'token_type'] },
      before(query) {
        const [contract, id] = [query.get('token_contract_address_hash'), integer(query, 'token_id')];
        if (contract === null || id === undefined || query.get('token_type') === null) return undefined;
        const index = rows.findIndex((row) => isAt(row, contract) && row.tokenId === id);
        return index < 0 ? undefined : index + 1;
      },
      cursor(last) {
        const { token, tokenId } = rows[last] as HeldNft;
        return { ...cursorOf(token), token_id: tokenId.toString() };
      },
    };
    return pageReply(call, list, (nft) => instanceJson(call, nft));
  },
};

/** `/addresses/{a}/nft/collections?type=`: each contract, with the first ids that are held of it. */
const collections: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)\/nft\/collections$/,
  async answer(call, [written = '']) {
    const refused = await notTold(call, written);
    if (refused) return refused;
    const rows = await readCollections(call, written.toLowerCase() as Hex.Hex);
    const list: PagedList<HeldCollection> = {
      ...{ rows, filters: ['type'], members: ['token_contract_address_hash', 'token_type'] },
      before(query) {
        const contract = query.get('token_contract_address_hash');
        if (contract === null || query.get('token_type') === null) return undefined;
        const index = rows.findIndex((row) => isAt(row, contract));
        return index < 0 ? undefined : index + 1;
      },
      cursor: (last) => cursorOf((rows[last] as HeldCollection).token),
    };
    return pageReply(call, list, ({ token, nfts }) => ({
      token: tokenJson(call, token),
      amount: nfts.length.toString(),
      token_instances: nfts.slice(0, 9).map((nft) => instanceJson(call, nft)),
    }));
  },
};

export const addressNftRoutes: readonly RestRoute[] = [nfts, collections];

async function readCollections(call: RestCall, owner: Hex.Hex): Promise<readonly HeldCollection[]> {
  const types = call.query.get('type')?.split(',');
  const held = await readHoldings({ index: call.index, node: nodeOf(call) }, owner);
  const read = await Promise.all(
    held.collections.map(async ({ address, standard, nfts }): Promise<HeldCollection | undefined> => {
      if (standard === 'erc20' || isHidden(call, address)) return undefined;
      const token = await readTokenFacts(call, address, standard);
      const ownerOf = standard === 'erc721' ? owner : undefined;
      return {
        token,
        nfts: nfts.map(({ tokenId, amount }) => ({
          ...{ token, standard, tokenId, owner: ownerOf, value: amount },
        })),
      };
    }),
  );
  return read
    .filter((collection) => collection !== undefined)
    .filter(({ token }) => !types || types.includes(token.type))
    .sort((a, b) => (a.token.address < b.token.address ? -1 : 1));
}

function isAt({ token }: { readonly token: TokenFacts }, contract: string): boolean {
  return token.address === contract.toLowerCase();
}

function cursorOf(token: TokenFacts) {
  return { token_contract_address_hash: Address.checksum(token.address), token_type: token.type };
}
