import assert from 'node:assert/strict';
import type { TokenBalance } from '../../../../src/core/index.ts';
import { arrangePortfolio } from '../../../../src/core/tokens/holdings.ts';
import {
  type DataApiResponse,
  errorResponse,
  HOLDER,
  openDataApi,
  responseWithItems,
} from '../../../support/dataApi.ts';

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const;

let made = 0;
function token(symbol: string, fields: Partial<TokenBalance> = {}): TokenBalance {
  return {
    ...{ contract: address(++made), native: false, standard: 'erc20', name: symbol, symbol, decimals: 18 },
    ...{ amount: 1n, price: undefined, value: undefined, absurdPrice: false, category: 'cryptocurrency' },
    ...{ spam: undefined, lastTransferAt: undefined, nfts: undefined },
    ...fields,
  };
}

const balances = (...tokens: readonly TokenBalance[]) => ({ quoteCurrency: 'EUR', tokens });
const symbols = (tokens: readonly TokenBalance[]) => tokens.map(({ symbol }) => symbol);

describe('Portfolio', () => {
  it('puts every holding into one group, in an order', () => {
    const portfolio = arrangePortfolio(
      balances(
        token('ZZZ'),
        token('LOW', { price: 1, value: 2 }),
        token('PALM', { native: true, standard: undefined, category: 'dust', price: 0.01, value: 0.02 }),
        token('HIGH', { price: 1, value: 2_000 }),
        token('MAD', { price: 1e20, value: 1e30, absurdPrice: true }),
        token('USDC', { category: 'stablecoin', price: 1, value: 7 }),
        token('CRMB', { category: 'dust', price: 1, value: 0.01 }),
        token('GONE', { amount: 0n }),
        token('FREE', { spam: true, price: 1, value: 5_000 }),
        token('APES', { category: 'nft', standard: 'erc721', amount: undefined }),
      ),
    );
    assert.equal(portfolio.native?.symbol, 'PALM');
    assert.deepEqual(symbols(portfolio.tokens), ['HIGH', 'USDC', 'LOW', 'MAD', 'ZZZ']);
    assert.deepEqual(symbols(portfolio.dust), ['CRMB', 'GONE']);
    assert.deepEqual(symbols(portfolio.spam), ['FREE']);
    assert.deepEqual(
      portfolio.collections.map(({ symbol }) => symbol),
      ['APES'],
    );
    assert.deepEqual(portfolio.total, {
      ...{ value: 2_000 + 2 + 0.02 + 7 + 0.01, quoteCurrency: 'EUR' },
      ...{ withoutValue: 1, absurdPrice: 1, nftCollections: 1 },
    });
  });

  it('folds no large amount away, whatever the source calls it', () => {
    const whole = 10n ** 18n;
    const dust = { category: 'dust' } as const;
    const portfolio = arrangePortfolio(
      balances(
        token('TIDE', { ...dust, amount: 49_930_000n * whole }),
        token('HUSD', { category: 'stablecoin', amount: 49_880_000n * whole, price: 1, value: 49_880_000 }),
        token('UNTOLD', { ...dust, amount: 5n, decimals: undefined }),
        token('UNKNOWN', { ...dust, amount: undefined }),
        token('CRUMB', { ...dust, amount: whole - 1n }),
        token('CENTS', { ...dust, amount: 9n * whole, price: 0.01, value: 0.09 }),
      ),
    );
    assert.deepEqual(symbols(portfolio.tokens), ['HUSD', 'TIDE', 'UNKNOWN', 'UNTOLD']);
    assert.deepEqual(symbols(portfolio.dust), ['CENTS', 'CRUMB']);
  });

  it('counts no spam, not even as left out', () => {
    const junk = token('JUNK', { spam: true, category: 'nft', standard: 'erc721', amount: 1n });
    const { total } = arrangePortfolio(balances(token('FREE', { spam: true, price: 1, value: 5 }), junk));
    assert.deepEqual(total, {
      ...{ value: 0, quoteCurrency: 'EUR', withoutValue: 0, absurdPrice: 0, nftCollections: 0 },
    });
  });

  it('has no total, rather than one of zero, where nothing held has a price', () => {
    assert.equal(arrangePortfolio(balances(token('A'), token('B'))).total.value, undefined);
    assert.equal(arrangePortfolio(balances()).total.value, 0);
    assert.equal(arrangePortfolio(balances(token('A', { amount: 0n }))).total.value, 0);
    const worthless = arrangePortfolio(balances(token('A', { price: 1, value: 0 }), token('B')));
    assert.deepEqual([worthless.total.value, worthless.total.withoutValue], [0, 1]);
    const untold = arrangePortfolio(balances(token('A', { amount: undefined, price: 2 })));
    assert.deepEqual([untold.total.value, untold.total.withoutValue], [undefined, 1]);
  });

  it('joins NFTs of both calls by contract, ids in order, spam apart', () => {
    const apes = address(0x721);
    const among = token('APES', {
      ...{ contract: apes, name: 'Apes', category: 'nft', standard: 'erc1155', amount: undefined },
      nfts: [
        { tokenId: 30n, amount: 2n },
        { tokenId: 4n, amount: 3n },
      ],
    });
    const [alone] = arrangePortfolio(balances(among)).collections;
    assert.deepEqual([alone?.amount, alone?.nfts?.map(({ tokenId }) => tokenId)], [5n, [4n, 30n]]);
    const own = { ...(alone as NonNullable<typeof alone>), amount: 6n, spam: undefined };
    const scam = { ...own, contract: address(0x666), name: 'Aaa', spam: true };
    const joined = arrangePortfolio(balances(among), { collections: [own, scam] });
    assert.deepEqual(
      joined.collections.map(({ contract, amount }) => [contract, amount]),
      [[apes, 6n]],
    );
    assert.deepEqual(
      joined.spamCollections.map(({ name }) => name),
      ['Aaa'],
    );
    const untold = token('X', {
      category: 'nft',
      amount: undefined,
      nfts: [{ tokenId: 1n, amount: undefined }],
    });
    assert.equal(arrangePortfolio(balances(untold)).collections[0]?.amount, undefined);
  });
});

describe('Holdings', () => {
  const asked = { quoteCurrency: 'USD' } as const;
  const nftItem = {
    contract_address: address(0x721),
    balance: '1',
    supports_erc: ['erc721'],
    nft_data: [{ token_id: '7' }],
  };
  const retired = responseWithItems([{ contract_address: address(1), balance: '1', is_native_token: true }]);

  it('take one request where balances tell of NFTs', async () => {
    const { client, requests } = openDataApi(() => responseWithItems([nftItem]));
    const { portfolio, nftError } = await client.holdings(HOLDER, asked);
    assert.equal(nftError, undefined);
    assert.deepEqual(portfolio.collections[0]?.nfts, [{ tokenId: 7n, amount: undefined }]);
    assert.equal(requests.length, 1);
  });

  it('take a second one where they do not, and keep the tokens when that fails', async () => {
    const read = (second: DataApiResponse) =>
      openDataApi(({ url }) => (url.includes('balances_nft') ? second : retired)).client.holdings(
        HOLDER,
        asked,
      );
    const whole = await read(responseWithItems([nftItem]));
    assert.deepEqual([whole.portfolio.collections.length, whole.nftError], [1, undefined]);
    const refused = await read(
      errorResponse(400, '11297108109/palm-mainnet chain not supported, currently supports: …'),
    );
    assert.deepEqual([refused.portfolio.native?.amount, refused.nftError?.kind], [1n, 'notServed']);
  });

  it('do without NFTs where the server cannot bear them', async () => {
    const { client } = openDataApi(({ url }) =>
      url.includes('nft=true') ? errorResponse(406, 'too heavy') : retired,
    );
    const { portfolio, nftError } = await client.holdings(HOLDER, asked);
    assert.deepEqual([portfolio.native?.amount, nftError?.kind], [1n, 'tooHeavy']);
  });

  it('fail where the key is refused, without a second try', async () => {
    const { client, requests } = openDataApi(() => errorResponse(401, 'no'));
    await assert.rejects(client.holdings(HOLDER, asked), { kind: 'unauthorized' });
    assert.equal(requests.length, 1);
  });
});
