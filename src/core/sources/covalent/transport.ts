import type { Abortable } from '../../base/abortable.ts';
import { asAppError, badInput, safeUrl, throwIfAborted } from '../../base/errors.ts';
import type { RateLimit } from '../../base/rateLimit.ts';
import type { KeyPlace } from '../../base/source.ts';
import { createTurns } from '../../base/turns.ts';
import { exchange, type HttpDeps } from '../../http/http.ts';
import { LARGE_ANSWER } from '../../http/httpAnswer.ts';
import { withRetry } from '../../http/retry.ts';
import { isHttpUrl } from '../../networks/network.ts';
import { redactKey } from '../../secrets/redactKey.ts';
import { withoutTrailingSlashes } from '../../values/trailingSlashes.ts';
import { readData } from './envelope.ts';
import { createDataApiRateLimit } from './pace.ts';

export interface TransportOptions extends HttpDeps {
  /** Origin and path before `/v1/…`. */
  readonly baseUrl: string;
  readonly key: string;
  /** `nowhere` asks as one who has no key. */
  readonly keyIn: KeyPlace | 'nowhere';
  /** Shared by clients of one key, since the service counts by key; a gate of this client's own if left out. */
  readonly rateLimit?: RateLimit;
  /** Once it aborts, nothing is sent any more and what is on its way is cancelled: the key is not to be used again. */
  readonly revoked?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/** Asks the data API, with key, pace and second tries, whatever the route. */
interface DataApiTransport {
  /**
   * `data` of the answer to `GET /v1/{path}`, unvalidated; undefined where the server says null.
   *
   * @throws AppError of any network kind, and of `creditsUsedUp`, `forbidden`, `notServed`, `tooHeavy`, `unauthorized`.
   */
  get(path: string, query: Readonly<Record<string, string>>, options: Abortable): Promise<unknown>;
}

/**
 * @throws AppError `badInput` for `key` or `dataApiUrl`.
 *
 * @example
 * const { get } = createTransport({ ...http, baseUrl, key, keyIn: 'header' });
 * await get('1/address/0x…/balances_v2/', { 'quote-currency': 'USD' }, { signal });
 */
export function createTransport(options: TransportOptions): DataApiTransport {
  const { baseUrl, clock } = options;
  if (!isHttpUrl(baseUrl)) throw badInput('dataApiUrl', 'Not an http or https address.');
  const key = requireKey(options.key);
  const origin = safeUrl(baseUrl);
  const turn = createTurns(clock);
  const gate = options.rateLimit ?? createDataApiRateLimit(options);

  async function getOnce(path: string, query: Readonly<Record<string, string>>, { signal }: Abortable) {
    await gate.pass({ signal });
    throwIfAborted(signal);
    const { keyIn } = options;
    const url = routeUrl(baseUrl, path, keyIn === 'query' ? { ...query, key } : query);
    const answer = await exchange(options, {
      url,
      method: 'GET',
      headers: { accept: 'application/json', ...(keyIn === 'header' && { authorization: `Bearer ${key}` }) },
      signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
    });
    const read = () => readData(answer, { origin, clock, signal });
    return answer.body.length < LARGE_ANSWER ? await read() : await turn(read);
  }

  return {
    async get(path, query, { signal: askedUntil }) {
      const { revoked } = options;
      const signal = askedUntil && revoked ? AbortSignal.any([askedUntil, revoked]) : (askedUntil ?? revoked);
      try {
        return await withRetry({ clock, signal, gate: options.gates?.of(baseUrl) }, () =>
          getOnce(path, query, { signal }),
        );
      } catch (error) {
        throw redactKey(asAppError(error), key);
      }
    },
  };
}

/** The path under `/v1/`, its trailing slash kept: without it the service may redirect, which is refused. */
function routeUrl(baseUrl: string, path: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(baseUrl);
  url.pathname = `${withoutTrailingSlashes(url.pathname)}/v1/${path}`;
  url.search = new URLSearchParams(query).toString();
  url.hash = '';
  return url.href;
}

/** Keys of other forms than the service's `ckey_…` and `cqt_…` are taken too: proxies have their own. */
function requireKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,512}$/.test(key)) return key;
  throw badInput('key', 'Not an API key: expected up to 512 letters, digits and signs without spaces.');
}
