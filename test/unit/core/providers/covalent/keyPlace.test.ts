import assert from 'node:assert/strict';
import {
  createDataApiClient,
  createKeyPlaceFinder,
  type KeyPlace,
  systemClock,
} from '../../../../../src/core/index.ts';
import { HOLDER, TEST_KEY } from '../../../../support/dataApi.ts';
import {
  errorResponseOf,
  type StubResponse,
  useRecordedServer,
} from '../../../../support/host/recordedServer.ts';

const WRONG = 'ckey_ffffffffffffffffffffffffffff';

interface Sent {
  readonly header: string | undefined;
  readonly query: string | undefined;
}

type Answer = (sent: Sent) => StubResponse;

const noHoldings = (): StubResponse => ({ body: { data: { items: [] }, error: false } });
const inHeader = (key: string): Sent => ({ header: key, query: undefined });
const inQuery = (key: string): Sent => ({ header: undefined, query: key });
const judge = (key: string | undefined) => (key === TEST_KEY ? noHoldings() : errorResponseOf(401));
const inQueryElse =
  (refusal: StubResponse): Answer =>
  ({ query }) =>
    query === TEST_KEY ? noHoldings() : refusal;
const inEnvelope = { body: { error: true, error_message: 'No valid API key was provided.' } };

/** Servers by where they look for a key, and how they refuse. */
const servers: Readonly<Record<string, Answer>> = {
  'in both places, as the service does': ({ header, query }) => judge(query ?? header),
  'in the header only': ({ header }) => judge(header),
  'in the query only': ({ query }) => judge(query),
  'in the query only, as a gateway that forbids': inQueryElse(errorResponseOf(403)),
  'in the query only, as a gateway that answers by a web page': inQueryElse({
    ...{ status: 401, headers: { 'content-type': 'text/html' }, body: '<html>Authorization Required</html>' },
  }),
  'in the query only, as a gateway that forbids by a web page': inQueryElse({
    ...{ status: 403, headers: { 'content-type': 'text/html' }, body: '<html>Forbidden</html>' },
  }),
  'in the query only, with status 200 for all': inQueryElse(inEnvelope),
  'in the query only, with status 200 and a message of its own': inQueryElse({
    body: { status: 'error', message: 'Missing API key' },
  }),
  'in the query only, as a parameter that is missing': inQueryElse({
    ...{ status: 400, body: { error: true, error_message: "Missing parameter 'key'", error_code: 400 } },
  }),
  'in the query only, as a parameter that is missing in a list': inQueryElse({
    ...{ status: 422, body: { detail: [{ loc: ['query', 'key'], msg: 'Field required', type: 'missing' }] } },
  }),
};

describe('The place of a data API key', () => {
  const server = useRecordedServer();
  const sent: Sent[] = [];
  beforeEach(() => void sent.splice(0));

  function answer(respond: Answer): void {
    server.answer = ({ url, authorization }) => {
      const query = new URL(url, 'http://data-api').searchParams.get('key') ?? undefined;
      const one = { header: authorization?.replace('Bearer ', ''), query };
      sent.push(one);
      return respond(one);
    };
  }

  function open(
    options: { readonly key?: string; readonly keyIn?: KeyPlace; readonly first?: KeyPlace } = {},
  ) {
    const stored: KeyPlace[] = [];
    const finder = createKeyPlaceFinder({
      ...(options.first && { first: options.first }),
      onDidFind: (place) => stored.push(place),
    });
    const client = createDataApiClient({
      ...{ fetch, clock: systemClock, baseUrl: server.url, chainId: 5, throttle: { pass: async () => {} } },
      ...{ key: options.key ?? TEST_KEY, keyIn: options.keyIn ?? finder },
    });
    return { client, finder, stored };
  }

  for (const [where, respond] of Object.entries(servers)) {
    const isQueryOnly = where.startsWith('in the query only');

    it(`is found for a server that looks ${where}, and remembered`, async () => {
      answer(respond);
      const { client, finder, stored } = open();
      assert.equal(await client.checkKey(), 'right');
      assert.equal(finder.found, isQueryOnly ? 'query' : 'header');
      assert.deepEqual(stored, isQueryOnly ? ['query'] : []);
      const search = isQueryOnly ? [inHeader(TEST_KEY), inQuery(TEST_KEY)] : [inHeader(TEST_KEY)];
      assert.deepEqual(sent, search);
      await client.nftBalances(HOLDER).catch(() => undefined);
      assert.deepEqual(sent, [...search, isQueryOnly ? inQuery(TEST_KEY) : inHeader(TEST_KEY)]);
    });

    it(`is not found for a wrong key, which is in the URL of one request: ${where}`, async () => {
      answer(respond);
      const { client, finder } = open({ key: WRONG });
      for (let nth = 0; nth < 2; nth++)
        await assert.rejects(client.tokenBalances(HOLDER, { quoteCurrency: 'USD', fresh: true }), {
          kind: where.includes('forbids') ? 'forbidden' : 'unauthorized',
          message: /refused the key/,
        });
      assert.equal(finder.found, undefined);
      assert.deepEqual(sent, [inHeader(WRONG), inQuery(WRONG), inHeader(WRONG)]);
    });
  }

  it('is fixed by a setting, whatever the server says', async () => {
    for (const [keyIn, there, respond] of [
      ['header', inHeader(TEST_KEY), servers['in the query only']],
      ['query', inQuery(TEST_KEY), servers['in the header only']],
    ] as const) {
      answer(respond as Answer);
      assert.equal(await open({ keyIn }).client.checkKey(), 'wrong');
      assert.deepEqual(sent.splice(0), [there]);
    }
  });

  it('is the one that a refusal of the key itself comes by', async () => {
    answer(({ query }) => errorResponseOf(query ? 402 : 401));
    const exhausted = open();
    assert.equal(await exhausted.client.checkKey(), 'exhausted');
    assert.equal(exhausted.finder.found, 'query');
    answer(({ query }) => errorResponseOf(query ? 403 : 401));
    const inQueryOnly = open();
    assert.equal(await inQueryOnly.client.checkKey(), 'notEntitled');
    assert.equal(inQueryOnly.finder.found, 'query');
    answer(({ header }) => errorResponseOf(header ? 403 : 401));
    const inHeaderOnly = open();
    assert.equal(await inHeaderOnly.client.checkKey(), 'notEntitled');
    assert.equal(inHeaderOnly.finder.found, 'header');
  });

  it('is not known from a chain that is not served, which a server may check before the key', async () => {
    answer(() => errorResponseOf(404));
    const { client, finder } = open();
    assert.equal(await client.checkKey(), 'chainNotServed');
    assert.equal(finder.found, undefined);
    answer(servers['in the query only'] as Answer);
    assert.equal(await client.checkKey(), 'right');
    assert.equal(finder.found, 'query');
  });

  it('is not looked for in the URL after anything but a refusal of the key', async () => {
    for (const respond of [
      () => errorResponseOf(400),
      () => errorResponseOf(402),
      () => errorResponseOf(404),
      () => errorResponseOf(406),
      () => ({ status: 302, headers: { location: '/login' }, body: '' }),
      () => ({ body: '<html>' }),
      () => ({ body: { error: 'out of tokens' } }),
    ] satisfies readonly Answer[]) {
      answer(respond);
      await open()
        .client.checkKey()
        .catch(() => undefined);
      assert.ok(sent.splice(0).every(({ query }) => query === undefined));
    }
  });

  it('is not known where the other place reveals nothing, and looked for again', async () => {
    answer(({ header }) => (header ? errorResponseOf(401) : { body: '<html>' }));
    const { client, finder } = open();
    await assert.rejects(client.checkKey(), { kind: 'badResponse' });
    assert.equal(finder.found, undefined);
    answer(servers['in the query only'] as Answer);
    assert.equal(await client.checkKey(), 'right');
    assert.equal(finder.found, 'query');
  });

  it('begins where it was found before, and is found anew if the server has changed', async () => {
    answer(servers['in the query only'] as Answer);
    const same = open({ first: 'query' });
    assert.equal(await same.client.checkKey(), 'right');
    assert.deepEqual([sent.splice(0), same.stored], [[inQuery(TEST_KEY)], []]);
    answer(servers['in the header only'] as Answer);
    const other = open({ first: 'query' });
    assert.equal(await other.client.checkKey(), 'right');
    assert.deepEqual([sent.splice(0), other.stored], [[inQuery(TEST_KEY), inHeader(TEST_KEY)], ['header']]);
  });

  it('is found by one of many first requests, while the others wait', async () => {
    answer(servers['in the query only'] as Answer);
    const { client } = open();
    const holders = Array.from({ length: 8 }, (_, index) => `0x${`${index}`.repeat(40)}` as typeof HOLDER);
    await Promise.all(
      holders.map((holder) => client.tokenBalances(holder as never, { quoteCurrency: 'USD' })),
    );
    assert.deepEqual(sent, [inHeader(TEST_KEY), ...holders.map(() => inQuery(TEST_KEY))]);
  });

  it('is looked for once by many first requests with a wrong key', async () => {
    answer(servers['in the query only'] as Answer);
    const { client } = open({ key: WRONG });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => client.nftBalances(HOLDER)));
    assert.ok(results.every(({ status }) => status === 'rejected'));
    assert.deepEqual(sent, [inHeader(WRONG), inQuery(WRONG)]);
  });

  it('is looked for by the next request if the first is cancelled', async () => {
    const cancelled = new AbortController();
    answer(() => {
      cancelled.abort();
      answer(servers['in the query only'] as Answer);
      return errorResponseOf(401);
    });
    const { client } = open();
    const results = await Promise.allSettled([
      client.nftBalances(HOLDER, { signal: cancelled.signal }),
      ...[1, 2, 3].map(() => client.checkKey()),
    ]);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.kind)),
      ['aborted', 'right', 'right', 'right'],
    );
    assert.equal(sent.filter(({ header }) => header !== undefined).length, 2);
  });
});
