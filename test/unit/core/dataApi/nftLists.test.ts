import assert from 'node:assert/strict';
import { creditCosts, creditsOf } from '../../../../src/core/index.ts';
import { type DataApiAnswer, refusal, withDataApi } from '../../../support/dataApi.ts';

const CONTRACT = '0xc0de721000000000000000000000000000000721';

function page(
  ids: readonly unknown[],
  has_more: unknown,
  fields: Record<string, unknown> = {},
): DataApiAnswer {
  const items = ids.map((token_id) => ({
    contract_address: CONTRACT,
    token_id,
    supports_erc: ['erc721'],
    ...fields,
  }));
  return { body: { data: { items, pagination: { has_more, total_count: null } }, error: false } };
}

/** Reads token ids off pages that come in order, the last one again and again. */
const read = (pages: readonly DataApiAnswer[], maxPages = 10) =>
  withDataApi(
    (_request, count) => pages[Math.min(count, pages.length) - 1] ?? null,
    async ({ client, requests }) => {
      const list = await client.nftTokenIds(CONTRACT, { maxPages });
      const numbers = requests.map(({ url }) =>
        new URL(url ?? '', 'http://x').searchParams.get('page-number'),
      );
      return { ...list, numbers };
    },
  );

describe('Lists by pages', () => {
  it('are read to their end', async () => {
    const { tokenIds, end, numbers, contract } = await read([page(['1', '2'], true), page(['3'], false)]);
    assert.deepEqual([tokenIds, end, numbers], [[1n, 2n, 3n], 'complete', ['0', '1']]);
    assert.equal(contract?.standard, 'erc721');
  });

  it('stop at the cap, at an empty page and at one that repeats, and say so', async () => {
    const endless = Array.from({ length: 5 }, (_, i) => page([`${i}`], true));
    const capped = await read(endless, 3);
    assert.deepEqual([capped.tokenIds, capped.end, capped.numbers.length], [[0n, 1n, 2n], 'pageCap', 3]);
    const emptied = await read([page(['1'], true), page([], true)]);
    assert.deepEqual([emptied.tokenIds, emptied.end, emptied.numbers.length], [[1n], 'nothingNew', 2]);
    const repeated = await read([page(['1', '2'], true)]);
    assert.deepEqual([repeated.tokenIds, repeated.end, repeated.numbers.length], [[1n, 2n], 'nothingNew', 2]);
  });

  it('are whole without a word about more, and skip and count what is no id', async () => {
    const { tokenIds, end, skipped } = await read([page(['1', 'x', null, '-1', 5], undefined)]);
    assert.deepEqual([tokenIds, end, skipped], [[1n, 5n], 'complete', 3]);
    assert.equal((await read([{ body: { data: null, error: false } }])).end, 'complete');
  });

  it('refuse ids of another contract, and an answer that is no list', async () => {
    const isBroken = { kind: 'badResponse' };
    await assert.rejects(read([page(['1'], false, { contract_address: `0x${'1'.repeat(40)}` })]), isBroken);
    await assert.rejects(read([{ body: { data: { items: 'x' }, error: false } }]), isBroken);
  });
});

describe('One token', () => {
  it('is asked for by the newer route only where the classic one is not served', async () => {
    const data = {
      items: [{ contract_address: CONTRACT, nft_data: { token_id: '17', current_owner: CONTRACT } }],
    };
    const paths = (status: number) =>
      withDataApi(
        (_request, count) => (count === 1 ? refusal(status, 'no') : { body: { data, error: false } }),
        async ({ client, requests }) => {
          const token = await client.nftToken(CONTRACT, 17n).catch((error) => error.kind);
          return [token?.tokenId ?? token, ...requests.map(({ url }) => url?.split('key=')[0])];
        },
      );
    const classic = `/v1/11297108109/tokens/${CONTRACT}/nft_metadata/17/?`;
    const newer = `/v1/11297108109/nft/${CONTRACT}/metadata/17/?with-uncached=true&`;
    assert.deepEqual(await paths(404), [17n, classic, newer]);
    assert.deepEqual(await paths(401), ['unauthorized', classic]);
  });

  it('keeps what can be read of odd metadata, and bounds it', async () => {
    const external_data = {
      ...{ name: 12, description: `Two\n lines ${'x'.repeat(5_000)}`, image: 'http://img.example.com/1.png' },
      ...{ asset_url: 'https://img.example.com/film.mp4', asset_mime_type: 'video/mp4' },
      animation_url: 'javascript:alert(1)',
      attributes: [
        { trait_type: 'Fur\u202e', value: 'x'.repeat(1_000) },
        { value: true },
        { trait_type: 'Nested', value: {} },
        ...Array.from({ length: 200 }, (_, i) => ({ trait_type: 'n', value: i })),
      ],
    };
    const item = {
      contract_address: CONTRACT,
      nft_data: [null, { token_id: '18' }, { token_id: '17', external_data }],
    };
    const token = await withDataApi(
      () => ({ body: { data: { items: [item] }, error: false } }),
      ({ client }) => client.nftToken(CONTRACT, 17n),
    );
    const { name, description, image, animation, attributes = [], attributesSkipped } = token?.metadata ?? {};
    assert.deepEqual([name, image, animation], [undefined, undefined, undefined]);
    assert.match(description ?? '', /^Two lines x+…$/);
    assert.ok((description ?? '').length <= 1_001);
    assert.deepEqual([attributes.length, attributesSkipped], [99, 104]);
    assert.deepEqual(attributes[1], { trait: undefined, value: 'true', display: undefined });
    assert.equal(attributes[0]?.trait, 'Fur<U+202E>');
    assert.ok((attributes[0]?.value.length ?? 0) <= 201);
  });

  it('is unknown where the answer has another', async () => {
    for (const nft_data of [[{ token_id: '18' }], [], null, { token_id: '18' }]) {
      const items = [{ contract_address: CONTRACT, nft_data }];
      const token = await withDataApi(
        () => ({ body: { data: { items }, error: false } }),
        ({ client }) => client.nftToken(CONTRACT, 17n),
      );
      assert.equal(token, undefined);
    }
  });
});

describe('Credits', () => {
  it('are told by call or by row, and not made up', () => {
    assert.deepEqual(creditCosts.nftTransfers, { credits: 0.1, per: 'row' });
    assert.equal(creditsOf('tokenBalances'), 1);
    assert.equal(creditsOf('tokenBalances', { calls: 3 }), 3);
    assert.equal(creditsOf('nftTransfers', { rows: 123 }), 12.3);
    assert.equal(creditsOf('nftToken', { rows: 5 }), undefined);
  });
});
