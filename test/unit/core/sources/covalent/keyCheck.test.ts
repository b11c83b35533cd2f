import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { fetch as undiciFetch } from 'undici';
import {
  createDataApiClient,
  type FetchLike,
  findKeyPlace,
  isAppError,
} from '../../../../../src/core/index.ts';
import {
  type DataApiResponse,
  errorResponse,
  responseWithItems,
  TEST_KEY,
} from '../../../../support/dataApi.ts';
import { startLoopbackServer } from '../../../../support/loopbackServer.ts';
import { createTestClock } from '../../../../support/testClock.ts';

const WRONG = 'ckey_ffffffffffffffffffffffffffff';

interface Sent {
  readonly header: string | undefined;
  readonly query: string | undefined;
}

const nothingHeld = () => responseWithItems([], { address: undefined });
const missing = () => errorResponse(401, 'No valid API key was provided.');
const unknown = () => errorResponse(401, 'Unregistered or inactive API key');
const judge = (key: string | undefined) => {
  if (key === undefined) return missing();
  return key === TEST_KEY ? nothingHeld() : unknown();
};

/** Servers by where they look for a key and what they say to one who has none. */
const servers = {
  'in both places, as the service does': ({ header, query }: Sent) => judge(query ?? header),
  'in the header only': ({ header }: Sent) => judge(header),
  'in the query only': ({ query }: Sent) => judge(query),
  'in the query only, with the same words for all': ({ query }: Sent) =>
    query === TEST_KEY ? nothingHeld() : errorResponse(401, 'Unauthorized'),
  'in the query only, as a gateway that forbids': ({ query }: Sent) =>
    query === TEST_KEY ? nothingHeld() : errorResponse(403, 'Forbidden'),
  'in the query only, as a gateway that answers by a web page': ({ query }: Sent) =>
    query === TEST_KEY ? nothingHeld() : { status: 401, body: '<html>Authorization Required</html>' },
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
      const { verdict, place, asked } = await check(TEST_KEY, answer);
      const queryOnly = where.startsWith('in the query only');
      assert.deepEqual([verdict, place], ['right', queryOnly ? 'query' : 'header']);
      const header = [inHeader(TEST_KEY)];
      assert.deepEqual(asked, queryOnly ? [...header, nowhere, inQuery(TEST_KEY)] : header);
    });
  }

  it('is not the query for a wrong key: in a server that takes headers it stands in no URL', async () => {
    for (const where of ['in both places, as the service does', 'in the header only'] as const) {
      const { verdict, place, asked } = await check(WRONG, servers[where]);
      assert.deepEqual([verdict, place], ['wrong', 'header']);
      assert.deepEqual(asked, [inHeader(WRONG), nowhere]);
    }
  });

  it('stays the header where no place makes the key right', async () => {
    for (const answer of Object.values(servers)) {
      const { verdict, place } = await check(WRONG, answer);
      assert.ok(verdict !== 'right', verdict);
      assert.equal(place, 'header');
    }
  });

  it('is the one that a refusal of the key itself comes by', async () => {
    const exhausted = await check(TEST_KEY, ({ query }) =>
      query ? errorResponse(402, 'used up') : missing(),
    );
    assert.deepEqual([exhausted.verdict, exhausted.place], ['exhausted', 'query']);
    const notEntitled = await check(TEST_KEY, ({ header }) =>
      header ? errorResponse(403, 'plan') : missing(),
    );
    assert.deepEqual([notEntitled.verdict, notEntitled.place], ['notEntitled', 'header']);
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
