import { type AppError, isAppError } from '../base/errors.ts';
import { isIdOf } from './rpcAnswer.ts';

/** One call of a batch. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What became of one call of a batch that was answered. */
export type RpcOutcome = { readonly result: unknown } | { readonly refusal: AppError };

/** The body of a batch, with ids from `firstId` on. */
export function batchBody(calls: readonly RpcCall[], firstId: number): readonly object[] {
  return calls.map((call, place) => ({ jsonrpc: '2.0', id: firstId + place, ...call }));
}

/**
 * The outcomes in `entries`, the answer to a batch of `count` calls, in the order of the calls; servers may answer in any.
 *
 * @param readResult reads one answer, as of a call that went alone: a call that is refused is an outcome, what else it
 *   throws is of the whole batch.
 */
export function readBatch(
  entries: readonly unknown[],
  { firstId, count }: { readonly firstId: number; readonly count: number },
  readResult: (entry: unknown, id: number) => unknown,
): readonly RpcOutcome[] {
  return Array.from({ length: count }, (_, place): RpcOutcome => {
    const id = firstId + place;
    const entry = entries.find((one) => isIdOf(idOf(one), id)) ?? entries[place];
    try {
      return { result: readResult(entry, id) };
    } catch (error) {
      if (!isAppError(error, 'rpc')) throw error;
      return { refusal: error };
    }
  });
}

function idOf(entry: unknown): unknown {
  return (entry as { id?: unknown } | null | undefined)?.id;
}

/**
 * What a failure says of a server that has not yet answered a batch: `refused` in so many words, or `failed` in a way
 * that may be of the moment as well; undefined where it has nothing to do with batches.
 */
export function batchFailure(error: unknown): 'refused' | 'failed' | undefined {
  if (isAppError(error, 'rpc', 'requestTooLarge', 'forbidden', 'notFound')) return 'refused';
  if (isAppError(error, 'badResponse')) return isRefusal(error) ? 'refused' : 'failed';
  return isAppError(error, 'server', 'network') ? 'failed' : undefined;
}

/** A status of 400 to 499, which is about the request. */
function isRefusal({ details: { status = 0 } }: AppError): boolean {
  return status >= 400 && status < 500;
}
