import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { etherscanKey } from '../../localnet/etherscan/server.ts';
import {
  AppError,
  ETHERSCAN_URL,
  type FetchLike,
  type HttpDeps,
  type ProviderPorts,
  providers,
} from '../../src/core/index.ts';
import { createTestClock } from './clocks.ts';

/** The ports of Etherscan for a chain. */
export async function openEtherscanPorts(
  fetch: FetchLike,
  chainId: number,
  deps: Partial<HttpDeps> = {},
): Promise<Partial<ProviderPorts>> {
  const kind = providers.find(({ name }) => name === 'etherscan') ?? assert.fail();
  const url = kind.urlFor({ chainId } as never) ?? assert.fail('not served');
  const clock = createTestClock();
  return kind.open({
    ...{ fetch, clock, url, chainId, key: { text: etherscanKey, place: 'query' as const } },
    ...{ throttle: kind.createThrottle({ clock }), revoked: new AbortController().signal },
    ...deps,
  });
}

/** Leads what goes to Etherscan to a local server, and lets nothing else through. */
export function rerouteEtherscan(url: () => string): FetchLike {
  return (target, init) => {
    const { origin, pathname, search } = new URL(target);
    assert.equal(`${origin}${pathname}`, ETHERSCAN_URL);
    return fetch(`${url()}${search}`, init);
  };
}

/** A server that answers by the parameters of the request, each time with a success, unless it is a response. */
export function answerEtherscan(answer: (params: URLSearchParams) => unknown) {
  const asked: URLSearchParams[] = [];
  const fetch: FetchLike = async (url) => {
    const params = new URL(url).searchParams;
    asked.push(params);
    const result = answer(params);
    if (result instanceof Response) return result;
    return Response.json({ status: '1', message: 'OK', result });
  };
  return { fetch, asked };
}

export const refuseEtherscan = (result: unknown, message = 'NOTOK') =>
  Response.json({ status: '0', message, result });

/** The error of a failed request, which has the key in none of its texts. */
export async function etherscanErrorOf(work: Promise<unknown>, key = etherscanKey): Promise<AppError> {
  const error = await work.then(
    () => assert.fail('It did not fail.'),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof AppError, String(error));
  assert.ok(!inspect(error, { depth: 9 }).includes(key));
  return error;
}
