import * as z from 'zod/mini';
import { readBlockTimes } from '../tokens/blockTimes.ts';
import { notTold } from './access.ts';
import { type RestCall, type RestRoute, restReply } from './restCall.ts';
import { integer, type PagedList, pageReply, refuseUnexpected } from './restPages.ts';

/** A block in which the balance came to be another. */
type Change = { readonly block: number; readonly value: bigint; readonly delta: bigint };

/** Blocks that are looked through: more than any test mines. */
const mostBlocks = 5000;

/** `/addresses/{a}/coin-balance-history`: newest first. */
const history: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)\/coin-balance-history$/,
  async answer(call, [written = '']) {
    const refused = await notTold(call, written);
    if (refused) return refused;
    const rows = (await changesOf(call, written)).toReversed();
    const times = await readBlockTimes(
      call,
      rows.map(({ block }) => block),
    );
    const list: PagedList<Change> = {
      ...{ rows, filters: [], members: ['block_number'] },
      before(query) {
        const block = integer(query, 'block_number');
        if (block === undefined) return undefined;
        const next = rows.findIndex((row) => row.block < block);
        return next < 0 ? rows.length : next;
      },
      cursor: (last) => ({ block_number: (rows[last] as Change).block }),
    };
    return pageReply(call, list, ({ block, value, delta }) => ({
      ...(call.era === 'v5' ? { tx_hash: null } : { transaction_hash: null }),
      ...{ block_number: block, block_timestamp: times.get(block) ?? null },
      ...{ delta: delta.toString(), value: value.toString() },
    }));
  },
};

/** `/addresses/{a}/coin-balance-history-by-day`: the greatest of each day, but the last one at the end; oldest first. */
const byDay: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)\/coin-balance-history-by-day$/,
  async answer(call, [written = '']) {
    const refused = (await notTold(call, written)) ?? refuseUnexpected(call, []);
    if (refused) return refused;
    const changes = await changesOf(call, written);
    const times = await readBlockTimes(
      call,
      changes.map(({ block }) => block),
    );
    const days = new Map<string, bigint>();
    for (const { block, value } of changes) {
      const date = (times.get(block) ?? '').slice(0, 10);
      const before = days.get(date) ?? 0n;
      days.set(date, value > before ? value : before);
    }
    const [newest] = [...days.keys()].toReversed();
    const last = changes.at(-1)?.value;
    if (newest !== undefined && last !== undefined) days.set(newest, last);
    const items = [...days].map(([date, value]) => ({ date, value: value.toString() }));
    return restReply(200, call.era === 'v5' ? items : { items, days: 10 });
  },
};

export const coinBalanceRoutes: readonly RestRoute[] = [history, byDay];

/** What has been read of an index, up to the head that it had. */
const known = new WeakMap<object, Map<string, Promise<readonly Change[]>>>();

async function changesOf(call: RestCall, address: string): Promise<readonly Change[]> {
  const ofIndex = known.get(call.index) ?? new Map<string, Promise<readonly Change[]>>();
  known.set(call.index, ofIndex);
  const name = `${address.toLowerCase()} ${call.index.head()}`;
  const changes = ofIndex.get(name) ?? readChanges(call, address);
  ofIndex.set(name, changes);
  return changes;
}

async function readChanges({ index, ask }: RestCall, address: string): Promise<readonly Change[]> {
  const head = index.head() ?? 0;
  const first = Math.max(0, head - mostBlocks);
  const blocks = Array.from({ length: head - first + 1 }, (_, place) => first + place);
  const balances = await Promise.all(
    blocks.map((block) => ask('eth_getBalance', [address, `0x${block.toString(16)}`])),
  );
  const changes: Change[] = [];
  let before = 0n;
  for (const [place, block] of blocks.entries()) {
    const value = BigInt(z.string().parse(balances[place]));
    if (value !== before) changes.push({ block, value, delta: value - before });
    before = value;
  }
  return changes;
}
