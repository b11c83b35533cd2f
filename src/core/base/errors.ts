import type { NetworkError } from './networkErrors.ts';
import type { ProviderLabel } from './provenance.ts';

/**
 * The one error that core throws. `message` is English, for logs and the command line; the editor words `kind` itself.
 * No text in it carries a URL path, query or key.
 */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly details: ErrorDetails;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.details = details;
  }
}

/**
 * What went wrong, as far as a caller can act on it. Kinds of HTTP errors follow the status.
 *
 * - `badInput`: the caller's value in `field` is not usable; no request was sent.
 * - `badResponse`: the response breaks the protocol (no JSON, wrong types, wrong id).
 * - `badLogs`: the response to `eth_getLogs` is no list of logs; `field` names the invalid part of an entry, if it is
 *   one.
 * - `tooLarge`: the response is over the size limit and was not read to its end.
 * - `needsKey`: the endpoint requires a secret, and none is stored for its origin; nothing was sent.
 * - `notChosen`: no network is chosen yet; nothing was sent.
 * - `rpc`: a JSON-RPC server refused the call; `serverMessage` has its message, `code` its number if any.
 * - `redirected`: the server redirects. Redirects are never followed, since a key could leak.
 * - `notServed`: the provider does not serve this chain or this method.
 * - `tooHeavy`: the address has more than the provider can return.
 */
export type ErrorKind =
  | 'aborted'
  | 'badInput'
  | 'badLogs'
  | 'badResponse'
  | 'creditsUsedUp'
  | 'forbidden'
  | 'needsKey'
  | 'network'
  | 'notChosen'
  | 'notFound'
  | 'notServed'
  | 'rateLimited'
  | 'redirected'
  | 'requestTooLarge'
  | 'rpc'
  | 'server'
  | 'timeout'
  | 'tooHeavy'
  | 'tooLarge'
  | 'unauthorized'
  | 'unavailable';

export interface ErrorDetails {
  readonly status?: number;
  readonly code?: number;
  /** The bounded part of the `data` of a JSON-RPC error object. */
  readonly data?: unknown;
  /** The server's message, cut to 2,048 characters. Untrusted text: show it as plain text only. */
  readonly serverMessage?: string;
  /** How long the server requests to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Why there is no response, of kind `network`. */
  readonly networkError?: NetworkError;
  /** Name of the invalid input, or of the invalid part of a log. */
  readonly field?: string;
  /** What is wrong with an input that a person may have typed. */
  readonly validation?: ValidationError;
  readonly provider?: ProviderLabel;
  readonly cause?: unknown;
}

/**
 * What is wrong with an input, for callers that word it themselves. `values` by code:
 *
 * - `blocksReversed`: the first and the last block.
 * - `endsBeforeFirst`: when the first block was made.
 * - `noBlockBetween`: the first block after the range.
 * - `notArgument`: the event, the name that is none of its parameters, and its parameters.
 * - `notLastBlock`: how far it is below the latest.
 * - `notTopicOfTypes`: the types.
 * - `outOfBounds`: the type and its bounds.
 * - `severalEvents`: the name and the events.
 * - `severalNamed`: the name and how many have it.
 * - `topicTwice`: the parameter at the position of the topic.
 * - `unknownName`, `unknownEvent`: the name.
 * - `unknownType`: the event as it was written.
 */
export interface ValidationError {
  readonly code: ValidationCode;
  readonly values?: readonly string[];
}

export type ValidationCode =
  | 'anonymousEvent'
  | 'blocksReversed'
  | 'emptyTopics'
  | 'endsBeforeFirst'
  | 'notAddress'
  | 'notBlock'
  | 'notBool'
  | 'notBytes'
  | 'notEvent'
  | 'notFixedBytes'
  | 'notGateway'
  | 'notInteger'
  | 'notLastBlock'
  | 'notTime'
  | 'notTokenId'
  | 'notTopic'
  | 'notTopicOfTypes'
  | 'notArgument'
  | 'notTopicOrAddress'
  | 'noBlockBetween'
  | 'nothingToSearchBy'
  | 'onlyHash'
  | 'outOfBounds'
  | 'severalEvents'
  | 'severalNamed'
  | 'tooManyTopics'
  | 'topicTwice'
  | 'unindexedEvent'
  | 'unknownEvent'
  | 'unknownName'
  | 'unknownType';

/**
 * Whether `error` is an {@link AppError}, of one of `kinds` if any are passed.
 *
 * @example
 * if (isAppError(error, 'rateLimited', 'unavailable')) wait(error.details.retryAfterMs);
 */
export function isAppError(error: unknown, ...kinds: readonly ErrorKind[]): error is AppError {
  return error instanceof AppError && (kinds.length === 0 || kinds.includes(error.kind));
}

/**
 * `error` itself if it is an {@link AppError}; otherwise a `badResponse` with `error` as its cause.
 *
 * @example
 * try { await work(); } catch (cause) { show(asAppError(cause).kind); }
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('badResponse', 'An unexpected failure.', { cause: error });
}

export function withProvider(error: AppError, provider: ProviderLabel): AppError {
  const labelled = new AppError(error.kind, error.message, { ...error.details, provider });
  if (error.stack !== undefined) labelled.stack = error.stack;
  return labelled;
}

/**
 * An input that cannot be used. `field` names where it was typed; `validation` says the same as `message`, as a code.
 *
 * @example
 * throw badInput('address', 'Not an address.');
 */
export function badInput(field: string, message: string, validation?: ValidationError): AppError {
  return new AppError('badInput', message, validation ? { field, validation } : { field });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('aborted', 'Cancelled.');
}

/**
 * Scheme, host and port of a URL. Only these may appear in a log or an error, since keys hide in paths and queries.
 *
 * @example
 * safeUrl('https://node.example/v3/KEY?a=1'); // 'https://node.example'
 */
export function safeUrl(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    return 'an invalid URL';
  }
}
