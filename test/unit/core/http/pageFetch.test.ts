import assert from 'node:assert/strict';
import { type FetchLike, sendRequest } from '../../../../src/core/http/exchange.ts';
import { createPageFetch } from '../../../../src/core/http/pageFetch.ts';
import { isRetriedOnNextUse, isRetryable } from '../../../../src/core/http/retry.ts';
import { type AppError, isAppError } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';

const clock = createTestClock();

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** The page's `fetch` over one that answers with `respond`, and what was sent. */
function openPage({
  respond = () => new Response('{}'),
  mayRequest = () => true,
}: {
  readonly respond?: () => Response | Promise<Response>;
  readonly mayRequest?: (url: string) => boolean;
} = {}) {
  const sent: Sent[] = [];
  const fetch: FetchLike = async (url, { headers }) => {
    sent.push({ url, headers });
    return respond();
  };
  const request = (
    url: string,
    more: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal } = {},
  ) => sendRequest({ fetch: createPageFetch({ fetch, mayRequest }), clock }, { url, method: 'GET', ...more });
  return { sent, request };
}

async function getError(request: Promise<unknown>): Promise<AppError> {
  const error = await request.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return isAppError(error) ? error : assert.fail('it should fail');
}

describe('requests of a web page', () => {
  it('go to https, and by http to localhost and 127.0.0.1 only', async () => {
    const { sent, request } = openPage();
    const allowed = [
      'https://192.168.1.7/',
      'https://[::1]/',
      'http://localhost:8545/',
      'http://127.0.0.1:8545/',
    ];
    for (const url of allowed) await request(url);
    const forbidden = [
      'http://[::1]:8545/',
      'http://0.0.0.0:8545/',
      'http://127.0.0.2:8545/',
      'http://node.localhost:8545/',
      'http://192.168.1.7:8545/',
      'http://rpc.example.org/SECRET',
    ];
    for (const url of forbidden) {
      const error = await getError(request(url));
      assert.deepEqual([error.kind, error.details.networkError], ['network', { at: 'pagePolicy' }], url);
      assert.equal(isRetryable(error), false);
      assert.doesNotMatch(error.message, /SECRET/);
    }
    assert.deepEqual(
      sent.map(({ url }) => url),
      allowed,
    );
  });

  it('wait for the user where a server is on this machine, and are made again later', async () => {
    let isChosen = false;
    const { sent, request } = openPage({ mayRequest: (url) => isChosen || !url.includes('127.0.0.1') });
    const error = await getError(request('http://127.0.0.1:8545'));
    assert.deepEqual(error.details.networkError, { at: 'localNotChosen' });
    assert.deepEqual([isRetryable(error), isRetriedOnNextUse(error)], [false, true]);
    assert.deepEqual(sent, []);
    isChosen = true;
    assert.equal((await request('http://127.0.0.1:8545')).status, 200);
  });

  it('that fail name both causes, for a browser tells neither', async () => {
    const refused = new TypeError('Failed to fetch');
    const { request } = openPage({ respond: () => Promise.reject(refused) });
    const error = await getError(request('https://rpc.example.org/SECRET'));
    assert.deepEqual([error.kind, error.details.networkError], ['network', { at: 'crossOrigin' }]);
    assert.equal(error.details.cause, refused);
    assert.equal(isRetryable(error), true, 'the network may be back soon');
    assert.equal(
      error.message,
      'https://rpc.example.org could not be reached (no response, or it does not allow web pages (CORS)).',
    );
  });

  it('that are cancelled are cancelled', async () => {
    const signal = AbortSignal.abort();
    const { request } = openPage({ respond: () => Promise.reject(signal.reason) });
    assert.equal((await getError(request('https://rpc.example.org', { signal }))).kind, 'aborted');
  });

  it('leave out a header that Blockscout does not allow, and no other', async () => {
    const { sent, request } = openPage();
    await request('https://explorer.example.org', { headers: { accept: 'a', 'show-scam-tokens': 'true' } });
    assert.deepEqual(sent[0]?.headers, { accept: 'a' });
  });

  it('see of a redirect only that there is one', async () => {
    const redirect = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    const { request } = openPage({ respond: () => redirect });
    assert.equal((await getError(request('https://rpc.example.org'))).kind, 'redirected');
  });
});
