import * as z from 'zod/mini';
import { AppError } from '../base/errors.ts';
import { truncateServerMessage } from '../http/response.ts';

/**
 * The `result` of a response of Etherscan's API V2, unvalidated; undefined if a contract is not verified, or if there is
 * no data. HTTP 200 also carries refusals: `status` 0 with the reason as `result`, where an empty list is no refusal.
 *
 * @throws AppError `badResponse`; for a refusal `unauthorized` for a wrong key, `forbidden` for what needs a paid plan,
 *   `creditsUsedUp` at the limit of a day, `rateLimited`, `tooLarge` for a search that takes too long, `unavailable`, `notServed` for an unknown chain, else `rpc`.
 */
export function parseEtherscanResult(json: unknown): unknown {
  const { data, error } = Envelope.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The response is not that of Etherscan.', { cause: error });
  const { status, message, result } = data;
  if (status === '1') return result;
  // An empty list says that there is nothing only beside a message that says so.
  if (Array.isArray(result) && (NO_DATA.test(message) || /^ok$/i.test(message))) return result;
  const reason = typeof result === 'string' ? result : message;
  if (NOT_VERIFIED.test(reason) || NO_DATA.test(reason)) return undefined;
  throw toEtherscanError(reason);
}

/** What Etherscan says of a contract that is not verified, as the reason or as its ABI. */
export const NOT_VERIFIED = /^contract source code not verified/i;

/** Of an address without a record, where `result` is null. */
const NO_DATA = /^no [a-z0-9 -]{1,30} found/i;

/** @param reason untrusted text of the server. */
export function toEtherscanError(reason: string): AppError {
  const { kind, message } = refusals.find(({ pattern }) => pattern.test(reason)) ?? OTHER_REFUSAL;
  const wait = kind === 'rateLimited' ? { retryAfterMs: RATE_WINDOW_MS } : {};
  return new AppError(kind, message, { serverMessage: truncateServerMessage(reason), ...wait });
}

/** Limits are by second. */
const RATE_WINDOW_MS = 1000;

const Envelope = z.object({ status: z.enum(['0', '1']), message: z.string(), result: z.unknown() });

/** By the texts of https://docs.etherscan.io/resources/common-error-messages; the first that fits counts. */
const refusals = [
  {
    pattern: /daily (?:rate )?limit/i,
    kind: 'creditsUsedUp',
    message: 'The Etherscan API key has used up its requests of the day.',
  },
  {
    pattern: /rate limit|calls per sec/i,
    kind: 'rateLimited',
    message: 'Etherscan received too many requests with this API key.',
  },
  {
    pattern: /query timeout|smaller result/i,
    kind: 'tooLarge',
    message: 'Etherscan cannot search so many blocks at once.',
  },
  {
    pattern: /high network activity|server too busy/i,
    kind: 'unavailable',
    message: 'Etherscan is busy. Try again later.',
  },
  {
    pattern: /free api access|api pro|upgrade your (?:api )?plan/i,
    kind: 'forbidden',
    message: 'Etherscan needs a paid plan for this request on this chain.',
  },
  {
    pattern: /chainid|not supported (?:for|on) this chain/i,
    kind: 'notServed',
    message: 'Etherscan does not serve this chain.',
  },
  {
    pattern: /api ?key/i,
    kind: 'unauthorized',
    message: 'Etherscan does not accept the API key.',
  },
] as const;
const OTHER_REFUSAL = { kind: 'rpc', message: 'Etherscan refused the request.' } as const;
