import type { Abortable } from '../../base/concurrency.ts';
import {
  AppError,
  asAppError,
  badInput,
  isAppError,
  safeUrl,
  throwIfAborted,
  withProvider,
} from '../../base/errors.ts';
import type { ProviderLabel } from '../../base/provenance.ts';
import { parseEtherscanResult } from '../../etherscan/etherscanResult.ts';
import { sendRequest } from '../../http/exchange.ts';
import { getErrorKind, type HttpResponse, parseJsonBody, toErrorDetails } from '../../http/response.ts';
import { withRetry } from '../../http/withRetry.ts';
import { redactKey, redactText } from '../../secrets/redactKey.ts';
import type { ProviderOptions } from '../provider.ts';

export interface EtherscanRequests {
  readonly label: ProviderLabel;
  /**
   * The unvalidated `result` of an action of API V2. Once the key is refused, nothing more is sent, and after `forbidden`
   * or `notServed` no more requests of that action: Etherscan blocks who repeats a wrong key.
   *
   * @throws AppError of any network kind; `unauthorized` for a wrong key, `forbidden` for a chain that needs a paid plan,
   *   `rateLimited`, `creditsUsedUp` at the limit of a day, `notServed` for an unknown chain, `rpc` for any other refusal.
   */
  get(query: Readonly<Record<string, string>>, options: Abortable): Promise<unknown>;
}

/**
 * Requests to Etherscan's API V2 for one chain. The API takes the key in the URL only; it appears in no error, cause or
 * response. https://docs.etherscan.io/introduction
 *
 * @throws AppError `badInput` for `key`.
 */
export function createEtherscanRequests(options: ProviderOptions): EtherscanRequests {
  const { url: baseUrl, chainId, clock, throttle, revoked } = options;
  const key = requireKey(options.key?.text ?? '');
  const label: ProviderLabel = { name: 'etherscan', origin: safeUrl(baseUrl), takesKey: true };
  const http = { ...options, redactText: async (text: string) => redactText(text, key) };

  async function getOnce(query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    await throttle.pass({ signal });
    throwIfAborted(signal);
    const url = new URL(baseUrl);
    url.search = new URLSearchParams({ chainid: `${chainId}`, ...query, apikey: key }).toString();
    const headers = { accept: 'application/json' };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES };
    const response = await sendRequest(http, { ...limits, url: url.href, method: 'GET', headers, signal });
    if (response.status !== 200) throw toStatusError(response, label.origin, clock.now());
    return parseEtherscanResult(await parseJsonBody(response, { origin: label.origin, clock, signal }));
  }

  const refusals = new Map<string, AppError>();

  return {
    label,
    async get(query, { signal: callerSignal }) {
      const refusal = refusals.get(EVERY_ACTION) ?? refusals.get(query.action ?? '');
      if (refusal) throw refusal;
      const signal = callerSignal ? AbortSignal.any([callerSignal, revoked]) : revoked;
      try {
        const gate = options.gates?.of(baseUrl);
        return await withRetry({ clock, signal, gate }, () => getOnce(query, signal));
      } catch (cause) {
        const error = withProvider(redactKey(asAppError(cause), key), label);
        // A status is that of a proxy in between, and may pass.
        if (error.details.status === undefined) {
          if (error.kind === 'unauthorized') refusals.set(EVERY_ACTION, error);
          if (isAppError(error, 'forbidden', 'notServed')) refusals.set(query.action ?? '', error);
        }
        throw error;
      }
    },
  };
}

const EVERY_ACTION = '*';
const TIMEOUT_MS = 30_000;
/** The largest contracts in use have several megabytes of source. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Etherscan's keys have 34 letters and digits. */
function requireKey(text: string): string {
  const key = text.trim();
  if (/^[A-Za-z0-9_-]{8,100}$/.test(key)) return key;
  throw badInput('key', 'This is not an API key of Etherscan. Write its 34 letters and digits.');
}

function toStatusError(response: HttpResponse, origin: string, now: number): AppError {
  const { status } = response;
  const details = toErrorDetails(response, undefined, now);
  return new AppError(getErrorKind(status), `${origin} refused the request (${status}).`, details);
}
