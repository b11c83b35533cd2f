import type { NetworkError } from './networkErrors.ts';
import type { ProviderLabel } from './provenance.ts';

/**
 * What went wrong, as far as a caller can act on it. HTTP kinds follow the status that the server sent.
 *
 * - `badInput`: the caller's value, named by `field`, is not usable; no request was made.
 * - `badResponse`: the answer is not what the protocol promises (not JSON, wrong types, wrong id).
 * - `badLogs`: the answer to `eth_getLogs` is no list of logs; `field` names what in an entry is at fault, if it is one.
 * - `tooLarge`: the answer is over the size limit and was not read to its end.
 * - `needsKey`: the endpoint is asked with a secret, and none is stored for its origin; nothing was sent.
 * - `notChosen`: no network is chosen yet, so nothing was asked.
 * - `rpc`: a JSON-RPC server refused the call; `serverMessage` has its words, `code` its number if any.
 * - `redirected`: the server points elsewhere; never followed, since a key could go along.
 * - `notServed`: the source does not serve this chain, or does not answer this question.
 * - `tooHeavy`: the address has more than the source can answer for.
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
  /** HTTP status of the answer. */
  readonly status?: number;
  /** JSON-RPC error code. */
  readonly code?: number;
  /** What is kept of the `data` of a JSON-RPC error object. */
  readonly data?: unknown;
  /** The server's own words, cut to 2,048 characters: text from outside, to be shown as plain text only. */
  readonly serverMessage?: string;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Why no answer came, of kind `network`. */
  readonly networkError?: NetworkError;
  /** Name of the input, or of the part of a log, at fault. */
  readonly field?: string;
  /** What is wrong with the input, where a person may have typed it. */
  readonly validation?: ValidationError;
  /** The source that was asked, where it was one. */
  readonly provider?: ProviderLabel;
  readonly cause?: unknown;
}

/**
 * The one error that core throws. `message` is English, for logs and for the headless runner;
 * an editor turns `kind` into a sentence of its own. No text in it carries a URL path, query or key.
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
 * Whether `error` is an {@link AppError}, of one of `kinds` if any are given.
 *
 * @example
 * if (isAppError(error, 'rateLimited', 'unavailable')) wait(error.details.retryAfterMs);
 */
export function isAppError(error: unknown, ...kinds: readonly ErrorKind[]): error is AppError {
  return error instanceof AppError && (kinds.length === 0 || kinds.includes(error.kind));
}

/**
 * `error` itself if it is an {@link AppError}; otherwise wrapped as `badResponse`, cause kept.
 *
 * @example
 * try { await work(); } catch (cause) { show(asAppError(cause).kind); }
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('badResponse', 'An unexpected failure.', { cause: error });
}

/** `error` with the source that it is of. */
export function withProvider(error: AppError, source: ProviderLabel): AppError {
  const told = new AppError(error.kind, error.message, { ...error.details, provider: source });
  if (error.stack !== undefined) told.stack = error.stack;
  return told;
}

/**
 * An input that cannot be used. `field` names where it was typed; `input` says the same as `message`.
 *
 * @example
 * throw badInput('address', 'Not an address.');
 */
export function badInput(field: string, message: string, input?: ValidationError): AppError {
  return new AppError('badInput', message, input ? { field, validation: input } : { field });
}

/** Throws `aborted` if the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('aborted', 'Cancelled.');
}

/**
 * Scheme, host and port of a URL: all of it that may stand in a log or an error, since keys hide in paths and queries.
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

/** What is wrong with an input, for those who say it in a language of their own. */
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
 * A code with what its sentence speaks of: `blocksReversed` has the first and the last block, `unknownType` the event as
 * it was written, `notLastBlock` how far it is below the latest, `notTopicOfTypes` the types, `outOfBounds` the type and
 * its bounds, `noBlockBetween` the first block behind, `endsBeforeFirst` when the first block was made, `topicTwice` the
 * parameter that has the topic's place, `notArgument` the event, the name that is none of its parameters and those that are,
 * `unknownName` and `unknownEvent` the name, `severalNamed` the name and how many have it, `severalEvents` the name and the events.
 */
export interface ValidationError {
  readonly code: ValidationCode;
  readonly values?: readonly string[];
}
