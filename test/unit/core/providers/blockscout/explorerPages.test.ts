import assert from 'node:assert/strict';
import { type Address, isAppError, requireAddress } from '../../../../../src/core/index.ts';
import { type ExplorerResponse, openExplorer } from '../../../../support/explorer.ts';

const HOLDER: Address = '0x7e57000000000000000000000000000000000001';
const USD = { quoteCurrency: 'USD' } as const;
const contractAt = (n: number) => requireAddress(`0x${n.toString(16).padStart(40, '0')}`);
const row = (n: number) => ({
  value: '1',
  token_id: null,
  token: { address_hash: contractAt(n), type: 'ERC-20', decimals: '0', name: null, symbol: null },
});
const rows = (first: number, count: number) => Array.from({ length: count }, (_, n) => row(first + n));
const noRoute: ExplorerResponse = { status: 400, body: { message: 'Unknown API v2 action' } };
const page = (items: readonly unknown[], next: unknown = null): ExplorerResponse => ({
  body: { items, next_page_params: next },
});

/** What an explorer answers whose tokens come by pages alone. */
async function readPages(answer: (query: URLSearchParams, count: number) => ExplorerResponse) {
  const queries: string[] = [];
  const { ports } = await openExplorer(({ pathname, searchParams }) => {
    if (pathname.endsWith('/token-balances')) return noRoute;
    if (!pathname.endsWith('/tokens')) return undefined;
    return answer(searchParams, queries.push(searchParams.toString()));
  });
  const { tokens, completeness, skipped } = await ports.holdings.tokenBalances(HOLDER, USD);
  const { state, reasons = [] } = completeness ?? {};
  return { tokens: tokens.map(({ contract }) => contract), state, reasons, skipped, queries };
}

describe('pages of an explorer', () => {
  it('are asked for with every member of the cursor, one that is null too', async () => {
    const next = { fiat_value: null, id: 12519063346, items_count: 50, value: '3750' };
    const { queries, state } = await readPages((_, count) =>
      count === 1 ? page(rows(1, 2), next) : page(rows(3, 1)),
    );
    assert.deepEqual(queries, ['', 'fiat_value=null&id=12519063346&items_count=50&value=3750']);
    assert.equal(state, 'complete');
  });

  it('carry filters of our own each time, as the cursor drops them', async () => {
    const types: (string | null)[] = [];
    const { ports } = await openExplorer(({ pathname, searchParams }) => {
      if (!pathname.endsWith('/token-transfers')) return undefined;
      types.push(searchParams.get('type'), searchParams.get('filter'));
      return page([], types.length < 5 ? { block_number: 9 - types.length, index: 1 } : null);
    });
    const list = ports.history.transfers(HOLDER, { standards: ['erc20', 'erc721'], direction: 'to' });
    while (!list.isAtEnd) await list.next();
    assert.deepEqual(types, Array.from({ length: 3 }, () => ['ERC-20,ERC-721', 'to']).flat());
  });

  it('are at an end where the first comes again, and the answer says so', async () => {
    const { tokens, reasons, state } = await readPages((_, count) =>
      page(rows(1, 50), { id: count, value: '1' }),
    );
    assert.equal(tokens.length, 50);
    assert.deepEqual([state, reasons], ['uncertain', [{ code: 'pageRepeated', list: 'tokens' }]]);
  });

  it('are at an end where a cursor comes again after others, also with pages that cannot be read', async () => {
    const cursors = [1, 2, 3, 1, 2, 3];
    const { reasons, queries } = await readPages((_, count) =>
      page([7], { id: cursors[(count - 1) % cursors.length], items_count: count }),
    );
    assert.equal(queries.length, 4);
    assert.deepEqual(
      reasons.map(({ code }) => code),
      ['pageRepeated', 'unreadable'],
    );
  });

  it('lose nothing that overlaps, and have nothing twice', async () => {
    const pages = [page(rows(1, 5), { id: 1 }), page([row(6), row(5), row(4), row(7)])];
    const { tokens, state } = await readPages((_, count) => pages[count - 1] ?? noRoute);
    assert.deepEqual([tokens.length, new Set(tokens).size, state], [7, 7, 'complete']);
  });

  for (const [what, next] of Object.entries({
    'nested members': { id: { $gt: '' } },
    'members with odd names': { 'id&type': 1 },
    'a value of a megabyte': { id: 'x'.repeat(1_000_000) },
    'a thousand members': Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`m${n}`, n])),
  })) {
    it(`are at an end at a cursor with ${what}`, async () => {
      const { reasons, queries } = await readPages(() => page(rows(1, 3), next));
      assert.deepEqual(reasons, [{ code: 'listBroken', list: 'tokens' }]);
      assert.equal(queries.length, 1);
    });
  }

  it('are at an end where they bring nothing and always name a next one', async () => {
    const { reasons, queries, tokens } = await readPages((_, count) =>
      page(count === 1 ? rows(1, 3) : [], { id: count }),
    );
    assert.deepEqual([tokens.length, queries.length], [3, 4]);
    assert.deepEqual(reasons, [{ code: 'listBroken', list: 'tokens' }]);
  });

  it('give no key back that some releases repeat', async () => {
    const { queries } = await readPages((_, count) =>
      count === 1 ? page(rows(1, 1), { id: 1, apikey: 'SECRET' }) : page(rows(2, 1)),
    );
    assert.deepEqual(queries, ['', 'id=1']);
  });

  it('keep what came before a later one that fails', async () => {
    const { tokens, state, reasons } = await readPages((_, count) =>
      count === 1 ? page(rows(1, 50), { id: 1 }) : { status: 404, body: '<html>' },
    );
    assert.equal(tokens.length, 50);
    assert.deepEqual([state, reasons], ['partial', [{ code: 'listBroken', list: 'tokens' }]]);
  });

  it('end after so many, however long a list goes on', async () => {
    const { tokens, reasons, queries } = await readPages((_, count) => page([row(count)], { id: count }));
    assert.deepEqual([tokens.length, queries.length], [400, 400]);
    assert.deepEqual(reasons, [{ code: 'bound', list: 'tokens', most: 400 }]);
  });

  it('say how many entries cannot be read', async () => {
    const { token } = row(9);
    const broken = [null, 7, {}, { value: '1' }, { value: 'a', token }, { value: '-1', token }];
    const { tokens, skipped, state, reasons } = await readPages(() => page([row(1), ...broken]));
    assert.deepEqual([tokens.length, skipped, state], [1, 6, 'partial']);
    assert.deepEqual(reasons, [{ code: 'unreadable', count: 6 }]);
  });
});

describe('an explorer that is unwell', () => {
  const tokenBalances = async (...answer: Parameters<typeof openExplorer>) => {
    const { ports, ...test } = await openExplorer(...answer);
    return { ...(await ports.holdings.tokenBalances(HOLDER, USD)), ...test };
  };
  const ask = (answer: ExplorerResponse) =>
    tokenBalances(({ pathname }) => (/token/.test(pathname) ? answer : undefined));

  it('is heard in its own words', () =>
    assert.rejects(ask({ status: 401, body: { message: 'An API key is required' } }), (error) => {
      assert.ok(isAppError(error, 'unauthorized'));
      assert.equal(error.details.serverMessage, 'An API key is required');
      assert.equal(error.details.provider?.name, 'blockscout');
      return true;
    }));

  for (const [kind, answer] of [
    ['creditsUsedUp', { status: 402, body: {} }],
    ['forbidden', { status: 403, body: {} }],
    ['redirected', { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' }],
    ['badResponse', { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' }],
  ] as const) {
    it(`fails as ${kind}`, () => assert.rejects(ask(answer), { kind }));
  }

  it('is waited for as long as it asks, in milliseconds', async () => {
    let asked = 0;
    const headers = { 'x-ratelimit-reset': '2500', 'x-ratelimit-remaining': '0' };
    const { tokens, waits } = await tokenBalances(({ pathname }) =>
      pathname.endsWith('/token-balances') && ++asked === 1 ? { status: 429, headers, body: {} } : undefined,
    );
    assert.deepEqual(tokens, []);
    assert.ok(
      waits.some((ms) => ms >= 2500 && ms < 5000),
      `${waits}`,
    );
  });

  for (const status of [500, 502, 503, 504]) {
    it(`is asked page by page where it fails to make the whole list: ${status}`, async () => {
      const { tokens, completeness } = await tokenBalances(({ pathname, searchParams }) => {
        if (pathname.endsWith('/token-balances')) return { status, body: 'upstream timed out' };
        if (!pathname.endsWith('/tokens')) return undefined;
        return searchParams.has('id') ? page(rows(51, 3)) : page(rows(1, 50), { id: 50 });
      });
      assert.deepEqual([tokens.length, completeness?.state], [53, 'complete']);
    });
  }

  it('is not complete where it counts more than it lists', async () => {
    const reasonsOf = async (...listed: readonly unknown[]) => {
      const { completeness } = await tokenBalances(({ pathname }) => {
        if (pathname.endsWith('/token-balances')) return { body: listed };
        return pathname.endsWith('/tabs-counters') ? { body: { token_balances_count: 2 } } : undefined;
      });
      return completeness?.reasons;
    };
    assert.deepEqual(await reasonsOf(row(1), row(2)), []);
    const hidden = [{ code: 'scamHidden', listed: 1, counted: 2 }];
    assert.deepEqual(await reasonsOf(row(1)), hidden);
    // The same row twice is one token.
    assert.deepEqual(await reasonsOf(row(1), row(1)), hidden);
  });

  it('is not complete where it counts more NFTs than it lists', async () => {
    const nft = { ...row(1).token, type: 'ERC-721' };
    const reasonsOf = async (...ids: readonly number[]) => {
      const { ports } = await openExplorer(({ pathname }) => {
        if (pathname.endsWith('/token-balances'))
          return { body: [{ value: '3', token_id: null, token: nft }] };
        if (!pathname.endsWith('/nft')) return undefined;
        return page(ids.map((id) => ({ id: `${id}`, value: '1', token: nft })));
      });
      return (await ports.holdings.holdings(HOLDER, USD)).completeness?.reasons;
    };
    assert.deepEqual(await reasonsOf(1, 2, 3), []);
    assert.deepEqual(await reasonsOf(1), [{ code: 'nftsMissing', listed: 1, missing: 2 }]);
    assert.deepEqual(await reasonsOf(), [{ code: 'nftsMissing', listed: 0, missing: 3 }]);
  });

  it('names tokens in text that hides nothing, and its pictures are not asked for', async () => {
    const { token, ...rest } = row(1);
    const hostile = {
      ...{ name: 'US\u202eDC', symbol: 'x'.repeat(10_000), icon_url: 'http://127.0.0.1:1/icon.png' },
      ...{ decimals: '999', exchange_rate: '-5' },
    };
    const { tokens, urls } = await tokenBalances(({ pathname }) =>
      pathname.endsWith('/token-balances')
        ? { body: [{ ...rest, token: { ...token, ...hostile } }] }
        : undefined,
    );
    const { name, symbol = '', decimals, price, absurdPrice } = tokens[0] ?? {};
    assert.deepEqual([name, decimals, price, absurdPrice], ['US<U+202E>DC', undefined, undefined, true]);
    assert.ok(symbol.length < 100);
    assert.ok(urls.every((url) => url.startsWith('/api/v2/')));
  });

  it('may lack its coin, its counters and its status, and the tokens are there', async () => {
    const { tokens, completeness } = await tokenBalances(({ pathname }) =>
      pathname.endsWith('/token-balances') ? { body: [row(1)] } : { status: 404, body: '' },
    );
    assert.equal(tokens.length, 1);
    assert.deepEqual(
      completeness?.reasons.map(({ code }) => code),
      ['indexingUnknown', 'coinUnread'],
    );
  });
});
