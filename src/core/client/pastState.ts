import { type Clock, createBackoffControl } from '../base/clock.ts';
import { type AppError, createError, isAppError } from '../base/errors.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage } from '../base/text.ts';
import { parseHexData, parseQuantity, toQuantity } from '../eth/hex.ts';
import type { DialectMemory } from '../logs/engine/dialectMemory.ts';
import { UNSETTLED_BLOCKS } from '../logs/log.ts';
import { historyUnavailable, isBlockMissing, isCallReverted } from '../rpc/callAtBlock.ts';
import { isMissingMethod } from '../rpc/ethCall.ts';
import type { ReportedHeads } from '../rpc/latestBlock.ts';
import { getBlockNumber } from '../rpc/methods.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';

interface PastStateDeps {
  readonly heads: ReportedHeads;
  readonly memory: DialectMemory;
  readonly clock: Clock;
}

/** A call that reads the state after a block, which is its last parameter. */
interface StateCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly block: bigint;
}

const STATE_METHODS: readonly string[] = ['eth_call', 'eth_getBalance', 'eth_getCode', 'eth_getStorageAt'];

/**
 * Creates a `call` that never takes the state of one block for the state of another.
 *
 * - A block that a lagging replica has not seen is requested again, as the log engine does.
 * - An endpoint may answer with the state of now for any block. With the first call of each method for a past block, code
 *   that returns the number of its block is called there, and the method is called far above the head. An endpoint that
 *   answers above its head is believed only if another block makes a difference
 *   to this method.
 * - An endpoint that takes no block numbers is sent `latest` in place of the newest one.
 *
 * @param call sends concurrent calls as one batch, as `createBatchedCall` does.
 * @returns a function that throws AppError as `call` does; `historyUnavailable` if the endpoint has no state of a past
 *   block, or cannot show that it has; `blockNotSeen` if its replicas have not seen the block.
 */
export function createPastStateCall(call: RpcClient['call'], deps: PastStateDeps): RpcClient['call'] {
  const { heads, memory, clock } = deps;
  const { wait } = createBackoffControl(clock);
  /** One question for all calls at the same time; none outlives the signal of its caller. */
  const asking = new Map<string, Map<AbortSignal | undefined, Promise<boolean>>>();
  /** Addresses whose calls did not show it. */
  const unknown = new Set<string>();

  const send = ({ method, params }: StateCall, tag: bigint | 'latest', options?: RpcCallOptions) =>
    call(method, [...params.slice(0, -1), tag === 'latest' ? tag : toQuantity(tag)], options);

  /** What another block makes of a call: `empty` is nothing or zero; `unanswered` is a failure, whatever its reason. */
  async function probe(state: StateCall, tag: bigint | 'latest', options: RpcCallOptions | undefined) {
    try {
      // In a batch of its own: some nodes fail on a block that they do not have, and with it on all of a batch.
      const result = await send(state, tag, { ...options, retries: options?.retries ?? PROBE_RETRIES });
      // As Besu answers for a block that it does not have.
      if (result === null) return 'refused';
      return typeof result === 'string' && /[1-9a-f]/i.test(result.slice(2)) ? 'filled' : 'empty';
    } catch (error) {
      if (isAppError(error, 'badResponse', 'server')) return 'unanswered';
      if (!isAppError(error, 'notServed', 'rpc')) throw error;
      if (error.kind === 'rpc' && isCallReverted(error)) return 'filled';
      return error.kind === 'notServed' || isMissingMethod(error) ? 'unanswered' : 'refused';
    }
  }

  /** The number of the block that code sees when it is called; undefined if the endpoint does not call this code. */
  async function readBlockNumber(tag: bigint | 'latest', options: RpcCallOptions | undefined) {
    const params = [{ data: RETURN_BLOCK_NUMBER }, tag === 'latest' ? tag : toQuantity(tag)];
    const result = await call('eth_call', params, { ...options, retries: NUMBER_RETRIES }).catch(
      (error: unknown) => {
        if (!isAppError(error, 'rpc', 'notServed', 'badResponse', 'server')) throw error;
        return undefined;
      },
    );
    const word = parseHexData(result, 32);
    return word && BigInt(word);
  }

  /**
   * Whether code sees the block of its call and not another one; undefined if that is not known, as on chains whose code
   * sees blocks of another chain (Arbitrum).
   */
  async function seesItsBlock(
    block: bigint,
    options: RpcCallOptions | undefined,
  ): Promise<boolean | undefined> {
    const head = heads.newest();
    if (head === undefined || head < 2n * NEAR) return undefined;
    const past = block < head - NEAR ? block : head - 2n * NEAR;
    const [seen, now] = await Promise.all([
      readBlockNumber(past, options),
      readBlockNumber('latest', options),
    ]);
    if (seen === past) return true;
    if (seen === undefined || now === undefined) return undefined;
    return isNear(now, head) && !isNear(seen, past) ? false : undefined;
  }

  /** Whether the block makes a difference to a method. Remembers the methods that have shown it. */
  async function dependsOnBlock(state: StateCall, options: RpcCallOptions | undefined): Promise<boolean> {
    const { method } = state;
    if (memory.current().stateMethods?.includes(method)) return true;
    const learn = () => {
      const known = memory.current().stateMethods ?? [];
      memory.learn({ stateMethods: [...known.filter((one) => one !== method), method] });
      return true;
    };
    const [above, isSeen] = await Promise.all([
      probe(state, (heads.newest() ?? state.block) + FAR_ABOVE, options),
      seesItsBlock(state.block, options),
    ]);
    if (isSeen === false && method === 'eth_call') return false;
    if (isSeen && method === 'eth_call' && above !== 'filled') return learn();
    if (above === 'refused' && isSeen !== false) return learn();
    if (above === 'unanswered' && isSeen) return true;
    // Some nodes take a block that they do not have for the latest one, and have old states nevertheless.
    const key = getAddress(state);
    if (unknown.has(`${method} ${key}`)) return false;
    const [now, first] = await Promise.all([probe(state, 'latest', options), probe(state, 0n, options)]);
    if (now === 'filled' && (above === 'empty' || first === 'empty' || first === 'refused')) return learn();
    if (unknown.size < MAX_UNKNOWN) unknown.add(`${method} ${key}`);
    return false;
  }

  function findDependence(state: StateCall, options: RpcCallOptions | undefined): Promise<boolean> {
    const key = `${state.method} ${getAddress(state)}`;
    if (unknown.has(key)) return Promise.resolve(false);
    const bySignal = asking.get(state.method) ?? new Map<AbortSignal | undefined, Promise<boolean>>();
    asking.set(state.method, bySignal);
    const signal = options?.signal;
    const pending = bySignal.get(signal) ?? dependsOnBlock(state, options);
    bySignal.set(signal, pending);
    const end = () => bySignal.delete(signal);
    pending.then(end, end);
    return pending;
  }

  /** The result of a call whose block an endpoint did not find. @throws AppError `blockNotSeen`, `historyUnavailable`. */
  async function waitForBlock(
    state: StateCall,
    options: RpcCallOptions | undefined,
    cause: AppError | undefined,
  ): Promise<unknown> {
    const { waitForReplica } = await import('../logs/engine/fetchLogs.ts');
    let lowest: bigint | undefined;
    let last = cause;
    for (let attempt = 0; await waitForReplica(wait, attempt, { signal: options?.signal }); attempt++) {
      const newest = heads.newest();
      const isOld = newest === undefined || state.block + UNSETTLED_BLOCKS <= newest;
      // For an old block, it matters what the replica has seen: in one batch, so that the same one responds.
      const [head, result] = await Promise.allSettled([
        isOld ? getBlockNumber({ call } as RpcClient, options) : undefined,
        send(state, state.block, options),
      ]);
      if (result.status === 'fulfilled' && result.value !== null) return result.value;
      if (result.status === 'rejected') {
        if (!isAppError(result.reason, 'rpc') || !isBlockMissing(result.reason)) throw result.reason;
        last = result.reason;
      }
      if (head.status === 'fulfilled' && head.value !== undefined) {
        heads.note(head.value);
        if (lowest === undefined || head.value < lowest) lowest = head.value;
      }
      // Null may also be a server's answer to everything.
      if (last === undefined && attempt >= MAX_NULL_RETRIES) break;
      // Replicas that have seen later blocks no longer have it.
      if (isOld && attempt > 0 && (lowest ?? state.block) >= state.block) throw historyUnavailable(last);
    }
    throw createError(
      'blockNotSeen',
      createMessage(
        'The endpoint has not seen block {0} yet, as some of its replicas lag. Try again in a moment.',
        decimal(state.block),
      ),
      last && { ...last.details, cause: last },
    );
  }

  async function readLatest(state: StateCall, options: RpcCallOptions | undefined): Promise<unknown> {
    if (heads.isLatest(state.block)) return send(state, 'latest', options);
    throw createError(
      'historyUnavailable',
      createMessage(
        'The endpoint has the state of the latest block only. Choose latest, or an archive node.',
      ),
      { field: 'pastBlock' },
    );
  }

  /** Whether an endpoint refused a block because it is a number. */
  async function isTagWanted(
    { details }: AppError,
    state: StateCall,
    options: RpcCallOptions | undefined,
  ): Promise<boolean> {
    if (!TAG_ONLY.test(details.serverMessage ?? '')) {
      if (details.code !== INVALID_PARAMS) return false;
      // A lagging replica refuses new blocks only.
      const older = state.block > SOME_BLOCKS ? state.block - SOME_BLOCKS : 0n;
      if ((await probe(state, older, options)) !== 'refused') return false;
    }
    const now = await probe(state, 'latest', options);
    return now === 'filled' || now === 'empty';
  }

  async function readAt(state: StateCall, options: RpcCallOptions | undefined): Promise<unknown> {
    try {
      const result = await send(state, state.block, options);
      if (result !== null || heads.newest() === undefined) return result;
    } catch (error) {
      if (!isAppError(error, 'rpc') || isCallReverted(error)) throw error;
      if (isBlockMissing(error)) return waitForBlock(state, options, error);
      if (!(await isTagWanted(error, state, options))) throw error;
      memory.learn({ takesLatestOnly: true });
      return readLatest(state, options);
    }
    // Besu returns null for a block that it does not have.
    return waitForBlock(state, options, undefined);
  }

  async function readPast(state: StateCall, options: RpcCallOptions | undefined): Promise<unknown> {
    if (heads.newest() === undefined) {
      heads.note(await getBlockNumber({ call } as RpcClient, options));
      if (heads.isLatest(state.block)) return readAt(state, options);
    }
    const [isCertain, result] = await Promise.allSettled([
      findDependence(state, options),
      readAt(state, options),
    ]);
    // The endpoint's own refusal says more than that it did not answer a question.
    if (result.status === 'rejected') throw result.reason;
    if (isCertain.status === 'rejected') throw isCertain.reason;
    if (isCertain.value) return result.value;
    throw createError(
      'historyUnavailable',
      createMessage(
        'The endpoint may return the state of now for block {0}. Choose latest, or another endpoint.',
        decimal(state.block),
      ),
      { field: 'pastBlock' },
    );
  }

  return (method, params, options) => {
    const block = STATE_METHODS.includes(method) ? parseQuantity(params.at(-1)) : undefined;
    if (block === undefined) return call(method, params, options);
    const state = { method, params, block };
    const { stateMethods, takesLatestOnly } = memory.current();
    if (takesLatestOnly) return readLatest(state, options);
    const isSettled = stateMethods?.includes(method) || heads.isLatest(block);
    return isSettled ? readAt(state, options) : readPast(state, options);
  };
}

/** No chain will have as many blocks more while it is read. */
const FAR_ABOVE = 1_000_000_000n;
/** Blocks by which replicas differ, and by which a chain moves on meanwhile. */
const NEAR = 16n;
const isNear = (one: bigint, other: bigint) => one - other <= NEAR && other - one <= NEAR;
/** A creation that returns NUMBER: `NUMBER PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN`. */
const RETURN_BLOCK_NUMBER = '0x4360005260206000f3';
const MAX_UNKNOWN = 1000;
const MAX_NULL_RETRIES = 2;
/** As of any call; stated, so that calls without it are in another batch. */
const PROBE_RETRIES = 2;
/** Another number, so that these calls do not fail with the ones above. */
const NUMBER_RETRIES = 1;

const getAddress = ({ method, params: [first] }: StateCall): unknown =>
  method === 'eth_call' ? (first as { readonly to?: unknown } | undefined)?.to : first;

const INVALID_PARAMS = -32602;
const SOME_BLOCKS = 200n;

/** java-tron: `QUANTITY not supported, just support TAG as latest`. Confirmed by a call with the tag. */
const TAG_ONLY =
  /\b(?:only|just|must be|should be|except|other than|non)\b.{0,60}\b(?:latest|newest|current)\b|\blatest\b.{0,40}\bonly\b|\bquantity\b.{0,20}support|\b(?:number|parameter|tag)s?\b.{0,40}\bnot (?:yet )?(?:supported|allowed|implemented)/i;
