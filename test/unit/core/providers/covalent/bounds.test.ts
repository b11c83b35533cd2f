import assert from 'node:assert/strict';
import { parseItems, uint256Field } from '../../../../../src/core/http/fields.ts';
import {
  type AppError,
  type Hex,
  MAX_LIST_ITEMS,
  MAX_TRANSFERS,
  type TokenBalance,
} from '../../../../../src/core/index.ts';
import { parseNftTransactions } from '../../../../../src/core/providers/covalent/nfts.ts';
import { arrangePortfolio } from '../../../../../src/core/tokens/holdings.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { errorResponse, HOLDER, openDataApi, responseWithItems } from '../../../../support/dataApi.ts';
import { batchesMoved, CONTRACT, topic } from '../../../../support/nftLogs.ts';

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const;

/** Slices that end after so many looks, and counts of the rests that others have from the work. */
function createHurriedSlices(every: number) {
  let looks = 0;
  let rests = 0;
  const slices = { isOver: () => ++looks % every === 0, rest: async () => void rests++ };
  return { slices, rests: () => rests };
}

describe('Data API answers of any size', () => {
  it('are read up to a number of items, with the rest counted, and rests between them', async () => {
    const { slices, rests } = createHurriedSlices(100);
    const items = Array.from({ length: MAX_LIST_ITEMS + 500 }, (_, n) => `${n}`);
    const { read, skipped } = await parseItems(uint256Field, items, { slices });
    assert.deepEqual([read.length, read.at(-1), skipped], [MAX_LIST_ITEMS, BigInt(MAX_LIST_ITEMS - 1), 500]);
    assert.equal(rests(), MAX_LIST_ITEMS / 100);
  });

  it('have rests where tokens and NFTs are made of them', async () => {
    const clock = createTestClock();
    let looks = 0;
    const items = Array.from({ length: 100 }, (_, n) => ({
      ...{ contract_address: address(n), balance: '1', nft_data: [{ token_id: '7' }] },
    }));
    const { client } = openDataApi(() => responseWithItems(items), {
      clock: { ...clock, elapsed: () => clock.elapsed() + looks++ },
    });
    for (const read of [
      () => client.tokenBalances(HOLDER, { quoteCurrency: 'USD' }),
      () => client.nftBalances(HOLDER),
    ]) {
      clock.waits.length = 0;
      await read();
      assert.ok(clock.waits.filter((ms) => ms === 0).length > 20, `${clock.waits}`);
    }
  });

  /** What the answer of a transaction in each block with these logs leads to. */
  async function transfersOf(logs: readonly (readonly { topics: readonly Hex[]; data: Hex }[])[]) {
    const { slices, rests } = createHurriedSlices(10);
    const nft_transactions = logs.map((events, block) => ({
      ...{ block_height: block, tx_hash: topic(block) },
      log_events: events.map(({ topics, data }, log_offset) => ({
        ...{ log_offset, sender_address: CONTRACT, raw_log_topics: topics, raw_log_data: data },
      })),
    }));
    const items = [{ contract_address: CONTRACT, nft_transactions }];
    const request = { contract: CONTRACT, chainId: 1, tokenId: 17n } as const;
    return { ...(await parseNftTransactions({ items }, request, slices)), rests: rests() };
  }

  it('are read up to a number of transfers of a token, newest first, and rests between them', async () => {
    const ids = 8000;
    const logs = Math.floor(MAX_TRANSFERS / ids);
    const batch = batchesMoved(0, ids);
    const { transfers, skipped, rests } = await transfersOf(Array(logs + 2).fill(batch));
    assert.deepEqual([transfers.length, skipped], [logs * ids, 2]);
    assert.deepEqual(
      transfers.slice(0, 2).map(({ blockNumber, position }) => [blockNumber, position]),
      [
        [BigInt(logs - 1), ids - 1],
        [BigInt(logs - 1), ids - 2],
      ],
    );
    assert.ok(rests > transfers.length / 1000, `${rests} rests`);
  });

  it('give the transfers of a log that names an id a thousand times, and of no log beyond belief', async () => {
    const [moved] = batchesMoved(0, 1000);
    assert.ok(moved);
    const beyond = { topics: moved.topics, data: `0x${'0'.repeat(1024 * 1024)}` as const };
    const { transfers, skipped } = await transfersOf([
      [moved, beyond, { ...moved, topics: Array(5).fill(topic(1)) }],
    ]);
    assert.deepEqual([transfers.length, skipped], [1000, 2]);
  });

  it('of failures are looked into only where they are short', async () => {
    const { client } = openDataApi(() => errorResponse(402, 'x'.repeat(1024 * 1024)));
    await assert.rejects(client.nftBalances(HOLDER), ({ kind, details }: AppError) => {
      assert.deepEqual([kind, details.serverMessage], ['creditsUsedUp', undefined]);
      return true;
    });
  });

  it('are put into groups in one look at each holding, however many are spam', () => {
    const looks = (count: number) => {
      let seen = 0;
      const tokens = Array.from({ length: count }, (_, n) => {
        const token = { contract: address(n), native: false, standard: 'erc20', symbol: 'S', amount: 1n };
        return Object.defineProperty({ ...token, absurdPrice: false }, 'spam', {
          get: () => {
            seen++;
            return true;
          },
        }) as unknown as TokenBalance;
      });
      const { spam, total } = arrangePortfolio({ quoteCurrency: 'USD', tokens });
      assert.deepEqual([spam.length, total.value], [count, 0]);
      return seen;
    };
    assert.equal(looks(10_000), 10 * looks(1_000));
  });
});
