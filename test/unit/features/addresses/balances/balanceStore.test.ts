import assert from 'node:assert/strict';
import type { ThemeIcon, TreeItem } from 'vscode';
import { type Address, toChecksumAddress } from '../../../../../src/core/index.ts';
import {
  confirmCost,
  HoldingsAllowance,
} from '../../../../../src/features/addresses/balances/balanceStore.ts';
import { PAGE_SIZE } from '../../../../../src/features/addresses/tree/holdingNodes.ts';
import { batchChanges } from '../../../../../src/host/timing.ts';
import { toTreeItem } from '../../../../../src/host/ui/tree.ts';
import { useAddressView } from '../../../../support/host/addressView.ts';
import {
  answerCalls,
  balancesOf,
  errorResponseOf,
  itemsOf,
  type RecordedServer,
  type StubResponse,
  useRecordedServer,
} from '../../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil, writeSettings } from '../../../../support/host/settings.ts';
import type { RpcRequest } from '../../../../support/loopbackServer.ts';

const HOLDER: Address = '0x7e57000000000000000000000000000000000001';
const KEY = 'ckey_0123456789abcdef0123456789a';

describe('what an address holds', () => {
  const dataApi = useRecordedServer();
  const endpoint = useRecordedServer(answerCalls(resultOf));
  const elsewhere = useRecordedServer();
  useNetworks(() => ({
    served: { name: 'Served', chainId: 5, rpcUrl: endpoint.url, dataApiUrl: `${dataApi.url}/api` },
    other: { name: 'Other', chainId: 5, rpcUrl: endpoint.url, dataApiUrl: elsewhere.url },
    bare: { name: 'Bare', chainId: 6, rpcUrl: endpoint.url },
  }));
  const view = useAddressView('served');
  beforeEach(async () => {
    await view.keys.set(dataApi.url, KEY);
    for (const server of [dataApi, endpoint, elsewhere]) server.requests.length = 0;
  });

  for (const count of [1, 5_000]) {
    it(`is shown a page at a time, by value, for one request: ${count} tokens`, async () => {
      dataApi.answer = () => balancesOf(HOLDER, itemsOf(count));
      await view.balances.load(HOLDER, 'recent');
      const rows = await view.rows(HOLDER);
      const tokens = rows.filter((row) => /^1 T\d+, \$[\d,.]+ at \$[\d,.]+ each$/.test(row));
      assert.equal(tokens.length, Math.min(count, PAGE_SIZE));
      assert.match(tokens[0] ?? '', /^1 T0, /);
      const sum = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
      assert.equal(rows[1], `${sum.format((count * (count + 1)) / 2)} in total`);
      const more = `Show ${Math.min(PAGE_SIZE, count - PAGE_SIZE)} more…, ${(count - PAGE_SIZE).toLocaleString('en')} not shown`;
      assert.equal(rows.at(-1), count > PAGE_SIZE ? more : tokens.at(-1));
      assert.equal(dataApi.requests.length, 1);
      assert.match(dataApi.requests[0] ?? '', /^\/api\/v1\/5\/address\//);
    });
  }

  it('shows the next page on request, and goes on from its first row', async () => {
    dataApi.answer = () => balancesOf(HOLDER, itemsOf(5_000));
    await view.balances.load(HOLDER, 'recent');
    await view.rows(HOLDER);
    const next = await view.tree.showMore(`recent/${HOLDER}`);
    assert.ok(next?.kind === 'token');
    assert.equal(next.token.symbol, `T${PAGE_SIZE}`);
    assert.equal((await view.rows(HOLDER)).length, 2 + 2 * PAGE_SIZE + 1);
    assert.equal(await view.tree.showMore('recent/0x'), undefined);
  });

  it('is drawn once when another network is selected', async () => {
    const drawn: unknown[] = [];
    view.tree.onDidChangeTreeData(batchChanges((rows) => drawn.push(rows)));
    await selectNetwork('bare');
    assert.deepEqual(drawn, [undefined]);
  });

  const holders = Array.from({ length: 15 }, (_, index): Address => `0x${`${index + 10}`.repeat(20)}`);
  const answerForAll = () => {
    dataApi.answer = ({ url }) => balancesOf(/address\/(0x\w+)\//.exec(url)?.[1] ?? '', itemsOf(1));
  };

  it('is asked for by nobody when another currency is chosen: values stay, marked, until they are read anew', async () => {
    answerForAll();
    try {
      for (const holder of holders) await view.balances.load(holder, 'recent');
      dataApi.requests.length = 0;
      await writeSettings({ 'chainside.dataApi.quoteCurrency': 'EUR' });
      await waitUntil(() => view.balances.quoteCurrency === 'EUR');
      for (const holder of holders) {
        assert.match(
          (await view.rows(holder)).join('\n'),
          /^Values are still in USD, EUR is selected · Refresh$/m,
        );
      }
      await Promise.all(holders.map((holder) => view.balances.load(holder, 'missing')));
      assert.deepEqual(dataApi.requests, []);
      await view.balances.load(HOLDER, 'recent');
      assert.match(dataApi.requests.join('\n'), /quote-currency=EUR/);
      assert.doesNotMatch((await view.rows(HOLDER)).join('\n'), /still in/);
    } finally {
      await writeSettings({ 'chainside.dataApi.quoteCurrency': undefined });
    }
  });

  it('is asked for a few addresses only where nobody wished for it, as when all are drawn with a new key', async () => {
    answerForAll();
    const drawAll = async () => {
      for (const holder of holders) await view.balances.load(holder, 'missing');
    };
    await drawAll();
    assert.equal(dataApi.requests.length, 4);
    const last = holders.at(-1) ?? HOLDER;
    assert.match(
      (await view.rows(last)).join('\n'),
      /^Tokens not loaded, several addresses are expanded · Load Tokens$/m,
    );
    await view.balances.load(last, 'recent');
    assert.match((await view.rows(last)).join('\n'), /^1 T0, /m);
    await drawAll();
    assert.equal(dataApi.requests.length, 5);
    await view.keys.set(dataApi.url, `${KEY}b`);
    await drawAll();
    assert.equal(dataApi.requests.length, 9);
    assert.match((await view.rows(last)).join('\n'), /^Tokens not loaded, .*\n\$1\.00 in total\n1 T0, /m);
    await view.keys.forget(dataApi.url);
    await drawAll();
    assert.match(
      (await view.rows(last)).join('\n'),
      /^Tokens: key required, Set Data API Key…$[\s\S]*^1 T0, /m,
    );
    assert.equal(dataApi.requests.length, 9);
  });

  const commandOf: Readonly<Record<string, string>> = {
    'Set Data API Key…': 'chainside.setApiKey',
    'Watch Token…': 'chainside.watchToken',
    Retry: 'chainside.refresh',
    'Open Settings': 'workbench.action.openSettings',
  };
  for (const [status, says, helps] of [
    [401, 'does not accept the key', 'Set Data API Key…'],
    [403, 'the key has no access to this data', 'Set Data API Key…'],
    [402, 'the credits of the key are used up', 'Set Data API Key…'],
    [404, 'does not support this chain, or no longer offers this data', 'Watch Token…'],
    [501, 'does not support this chain', 'Watch Token…'],
    [406, 'the address has too much data for this service', 'Watch Token…'],
    [429, 'too many requests; retry after 70 seconds', 'Retry'],
    [503, 'is under maintenance or overloaded (HTTP 503)', 'Retry'],
    [500, 'failed (HTTP 500)', 'Retry'],
    [200, 'did not return a valid data API response', 'Open Settings'],
  ] as const) {
    it(`says what is wrong and what helps, and keeps what is loaded: HTTP ${status}`, async () => {
      dataApi.answer = () => balancesOf(HOLDER, itemsOf(2));
      await view.balances.load(HOLDER, 'recent');
      const headers = status === 429 ? { 'retry-after': '70' } : undefined;
      dataApi.answer = () => (status === 200 ? { body: '<html>' } : errorResponseOf(status, headers));
      await view.balances.load(HOLDER, 'fresh');
      const items = await view.items(view.tree.getNode(HOLDER));
      const failed = items.filter((item) =>
        /^Could not refresh tokens, last read [^·]+ · /.test(spoken(item)),
      );
      assert.deepEqual(
        failed.map((item) => [spoken(item).replace(/^[^·]+ · /, ''), item.command?.command]),
        [[`${says} · ${helps}`, commandOf[helps]]],
      );
      assert.equal(items.filter((item) => /^1 T\d, /.test(spoken(item))).length, 2);
      for (const item of items) assert.ok(!JSON.stringify(item).includes(KEY));
    });
  }

  it('says so where there is no data API, and what helps', async () => {
    await selectNetwork('bare');
    await view.balances.load(HOLDER, 'recent');
    assert.equal(
      (await view.rows(HOLDER))[1],
      'No token data, neither a data API nor an explorer lists tokens here · Watch Token…',
    );
    assert.deepEqual(dataApi.requests, []);
  });

  it('keeps tokens where only their NFTs cannot be had', async () => {
    const items = itemsOf(1).map(({ ...item }) => ({ ...item, nft_data: undefined }));
    dataApi.answer = ({ url }) =>
      url.includes('/balances_nft/') ? errorResponseOf(503) : balancesOf(HOLDER, items);
    await view.balances.load(HOLDER, 'recent');
    const rows = (await view.rows(HOLDER)).join('\n');
    assert.match(rows, /^Could not load NFTs, is under maintenance/m);
    assert.match(rows, /^1 T0, /m);
  });

  it('folds dust and spam away, believes no absurd price, and counts neither', async () => {
    const [item] = itemsOf(1);
    const named = (symbol: string, fields: object, index: number) => ({
      ...{ ...item, contract_ticker_symbol: symbol, ...fields },
      contract_address: `0x${`${index + 1}`.repeat(40)}`,
    });
    const items = [
      ['SOLID', { quote_rate: 2, quote: 2 }],
      ['TINY', { quote_rate: 0.0000123456, quote: 0.0000123456 }],
      ['MAD', { quote_rate: 9.5e19, quote: 9.5e19 }],
      ['CRUMB', { quote_rate: 0.02, quote: 0.02, type: 'dust' }],
      ['CLAIM', { quote_rate: 500, quote: 500, is_spam: true }],
    ] as const;
    dataApi.answer = () =>
      balancesOf(
        HOLDER,
        items.map(([symbol, fields], index) => named(symbol, fields, index)),
      );
    await view.balances.load(HOLDER, 'recent');
    const row = view.tree.getNode(HOLDER);
    assert.deepEqual((await view.items(row)).map(spoken).slice(1), [
      '$2.02 in total, not included: 1 with an implausible price',
      '1 SOLID, $2.00 at $2.00 each',
      '1 TINY, <$0.01 at $0.00001235 each',
      '1 MAD, implausible price',
      'Dust, 1 · $0.02',
      'Spam, 1',
    ]);
    const folds = (await view.tree.getChildren(row)).filter(({ kind }) => kind === 'fold');
    const folded = await Promise.all(folds.map((fold) => view.items(fold)));
    assert.deepEqual(folded.flat().map(spoken), [
      '1 CRUMB, $0.02 at $0.02 each',
      '1 CLAIM, $500.00 at $500.00 each',
    ]);
  });

  const allowanceOf = (holdings: unknown, { signal } = new AbortController()) =>
    new HoldingsAllowance({
      connection: { signal },
      provider: async () => ({ state: 'ready', provider: { offers: { holdings } } }),
    } as never);

  it('are not read on another network than the one whose price was looked up', async () => {
    const replaced = new AbortController();
    const allowance = allowanceOf('free', replaced);
    assert.equal(await allowance.allows(HOLDER), true);
    const allowed = allowance.allows(HOLDER);
    replaced.abort();
    assert.equal(await allowed, false);
  });

  it('are read of every address that is looked at, where they are free', async () => {
    const allowedBy = async (holdings: unknown) => {
      const allowance = allowanceOf(holdings);
      let allowed = 0;
      for (let nth = 0; nth < 20; nth++) if (await allowance.allows(`0x${nth}`)) allowed++;
      return allowed;
    };
    assert.equal(await allowedBy('free'), 20);
    assert.equal(await allowedBy({ min: 1, max: 2, unit: 'credits' }), 4);
    assert.equal(await allowedBy('unpublished'), 4);
    assert.equal(await confirmCost(4, { unit: 'credits', min: 1, max: 2, per: 'question' }), true);
  });

  it('reads watched tokens from their contracts, where there is no data API too', async () => {
    const token: Address = `0x${'22'.repeat(20)}`;
    await selectNetwork('bare');
    await view.book.watchToken(token);
    await view.watchedTokens.load(HOLDER);
    const [, watched] = await view.items(view.tree.getNode(HOLDER));
    assert.equal(watched && spoken(watched), '1.5 HUSD, watched');
    assert.match(String(watched?.tooltip), /\nBare, block 7, read just now$/);
    await selectNetwork('served');
    assert.ok(!(await view.rows(HOLDER)).includes('1.5 HUSD, watched'));
  });

  it('stands behind the name: short, exact in the tooltip; zero, unknown, old and not read each in its way', async () => {
    const wei = (amount: bigint): StubResponse => ({ body: { result: `0x${amount.toString(16)}` } });
    let balance: StubResponse = wei(10_002_259_999_999_999_999_999n);
    const answerOthers = endpoint.answer;
    endpoint.answer = ({ body }) => {
      const { id, method } = JSON.parse(body);
      if (method !== 'eth_getBalance') return answerOthers({ url: '', body });
      return typeof balance.body === 'object'
        ? { ...balance, body: { jsonrpc: '2.0', id, ...balance.body } }
        : balance;
    };
    const look = async (answer: StubResponse) => {
      balance = answer;
      await view.balances.load(HOLDER, 'fresh');
      const item = toTreeItem(view.tree.getTreeItem(view.tree.getNode(HOLDER)));
      const { description, iconPath, tooltip } = item;
      const { id, color } = iconPath as ThemeIcon;
      return { description, icon: [id, color?.id], tooltip: String(tooltip), told: spoken(item) };
    };
    try {
      await selectNetwork('bare');
      await view.book.setLabel(HOLDER, 'Treasury');
      const first = await look(balance);
      assert.equal(first.description, '10,002.25 ETH · 0x7e57…0001');
      assert.deepEqual(first.icon, ['account', undefined]);
      assert.deepEqual(first.tooltip.split('\n'), [
        'Treasury (your label)',
        toChecksumAddress(HOLDER),
        '10,002.259999999999999999 ETH',
        '10,002,259,999,999,999,999,999 wei',
        'Bare, block 7, read just now',
      ]);
      assert.match(String((await look(wei(12_000_000_000_000n))).description), /^0\.000012 ETH · /);
      assert.match(String((await look(wei(0n))).description), /^0 ETH · /);
      const unknown = await look({ body: { error: { code: -32602, message: 'Balance not found' } } });
      assert.match(String(unknown.description), /^Unknown · /);
      assert.deepEqual(unknown.icon, ['question', undefined]);
      await look(wei(5n * 10n ** 17n));
      const old = await look({ status: 404, body: '' });
      assert.match(String(old.description), /^0\.5 ETH · (just now|\d+ s ago) · 0x7e57…0001$/);
      assert.equal(old.icon[0], 'warning');
      assert.match(old.told, /^Treasury, 0\.5 ETH, last read (just now|\d+ s ago), 0x7e57…0001$/);
      assert.match(old.tooltip, /\nCould not refresh: /);
      await selectNetwork('served');
      const failed = await look({ status: 404, body: '' });
      assert.match(String(failed.description), /^Not loaded: /);
      assert.equal(failed.icon[0], 'error');
      await view.book.watchToken(HOLDER);
      assert.deepEqual((await look(wei(1n))).icon, ['circle-large', undefined]);
    } finally {
      endpoint.answer = answerOthers;
      await view.book.setLabel(HOLDER, '');
    }
  });

  it('says whose figures they are, of which network and of when', async () => {
    dataApi.answer = () => balancesOf(HOLDER, itemsOf(1));
    await view.balances.load(HOLDER, 'recent');
    const [, total, token] = await view.items(view.tree.getNode(HOLDER));
    for (const row of [total, token]) {
      assert.match(String(row?.tooltip), /Served, from the data API, as of/);
    }
  });

  describe('and the key', () => {
    const carriers = (server: RecordedServer) => server.requests.filter((request) => request.includes(KEY));

    it('goes with requests to the data API and with no other', async () => {
      dataApi.answer = () => balancesOf(HOLDER, itemsOf(1));
      await Promise.all([
        view.balances.load(HOLDER, 'fresh'),
        view.book.watchToken(HOLDER).then(() => view.watchedTokens.load(HOLDER)),
      ]);
      assert.ok(endpoint.requests.length > 0);
      assert.equal(carriers(dataApi).length, dataApi.requests.length);
      assert.deepEqual(carriers(endpoint), []);
      assert.ok(!JSON.stringify(view.exchanges).includes(KEY));
    });

    for (const status of [301, 302, 303, 307, 308]) {
      it(`follows no redirect: ${status}`, async () => {
        dataApi.answer = ({ url }) => ({
          status,
          headers: { location: `${elsewhere.url}${url}` },
          body: '',
        });
        await view.balances.load(HOLDER, 'fresh');
        assert.match(
          (await view.rows(HOLDER)).join('\n'),
          /^Could not load tokens, redirects to another URL/m,
        );
        assert.ok(carriers(dataApi).length > 0);
        assert.deepEqual(elsewhere.requests, []);
      });
    }

    it('is not sent to another data API, whatever network is chosen', async () => {
      await selectNetwork('other');
      await view.balances.load(HOLDER, 'fresh');
      assert.equal((await view.rows(HOLDER))[1], 'Tokens: key required, Set Data API Key…');
      assert.deepEqual(elsewhere.requests, []);
    });
  });
});

function spoken(item: TreeItem): string {
  return item.accessibilityInformation?.label ?? '';
}

/** An endpoint with a balance of zero, and one token of 6 decimals at every address. */
function resultOf({ method, params }: RpcRequest): unknown {
  const call = params[0] as { readonly data?: string } | undefined;
  const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
  const symbol = `0x${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}${Buffer.from('HUSD').toString('hex').padEnd(64, '0')}`;
  const results: Readonly<Record<string, string>> = {
    '0x70a08231': word(1_500_000),
    '0x95d89b41': symbol,
    '0x313ce567': word(6),
  };
  const data = call?.data ?? '';
  return method === 'eth_call' ? (results[data.slice(0, 10)] ?? data) : '0x0';
}
