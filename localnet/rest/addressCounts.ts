import type { Hex } from 'ox';
import * as z from 'zod/mini';
import { isOfMainChain } from '../tokens/collection.ts';
import { readMovement } from '../tokens/movements.ts';
import { notTold } from './access.ts';
import { readBalanceRows } from './addressTokens.ts';
import { type RestCall, type RestRoute, restReply } from './restCall.ts';
import { refuseUnexpected } from './restPages.ts';

const mostOnTab = 51;

/** `/addresses/{a}/counters` */
const counters: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)\/counters$/,
  async answer(call, [written = '']) {
    const refused = (await notTold(call, written)) ?? refuseUnexpected(call, []);
    if (refused) return refused;
    return restReply(200, {
      transactions_count: String(await sent(call, written)),
      token_transfers_count: String(transfersOf(call, written)),
      // Counted in the background, and 0 until then.
      ...{ gas_usage_count: '0', validations_count: '0' },
    });
  },
};

/** `/addresses/{a}/tabs-counters`: whatever is hidden from lists counts here. */
const tabsCounters: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)\/tabs-counters$/,
  async answer(call, [written = '']) {
    const refused = (await notTold(call, written)) ?? refuseUnexpected(call, []);
    if (refused) return refused;
    const { hidesScam: _, ...knobs } = call.knobs;
    const rows = await readBalanceRows({ ...call, knobs }, written.toLowerCase() as Hex.Hex);
    return restReply(200, {
      transactions_count: Math.min(mostOnTab, await sent(call, written)),
      token_transfers_count: Math.min(mostOnTab, transfersOf(call, written)),
      token_balances_count: Math.min(mostOnTab, rows.length),
    });
  },
};

/** `/main-page/indexing-status` */
const indexingStatus: RestRoute = {
  pattern: /^\/api\/v2\/main-page\/indexing-status$/,
  async answer(call) {
    const refused = refuseUnexpected(call, []);
    if (refused) return refused;
    const ratio = call.knobs.indexedBlocks ?? 1;
    const written = call.era === 'v5' ? ratio.toFixed(2) : ratio;
    return restReply(200, {
      ...{ finished_indexing: ratio === 1, finished_indexing_blocks: ratio === 1 },
      ...{ indexed_blocks_ratio: written, indexed_internal_transactions_ratio: written },
    });
  },
};

export const addressCountRoutes: readonly RestRoute[] = [counters, tabsCounters, indexingStatus];

async function sent({ ask }: RestCall, address: string): Promise<number> {
  return Number(z.string().parse(await ask('eth_getTransactionCount', [address, 'latest'])));
}

function transfersOf({ index }: RestCall, written: string): number {
  const address = written.toLowerCase();
  let count = 0;
  for (const log of index.logs({ from: 0, to: index.head() ?? 0 })) {
    const movement = isOfMainChain({ index }, log) ? readMovement(log) : undefined;
    if (movement && (movement.from === address || movement.to === address)) count += 1;
  }
  return count;
}
