import { type BackoffRequest, type Clock, createBackoffControl, type WaitForBackoff } from '../base/clock.ts';
import { AppError, asAppError, isAppError, safeUrl } from '../base/errors.ts';
import { formatDuration } from '../base/text.ts';

const RETRIES = 2;
const MAX_WAIT_MS = 10_000;
const BASE_DELAY_MS = 300;
const MAX_DELAY_MS = 20_000;

/**
 * Whether asking the same again can help: the failure is of the moment, not of the question, nor of what a person
 * has to set right first.
 *
 * @example
 * isRetryable(new AppError('rateLimited', 'HTTP 429.')); // true
 * isRetryable(new AppError('notFound', 'HTTP 404.')); // false
 */
export function isRetryable(error: AppError): boolean {
  const at = error.details.networkError?.at;
  switch (error.kind) {
    case 'network':
      return at !== 'certificate' && at !== 'proxySignIn';
    case 'rateLimited':
    case 'server':
    case 'unavailable':
      return true;
    default:
      return false;
  }
}

/**
 * Whether the same may be answered later though nobody does anything: what is tried again at once, and time-outs, for
 * which another try right away is too soon.
 *
 * @example isTemporary(new AppError('timeout', 'It is silent.')) // true
 */
export function isTemporary(error: AppError): boolean {
  return isRetryable(error) || error.kind === 'timeout';
}

/**
 * Milliseconds to wait before try number `attempt` + 1 (`attempt` from 1): what the server asked for,
 * else exponential from 300 ms with `jitter` (0 to 1) spreading it over half to whole.
 *
 * @example
 * getRetryDelay(new AppError('network', 'Not reached.'), 2, 1); // 600
 */
export function getRetryDelay(error: AppError, attempt: number, jitter: number): number {
  const asked = error.details.retryAfterMs;
  if (asked !== undefined) return asked;
  return Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + jitter / 2);
}

export interface RetryOptions {
  readonly clock: Clock;
  /** Tries after the first one when the failure may pass; default 2. */
  readonly retries?: number;
  /** A wait longer than this, in milliseconds, is not waited: the error is thrown at once; default 10 s. */
  readonly maxWaitMs?: number;
  /** Also tries again after a broken answer or a time-out, which at a right address pass too; default false. */
  readonly persistent?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Waits in place of the clock, so that a wait can be told and skipped. */
  readonly wait?: WaitForBackoff | undefined;
  /** The way to the server: passed before every try, and closed while the server asks to wait. */
  readonly gate?: OriginGate | undefined;
  /** As {@link maxWaitMs}, of what the server asked of others; default the same. */
  readonly maxHoldMs?: number | undefined;
}

/**
 * Runs `task`, again after a wait while its error is retryable.
 *
 * @throws AppError the last error; with the wait that the server asks for in its words if that is longer than is waited;
 *   `aborted` when the signal fires during a wait.
 */
export async function withRetry<T>(options: RetryOptions, task: () => Promise<T>): Promise<T> {
  const { retries = RETRIES, maxWaitMs = MAX_WAIT_MS, persistent = false } = options;
  const { gate, wait, signal, maxHoldMs = maxWaitMs } = options;
  for (let attempt = 1; ; attempt++) {
    await gate?.pass({ maxWaitMs: maxHoldMs, wait, signal });
    try {
      return await task();
    } catch (cause) {
      const error = asAppError(cause);
      const { retryAfterMs } = error.details;
      const byServer = retryAfterMs !== undefined;
      // What a server asks of all is waited for at its gate, by all.
      const atGate =
        byServer && (error.kind === 'rateLimited' || error.kind === 'unavailable') ? gate : undefined;
      atGate?.hold(retryAfterMs ?? 0);
      if (attempt > retries || !mayPass(error, persistent)) throw error;
      const delay = getRetryDelay(error, attempt, Math.random());
      if (delay > maxWaitMs) throw byServer ? withItsWait(error, delay) : error;
      if (!atGate) await waitOrAbort(options, { ms: delay, byServer }, error);
    }
  }
}

function mayPass(error: AppError, persistent: boolean): boolean {
  return isRetryable(error) || (persistent && (error.kind === 'badResponse' || error.kind === 'timeout'));
}

function withItsWait(error: AppError, ms: number): AppError {
  const message = `${error.message} ${formatServerWait(ms)}`;
  return new AppError(error.kind, message, { ...error.details, cause: error });
}

async function waitOrAbort(
  { clock, signal, wait }: RetryOptions,
  asked: BackoffRequest,
  error: AppError,
): Promise<void> {
  try {
    await (wait ? wait(asked, { signal }) : clock.sleep(asked.ms, { signal }));
  } catch {
    throw new AppError('aborted', 'Cancelled.', { cause: error });
  }
}

/** What whoever wants to ask a server brings to its gate. */
interface GatePass {
  /** A longer wait than this, in milliseconds, is not waited. */
  readonly maxWaitMs: number;
  /** Waits in place of the clock, so that a wait can be shown and skipped. */
  readonly wait?: WaitForBackoff | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The one way to a server, for all in the process who ask it: closed while one of them waits because it asked for that. */
export interface OriginGate {
  /** Notes that the server asks to be left alone for `ms` milliseconds; of over a minute nothing is noted. */
  hold(ms: number): void;
  /**
   * Resolves when the server may be asked. A hold that nobody sits out, since it is longer than any of them waits, stops
   * nobody: the server then says it again.
   *
   * @throws AppError `rateLimited` at once where another sits out a hold that is longer than `longestWaitMs`; `aborted`
   *   when the signal fires.
   */
  pass(who: GatePass): Promise<void>;
}

/** The gates of the servers that are asked. */
export interface OriginGates {
  /** The gate of the server at `url`: the same for each address of its scheme, host and port. */
  of(url: string): OriginGate;
}

/** The longest that someone who waits is held up by one request of the server, in milliseconds: a quota of a minute. */
export const MAX_HOLD_MS = 60_000;

/**
 * One for a whole process, handed to every client in it.
 *
 * @example
 * const http = { fetch, clock: systemClock, gates: createOriginGates(systemClock) };
 * const client = createChainClient({ ...http, url });
 */
export function createOriginGates(clock: Clock): OriginGates {
  const gates = new Map<string, OriginGate>();
  return {
    of(url) {
      const origin = safeUrl(url);
      const gate = gates.get(origin) ?? createOriginGate(clock);
      gates.set(origin, gate);
      return gate;
    },
  };
}

/** Whoever skips the wait at it opens it, for all who wait and who come. */
export function createOriginGate(clock: Clock): OriginGate {
  let holdUntil = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  let opened = new AbortController();

  function open(): void {
    holdUntil = Number.NEGATIVE_INFINITY;
    opened.abort('opened');
    opened = new AbortController();
  }

  async function sitOut(
    ms: number,
    { wait = createBackoffControl(clock).wait, signal }: GatePass,
  ): Promise<void> {
    const { signal: atOpening } = opened;
    waiting++;
    try {
      const either = signal ? AbortSignal.any([signal, atOpening]) : atOpening;
      if ((await wait({ ms, byServer: true }, { signal: either })) === 'skipped') open();
    } catch (cause) {
      if (signal?.aborted || !atOpening.aborted) throw new AppError('aborted', 'Cancelled.', { cause });
    } finally {
      waiting--;
    }
  }

  return {
    hold(ms) {
      if (ms <= MAX_HOLD_MS) holdUntil = Math.max(holdUntil, clock.elapsed() + ms);
    },
    async pass(who) {
      for (;;) {
        const ms = holdUntil - clock.elapsed();
        if (ms <= 0) return;
        if (ms <= who.maxWaitMs) await sitOut(ms, who);
        else if (waiting === 0) return;
        else throw new AppError('rateLimited', formatServerWait(ms), { retryAfterMs: ms });
      }
    },
  };
}

/** What a server asks for, in English, for logs and for the headless runner: to be left alone for `ms` milliseconds. */
export function formatServerWait(ms: number): string {
  return `The server asks to wait ${formatDuration(ms, 'en')}.`;
}

/**
 * Whether what failed so is asked again when it is next wanted: what may pass by itself, was given up, or was never sent
 * for want of a key. All else would fail again.
 *
 * @example isRetriedOnNextUse(new AppError('timeout', 'It is silent.')) // true
 */
export function isRetriedOnNextUse(error: AppError): boolean {
  return isTemporary(error) || isAppError(error, 'aborted', 'needsKey');
}
