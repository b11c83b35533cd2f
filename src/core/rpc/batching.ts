import { forEachLimited } from '../base/concurrency.ts';
import { type AppError, asAppError, isAppError } from '../base/errors.ts';
import { isMissingMethod } from './ethCall.ts';
import {
  classifyBatchError,
  type RpcCall,
  type RpcCallOptions,
  type RpcClient,
  type RpcOutcome,
} from './rpcClient.ts';

/**
 * Sends many calls to one endpoint in one request if its server supports batches, else one by one, a few at a time. It
 * learns from the first ones what the server supports. A refused batch shrinks to the size that the server states, or
 * to half, and so does any failed one that is larger than those that the server has taken; its calls go one by one if the
 * server supports no batches at all.
 *
 * @returns a function that opens a batch. Each call fails as a call of {@link RpcClient} does; if the server cannot be
 *   reached, all calls after it fail alike.
 * @example
 * const calls = createCallBatching(rpc, batches)({ signal });
 * const balances = addresses.map((address) => getBalance(calls, address));
 * await calls.send();
 */
export function createCallBatching(rpc: RpcClient, batches: BatchKnowledge): BeginBatch {
  /** Halved without a limit that the server states. */
  let triedCalls = MAX_BATCH_CALLS;
  /** A larger batch may be too large, whatever the error is. */
  let largestTaken = 0;
  const getMaxCalls = () => Math.min(triedCalls, batches.maxCalls() ?? MAX_BATCH_CALLS);

  /** Whether the server accepted the first call, and the error that ended all calls, if any. */
  async function sendOneByOne(
    pending: readonly PendingCall[],
    options: RpcCallOptions,
  ): Promise<{ readonly isFirstAnswered: boolean; readonly failure: unknown }> {
    let isFirstAnswered: boolean | undefined;
    let failure: unknown;
    await forEachLimited(pending, async ({ call, resolve, reject }) => {
      if (failure !== undefined) return reject(failure);
      try {
        resolve(await rpc.call(call.method, call.params, options));
        isFirstAnswered ??= true;
      } catch (error) {
        reject(error);
        isFirstAnswered ??= false;
        if (!isAppError(error, 'rpc')) failure = error;
      }
    });
    return { isFirstAnswered: isFirstAnswered ?? false, failure };
  }

  /**
   * Sends the first alone, which shows whether the server refuses batches as such; then the others.
   *
   * @throws the error that ended them, so that the calls after them are not sent.
   */
  async function retryOneByOne(
    [first, ...others]: readonly PendingCall[],
    options: RpcCallOptions,
    failure: 'refused' | 'failed',
  ): Promise<void> {
    if (!first) return;
    const trial = await sendOneByOne([first], options);
    if (trial.isFirstAnswered) batches.learn(failure);
    const fatal = trial.failure ?? (await sendOneByOne(others, options)).failure;
    if (fatal !== undefined) throw fatal;
  }

  /** @returns the calls that are still to be sent. */
  async function sendSome(
    pending: readonly PendingCall[],
    options: RpcCallOptions,
  ): Promise<readonly PendingCall[]> {
    const support = batches.support();
    const maxCalls = getMaxCalls();
    if (support === 'refused' || pending.length < 2 || maxCalls < 2) {
      await sendOneByOne(pending, options);
      return [];
    }
    const sent = pending.slice(0, maxCalls);
    const isTrial = support !== 'taken';
    const isLarger = sent.length > largestTaken;
    const halve = () => {
      triedCalls = Math.ceil(sent.length / 2);
      return pending;
    };
    const outcomes = await rpc
      .callBatch(
        sent.map(({ call }) => call),
        { ...options, isTrial: isTrial || isLarger },
      )
      .catch(asAppError);
    if (!(outcomes instanceof Error)) {
      // Some servers refuse a batch call by call.
      if (isTrial && outcomes.every(isRefused)) {
        await retryOneByOne(sent, options, 'refused');
      } else if (isLarger && outcomes.every(isInvalidRequest)) {
        return halve();
      } else {
        batches.learn('taken');
        largestTaken = Math.max(largestTaken, sent.length);
        if (sent.length === triedCalls && triedCalls < MAX_BATCH_CALLS) batches.learnMaxCalls(triedCalls);
        settle(sent, outcomes);
      }
      return pending.slice(sent.length);
    }
    const failure = classifyBatchError(outcomes);
    // Some servers count each call of a batch against a limit that they do not state.
    const isRateLimited = isAppError(outcomes, 'rateLimited') && outcomes.details.retryAfterMs === undefined;
    if (!isTrial && isLarger && (isRateLimited || failure === 'failed')) return halve();
    if (!failure || (failure === 'failed' && !isTrial)) throw outcomes;
    const stated = findStatedSize(sent.length, outcomes);
    const mayBeTooLarge = stated !== undefined || !isForAnySize(outcomes);
    if (failure === 'refused' && sent.length > 2 && mayBeTooLarge) {
      triedCalls = stated ?? Math.ceil(sent.length / 2);
      return pending;
    }
    await retryOneByOne(sent, options, failure);
    return pending.slice(sent.length);
  }

  const begin = (options: RpcCallOptions = {}): CallBatch => {
    let pending: PendingCall[] = [];
    return {
      call: (method, params) =>
        new Promise((resolve, reject) => pending.push({ call: { method, params }, resolve, reject })),
      async send() {
        let remaining: readonly PendingCall[] = pending;
        pending = [];
        try {
          while (remaining.length > 0) remaining = await sendSome(remaining, options);
        } catch (error) {
          for (const { reject } of remaining) reject(error);
        }
      },
    };
  };
  return Object.assign(begin, { maxCalls: () => (batches.support() === 'refused' ? 1 : getMaxCalls()) });
}

/** Opens a batch. */
interface BeginBatch {
  (options?: RpcCallOptions): CallBatch;
  /** Calls that fit in one request, as far as the server has shown. */
  maxCalls(): number;
}

interface CallBatch extends Pick<RpcClient, 'call'> {
  /** Sends all calls made so far. Resolves when each is settled; never rejects. */
  send(): Promise<void>;
}

/** Whether an endpoint supports batches, as learned so far. */
export interface BatchKnowledge {
  support(): 'taken' | 'unsure' | 'refused';
  /** Records that a batch was processed, was refused, or failed while its calls succeeded one by one. */
  learn(outcome: 'taken' | 'refused' | 'failed'): void;
  /** The largest batch that it takes, if it has refused larger ones. */
  maxCalls(): number | undefined;
  learnMaxCalls(calls: number): void;
}

interface PendingCall {
  readonly call: RpcCall;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Erigon's limit. Every known node takes as many calls in one request. */
const MAX_BATCH_CALLS = 100;

/**
 * The maximum size that the server states (Blockscout: `Max batch size is 5`), if it is smaller than the refused one.
 */
function findStatedSize(refused: number, { details }: AppError): number | undefined {
  const stated = Number(/\bbatch\b\D{1,40}(\d{1,6})\b/i.exec(details.serverMessage ?? '')?.[1]);
  return stated > 1 && stated < refused ? stated : undefined;
}

/**
 * Whether smaller batches would certainly be refused as well: the message has no number, and is about batches as such.
 */
function isForAnySize(error: AppError): boolean {
  const serverMessage = error.details.serverMessage ?? '';
  if (isAppError(error, 'forbidden', 'notFound')) return true;
  return (
    !/\d/.test(serverMessage) && (isMissingMethod(error) || /^invalid request\W{0,3}$/i.test(serverMessage))
  );
}

function settle(sent: readonly PendingCall[], outcomes: readonly RpcOutcome[]): void {
  for (const [index, { resolve, reject }] of sent.entries()) {
    const outcome = outcomes[index];
    if (outcome && 'result' in outcome) resolve(outcome.result);
    else reject(outcome?.error);
  }
}

/** A method that the server does not offer would not work alone either. */
function isRefused(outcome: RpcOutcome): boolean {
  return 'error' in outcome && !isMissingMethod(outcome.error);
}

/** As some servers refuse each call of a batch that is too large for them. */
function isInvalidRequest(outcome: RpcOutcome): boolean {
  return 'error' in outcome && outcome.error.details.code === INVALID_REQUEST;
}

/** JSON-RPC 2.0: not a valid request object. */
const INVALID_REQUEST = -32600;

/**
 * Calls of an endpoint that are made at the same time, with the same options, are sent as one batch.
 *
 * @param begin of {@link createCallBatching}.
 * @returns a function like `call` of {@link RpcClient}, which throws the same errors.
 * @example
 * const call = createBatchedCall(createCallBatching(rpc, batches));
 * await Promise.all([call('eth_call', one), call('eth_call', other)]); // one request
 */
export function createBatchedCall(begin: (options?: RpcCallOptions) => CallBatch): RpcClient['call'] {
  const openGroups: { readonly options: RpcCallOptions; readonly calls: CallBatch }[] = [];

  function beginGroup(options: RpcCallOptions): CallBatch {
    const group = { options, calls: begin(options) };
    openGroups.push(group);
    queueMicrotask(() => {
      openGroups.splice(openGroups.indexOf(group), 1);
      void group.calls.send();
    });
    return group.calls;
  }

  return (method, params, options = {}) => {
    const group = openGroups.find((other) => isEqual(other.options, options));
    return (group?.calls ?? beginGroup(options)).call(method, params);
  };
}

function isEqual(a: RpcCallOptions, b: RpcCallOptions): boolean {
  const fields = Object.keys({ ...a, ...b }) as (keyof RpcCallOptions)[];
  return fields.every((field) => a[field] === b[field]);
}
