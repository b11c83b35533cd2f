import type { NetworkError } from './networkErrors.ts';
import type { Literal, OwnText } from './ownText.ts';
import type { ProviderLabel } from './provenance.ts';
import { createMessage, foreign, formatMessage, type Message } from './text.ts';

/**
 * The only error class that core throws. `message` is English, for logs and the command line; the editor has its own
 * text for each `kind`. No text contains the path or query of a URL, or a key.
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
 * - `badLogs`: the response to `eth_getLogs` is not a list of logs; `field` names the invalid part if it is in an
 *   entry.
 * - `tooLarge`: the response is over the size limit and was not read to its end.
 * - `reverted`: a read-only call of a contract reverted; `data` has its revert data, `revert` what that means.
 * - `notAContract`: there is no code at the address in that block.
 * - `historyUnavailable`: the endpoint does not have the state of that block, or cannot show that it has; `field` is
 *   `pastBlock` if it has the state of the latest block only.
 * - `blockNotSeen`: replicas behind the endpoint have not seen that block yet, or it was replaced while it was read.
 * - `internal`: an error in Chainside itself, as `cause`.
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
  | 'blockNotSeen'
  | 'creditsUsedUp'
  | 'forbidden'
  | 'historyUnavailable'
  | 'internal'
  | 'needsKey'
  | 'network'
  | 'notAContract'
  | 'notChosen'
  | 'notFound'
  | 'notServed'
  | 'rateLimited'
  | 'redirected'
  | 'requestTooLarge'
  | 'reverted'
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
  /** What the revert data means, as JSON. Untrusted text. */
  readonly revert?: Readonly<Record<string, unknown>>;
  /** The server's message, cut to 2,048 characters. Untrusted text: show it as plain text only. */
  readonly serverMessage?: string;
  /** How long the server requests to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Why there is no response, for kind `network`. */
  readonly networkError?: NetworkError;
  /** Name of the invalid input, or of the invalid part of a log. */
  readonly field?: string;
  /** Names that may be meant instead, from files: untrusted texts, which `message` does not repeat as sentences. */
  readonly names?: readonly string[];
  /** The message as a template, if it is shown: what is wrong with an input, why a call reverted. */
  readonly validation?: ValidationError;
  readonly provider?: ProviderLabel;
  readonly cause?: unknown;
}

/** What is wrong with an input, and what to write instead. */
export interface ValidationError extends Message {
  /** Set where a caller reacts to it. */
  readonly code?: 'ambiguousName' | 'unknownEvent' | 'unknownName' | 'unknownType';
}

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
 * `error` itself if it is an {@link AppError}; otherwise an `internal` error with `error` as its cause.
 *
 * @example
 * try { await work(); } catch (cause) { show(asAppError(cause).kind); }
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('internal', 'An internal error in Chainside.', { cause: error });
}

export function withProvider(error: AppError, provider: ProviderLabel): AppError {
  const labelled = new AppError(error.kind, error.message, { ...error.details, provider });
  if (error.stack !== undefined) labelled.stack = error.stack;
  return labelled;
}

/**
 * An input that cannot be used; `field` names where it was typed.
 *
 * @example
 * throw badInput('address', 'Not an address.');
 */
export function badInput<const Text extends string>(
  field: string,
  text: (Text & Literal<Text>) | OwnText | ValidationError,
  details: Pick<ErrorDetails, 'cause' | 'names'> = {},
): AppError {
  const validation: Message = typeof text === 'string' ? { template: text, args: [] } : text;
  return new AppError('badInput', formatMessage(validation), { ...details, field, validation });
}

/**
 * An error whose message is shown, in the user's language.
 *
 * @example
 * throw createError('reverted', createMessage('The call reverted.'), { data: '0x' });
 */
export function createError(kind: ErrorKind, text: Message, details: ErrorDetails = {}): AppError {
  return new AppError(kind, formatMessage(text), { ...details, validation: text });
}

/** The message of an error as a template. Where it has none it may repeat words of a server, so it is foreign. */
export function toMessage({ message, details }: AppError): Message {
  return details.validation ?? createMessage('{0}', foreign(message, MAX_MESSAGE_CHARS));
}

/** A server's message is cut to 2,048 characters. */
const MAX_MESSAGE_CHARS = 2_500;

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('aborted', 'Cancelled.');
}

/**
 * Scheme, host and port of a URL. Only these may appear in a log or an error, since paths and queries may contain keys.
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
