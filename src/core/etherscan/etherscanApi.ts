import {
  type Clock,
  createRequestThrottle,
  type RequestThrottle,
  type WaitForBackoff,
} from '../base/clock.ts';
import { AppError, asAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import { isRecord } from '../base/values.ts';
import { type HttpDeps, redactError, sendRequest, type TimedResponse } from '../http/exchange.ts';
import { getErrorKind, parseJsonBody, toErrorDetails } from '../http/response.ts';
import { createOriginGates, type OriginGates } from '../http/retry.ts';
import { type RetryOptions, withRetry } from '../http/withRetry.ts';
import { parseEtherscanResult, toEtherscanError } from './etherscanResult.ts';

export type EtherscanParams = Readonly<Record<string, string>>;

export interface EtherscanApi {
  readonly origin: string;
  /**
   * The unvalidated result of an action; of the module `proxy`, that of JSON-RPC.
   *
   * @throws AppError of any network kind; `unauthorized` for a wrong key, `forbidden` for what needs a paid plan,
   *   `rateLimited`, `creditsUsedUp` at the limit of a day, `notServed` for an unknown chain, `rpc` for any other refusal.
   */
  get(params: EtherscanParams, options?: EtherscanCallOptions): Promise<unknown>;
}

interface EtherscanCallOptions extends Partial<RetryOptions> {
  /** A larger response fails with `tooLarge`; default 16 MiB. */
  readonly maxBytes?: number | undefined;
}

export interface EtherscanApiOptions extends HttpDeps {
  /** With `chainid`, and the key or its placeholder in `apikey`. */
  readonly url: string;
  readonly timeoutMs?: number;
  /** Waits before a retry; default: by the clock, not visible. */
  readonly wait?: WaitForBackoff | undefined;
  /** Called with each response, with its error. */
  readonly onResponse?: (
    response: TimedResponse,
    about: { readonly params: EtherscanParams; readonly error: AppError | undefined },
  ) => void;
}

/**
 * Sends requests to Etherscan's API V2, no more than the free plan allows for all of a process.
 * https://docs.etherscan.io/introduction
 */
export function createEtherscanApi(options: EtherscanApiOptions): EtherscanApi {
  const { url, clock, wait, timeoutMs, onResponse } = options;
  const origin = safeUrl(url);
  const gates = options.gates ?? createOriginGates(clock);
  const deps = { ...options, gates };
  const gate = gates.of(url);
  const throttle = getThrottle(gates, clock);

  async function getOnce(params: EtherscanParams, callOptions: EtherscanCallOptions): Promise<unknown> {
    const { signal, maxBytes = MAX_RESPONSE_BYTES } = callOptions;
    await throttle.pass({ signal });
    throwIfAborted(signal);
    const response = await sendRequest(deps, {
      url: appendParams(url, params),
      method: 'GET',
      headers: { accept: 'application/json' },
      ...{ maxBytes, signal, ...(timeoutMs !== undefined && { timeoutMs }) },
    });
    try {
      const { status } = response;
      if (status !== 200) {
        const details = toErrorDetails(response, undefined, clock.now());
        throw new AppError(getErrorKind(status), `${origin} refused the request (${status}).`, details);
      }
      const json = await parseJsonBody(response, { origin, clock, signal });
      const result = params.module === 'proxy' ? parseProxyResult(json) : parseEtherscanResult(json);
      onResponse?.(response, { params, error: undefined });
      return result;
    } catch (cause) {
      const error = await redactError(deps, asAppError(cause));
      onResponse?.(response, { params, error });
      throw error;
    }
  }

  return {
    origin,
    get: (params, callOptions = {}) =>
      withRetry({ wait, gate, ...callOptions, clock }, () => getOnce(params, callOptions)),
  };
}

/** The largest contracts in use have several megabytes of source. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

const throttles = new WeakMap<OriginGates, RequestThrottle>();

/** The free plan allows 3 requests per second, over all actions and chains. */
function getThrottle(gates: OriginGates, clock: Clock): RequestThrottle {
  const throttle = throttles.get(gates) ?? createRequestThrottle({ clock, count: 3, windowMs: 1_100 });
  throttles.set(gates, throttle);
  return throttle;
}

/** Keeps a placeholder for the key as it is written. */
function appendParams(url: string, params: EtherscanParams): string {
  const [address = '', fragment] = url.split('#');
  return `${address}&${new URLSearchParams(params)}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** A JSON-RPC response, or a refusal as of the other modules. */
function parseProxyResult(json: unknown): unknown {
  if (!isRecord(json)) throw new AppError('badResponse', 'The response is not that of Etherscan.');
  if ('status' in json) return parseEtherscanResult(json);
  if (isRecord(json.error)) throw toEtherscanError(`${json.error.message ?? ''}`);
  return json.result;
}
