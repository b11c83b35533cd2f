import assert from 'node:assert/strict';
import { errorResponse, openDataApi } from '../../../../support/dataApi.ts';

const CONTRACT = '0xc0de721000000000000000000000000000000721';

describe('One token', () => {
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
    const items = [{ contract_address: CONTRACT, nft_data }];
    const { client } = openDataApi(() => ({ body: { data: { items }, error: false } }));
    const { name, description, animation } = (await client.nftToken(CONTRACT, 17n))?.metadata ?? {};
    assert.deepEqual([name, description, animation], [undefined, 'Two lines', undefined]);
  });

  it('is unknown where the answer has another', async () => {
    for (const nft_data of [[{ token_id: '18' }], [], null, { token_id: '18' }]) {
      const items = [{ contract_address: CONTRACT, nft_data }];
      const { client } = openDataApi(() => ({ body: { data: { items }, error: false } }));
      assert.equal(await client.nftToken(CONTRACT, 17n), undefined);
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
