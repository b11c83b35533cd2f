import assert from 'node:assert/strict';
import { type DataApiResponse, errorResponse, openDataApi } from '../../../../support/dataApi.ts';
import { BATCH, CONTRACT, TRANSFER, topic, word } from '../../../../support/nftLogs.ts';

const OTHER = '0xc0de721000000000000000000000000000000999';

/** A log that moves badge `id` from address 1 to address 2. */
const move = (log_offset: number, id: number, fields: Record<string, unknown> = {}) => ({
  ...{ log_offset, sender_address: CONTRACT, raw_log_data: null, decoded: null },
  raw_log_topics: [TRANSFER, topic(1), topic(2), topic(id)],
  ...fields,
});
const batch = (
  log_offset: number,
  moved: { readonly ids: readonly number[]; readonly amounts: readonly number[] },
) => {
  const count = moved.ids.length;
  const words = [64, 96 + 32 * count, count, ...moved.ids, count, ...moved.amounts];
  return {
    ...{ log_offset, sender_address: CONTRACT, raw_log_topics: [BATCH, topic(9), topic(1), topic(2)] },
    raw_log_data: `0x${words.map(word).join('')}`,
  };
};
const transaction = (block: number, log_events: unknown, fields: Record<string, unknown> = {}) => ({
  ...{
    block_height: block,
    block_signed_at: '2026-05-01T12:00:00Z',
    tx_hash: topic(block),
    successful: true,
  },
  ...{ from_address: OTHER, to_address: OTHER, log_events, ...fields },
});

function answer(transactions: unknown, item: Record<string, unknown> = {}, data = {}): DataApiResponse {
  const items = [{ contract_address: CONTRACT, nft_transactions: transactions, ...item }];
  return { body: { data: { items, ...data }, error: false } };
}
const ask = (sent: DataApiResponse) => openDataApi(() => sent).client.nftTransfers(CONTRACT, 17n);

describe('NFT transactions of the data API', () => {
  it('give every transfer of the id, newest first, and no other', async () => {
    const { transfers, skipped } = await ask(
      answer([
        transaction(5, [move(3, 17), move(9, 17), move(4, 18), move(5, 17, { sender_address: OTHER })]),
        transaction(7, [move(1, 17), { sender_address: OTHER, raw_log_topics: 'odd' }]),
        transaction(6, []),
        transaction(8, null),
      ]),
    );
    assert.deepEqual(
      transfers.map(({ blockNumber, logIndex }) => `${blockNumber} ${logIndex}`),
      ['7 1', '5 9', '5 3'],
    );
    assert.equal(skipped, 0);
    const [newest] = transfers;
    assert.deepEqual(
      [newest?.from, newest?.to, newest?.amount, newest?.time],
      [`0x${'1'.padStart(40, '0')}`, `0x${'2'.padStart(40, '0')}`, 1n, Date.UTC(2026, 4, 1, 12)],
    );
  });

  it('tell an id that a batch names twice as two transfers, told once each', async () => {
    const moved = batch(3, { ids: [17, 18, 17], amounts: [5, 6, 5] });
    const row = transaction(5, [moved, moved]);
    const { transfers } = await ask(answer([row, row]));
    assert.deepEqual(
      transfers.map(({ amount, position }) => `${amount} ${position}`),
      ['5 2', '5 0'],
    );
  });

  it('give those of a contract that does not index its token IDs', async () => {
    const inData = (log_offset: number, id: number) =>
      move(log_offset, 0, { raw_log_topics: [TRANSFER], raw_log_data: `0x${[1, 2, id].map(word).join('')}` });
    const { transfers, skipped } = await ask(answer([transaction(7, [inData(0, 17), inData(1, 18)])]));
    assert.deepEqual(
      transfers.map(({ logIndex, tokenId, amount }) => [logIndex, tokenId, amount]),
      [[0, 17n, 1n]],
    );
    assert.equal(skipped, 0);
  });

  it('count as missing what the server says that it has more', async () => {
    const sent = answer([transaction(5, [move(1, 17)])], {}, { pagination: { has_more: true } });
    assert.equal((await ask(sent)).skipped, 1);
  });

  it('count failed transactions, whose logs moved nothing', async () => {
    const { transfers, failedTransactions } = await ask(
      answer([
        transaction(5, [move(1, 17)], { successful: false }),
        transaction(6, [move(1, 17)], { successful: null }),
      ]),
    );
    assert.deepEqual([transfers.length, failedTransactions], [1, 1]);
  });

  it('count what cannot be read, and keep the rest', async () => {
    const { transfers, skipped } = await ask(
      answer([
        null,
        transaction(5, 'logs'),
        transaction(-1, []),
        transaction(6, [move(1, 17)], { tx_hash: '0x12' }),
        transaction(7, [
          'log',
          move(-1, 17),
          move(2, 17, { sender_address: null }),
          move(3, 17, { raw_log_topics: null }),
          move(4, 17, { raw_log_topics: [TRANSFER, '0x1'] }),
          move(5, 17, { raw_log_data: 'x' }),
          { ...batch(6, { ids: [17], amounts: [1] }), raw_log_data: '0x40' },
          move(7, 17),
        ]),
      ]),
    );
    assert.deepEqual([transfers.length, skipped], [1, 4 + 7]);
  });

  it('are none for an answer without items, and broken for any other', async () => {
    assert.deepEqual((await ask({ body: { data: null, error: false } })).transfers, []);
    assert.deepEqual((await ask({ body: { data: { items: null }, error: false } })).transfers, []);
    assert.deepEqual((await ask(answer(null))).transfers, []);
    assert.equal((await ask(answer({ odd: true }))).skipped, 1);
    const broken = [
      { body: { data: { items: {} }, error: false } },
      { body: { data: { items: ['text'] }, error: false } },
      answer([], { contract_address: OTHER }),
      answer([], { contract_address: null }),
      answer([], {}, { chain_id: 1 }),
    ];
    for (const sent of broken) {
      await assert.rejects(ask(sent), { kind: 'badResponse' }, JSON.stringify(sent));
    }
  });
});

describe('One token', () => {
  /** The client of a server that answers so for one contract. */
  const answering = (nft_data: unknown) => {
    const items = [{ contract_address: CONTRACT, nft_data }];
    return openDataApi(() => ({ body: { data: { items }, error: false } })).client;
  };

  it('is asked for by the newer route only where the classic one is not served', async () => {
    const data = {
      items: [{ contract_address: CONTRACT, nft_data: { token_id: '17', current_owner: CONTRACT } }],
    };
    const paths = async (status: number) => {
      const { client, requests } = openDataApi((_, count) =>
        count === 1 ? errorResponse(status, 'no') : { body: { data, error: false } },
      );
      const token = await client.nftToken(CONTRACT, 17n).catch((error) => error.kind);
      return [token?.tokenId ?? token, ...requests.map(({ url }) => url.split('key=')[0])];
    };
    const classic = `/v1/11297108109/tokens/${CONTRACT}/nft_metadata/17/?`;
    const newer = `/v1/11297108109/nft/${CONTRACT}/metadata/17/?with-uncached=true&`;
    assert.deepEqual(await paths(404), [17n, classic, newer]);
    assert.deepEqual(await paths(401), ['unauthorized', classic]);
  });

  it('keeps what can be read of odd metadata', async () => {
    const external_data = { name: 12, description: 'Two\n lines', animation_url: 'javascript:alert(1)' };
    const nft_data = [null, { token_id: '18' }, { token_id: '17', external_data }];
    const { metadata } = (await answering(nft_data).nftToken(CONTRACT, 17n)) ?? {};
    const { name, description, animation } = metadata ?? {};
    assert.deepEqual([name, description, animation], [undefined, 'Two lines', undefined]);
  });

  it('is unknown where the answer has another', async () => {
    for (const nft_data of [[{ token_id: '18' }], [], null, { token_id: '18' }]) {
      assert.equal(await answering(nft_data).nftToken(CONTRACT, 17n), undefined);
    }
  });
});

describe('Prices', () => {
  it('are told by question or by entry, and not made up', () => {
    const credits = { unit: 'credits' } as const;
    assert.deepEqual(openDataApi(() => null).client.offers, {
      tokenBalances: { ...credits, min: 1, max: 1, per: 'question' },
      holdings: { ...credits, min: 1, max: 2, per: 'question' },
      nftTransfers: { ...credits, min: 0.1, max: 0.1, per: 'entry' },
      ...{ nftContract: 'unpublished', nftToken: 'unpublished' },
    });
  });
});
