import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import { findNetworkError } from '../../../../src/core/base/networkErrors.ts';
import { type AppError, createChainClient, type FetchLike, systemClock } from '../../../../src/core/index.ts';
import { startTunnelProxy } from '../../../support/loopbackServer.ts';

const target = 'https://chain.example.test/v3/SECRET';

/** The error of a failed `fetch`, as undici makes it: the system's error is its cause. */
function failedFetch(message: string, facts: object = {}): Error {
  const cause = Object.assign(new Error(message), facts);
  return new TypeError('fetch failed', { cause });
}

describe('a failure of the network', () => {
  for (const code of [
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'HOSTNAME_MISMATCH',
    'INVALID_CA',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ]) {
    it(`is of a certificate: ${code}`, () => {
      assert.deepEqual(findNetworkError(failedFetch('refused', { code }), target), {
        at: 'certificate',
        code,
      });
    });
  }

  it('is of a proxy that asks for a sign-in, in the words of each release of the engine', () => {
    const aborted = (message: string) =>
      failedFetch('Request was cancelled.', {
        code: 0,
        cause: Object.assign(new Error(message), { code: 'UND_ERR_ABORTED' }),
      });
    for (const message of [
      'Proxy response (407) !== 200 when HTTP Tunneling',
      'Proxy response (407) ?.== 200 when HTTP Tunneling',
      'Proxy Authentication Required (407)',
    ]) {
      assert.deepEqual(findNetworkError(aborted(message), target), { at: 'proxySignIn' });
    }
    assert.deepEqual(findNetworkError(aborted('Proxy response (502) !== 200 when HTTP Tunneling'), target), {
      at: 'proxyRefused',
      status: 502,
    });
  });

  it('is of the proxy where the attempt was at another host or port than that of the server', () => {
    const at = (facts: object, url = target) => findNetworkError(failedFetch('failed', facts), url).at;
    assert.equal(at({ code: 'ECONNREFUSED', port: 3128 }), 'proxyUnreachable');
    assert.equal(at({ code: 'ECONNREFUSED', port: 443 }), 'connection');
    assert.equal(at({ code: 'ECONNREFUSED', port: 80 }, 'http://localhost/'), 'connection');
    assert.equal(at({ code: 'ECONNREFUSED', port: 8545 }, 'http://localhost:8545/'), 'connection');
    assert.equal(at({ code: 'ENOTFOUND', hostname: 'proxy.example.test' }), 'proxyUnreachable');
    assert.equal(at({ code: 'ENOTFOUND', hostname: 'Chain.example.test' }), 'connection');
    assert.equal(at({ code: 'UND_ERR_PRX_CONN' }), 'proxyUnreachable');
    assert.equal(at({ code: 'UND_ERR_SOCKS5_AUTH_FAILED' }), 'proxyUnreachable');
    assert.equal(at({ code: 'ERR_INVALID_URL' }), 'proxyUnreachable');
  });

  it('has the code of the first of several attempts, and of the last cause', () => {
    const attempt = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', port: 443 });
    const several = new TypeError('fetch failed', { cause: new AggregateError([attempt], '') });
    assert.deepEqual(findNetworkError(several, target), { at: 'connection', code: 'ECONNREFUSED' });
    assert.deepEqual(findNetworkError(failedFetch('bad port'), target), {
      at: 'connection',
      code: 'no connection',
    });
  });

  it('takes no words for a code, and ends on causes that go round', () => {
    const error = failedFetch('failed', { code: '\u001b[31m[Click](command:x)' });
    assert.deepEqual(findNetworkError(error, target), { at: 'connection', code: 'no connection' });
    const round: Error & { cause?: unknown } = new Error('round');
    round.cause = round;
    assert.deepEqual(findNetworkError(round, target), { at: 'connection', code: 'no connection' });
  });

  describe('met over the wire', () => {
    const servers: Server[] = [];
    after(() => {
      for (const server of servers) server.close();
    });

    async function portOf(server: Server): Promise<number> {
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    }
    const answering = (listener: RequestListener) => portOf(createServer(listener));

    async function failureOf(url: string, proxy?: string): Promise<AppError> {
      const dispatcher =
        proxy === undefined
          ? {}
          : { dispatcher: new EnvHttpProxyAgent({ httpProxy: proxy, proxyTunnel: false }) };
      const fetch: FetchLike = async (address, init) =>
        (await undiciFetch(address, { ...init, ...dispatcher })) as unknown as Response;
      return createChainClient({ fetch, clock: systemClock, url })
        .getBlockNumber({ retries: 0 })
        .then(
          () => assert.fail('it went through'),
          (error: AppError) => error,
        );
    }

    it('names a proxy that asks for a sign-in, for a tunnel and for a request that it passes on', async () => {
      await using proxy = await startTunnelProxy({}, { credentials: 'user:password' });
      const tunnelled = await failureOf(target, proxy.url);
      const port = await answering((_request, response) => response.writeHead(407).end('<html>sign in'));
      const passedOn = await failureOf('http://chain.example.test/', `http://127.0.0.1:${port}`);
      for (const error of [tunnelled, passedOn]) {
        assert.equal(error.kind, 'network');
        assert.deepEqual(error.details.networkError, { at: 'proxySignIn' });
        assert.match(error.message, /the proxy requires a sign-in: HTTP 407/);
      }
    });

    it('names a proxy that is not there', async () => {
      const free = await answering(() => undefined);
      await new Promise((resolve) => servers.pop()?.close(resolve));
      const error = await failureOf(target, `http://127.0.0.1:${free}`);
      assert.deepEqual(error.details.networkError, { at: 'proxyUnreachable', code: 'ECONNREFUSED' });
    });
  });
});
