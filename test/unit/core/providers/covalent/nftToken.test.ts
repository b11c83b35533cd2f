import assert from 'node:assert/strict';
import { errorResponse, withDataApi } from '../../../../support/dataApi.ts';

const CONTRACT = '0xc0de721000000000000000000000000000000721';

describe('One token', () => {
  it('is asked for by the newer route only where the classic one is not served', async () => {
    const data = {
      items: [{ contract_address: CONTRACT, nft_data: { token_id: '17', current_owner: CONTRACT } }],
    };
    const paths = (status: number) =>
      withDataApi(
        (_request, count) => (count === 1 ? errorResponse(status, 'no') : { body: { data, error: false } }),
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

describe('Prices', () => {
  it('are told by question or by entry, and not made up', () =>
    withDataApi(
      () => null,
      async ({ client }) => {
        const credits = { unit: 'credits' } as const;
        assert.deepEqual(client.offers, {
          tokenBalances: { ...credits, min: 1, max: 1, per: 'question' },
          holdings: { ...credits, min: 1, max: 2, per: 'question' },
          nftTransfers: { ...credits, min: 0.1, max: 0.1, per: 'entry' },
          ...{ nftContract: 'unpublished', nftToken: 'unpublished' },
        });
      },
    ));
});
