import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { DataApiClient, ErrorKind, NftTransfer, TokenBalance } from '../../../../../src/core/index.ts';
import { type DataApiResponse, HOLDER, openDataApi } from '../../../../support/dataApi.ts';

const fixture = new URL('../../../../fixtures/dataApiSamples.json', import.meta.url);
// Pictures come from public names only, which those kept for tests are not.
const { samples } = JSON.parse(readFileSync(fixture, 'utf8').replaceAll('.example.test', '.example.com')) as {
  samples: Record<string, DataApiResponse>;
};

const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const COIN = '0xc0de200000000000000000000000000000000020';
const DOLLAR = '0xc0de2000000000000000000000000000000000d6';

/** What a sample leads to: some fields of each token, the rest left to other tests. */
const balances: Record<
  string,
  { chainId: number; currency: string; tokens: readonly Partial<TokenBalance>[] }
> = {
  'balances_v2.legacy_key.nft_false.palm_mainnet': {
    chainId: 11297108109,
    currency: 'USD',
    tokens: [
      { contract: NATIVE, native: true, amount: 4310250000000000000n, price: 0.0123, value: 0.053016075 },
      { contract: COIN, native: false, standard: 'erc20', amount: 1250500000000000000000n, value: 3126.25 },
      { contract: DOLLAR, symbol: 'SUSD', decimals: 6, amount: 7500001n, category: 'stablecoin' },
      { symbol: 'CRMB', decimals: 9, amount: 1n, value: 5e-10, category: 'dust' },
    ],
  },
  'balances_v2.legacy_key.palm_testnet.no_prices': {
    chainId: 11297108099,
    currency: 'USD',
    tokens: [
      { native: true, amount: 990000000000000000n, price: undefined, value: undefined },
      { symbol: 'TST', amount: 1000000000000000000n, price: undefined, value: undefined, absurdPrice: false },
    ],
  },
  'balances_v2.empty': { chainId: 11297108109, currency: 'USD', tokens: [] },
  'balances_v2.nulls': {
    chainId: 11297108109,
    currency: 'USD',
    tokens: [
      {
        contract: '0xc0de0000000000000000000000000000000000ff',
        decimals: undefined,
        name: undefined,
        amount: 5n,
      },
      { contract: COIN, decimals: 18, amount: undefined, lastTransferAt: undefined },
      { contract: DOLLAR, decimals: 0, name: undefined, symbol: undefined, amount: 77n },
    ],
  },
  'balances_v2.spam': {
    chainId: 11297108109,
    currency: 'USD',
    tokens: [
      { contract: COIN, spam: false },
      { symbol: 'https://claim-reward.example.com', spam: true, value: 5000 },
      {
        name: '<U+202E><U+200B>Free Mint <img src=x onerror=alert(1)>',
        spam: true,
        standard: 'erc721',
        price: undefined,
      },
    ],
  },
  'balances_v2.native_address_not_eeee': {
    chainId: 1287,
    currency: 'USD',
    tokens: [{ contract: '0x0000000000006d6f6f6e626173652d616c706861', native: true, standard: undefined }],
  },
  'balances_v2.quote_eur': {
    chainId: 11297108109,
    currency: 'EUR',
    tokens: [{ contract: COIN, price: 2.3, value: 2876.15 }],
  },
};

const APES = '0xc0de721000000000000000000000000000000721';
const POSTERS = '0xc0de115500000000000000000000000000001155';
const [ALICE, BOB, CAROL] = [1, 2, 3].map(
  (n) => `0x7e5700000000000000000000000000000000000${n}` as const,
) as [`0x${string}`, `0x${string}`, `0x${string}`];
const ZERO = `0x${'0'.repeat(40)}`;
const hash = (byte: string) => `0x${byte.repeat(32)}`;
const HUGE_ID = 63541080191010310552469611647640848047372637692655634840450549577336141798412n;

const collections: Record<string, bigint[]> = {
  balances_nft: [17n, HUGE_ID],
  'balances_nft.no_asset_metadata': [17n, HUGE_ID],
};

const histories: Record<
  string,
  { contract: `0x${string}`; tokenId: bigint; failed: number; transfers: readonly Partial<NftTransfer>[] }
> = {
  'nft_transactions.erc721.sale_then_mint': {
    ...{ contract: APES, tokenId: 17n, failed: 0 },
    transfers: [
      {
        ...{ standard: 'erc721', tokenId: 17n, amount: 1n, position: 0 },
        ...{ from: BOB, to: ALICE, blockNumber: 9014933n, logIndex: 55 },
        ...{ time: Date.UTC(2022, 5, 9, 15, 37, 45), transactionHash: hash('b2') as `0x${string}` },
      },
      { from: ZERO as `0x${string}`, to: BOB, amount: 1n },
    ],
  },
  'nft_transactions.erc721.modern_decoder': {
    ...{ contract: APES, tokenId: HUGE_ID, failed: 0 },
    transfers: [
      { tokenId: HUGE_ID, from: ALICE, to: CAROL, amount: 1n, blockNumber: 14800000n, logIndex: 7 },
    ],
  },
  'nft_transactions.erc1155.single_and_undecoded_batch': {
    ...{ contract: POSTERS, tokenId: 123n, failed: 0 },
    transfers: [
      { standard: 'erc1155', from: BOB, to: ALICE, amount: 1n, blockNumber: 8901365n, logIndex: 64 },
      { from: ZERO as `0x${string}`, to: BOB, amount: 100n, blockNumber: 8500777n, logIndex: 12 },
    ],
  },
  'nft_transactions.failed_and_no_logs': {
    ...{ contract: APES, tokenId: 17n, failed: 1, transfers: [] },
  },
};

const sapes = {
  ...{ contract: APES, name: 'Sample Apes', symbol: 'SAPE', supply: undefined },
} as const;
const posters = {
  ...{ contract: POSTERS, name: 'Sample Posters', symbol: 'POST', supply: undefined, spam: undefined },
  // What the contract claims falls short of what its token does.
  ...{ standards: ['erc20'], standard: 'erc1155' },
} as const;
const poster = { kind: 'https', url: 'https://img.example.com/123.jpg' } as const;

/** The other answers, each by the call that it belongs to, with the whole of what it leads to. */
const others: Record<
  string,
  { chainId: number; ask: (client: DataApiClient) => unknown; expected: unknown }
> = {
  'nft_metadata.classic': {
    chainId: 11297108109,
    ask: (client) => client.nftToken(POSTERS, 123n),
    expected: {
      ...{ contract: posters, tokenId: 123n, owner: ALICE, originalOwner: BOB },
      noMetadataReason: undefined,
      tokenUrl: { kind: 'https', url: 'https://nft.example.com/memes/123' },
      metadata: {
        ...{ name: 'Poster 123', description: undefined, image: poster },
        ...{ animation: undefined, externalUrl: undefined, attributesSkipped: 0 },
        attributes: [
          { trait: 'Set', value: 'Drop 8', display: undefined },
          { trait: 'birthday', value: '1609267020', display: 'date' },
          { trait: 'Max Supply', value: '100', display: undefined },
        ],
      },
    },
  },
  'nft_metadata.classic.external_data_null': {
    chainId: 11297108109,
    ask: (client) => client.nftToken(POSTERS, 123n),
    expected: {
      ...{ contract: posters, tokenId: 123n, owner: ALICE, originalOwner: BOB, metadata: undefined },
      noMetadataReason: undefined,
      tokenUrl: {
        kind: 'data',
        mediaType: 'application/json',
        url: 'data:application/json;base64,eyJuYW1lIjoiT24tY2hhaW4ifQ==',
      },
    },
  },
  'nft_metadata.new_single': {
    chainId: 1,
    ask: (client) => client.nftToken(APES, 17n),
    expected: {
      contract: { ...sapes, spam: false, standards: [], standard: undefined },
      ...{ tokenId: 17n, owner: ALICE, originalOwner: BOB },
      noMetadataReason: undefined,
      tokenUrl: { kind: 'ipfs', path: 'bafysample/17' },
      metadata: {
        ...{ name: 'Sample Ape #17', description: 'A constructed token.' },
        image: { kind: 'https', url: 'https://img.example.com/17.png' },
        ...{ animation: undefined, externalUrl: undefined, attributesSkipped: 0 },
        attributes: [{ trait: 'Fur', value: 'Gold', display: undefined }],
      },
    },
  },
};

const refusals: Record<string, ErrorKind> = {
  'error.401.missing_key.string_code_no_data': 'unauthorized',
  'error.402.credits_exhausted': 'creditsUsedUp',
  'error.403.key_not_authorised': 'forbidden',
  'error.400.chain_not_supported_nft': 'notServed',
  'error.404.unsupported_chain_palm': 'notServed',
  'error.404.block_not_reached': 'notServed',
  'error.501.unsupported_chain': 'notServed',
  'error.406.address_too_heavy': 'tooHeavy',
  'error.429.no_header': 'rateLimited',
  'error.429.string_code': 'rateLimited',
  'error.429.retry_after_assumed': 'rateLimited',
  'error.429.html': 'rateLimited',
  'error.500.json': 'server',
  'error.503.json': 'unavailable',
  'error.503.html': 'unavailable',
  'error.507.backlog_full': 'server',
  'error.562.upstream_failure': 'server',
  'error.200_with_error_true': 'server',
  'error.200_truncated_json': 'badResponse',
  'error.200_csv_instead_of_json': 'badResponse',
};

function open(name: string, chainId = 11297108109) {
  const answer = samples[name] ?? assert.fail(name);
  return openDataApi(() => answer, { chainId });
}

/** As many, each with these fields among others. */
function assertHas<T>(found: readonly T[], expected: readonly Partial<T>[]): void {
  assert.deepEqual(
    found,
    expected.map((fields, index) => ({ ...found[index], ...fields })),
  );
}

describe('Data API samples', () => {
  it('are all expected to lead somewhere', () => {
    const expected = [balances, collections, histories, others, refusals].flatMap((table) =>
      Object.keys(table),
    );
    assert.deepEqual(Object.keys(samples).sort(), expected.sort());
  });

  for (const [name, { chainId, currency, tokens }] of Object.entries(balances)) {
    it(`${name} ends in balances`, async () => {
      const answer = await open(name, chainId).client.tokenBalances(HOLDER, { quoteCurrency: 'USD' });
      const { address, quoteCurrency, updatedAt, skipped } = answer;
      assert.deepEqual([address, quoteCurrency, updatedAt, skipped], [HOLDER, currency, 1728430498401, 0]);
      assertHas(answer.tokens, tokens);
    });
  }

  for (const [name, tokenIds] of Object.entries(collections)) {
    it(`${name} ends in NFTs by collection`, async () => {
      const { collections, skipped } = await open(name, 1).client.nftBalances(HOLDER);
      const [{ nfts, ...collection } = { nfts: undefined }, ...others] = collections;
      assert.deepEqual([others, skipped], [[], 0]);
      assert.deepEqual(collection, {
        ...{ contract: APES, standard: 'erc721', name: 'Sample Apes', symbol: 'SAPE', amount: 2n },
        ...{ spam: false, lastTransferAt: Date.UTC(2024, 2, 3, 3, 3, 3) },
      });
      assert.deepEqual(
        nfts?.map((nft) => nft.tokenId),
        tokenIds,
      );
    });
  }

  for (const [name, { contract, tokenId, failed, transfers }] of Object.entries(histories)) {
    it(`${name} ends in a history`, async () => {
      const { client, requests } = open(name);
      const answer = await client.nftTransfers(contract, tokenId);
      assert.deepEqual([answer.skipped, answer.failedTransactions], [0, failed]);
      assert.equal(answer.contract?.contract, contract);
      assertHas(answer.transfers, transfers);
      const path = `/v1/11297108109/tokens/${contract}/nft_transactions/${tokenId}/`;
      assert.deepEqual(
        requests.map(({ url }) => url.split('?')[0]),
        [path],
      );
    });
  }

  for (const [name, { chainId, ask, expected }] of Object.entries(others)) {
    it(`${name} ends in its model`, async () =>
      assert.deepEqual(await ask(open(name, chainId).client), expected));
  }

  for (const [name, kind] of Object.entries(refusals)) {
    it(`${name} ends in ${kind}`, () =>
      assert.rejects(open(name).client.tokenBalances(HOLDER, { quoteCurrency: 'USD' }), { kind }));
  }
});
