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

/** What is known of batches at one endpoint, and where it is learnt. */
export interface BatchKnowledge {
  support(): 'taken' | 'unsure' | 'refused';
  /** Of a batch that was answered, was refused, or failed while its calls alone did not. */
  learn(outcome: 'taken' | 'refused' | 'failed'): void;
}

/** Calls that wait for each other. */
interface CallBatch extends Pick<RpcClient, 'call'> {
  /** Sends all calls that were made so far; resolves when each has its answer or its failure. Never rejects. */
  send(): Promise<void>;
}

/** Begins calls that wait for each other. */
export interface BeginBatch {
  (options?: RpcCallOptions): CallBatch;
  /** How many go in one request, as far as the server has shown. */
  most(): number;
}

interface Waiting {
  readonly call: RpcCall;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** As many calls as every node that is known takes in one request (Erigon's limit). */
const MAX_BATCH_CALLS = 100;

/**
 * Many calls of one endpoint in one request, where its server takes batches; else each alone, a few at a time. What a server
 * takes is found out with the first ones: a batch that is refused is made as small as the server says, or half of it, or
 * its calls go alone where the words are of batches of any size.
 *
 * @returns a function that begins such calls; each fails as a call of {@link RpcClient} does, all behind it alike
 *   where the server cannot be reached.
 * @example
 * const calls = createCallBatching(rpc, toBatches)({ signal });
 * const balances = addresses.map((address) => getBalance(calls, address));
 * await calls.send();
 */
export function createCallBatching(rpc: RpcClient, batches: BatchKnowledge): BeginBatch {
  let most = MAX_BATCH_CALLS;

  /** Whether the server answered the first, and not by refusing it; and what ended all, if anything did. */
  async function alone(
    waiting: readonly Waiting[],
    options: RpcCallOptions,
  ): Promise<{ readonly answered: boolean; readonly failure: unknown }> {
    let answered: boolean | undefined;
    let failure: unknown;
    await forEachLimited(waiting, async ({ call, resolve, reject }) => {
      if (failure !== undefined) return reject(failure);
      try {
        resolve(await rpc.call(call.method, call.params, options));
        answered ??= true;
      } catch (error) {
        reject(error);
        answered ??= false;
        if (!isAppError(error, 'rpc')) failure = error;
      }
    });
    return { answered: answered ?? false, failure };
  }

  /**
   * The first alone, which shows whether the batch was refused for being one; then the others.
   *
   * @throws what ended them, so that nothing behind them is sent either.
   */
  async function aloneInstead(
    [first, ...others]: readonly Waiting[],
    options: RpcCallOptions,
    failure: 'refused' | 'failed',
  ): Promise<void> {
    if (!first) return;
    const tried = await alone([first], options);
    if (tried.answered) batches.learn(failure);
    const ended = tried.failure ?? (await alone(others, options)).failure;
    if (ended !== undefined) throw ended;
  }

  /** @returns those that are still to be sent. */
  async function some(waiting: readonly Waiting[], options: RpcCallOptions): Promise<readonly Waiting[]> {
    const support = batches.support();
    if (support === 'refused' || waiting.length < 2 || most < 2) {
      await alone(waiting, options);
      return [];
    }
    const sent = waiting.slice(0, most);
    const isTrial = support !== 'taken';
    const outcomes = await rpc
      .callBatch(
        sent.map(({ call }) => call),
        { ...options, isTrial },
      )
      .catch(asAppError);
    if (!(outcomes instanceof Error)) {
      // Some refuse a batch call by call.
      if (isTrial && outcomes.every(isRefusedInBatch)) {
        await aloneInstead(sent, options, 'refused');
      } else {
        batches.learn('taken');
        settle(sent, outcomes);
      }
      return waiting.slice(sent.length);
    }
    const failure = classifyBatchError(outcomes);
    if (!failure || (failure === 'failed' && !isTrial)) throw outcomes;
    const said = sizeSaid(sent.length, outcomes);
    const mayBeSize = said !== undefined || !isOfAnySize(outcomes);
    if (failure === 'refused' && sent.length > 2 && mayBeSize) {
      most = said ?? Math.ceil(sent.length / 2);
      return waiting;
    }
    await aloneInstead(sent, options, failure);
    return waiting.slice(sent.length);
  }

  const begin = (options: RpcCallOptions = {}): CallBatch => {
    let waiting: Waiting[] = [];
    return {
      call: (method, params) =>
        new Promise((resolve, reject) => waiting.push({ call: { method, params }, resolve, reject })),
      async send() {
        let left: readonly Waiting[] = waiting;
        waiting = [];
        try {
          while (left.length > 0) left = await some(left, options);
        } catch (error) {
          for (const { reject } of left) reject(error);
        }
      },
    };
  };
  return Object.assign(begin, { most: () => (batches.support() === 'refused' ? 1 : most) });
}

/** As many as the server says that it takes (Blockscout: `Max batch size is 5`), fewer than were refused. */
function sizeSaid(refused: number, { details }: AppError): number | undefined {
  const said = Number(/\bbatch\b\D{1,40}(\d{1,6})\b/i.exec(details.serverMessage ?? '')?.[1]);
  return said > 1 && said < refused ? said : undefined;
}

/** Whether smaller batches are surely refused as well: no number is in the words, and they are of batches as such. */
function isOfAnySize(error: AppError): boolean {
  const words = error.details.serverMessage ?? '';
  if (isAppError(error, 'forbidden', 'notFound')) return true;
  return !/\d/.test(words) && (isMissingMethod(error) || /^invalid request\W{0,3}$/i.test(words));
}

function settle(sent: readonly Waiting[], outcomes: readonly RpcOutcome[]): void {
  for (const [place, { resolve, reject }] of sent.entries()) {
    const outcome = outcomes[place];
    if (outcome && 'result' in outcome) resolve(outcome.result);
    else reject(outcome?.refusal);
  }
}

/** What is not offered is not offered alone either. */
function isRefusedInBatch(outcome: RpcOutcome): boolean {
  return 'refusal' in outcome && !isMissingMethod(outcome.refusal);
}

/**
 * Calls of an endpoint that are made at the same time, with the same options, go together as {@link CallBatch} do.
 *
 * @param begin as `createCallBatching` gives it.
 * @returns a function as `call` of {@link RpcClient}, which throws as that does.
 * @example
 * const call = createBatchedCall(createCallBatching(rpc, toBatches));
 * await Promise.all([call('eth_call', one), call('eth_call', other)]); // one request
 */
export function createBatchedCall(begin: (options?: RpcCallOptions) => CallBatch): RpcClient['call'] {
  const open: { readonly options: RpcCallOptions; readonly calls: CallBatch }[] = [];

  function beginGroup(options: RpcCallOptions): CallBatch {
    const group = { options, calls: begin(options) };
    open.push(group);
    queueMicrotask(() => {
      open.splice(open.indexOf(group), 1);
      void group.calls.send();
    });
    return group.calls;
  }

  return (method, params, options = {}) => {
    const group = open.find((other) => isSame(other.options, options));
    return (group?.calls ?? beginGroup(options)).call(method, params);
  };
}

function isSame(a: RpcCallOptions, b: RpcCallOptions): boolean {
  const fields = Object.keys({ ...a, ...b }) as (keyof RpcCallOptions)[];
  return fields.every((field) => a[field] === b[field]);
}
