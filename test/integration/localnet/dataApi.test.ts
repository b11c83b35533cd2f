import assert from 'node:assert/strict';
import { AbiEvent } from 'ox';
import { fetch as undiciFetch } from 'undici';
import { dataApiKeys, type KeyName } from '../../../localnet/dataApi/keys.ts';
import { refuseWith } from '../../../localnet/dataApi/refusals.ts';
import { everyNth, inSequence } from '../../../localnet/http/faults.ts';
import {
  type Address,
  createDataApiClient,
  type FetchLike,
  isAppError,
  requireAddress,
  systemClock,
  toChecksumAddress,
} from '../../../src/core/index.ts';
import { type GrowingLocalnet, growingLocalnet } from '../../support/sharedLocalnet.ts';

const PALM = 11297108109;
const PALM_TESTNET = 11297108099;
const LOCAL = 31337;

describe('Data API of the local network', () => {
  let localnet: GrowingLocalnet;
  /** An account that holds every kind of token. */
  let collector: Address;
  let badgeOwners: ReadonlyMap<bigint, Address>;

  before(async () => {
    localnet = await growingLocalnet();
    badgeOwners = await readBadgeOwners(localnet);
    collector = Object.values(localnet.chain.accounts)
      .map((address) => requireAddress(address))
      .find((address) => [...badgeOwners.values()].includes(address)) as Address;
    assert.ok(collector);
  });
  afterEach(() => localnet.dataApi.setIntercept(undefined));

  const client = (key: KeyName | string = 'classic', chainId = LOCAL, keyIn: 'query' | 'header' = 'query') =>
    createDataApiClient({
      baseUrl: localnet.dataApi.url,
      chainId,
      key: Object.hasOwn(dataApiKeys, key) ? dataApiKeys[key as KeyName] : key,
      keyIn,
      fetch: undiciFetch as unknown as FetchLike,
      clock: systemClock,
    });

  async function get(path: string, key: KeyName = 'classic') {
    const separator = path.includes('?') ? '&' : '?';
    const response = await fetch(`${localnet.dataApi.url}${path}${separator}key=${dataApiKeys[key]}`);
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const body = type.includes('json') ? JSON.parse(text) : undefined;
    return { status: response.status, type, text, body };
  }
  const balancesPath = (query = '', chain: number | string = LOCAL, address: string = collector) =>
    `/v1/${chain}/address/${address}/balances_v2/${query}`;

  it('tells of every chain of the spec the balances that the logs add up to', async () => {
    const { usd, tide } = localnet.chain.contracts;
    const expected = new Map([usd, tide].map(({ address }) => [requireAddress(address), 0n]));
    for (const { contract, from, to, amount } of await readTransfers(localnet)) {
      const before = expected.get(contract);
      if (before === undefined) continue;
      if (from === collector) expected.set(contract, before - amount);
      if (to === collector) expected.set(contract, (expected.get(contract) ?? 0n) + amount);
    }
    assert.ok([...expected.values()].every((amount) => amount > 0n));
    const wei = BigInt((await localnet.node.call('eth_getBalance', [collector, 'latest'])) as string);
    for (const chainId of [PALM, PALM_TESTNET, LOCAL]) {
      const { tokens, quoteCurrency, skipped } = await client('classic', chainId).tokenBalances(collector, {
        quoteCurrency: 'USD',
      });
      assert.deepEqual([quoteCurrency, skipped], ['USD', 0]);
      const [native, ...others] = tokens;
      assert.deepEqual([native?.native, native?.amount], [true, wei]);
      assert.equal(native?.symbol, chainId === LOCAL ? 'ETH' : 'PALM');
      assert.deepEqual(new Map(others.map(({ contract, amount }) => [contract, amount])), expected);
      assert.deepEqual(
        others.map(({ symbol, decimals, price, category }) => [symbol, decimals, price, category]),
        [
          ['HUSD', 6, 1.0001, 'stablecoin'],
          ['TIDE', 18, undefined, 'cryptocurrency'],
        ],
      );
    }
  });

  it('follows the chain', async () => {
    const before = await client().tokenBalances(collector, { quoteCurrency: 'USD' });
    await localnet.mine(10);
    const after = await client().tokenBalances(collector, { quoteCurrency: 'USD' });
    const native = (balances: typeof before) => balances.tokens.find((token) => token.native)?.amount;
    assert.equal(
      native(after),
      BigInt((await localnet.node.call('eth_getBalance', [collector, 'latest'])) as string),
    );
    assert.notDeepEqual(after.tokens, before.tokens);
  });

  it('knows an address that holds nothing', async () => {
    const { tokens } = await client().tokenBalances('0x00000000000000000000000000000000c4a1451d', {
      quoteCurrency: 'USD',
    });
    assert.deepEqual(
      tokens.map(({ native, amount }) => [native, amount]),
      [[true, 0n]],
    );
  });

  it('tells the NFTs that the logs leave with an address, by both calls', async () => {
    const badge = requireAddress(localnet.chain.contracts.badge.address);
    const items = requireAddress(localnet.chain.contracts.items.address);
    const badges = [...badgeOwners].filter(([, owner]) => owner === collector).map(([tokenId]) => tokenId);
    badges.sort((a, b) => (a < b ? -1 : 1));

    const held = await client('classic', PALM).holdings(collector, { quoteCurrency: 'USD' });
    const { tokens } = held.balances;
    const badgeToken = tokens.find(({ contract }) => contract === badge);
    assert.deepEqual([badgeToken?.standard, badgeToken?.category], ['erc721', 'nft']);
    assert.deepEqual(
      badgeToken?.nfts,
      badges.map((tokenId) => ({ tokenId, amount: 1n })),
    );
    const itemToken = tokens.find(({ contract }) => contract === items);
    assert.deepEqual(
      [itemToken?.standard, itemToken?.name, itemToken?.amount],
      ['erc1155', undefined, undefined],
    );
    assert.deepEqual(
      itemToken?.nfts?.map(({ tokenId }) => tokenId),
      [1n, 2n, 3n, 4n, 5n],
    );

    const { collections } = await client().nftBalances(collector);
    assert.deepEqual(
      collections.map(({ contract, standard, amount }) => [contract, standard, amount]).sort(),
      [
        [badge, 'erc721', BigInt(badges.length)],
        [items, 'erc1155', itemToken?.nfts?.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)],
      ].sort(),
    );
    await assert.rejects(client('classic', PALM).nftBalances(collector), (error) =>
      isAppError(error, 'notServed'),
    );
    const uncached = await get(
      `/v1/${PALM}/address/${collector}/balances_nft/?with-uncached=true&no-nft-asset-metadata=true`,
    );
    assert.equal(uncached.body.data.items[0].nft_data[0].external_data, null);
  });

  it('leaves out what is fetched from outside the chain when told to', async () => {
    const nftData = async (query: string) => {
      const { body } = await get(balancesPath(`?nft=true${query}`));
      return body.data.items.find((item: { nft_data: unknown }) => item.nft_data).nft_data[0];
    };
    const whole = await nftData('');
    assert.match(whole.token_url, /^data:application\/json;base64,/);
    assert.match(whole.external_data.name, /^Harbor Badge #\d+$/);
    const bare = await nftData('&no-nft-fetch=true');
    assert.deepEqual([bare.token_url, bare.external_data], [null, null]);
    assert.equal(bare.token_id, whole.token_id);
  });

  it('shapes its answers by the generation of the key', async () => {
    const fieldsOf = async (key: KeyName) => {
      const { body } = await get(balancesPath('?nft=true'), key);
      const [native] = body.data.items;
      return { data: Object.keys(body.data), native: Object.keys(native), items: body.data.items.length };
    };
    const early = await fieldsOf('early');
    const classic = await fieldsOf('classic');
    const current = await fieldsOf('current');
    for (const field of [
      'native_token',
      'is_native_token',
      'balance_24h',
      'logo_urls',
      'last_transferred_at',
    ]) {
      assert.ok(!early.native.includes(field), field);
    }
    for (const field of [
      'native_token',
      'logo_url',
      'logo_urls',
      'nft_data',
      'protocol_metadata',
      'quote_24h',
    ]) {
      assert.ok(classic.native.includes(field), field);
    }
    for (const field of ['native_token', 'logo_url', 'nft_data', 'protocol_metadata']) {
      assert.ok(!current.native.includes(field), field);
    }
    assert.ok(current.native.includes('is_native_token'));
    assert.ok(classic.data.includes('next_update_at') && !current.data.includes('next_update_at'));
    assert.deepEqual([early.items, classic.items, current.items], [5, 5, 3]);
  });

  it('prices in the currency asked for, in any case, and refuses one that it does not know', async () => {
    const { quoteCurrency, tokens } = await client().tokenBalances(collector, { quoteCurrency: 'JPY' });
    assert.equal(quoteCurrency, 'JPY');
    const dollar = tokens.find(({ symbol }) => symbol === 'HUSD');
    assert.equal(dollar?.price, 1.0001 * 151);
    assert.equal((await get(balancesPath('?quote-currency=eur'))).body.data.quote_currency, 'EUR');
    assert.equal((await get(balancesPath('?quote-currency=DOGE'))).status, 400);
  });

  it('writes CSV when asked to', async () => {
    const { status, type, text } = await get(balancesPath('?format=csv'));
    assert.deepEqual([status, type], [200, 'text/csv']);
    const [head, ...rows] = text.trimEnd().split('\n');
    assert.match(head ?? '', /^contract_decimals,contract_name,contract_ticker_symbol,contract_address,/);
    assert.equal(rows.length, 3);
    assert.match(rows[1] ?? '', /^6,Harbor Dollar,HUSD,0x/);
  });

  it('refuses what it cannot read or does not serve, by status', async () => {
    const refused: [string, number, RegExp][] = [
      [balancesPath('', LOCAL, '0x123'), 400, /^Malformed address provided: 0x123$/],
      [balancesPath('', LOCAL, '%zz'), 400, /^Malformed address/],
      [balancesPath('?format=XML'), 400, /format/],
      [balancesPath('?nft=perhaps'), 400, /nft/],
      [balancesPath('', 1), 404, /^Chain not found: 1$/],
      [balancesPath('').slice(0, -1), 404, /^Not found$/],
      [`/v1/${LOCAL}/address/${collector}/toString/`, 404, /^Not found$/],
      ['/', 404, /^Not found$/],
    ];
    for (const [path, status, message] of refused) {
      const { body, ...reply } = await get(path);
      assert.equal(reply.status, status, path);
      assert.deepEqual([body.data, body.error, body.error_code], [null, true, status]);
      assert.match(body.error_message, message);
    }
  });

  it('takes names of chains, and addresses of any case', async () => {
    const { data } = (await get(balancesPath('', 'palm-testnet', toChecksumAddress(collector)))).body;
    assert.deepEqual(
      [data.address, data.chain_id, data.chain_name],
      [collector, PALM_TESTNET, 'palm-testnet'],
    );
  });

  it('judges keys, wherever they are put', async () => {
    const verdicts = {
      ...{ early: 'right', classic: 'right', current: 'right' },
      ...{ exhausted: 'exhausted', notEntitled: 'notEntitled', ckey_unknown: 'wrong' },
    };
    for (const keyIn of ['query', 'header'] as const) {
      for (const [key, verdict] of Object.entries(verdicts)) {
        assert.equal(await client(key, PALM, keyIn).checkKey(), verdict, key);
      }
    }
    for (const places of ['header', 'query'] as const) {
      localnet.dataApi.setKeyPlaces(places);
      const verdicts = ['header', 'query'].map((keyIn) =>
        client('classic', PALM, keyIn as typeof places).checkKey(),
      );
      assert.deepEqual(
        await Promise.all(verdicts),
        places === 'header' ? ['right', 'wrong'] : ['wrong', 'right'],
      );
    }
    localnet.dataApi.setKeyPlaces('anywhere');
    assert.equal(await client('classic', 1).checkKey(), 'chainNotServed');
    const limited = await get(balancesPath(), 'rateLimited');
    assert.deepEqual([limited.status, limited.body.error_code, 'data' in limited.body], [429, '429', false]);
    const basic = Buffer.from(`${dataApiKeys.classic}:`).toString('base64');
    const url = `${localnet.dataApi.url}${balancesPath()}`;
    assert.equal((await fetch(url, { headers: { authorization: `Basic ${basic}` } })).status, 200);
    const missing = await fetch(url);
    assert.equal(missing.status, 401);
    assert.deepEqual(await missing.json(), {
      error: true,
      error_message: 'No valid API key was provided.',
      error_code: '401',
    });
  });

  it('fails as it is told to', async () => {
    const ask = () => client().tokenBalances(collector, { quoteCurrency: 'USD' });
    localnet.dataApi.setIntercept(everyNth(1, refuseWith(406)));
    await assert.rejects(ask(), (error) => isAppError(error, 'tooHeavy'));
    localnet.dataApi.setIntercept(everyNth(1, { kind: 'truncate' }));
    await assert.rejects(ask(), (error) => isAppError(error, 'network'));
    localnet.dataApi.forgetRequests();
    localnet.dataApi.setIntercept(
      inSequence([refuseWith(503), refuseWith(429, 'slow', { 'retry-after': '0' })]),
    );
    assert.ok((await ask()).tokens.length > 0);
    assert.equal(localnet.dataApi.requestCount, 3);
  });
});

type Transfer = { contract: Address; from: Address; to: Address; amount: bigint };

/** Every `Transfer` as the node itself logs it; `amount` is the token id of an ERC-721. */
async function readTransfers({ node }: GrowingLocalnet): Promise<readonly Transfer[]> {
  const topic0 = AbiEvent.getSelector('event Transfer(address indexed, address indexed, uint256)');
  const filter = { fromBlock: '0x0', toBlock: 'latest', topics: [topic0] };
  const logs = (await node.call('eth_getLogs', [filter])) as {
    address: string;
    topics: string[];
    data: string;
  }[];
  const party = (topic: string | undefined) => requireAddress(`0x${topic?.slice(26)}`);
  return logs.map(({ address, topics, data }) => ({
    contract: requireAddress(address),
    ...{ from: party(topics[1]), to: party(topics[2]), amount: BigInt(topics[3] ?? data) },
  }));
}

/** Who the logs leave each badge with. */
async function readBadgeOwners(localnet: GrowingLocalnet): Promise<ReadonlyMap<bigint, Address>> {
  const badge = requireAddress(localnet.chain.contracts.badge.address);
  const moves = (await readTransfers(localnet)).filter(({ contract }) => contract === badge);
  return new Map(moves.map(({ amount, to }) => [amount, to]));
}
