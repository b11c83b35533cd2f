import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { AppError, ErrorKind, FetchLike, HttpExchange } from '../../../../../src/core/index.ts';
import {
  errorResponse,
  HOLDER,
  openDataApi,
  responseWithItems,
  TEST_KEY,
} from '../../../../support/dataApi.ts';

const USD = { quoteCurrency: 'USD' } as const;
const noHoldings = () => responseWithItems([]);

const failsWith = (kind: ErrorKind) => (error: AppError) => {
  assert.equal(error.kind, kind, error.message);
  assert.ok(!inspect(error, { depth: 10, showHidden: true }).includes(TEST_KEY));
  return true;
};

/** The error of a request that is answered so, which has the key in none of its texts. */
async function errorOf(kind: ErrorKind, ...[answer, options]: Parameters<typeof openDataApi>) {
  const { client, requests } = openDataApi(answer, options);
  const error = await client.tokenBalances(HOLDER, USD).then(
    () => assert.fail('It did not fail.'),
    (cause: AppError) => cause,
  );
  assert.ok(failsWith(kind)(error));
  return { message: error.details.serverMessage, details: error.details, requests };
}

describe('Data API client', () => {
  it('asks for balances with every parameter, the key in the query', async () => {
    const { client, requests } = openDataApi(noHoldings);
    await client.tokenBalances(HOLDER, { quoteCurrency: 'EUR' });
    await client.holdings(HOLDER, { quoteCurrency: 'EUR' });
    const path = `/v1/11297108109/address/${HOLDER}/balances_v2/`;
    assert.deepEqual(
      requests.slice(0, 2).map(({ method, url }) => `${method} ${url}`),
      [
        `GET ${path}?quote-currency=EUR&format=JSON&nft=false&no-nft-fetch=false&key=${TEST_KEY}`,
        `GET ${path}?quote-currency=EUR&format=JSON&nft=true&no-nft-fetch=true&key=${TEST_KEY}`,
      ],
    );
    assert.deepEqual(requests[0]?.headers, { accept: 'application/json' });
  });

  it('puts the key into the header alone where it is told to', async () => {
    const { client, requests } = openDataApi(noHoldings, { keyIn: 'header' });
    await client.tokenBalances(HOLDER, USD);
    assert.equal(requests[0]?.headers.authorization, `Bearer ${TEST_KEY}`);
    assert.ok(!requests[0]?.url.includes('key='));
  });

  it('keeps the path of its base address, with or without a slash at the end', async () => {
    for (const tail of ['/proxy', '/proxy/', '/proxy//?x=1#y']) {
      const options = { baseUrl: `https://data.example${tail}`, chainId: 1, keyIn: 'header' } as const;
      const { client, requests } = openDataApi(noHoldings, options);
      await client.nftBalances(HOLDER);
      assert.deepEqual(
        requests.map(({ url }) => url),
        [`/proxy/v1/1/address/${HOLDER}/balances_nft/`],
        tail,
      );
    }
  });

  it('refuses a key or an address of no use before any request', () => {
    const create = (options: object) => () => openDataApi(noHoldings, options);
    for (const key of ['', '  ', 'two words', 'line\nbreak', 'schlüssel', 'x'.repeat(513)])
      assert.throws(create({ key }), failsWith('badInput'));
    for (const baseUrl of ['data.example', 'ftp://data.example', 'https://user:pass@data.example'])
      assert.throws(create({ baseUrl }), failsWith('badInput'));
  });

  it('asks once for many who ask the same, and again for another currency or a fresh answer', async () => {
    const { client, requests } = openDataApi(noHoldings);
    await Promise.all(Array.from({ length: 20 }, () => client.tokenBalances(HOLDER, USD)));
    await client.tokenBalances(HOLDER, USD);
    assert.equal(requests.length, 1);
    await client.tokenBalances(HOLDER, { quoteCurrency: 'CHF' });
    assert.equal(requests.length, 2);
    await client.tokenBalances(HOLDER, { ...USD, fresh: true });
    assert.equal(requests.length, 3);
  });

  it('asks at most 4 times a second', async () => {
    const { client, requests, waits } = openDataApi(noHoldings);
    for (let i = 0; i < 9; i++) await client.nftBalances(HOLDER);
    assert.equal(requests.length, 9);
    assert.deepEqual(waits, [1100, 1100]);
  });

  it('asks again where that helps, as late as the server says', async () => {
    for (const [status, headers] of [
      [429, { 'retry-after': '2' }],
      ...[429, 500, 503, 507, 562].map((status) => [status, {}] as const),
    ] as const) {
      const answer = errorResponse(status, 'later', headers);
      const { client, requests, waits } = openDataApi((_, count) => (count === 1 ? answer : noHoldings()));
      await client.tokenBalances(HOLDER, USD);
      assert.equal(requests.length, 2);
      assert.ok('retry-after' in headers ? waits[0] === 2000 : (waits[0] ?? 0) > 0, `${waits}`);
    }
  });

  it('gives up at once on what no second try helps, and does not keep the failure', async () => {
    const { client, requests } = openDataApi((_, count) =>
      count === 1 ? errorResponse(400, 'no') : noHoldings(),
    );
    await assert.rejects(client.tokenBalances(HOLDER, USD), failsWith('badResponse'));
    assert.equal(requests.length, 1);
    assert.deepEqual((await client.tokenBalances(HOLDER, USD)).tokens, []);
  });

  it('gives up at once when the server asks for a wait too long, and says how long', async () => {
    const late = () => errorResponse(429, 'slow down', { 'retry-after': '3600' });
    const { details, requests } = await errorOf('rateLimited', late);
    assert.deepEqual([details.retryAfterMs, requests.length], [3_600_000, 1]);
  });

  it('stops reading a body over its bound', () =>
    errorOf('tooLarge', () => responseWithItems([{ contract_name: 'x'.repeat(10_000) }]), {
      maxBytes: 5_000,
    }));

  it('cancels the request when the last who asked does', async () => {
    const leaving = new AbortController();
    const { client, requests } = openDataApi(() => {
      setImmediate(() => leaving.abort());
      return null;
    });
    const left = client.tokenBalances(HOLDER, { ...USD, signal: leaving.signal });
    await assert.rejects(left, failsWith('aborted'));
    assert.equal(requests[0]?.signal.aborted, true);
  });
});

describe('Data API key', () => {
  for (const [verdict, answer] of [
    ['right', { body: { data: null, error: false } }],
    ['wrong', errorResponse(401, 'so it is')],
    ['exhausted', errorResponse(402, 'so it is')],
    ['notEntitled', errorResponse(403, 'so it is')],
    ['chainNotServed', errorResponse(404, 'so it is')],
  ] as const) {
    it(`is ${verdict} by one answer`, async () => {
      const { client, requests } = openDataApi(() => answer);
      assert.equal(await client.checkKey(), verdict);
      assert.equal(requests.length, 1);
    });
  }

  it('is not judged by an answer that tells nothing of it', async () => {
    for (const [kind, answer] of [
      ['rateLimited', errorResponse(429, 'slow down')],
      ['unavailable', errorResponse(503, 'back soon')],
      ['badResponse', { body: '<html>Welcome to the airport</html>' }],
    ] as const) {
      await assert.rejects(openDataApi(() => answer).client.checkKey(), failsWith(kind));
    }
  });

  it('stands in no error, though the server, the body or the network library says it', async () => {
    const inOwnWords = errorResponse(401, `Unregistered or inactive API key ${TEST_KEY}`);
    const { message } = await errorOf('unauthorized', () => inOwnWords);
    assert.equal(message, 'Unregistered or inactive API key (key)');
    await errorOf('badResponse', () => ({ body: `{"data": ${TEST_KEY}}` }));
    const fetch: FetchLike = async (url) => {
      throw new TypeError('fetch failed', { cause: new Error(`no route to ${url}`) });
    };
    await errorOf('network', noHoldings, { fetch });
  });

  it('is in no result, though the server repeats the URL of the request in names and links', async () => {
    const key = 'a+key/with=signs&more';
    const repeat = ({ url }: { readonly url: string }) =>
      responseWithItems(
        [
          {
            contract_address: `0x${'12'.repeat(20)}`,
            ...{
              contract_name: url.slice(url.indexOf('key=')),
              contract_ticker_symbol: encodeURIComponent(key),
            },
            ...{ contract_decimals: 18, supports_erc: ['erc20'], type: 'cryptocurrency', balance: '1' },
            ...{ logo_url: `https://logos.example/${url}`, quote: 1, quote_rate: 1 },
          },
        ],
        { links: { next: `https://data.example${url}&page-number=1` } },
      );
    const { client, requests } = openDataApi(repeat, { key });
    const read = inspect(await client.holdings(HOLDER, USD), { depth: 10 });
    assert.match(requests[0]?.url ?? '', /key=a%2Bkey%2Fwith%3Dsigns%26more/);
    assert.match(read, /\(key\)/);
    assert.doesNotMatch(read, /a(?:\+|%2B)key/);
  });

  it('is in no result, message or metadata in any encoding that is promised', async () => {
    const key = TEST_KEY;
    const writings = [
      key,
      key.toUpperCase(),
      encodeURIComponent(encodeURIComponent(`${key}=`)),
      key.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      key.replaceAll(/./g, (letter) => `&#${letter.charCodeAt(0)};`),
      key.replaceAll(/./g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
      Buffer.from(key).toString('hex'),
      `0x${Buffer.from(key).toString('hex')}`,
      ...[0, 1, 2].map((before) => Buffer.from(`${':'.repeat(before)}${key}:`).toString('base64url')),
      key.slice(0, Math.ceil(key.length / 2)),
    ];
    for (const text of writings) {
      const token = {
        ...{ contract_address: `0x${'12'.repeat(20)}`, contract_name: text, contract_ticker_symbol: text },
        ...{ contract_decimals: 18, supports_erc: ['erc721'], type: 'nft', balance: '1', logo_url: text },
        nft_data: [
          {
            token_id: '1',
            token_url: `https://x.example/${text}`,
            external_data: { name: text, [text]: text },
          },
        ],
      };
      const { client } = openDataApi(() => responseWithItems([token], { links: { next: text } }), { key });
      const read = inspect([await client.holdings(HOLDER, USD), await client.nftBalances(HOLDER)], {
        depth: 20,
      });
      assert.match(read, /\(key\)/, text);
      assert.ok(!read.includes(text), text);
      const { client: refusing } = openDataApi(() => errorResponse(400, `no ${text}`), { key });
      const error = await refusing.tokenBalances(HOLDER, USD).catch((cause: unknown) => cause);
      assert.ok(error instanceof Error);
      assert.ok(!inspect(error, { depth: 10, showHidden: true }).includes(text), text);
    }
  });

  it('is in no error of a server that repeats the URL in its answer or redirects to it', async () => {
    const key = 'a+key/with=signs&more';
    for (const answer of [
      ({ url }: { readonly url: string }) => errorResponse(400, `bad request ${url}`),
      ({ url }: { readonly url: string }) => ({ status: 500, body: `<a href="${url}">` }),
      ({ url }: { readonly url: string }) => ({ body: { error: `no such page: ${url}` } }),
      ({ url }: { readonly url: string }) => ({ body: { message: url } }),
      ({ url }: { readonly url: string }) => ({ status: 302, headers: { location: `${url}/` }, body: '' }),
      () => ({ status: 302, headers: { location: `https://${key.slice(2, 5)}.example/?${key}` }, body: '' }),
    ]) {
      const { client } = openDataApi(answer, { key });
      const error = await client.tokenBalances(HOLDER, USD).catch((cause: unknown) => cause);
      assert.ok(error instanceof Error);
      assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), /a(?:\+|%2B)key/);
    }
  });

  it('is what an error with status 200 is about, where it says so by a code or in words', async () => {
    const errors: readonly (readonly [ErrorKind, unknown])[] = [
      ['unauthorized', { error: true, error_code: 401, error_message: 'No.' }],
      ['unauthorized', { error: true, error_code: '401' }],
      ['forbidden', { error: true, error_code: 403, data: { items: [] } }],
      ['unauthorized', { error: true, error_message: 'Invalid API key' }],
      ['unauthorized', { error: 'The parameter key is missing' }],
      ['unauthorized', { error: { code: 401, message: 'Unauthorized' } }],
      ['server', { error: true, error_message: 'The keyspace is full' }],
      ['server', { error: 'out of memory' }],
    ];
    for (const [kind, body] of errors) await errorOf(kind, () => ({ body }));
  });

  it('stands in no record of an exchange', async () => {
    const exchanges: HttpExchange[] = [];
    const { client } = openDataApi(noHoldings, { onExchange: (exchange) => exchanges.push(exchange) });
    await client.tokenBalances(HOLDER, USD);
    assert.equal(exchanges.length, 1);
    assert.ok(!JSON.stringify(exchanges).includes(TEST_KEY));
  });

  it('goes to no other origin when redirected', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const answer = { status, headers: { location: 'https://elsewhere.example/' }, body: '' };
      const { requests } = await errorOf('redirected', () => answer);
      assert.deepEqual(
        requests.map(({ redirect }) => redirect),
        ['manual'],
      );
    }
  });
});
