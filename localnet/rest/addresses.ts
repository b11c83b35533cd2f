import { Address, type Hex } from 'ox';
import * as z from 'zod/mini';
import type { Reply } from '../http/recordingServer.ts';
import { notTold } from './access.ts';
import { findProxy } from './addressProxy.ts';
import { tokenField } from './addressToken.ts';
import { type RestCall, type RestRoute, restReply } from './restCall.ts';
import { priceOf } from './restFacts.ts';

const creatorSchema = z.object({ hash: z.string(), creator: z.string() });

/** `/api/v2/addresses/{hash}`: what is at an address. */
export const addressRoute: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)$/,
  answer: async (call, [text = '']) => {
    const refused = await notTold(call, text);
    return refused ?? answerAddress(call, text.toLowerCase() as Hex.Hex);
  },
};

async function answerAddress(call: RestCall, address: Hex.Hex): Promise<Reply> {
  const { era, ask, index } = call;
  const code = z.catch(z.string(), '0x').parse(await ask('eth_getCode', [address, 'latest'])) as Hex.Hex;
  const balance = index.latestBalance(address);
  const isDelegated = code.startsWith('0xef0100');
  const isContract = code !== '0x' && !isDelegated;
  const proxy = code === '0x' ? undefined : await findProxy(ask, address, code);
  const shown = Address.checksum(address);
  const created = isContract ? await creationOf(ask, address) : undefined;
  return restReply(200, {
    hash: shown,
    is_contract: isContract,
    name: null,
    is_scam: false,
    proxy_type: proxy?.type ?? null,
    implementations: (proxy?.implementations ?? []).map((implementation) => ({
      [era === 'v5' ? 'address' : 'address_hash']: Address.checksum(implementation),
      name: null,
    })),
    is_verified: false,
    ens_domain_name: null,
    ...{ metadata: null, private_tags: [], watchlist_names: [], public_tags: [] },
    creator_address_hash: created ? Address.checksum(created.creator as Hex.Hex) : null,
    [era === 'v5' ? 'creation_tx_hash' : 'creation_transaction_hash']: created?.hash ?? null,
    ...(era === 'v5' ? {} : { creation_status: created ? 'success' : null, reputation: 'ok' }),
    token: isContract ? await tokenField(call, address, shown) : null,
    coin_balance: balance?.toString() ?? null,
    exchange_rate: priceOf(call, 'ETH'),
    block_number_balance_updated_at: balance === undefined ? null : (index.head() ?? null),
    ...{ has_validated_blocks: false, has_logs: isContract, has_beacon_chain_withdrawals: false },
    ...{ has_tokens: false, has_token_transfers: false, watchlist_address_id: null },
  });
}

/** Who made a contract: what an explorer has from its traces, the node behind this one tells. */
async function creationOf(ask: RestCall['ask'], address: Hex.Hex) {
  return creatorSchema.safeParse(await ask('ots_getContractCreator', [address])).data;
}
