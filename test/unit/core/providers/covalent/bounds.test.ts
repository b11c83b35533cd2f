import assert from 'node:assert/strict';
import {
  type AppError,
  type Clock,
  MAX_LIST_ITEMS,
  MAX_TRANSFERS,
  type TokenBalance,
} from '../../../../../src/core/index.ts';
import { arrangePortfolio } from '../../../../../src/core/tokens/holdings.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { HOLDER, responseWithItems, withDataApi } from '../../../../support/dataApi.ts';
import { isFullRun } from '../../../../support/fullRun.ts';

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const;
const CONTRACT = address(0x721);
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
const MEBIBYTE = 1024 * 1024;

/** A clock that is a millisecond later at each look, and counts the rests that others have from the work. */
function createHurriedClock(): Clock & { readonly rests: () => number } {
  const clock = createTestClock();
  let looks = 0;
  return {
    ...clock,
    elapsed: () => clock.elapsed() + looks++,
    rests: () => clock.waits.filter((ms) => ms === 0).length,
  };
}

describe('Data API answers of any size', () => {
  it('are read up to a number of items, with the rest counted, and rests between them', async () => {
    const clock = createHurriedClock();
    const items = Array.from({ length: MAX_LIST_ITEMS + 500 }, (_, n) => ({
      contract_address: address(n),
      balance: `${n}`,
    }));
    await withDataApi(
      () => responseWithItems(items),
      async ({ client }) => {
        const { tokens, skipped } = await client.tokenBalances(HOLDER, { quoteCurrency: 'USD' });
        assert.deepEqual([tokens.length, skipped], [MAX_LIST_ITEMS, 500]);
        assert.equal(tokens[MAX_LIST_ITEMS - 1]?.amount, BigInt(MAX_LIST_ITEMS - 1));
        assert.ok(clock.rests() > MAX_LIST_ITEMS / 10, `${clock.rests()} rests`);
      },
      { clock },
    );
  });

  it('are read up to a number of NFTs in an item, and rests between them', async () => {
    const clock = createHurriedClock();
    const nft_data = Array.from({ length: MAX_LIST_ITEMS + 7 }, (_, n) => ({ token_id: `${n}` }));
    await withDataApi(
      () => responseWithItems([{ contract_address: CONTRACT, balance: '1', nft_data }]),
      async ({ client }) => {
        const { collections, skipped } = await client.nftBalances(HOLDER);
        assert.deepEqual([collections[0]?.nfts?.length, skipped], [MAX_LIST_ITEMS, 7]);
        assert.ok(clock.rests() > MAX_LIST_ITEMS / 10, `${clock.rests()} rests`);
      },
      { clock },
    );
  });

  it('are read up to a number of transfers of a token, newest first, and rests between them', async () => {
    const clock = createHurriedClock();
    const word = (n: number) => n.toString(16).padStart(64, '0');
    const ids = 8000;
    const list = `${word(ids)}${word(17).repeat(ids)}`;
    const batch = {
      sender_address: CONTRACT,
      raw_log_topics: [TRANSFER_BATCH, `0x${word(9)}`, `0x${word(1)}`, `0x${word(2)}`],
      raw_log_data: `0x${word(64)}${word(64 + 32 + 32 * ids)}${list}${list}`,
    };
    const logs = Math.floor(MAX_TRANSFERS / ids);
    const nft_transactions = Array.from({ length: logs + 2 }, (_, block) => ({
      ...{ block_height: block, tx_hash: `0x${word(block)}`, log_events: [{ ...batch, log_offset: 0 }] },
    }));
    await withDataApi(
      () => responseWithItems([{ contract_address: CONTRACT, nft_transactions }]),
      async ({ client }) => {
        const { transfers, skipped } = await client.nftTransfers(CONTRACT, 17n);
        assert.deepEqual([transfers.length, skipped], [logs * ids, 2]);
        const [first, second] = transfers;
        assert.deepEqual([first?.blockNumber, first?.position], [BigInt(logs - 1), ids - 1]);
        assert.deepEqual([second?.blockNumber, second?.position], [BigInt(logs - 1), ids - 2]);
        assert.ok(clock.rests() > transfers.length / 10, `${clock.rests()} rests`);
      },
      { clock },
    );
  });

  it('are refused in words when they hold more than any honest one, deep or long', async () => {
    const bombs: readonly string[] = [
      `[${'{},'.repeat((isFullRun ? 10 : 1) * MEBIBYTE)}0]`,
      `{"error":false,"data":{"items":[${'{},'.repeat(MEBIBYTE)}{}]}}`,
      '['.repeat((isFullRun ? 31 : 1) * MEBIBYTE),
      `{"data":{"items":${'['.repeat((isFullRun ? 5 : 1) * MEBIBYTE)}`,
    ];
    for (const body of bombs) {
      await withDataApi(
        () => ({ body }),
        ({ client }) =>
          assert.rejects(client.nftBalances(HOLDER), (error: AppError) => {
            assert.equal(error.kind, 'tooLarge', error.message);
            assert.match(error.message, /over (?:1,000,000 values|64 levels)/);
            return true;
          }),
      );
    }
  });

  it('of failures are looked into only where they are short', async () => {
    const body = JSON.stringify({ error: true, error_message: 'x'.repeat(MEBIBYTE), error_code: 402 });
    await withDataApi(
      () => ({ status: 402, body }),
      ({ client }) =>
        assert.rejects(client.nftBalances(HOLDER), (error: AppError) => {
          assert.deepEqual([error.kind, error.details.serverMessage], ['creditsUsedUp', undefined]);
          return true;
        }),
    );
  });

  it('give the transfers of a log that names an id a thousand times, and of no log beyond belief', async () => {
    const word = (value: number) => value.toString(16).padStart(64, '0');
    const topic = (value: number) => `0x${word(value)}`;
    const batch = (log_offset: number, length: number) => ({
      ...{ log_offset, sender_address: CONTRACT },
      raw_log_topics: [
        '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
        ...[topic(9), topic(1), topic(2)],
      ],
      raw_log_data: `0x${word(64)}${word(96 + 32 * length)}${word(length)}${word(7).repeat(length)}${word(length)}${word(1).repeat(length)}`,
    });
    const log_events = [
      batch(1, 1_000),
      batch(2, 150_000),
      { ...batch(3, 1), raw_log_topics: Array(200_000).fill(topic(1)) },
    ];
    const nft_transactions = [{ block_height: 5, tx_hash: topic(5), successful: true, log_events }];
    await withDataApi(
      () => ({ body: { error: false, data: { items: [{ contract_address: CONTRACT, nft_transactions }] } } }),
      async ({ client }) => {
        const { transfers, skipped } = await client.nftTransfers(CONTRACT, 7n);
        assert.deepEqual([transfers.length, skipped], [1_000, 2]);
      },
    );
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
