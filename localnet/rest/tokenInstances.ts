import type { Hex } from 'ox';
import { type Collection, readCollection } from '../tokens/collection.ts';
import { readMovement } from '../tokens/movements.ts';
import { notTold } from './access.ts';
import { type RestCall, type RestRoute, restReply } from './restCall.ts';
import { type InstanceFacts, instanceJson, nodeOf, readTokenFacts, tokenJson } from './restFacts.ts';
import { integer, type PagedList, pageReply, refuseUnexpected } from './restPages.ts';

const notFound = restReply(404, { message: 'Not found' });

/** `/tokens/{a}` */
const token: RestRoute = {
  pattern: /^\/api\/v2\/tokens\/([^/]+)$/,
  async answer(call, [written = '']) {
    const refused = (await notTold(call, written)) ?? refuseUnexpected(call, []);
    if (refused) return refused;
    const address = written.toLowerCase() as Hex.Hex;
    const standard = standardOf(call, address);
    if (!standard) return notFound;
    return restReply(200, tokenJson(call, await readTokenFacts(call, address, standard)));
  },
};

/** `/tokens/{a}/instances` */
const instances: RestRoute = {
  pattern: /^\/api\/v2\/tokens\/([^/]+)\/instances$/,
  async answer(call, [written = '']) {
    const refused = await notTold(call, written);
    if (refused) return refused;
    const collection = await collectionAt(call, written);
    if (!collection) return notFound;
    const rows = await Promise.all(
      [...collection.tokens.keys()].reverse().map((id) => factsOf(call, collection, id)),
    );
    const list: PagedList<InstanceFacts> = {
      ...{ rows, filters: ['holder_address_hash'], members: ['unique_token'] },
      before(query) {
        const last = integer(query, 'unique_token');
        if (last === undefined) return undefined;
        const next = rows.findIndex(({ tokenId }) => tokenId < last);
        return next < 0 ? rows.length : next;
      },
      cursor: (last) => ({ unique_token: Number((rows[last] as InstanceFacts).tokenId) }),
    };
    return pageReply(call, list, (facts) => {
      const { token: ofContract, ...rest } = instanceJson(call, facts);
      return call.era === 'v12' ? rest : { ...rest, token: ofContract };
    });
  },
};

/** `/tokens/{a}/instances/{id}` */
const instance: RestRoute = {
  pattern: /^\/api\/v2\/tokens\/([^/]+)\/instances\/(\d+)$/,
  async answer(call, [written = '', id = '']) {
    const refused = (await notTold(call, written)) ?? refuseUnexpected(call, []);
    if (refused) return refused;
    const collection = await collectionAt(call, written);
    if (!collection?.tokens.has(BigInt(id))) return notFound;
    return restReply(200, instanceJson(call, await factsOf(call, collection, BigInt(id))));
  },
};

export const tokenRoutes: readonly RestRoute[] = [token, instances, instance];

function collectionAt(call: RestCall, written: string): Promise<Collection | undefined> {
  return readCollection({ index: call.index, node: nodeOf(call) }, written.toLowerCase() as Hex.Hex);
}

async function factsOf(call: RestCall, collection: Collection, tokenId: bigint): Promise<InstanceFacts> {
  const { address, standard, reader } = collection;
  const owner = standard === 'erc721' ? await reader.ownerOf(tokenId) : undefined;
  return { token: await readTokenFacts(call, address, standard), standard, tokenId, owner, value: null };
}

/** What the logs of a contract say that it is. */
function standardOf({ index }: RestCall, address: Hex.Hex) {
  for (const log of index.logs({ from: 0, to: index.head() ?? 0 }, address)) {
    const movement = readMovement(log);
    if (movement) return movement.standard;
  }
  return undefined;
}
