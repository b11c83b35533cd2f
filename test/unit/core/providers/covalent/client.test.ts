import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { inspect } from 'node:util';
import { fetch as undiciFetch } from 'undici';
import {
  type AppError,
  createDataApiClient,
  type ErrorKind,
  type FetchLike,
  findKeyPlace,
  type HttpExchange,
  isAppError,
} from '../../../../../src/core/index.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import {
  type DataApiResponse,
  errorResponse,
  HOLDER,
  responseWithItems,
  TEST_KEY,
  withDataApi,
} from '../../../../support/dataApi.ts';
import { startLoopbackServer } from '../../../../support/loopbackServer.ts';

const USD = { quoteCurrency: 'USD' } as const;
const noHoldings = () => responseWithItems([]);
const keyInOwnWords = () => errorResponse(401, `Unregistered or inactive API key ${TEST_KEY}`);

const failsWith = (kind: ErrorKind) => (error: AppError) => {
  assert.equal(error.kind, kind, error.message);
  assert.ok(!inspect(error, { depth: 10, showHidden: true }).includes(TEST_KEY));
  return true;
};

describe('Data API client', () => {
  it('asks for balances with every parameter, the key in the query', () =>
    withDataApi(noHoldings, async ({ client, requests }) => {
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
      assert.equal(requests[0]?.headers.accept, 'application/json');
      assert.equal(requests[0]?.headers.authorization, undefined);
    }));

  it('puts the key into the header alone where it is told to', () =>
    withDataApi(
      noHoldings,
      async ({ client, requests }) => {
        await client.tokenBalances(HOLDER, USD);
        assert.equal(requests[0]?.headers.authorization, `Bearer ${TEST_KEY}`);
        assert.ok(!requests[0]?.url?.includes('key='));
      },
      { keyIn: 'header' },
    ));

  it('keeps the path of its base address, with or without a slash at the end', async () => {
    for (const tail of ['/proxy', '/proxy/', '/proxy//?x=1#y']) {
      const seen: string[] = [];
      const fetch: FetchLike = async (url) => {
        seen.push(url);
        return Response.json(noHoldings().body);
      };
      const options = {
        chainId: 1,
        key: TEST_KEY,
        keyIn: 'header',
        fetch,
        clock: createTestClock(),
      } as const;
      await createDataApiClient({ ...options, baseUrl: `https://data.example${tail}` }).nftBalances(HOLDER);
      assert.deepEqual(seen, [`https://data.example/proxy/v1/1/address/${HOLDER}/balances_nft/`], tail);
    }
  });

  it('refuses a key or an address of no use before any request', () => {
    const fetch = undiciFetch as unknown as FetchLike;
    const options = { chainId: 1, keyIn: 'header', fetch, clock: createTestClock() } as const;
    const create = (baseUrl: string, key: string) => () => createDataApiClient({ ...options, baseUrl, key });
    for (const key of ['', '  ', 'two words', 'line\nbreak', 'schlüssel', 'x'.repeat(513)]) {
      assert.throws(create('https://data.example', key), failsWith('badInput'));
    }
    for (const baseUrl of ['data.example', 'ftp://data.example', 'https://user:pass@data.example']) {
      assert.throws(create(baseUrl, TEST_KEY), failsWith('badInput'));
    }
  });

  it('asks once for many who ask the same, and again for another currency or a fresh answer', () =>
    withDataApi(noHoldings, async ({ client, requests }) => {
      await Promise.all(Array.from({ length: 20 }, () => client.tokenBalances(HOLDER, USD)));
      await client.tokenBalances(HOLDER, USD);
      assert.equal(requests.length, 1);
      await client.tokenBalances(HOLDER, { quoteCurrency: 'CHF' });
      assert.equal(requests.length, 2);
      await client.tokenBalances(HOLDER, { ...USD, fresh: true });
      assert.equal(requests.length, 3);
    }));

  it('asks at most 4 times a second', () =>
    withDataApi(noHoldings, async ({ client, requests, waits }) => {
      for (let i = 0; i < 9; i++) await client.nftBalances(HOLDER);
      assert.equal(requests.length, 9);
      assert.deepEqual(waits, [1100, 1100]);
    }));

  it('asks again where that helps, as late as the server says', async () => {
    const later = (answer: () => ReturnType<typeof errorResponse>) =>
      withDataApi(
        (_, count) => (count === 1 ? answer() : noHoldings()),
        async ({ client, requests, waits }) => {
          await client.tokenBalances(HOLDER, USD);
          assert.equal(requests.length, 2);
          return waits[0];
        },
      );
    assert.equal(await later(() => errorResponse(429, 'slow down', { 'retry-after': '2' })), 2000);
    for (const status of [429, 500, 503, 507, 562]) {
      const wait = await later(() => errorResponse(status, 'later'));
      assert.ok(wait !== undefined && wait > 0);
    }
  });

  const final: readonly [number, ErrorKind][] = [
    [400, 'badResponse'],
    [401, 'unauthorized'],
    [402, 'creditsUsedUp'],
    [403, 'forbidden'],
    [404, 'notServed'],
    [406, 'tooHeavy'],
    [501, 'notServed'],
  ];
  for (const [status, kind] of final) {
    it(`gives up at once on ${status}, and does not keep the failure`, () =>
      withDataApi(
        (_, count) => (count === 1 ? errorResponse(status, 'no') : noHoldings()),
        async ({ client, requests }) => {
          await assert.rejects(client.tokenBalances(HOLDER, USD), failsWith(kind));
          assert.equal(requests.length, 1);
          assert.deepEqual((await client.tokenBalances(HOLDER, USD)).tokens, []);
        },
      ));
  }

  it('gives up at once when the server asks for a wait too long, and says how long', () =>
    withDataApi(
      () => errorResponse(429, 'slow down', { 'retry-after': '3600' }),
      async ({ client, requests }) => {
        await assert.rejects(client.tokenBalances(HOLDER, USD), (error: AppError) => {
          assert.equal(error.details.retryAfterMs, 3_600_000);
          return failsWith('rateLimited')(error);
        });
        assert.equal(requests.length, 1);
      },
    ));

  it('stops reading a body over its bound', () =>
    withDataApi(
      () => responseWithItems([{ contract_name: 'x'.repeat(10_000) }]),
      ({ client }) => assert.rejects(client.tokenBalances(HOLDER, USD), failsWith('tooLarge')),
      { maxBytes: 5_000 },
    ));

  it('leaves the others their answer when one who asked cancels', () =>
    withDataApi(noHoldings, async ({ client, requests }) => {
      const leaving = new AbortController();
      const left = client.tokenBalances(HOLDER, { ...USD, signal: leaving.signal });
      const staying = client.tokenBalances(HOLDER, USD);
      leaving.abort();
      await assert.rejects(left, failsWith('aborted'));
      assert.deepEqual((await staying).tokens, []);
      assert.equal(requests.length, 1);
    }));

  it('cancels the request when the last who asked does', async () => {
    let arrived: (() => void) | undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await withDataApi(
      () => {
        arrived?.();
        return null;
      },
      async ({ client, requests }) => {
        const leaving = new AbortController();
        const left = client.tokenBalances(HOLDER, { ...USD, signal: leaving.signal });
        await arrival;
        const cut = new Promise((resolve) => requests[0]?.once('close', resolve));
        leaving.abort();
        await assert.rejects(left, failsWith('aborted'));
        await cut;
      },
    );
  });
});

describe('Data API key', () => {
  const verdicts = {
    200: 'right',
    401: 'wrong',
    402: 'exhausted',
    403: 'notEntitled',
    404: 'chainNotServed',
  } as const;
  for (const [status, verdict] of Object.entries(verdicts)) {
    it(`is ${verdict} by ${status}`, () =>
      withDataApi(
        () =>
          status === '200'
            ? { body: { data: null, error: false } }
            : errorResponse(Number(status), 'so it is'),
        async ({ client, requests }) => {
          assert.equal(await client.checkKey(), verdict);
          assert.equal(requests.length, 1);
        },
      ));
  }

  it('is not judged by an answer that tells nothing of it', async () => {
    const answers: readonly [ErrorKind, () => ReturnType<typeof errorResponse>][] = [
      ['rateLimited', () => errorResponse(429, 'slow down')],
      ['unavailable', () => errorResponse(503, 'back soon')],
      ['badResponse', () => ({ body: '<html>Welcome to the airport</html>' })],
    ];
    for (const [kind, answer] of answers) {
      await withDataApi(answer, ({ client }) => assert.rejects(client.checkKey(), failsWith(kind)));
    }
  });

  it('stands in no error, though the server says it', () =>
    withDataApi(keyInOwnWords, ({ client }) =>
      assert.rejects(client.tokenBalances(HOLDER, USD), (error: AppError) => {
        assert.equal(error.details.serverMessage, 'Unregistered or inactive API key (key)');
        return failsWith('unauthorized')(error);
      }),
    ));

  it('stands in no error, though the body or the network library says it', async () => {
    await withDataApi(
      () => ({ body: `{"data": ${TEST_KEY}}` }),
      ({ client }) => assert.rejects(client.tokenBalances(HOLDER, USD), failsWith('badResponse')),
    );
    const fetch: FetchLike = async (url) => {
      throw new TypeError('fetch failed', { cause: new Error(`no route to ${url}`) });
    };
    await withDataApi(
      noHoldings,
      ({ client }) => assert.rejects(client.tokenBalances(HOLDER, USD), failsWith('network')),
      { fetch },
    );
  });

  it('stands in no record of an exchange', async () => {
    const exchanges: HttpExchange[] = [];
    await withDataApi(noHoldings, ({ client }) => client.tokenBalances(HOLDER, USD), {
      onExchange: (exchange) => exchanges.push(exchange),
    });
    assert.equal(exchanges.length, 1);
    assert.ok(!JSON.stringify(exchanges).includes(TEST_KEY));
  });

  for (const keyIn of ['query', 'header'] as const) {
    it(`goes to no other origin when redirected, sent in the ${keyIn}`, async () => {
      const visitors: (string | undefined)[] = [];
      const elsewhere = await startLoopbackServer((request, response) => {
        visitors.push(request.url);
        response.end();
      });
      try {
        for (const status of [301, 302, 303, 307, 308]) {
          await withDataApi(
            (request) => ({ status, headers: { location: `${elsewhere.url}${request.url}` }, body: '' }),
            ({ client }) => assert.rejects(client.tokenBalances(HOLDER, USD), failsWith('redirected')),
            { keyIn },
          );
        }
        assert.deepEqual(visitors, []);
      } finally {
        await elsewhere.close();
      }
    });
  }
});

const WRONG = 'ckey_ffffffffffffffffffffffffffff';

interface Sent {
  readonly header: string | undefined;
  readonly query: string | undefined;
}

const noHoldingsOf = () => responseWithItems([], { address: undefined });
const missing = () => errorResponse(401, 'No valid API key was provided.');
const unknown = () => errorResponse(401, 'Unregistered or inactive API key');
const judge = (key: string | undefined) => {
  if (key === undefined) return missing();
  return key === TEST_KEY ? noHoldingsOf() : unknown();
};

/** Servers by where they look for a key and what they say to one who has none. */
const servers = {
  'in both places, as the service does': ({ header, query }: Sent) => judge(query ?? header),
  'in the header only': ({ header }: Sent) => judge(header),
  'in the query only': ({ query }: Sent) => judge(query),
  'in the query only, with the same words for all': ({ query }: Sent) =>
    query === TEST_KEY ? noHoldingsOf() : errorResponse(401, 'Unauthorized'),
  'in the query only, as a gateway that forbids': ({ query }: Sent) =>
    query === TEST_KEY ? noHoldingsOf() : errorResponse(403, 'Forbidden'),
  'in the query only, as a gateway that answers by a web page': ({ query }: Sent) =>
    query === TEST_KEY ? noHoldingsOf() : { status: 401, body: '<html>Authorization Required</html>' },
} satisfies Readonly<Record<string, (sent: Sent) => DataApiResponse>>;

async function check(key: string, answer: (sent: Sent) => DataApiResponse) {
  const asked: Sent[] = [];
  const server = await startLoopbackServer((request, response) => {
    const sent = keysIn(request);
    asked.push(sent);
    const { status = 200, headers = {}, body } = answer(sent);
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const options = {
    ...{ baseUrl: server.url, chainId: 11297108109, key },
    ...{ fetch: undiciFetch as unknown as FetchLike, clock: createTestClock() },
  };
  try {
    const found = await findKeyPlace((keyIn) => createDataApiClient({ ...options, keyIn }));
    return { ...found, asked };
  } finally {
    await server.close();
  }
}

function keysIn({ url = '', headers }: IncomingMessage): Sent {
  return {
    header: headers.authorization?.replace('Bearer ', ''),
    query: new URL(url, 'http://data-api').searchParams.get('key') ?? undefined,
  };
}

const inHeader = (key: string): Sent => ({ header: key, query: undefined });
const inQuery = (key: string): Sent => ({ header: undefined, query: key });
const nowhere: Sent = { header: undefined, query: undefined };

describe('The place of a data API key', () => {
  for (const [where, answer] of Object.entries(servers)) {
    it(`is found for a server that looks ${where}`, async () => {
      const { status, place, asked } = await check(TEST_KEY, answer);
      const queryOnly = where.startsWith('in the query only');
      assert.deepEqual([status, place], ['right', queryOnly ? 'query' : 'header']);
      const header = [inHeader(TEST_KEY)];
      assert.deepEqual(asked, queryOnly ? [...header, nowhere, inQuery(TEST_KEY)] : header);
    });
  }

  it('is not the query for a wrong key: in a server that takes headers it stands in no URL', async () => {
    for (const where of ['in both places, as the service does', 'in the header only'] as const) {
      const { status, place, asked } = await check(WRONG, servers[where]);
      assert.deepEqual([status, place], ['wrong', 'header']);
      assert.deepEqual(asked, [inHeader(WRONG), nowhere]);
    }
  });

  it('stays the header where no place makes the key right', async () => {
    for (const answer of Object.values(servers)) {
      const { status, place } = await check(WRONG, answer);
      assert.ok(status !== 'right', status);
      assert.equal(place, 'header');
    }
  });

  it('is the one that a refusal of the key itself comes by', async () => {
    const exhausted = await check(TEST_KEY, ({ query }) =>
      query ? errorResponse(402, 'used up') : missing(),
    );
    assert.deepEqual([exhausted.status, exhausted.place], ['exhausted', 'query']);
    const notEntitled = await check(TEST_KEY, ({ header }) =>
      header ? errorResponse(403, 'plan') : missing(),
    );
    assert.deepEqual([notEntitled.status, notEntitled.place], ['notEntitled', 'header']);
    assert.deepEqual(notEntitled.asked, [inHeader(TEST_KEY), nowhere]);
  });

  it('is not known where a call tells nothing', async () => {
    const unavailable = ({ header }: Sent) =>
      header ? errorResponse(401, 'no') : errorResponse(429, 'slow down');
    await assert.rejects(check(TEST_KEY, unavailable), (error) => isAppError(error, 'rateLimited'));
    const page = () => ({ body: '<html>' });
    await assert.rejects(check(TEST_KEY, page), (error) => isAppError(error, 'badResponse'));
  });
});
