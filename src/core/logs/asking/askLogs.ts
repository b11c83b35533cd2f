import type { Abortable } from '../../base/abortable.ts';
import { isAppError } from '../../base/errors.ts';
import { BLOCK_NUMBER, blockNumberIn } from '../../rpc/methods.ts';
import { batchFailure, type RpcOutcome } from '../../rpc/rpcBatch.ts';
import { toQuantity } from '../../values/hex.ts';
import type { Log } from '../query/log.ts';
import { batchSupport } from '../server/dialect.ts';
import { learnFromBatch } from '../server/dialectMemory.ts';
import type { ServerFilter } from '../server/serverFilters.ts';
import type { LogSource } from './logSource.ts';

export interface FetchRange extends Abortable {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** The last row of the page before: asks for what comes after it. */
  readonly after?: Log | undefined;
  /** Instead of the source's own effort. */
  readonly retries?: number;
  /** An answer of more bytes than this is `tooLarge`. */
  readonly maxBytes?: number | undefined;
}

/** What became of one request for logs, and the newest block that the machine knew that answered, where it told. */
export type AskedLogs = RpcOutcome & { readonly head: bigint | undefined };

const GET_LOGS = 'eth_getLogs';

/**
 * One `eth_getLogs` request, alone. Its answer says nothing of what the machine knew that gave it.
 *
 * @throws AppError as {@link RpcClient.call} does, `rpc` excepted, which is an outcome.
 */
export async function askAlone(source: LogSource, part: ServerFilter, range: FetchRange): Promise<AskedLogs> {
  try {
    const params = [queryOf(source, part, range)];
    return { result: await source.rpc.call(GET_LOGS, params, effortOf(source, range)), head: undefined };
  } catch (error) {
    if (!isAppError(error, 'rpc')) throw error;
    return { refusal: error, head: undefined };
  }
}

/**
 * The same in one request with the question for the head, where the server takes that: one machine answers both. The
 * head goes first, so that what is read after it has at least those blocks.
 */
export async function askWithHead(
  source: LogSource,
  part: ServerFilter,
  range: FetchRange,
): Promise<AskedLogs> {
  const support = batchSupport(source.memory.current());
  if (support === 'refused') return askAlone(source, part, range);
  try {
    return await askBatch(source, part, range);
  } catch (error) {
    const failure = batchFailure(error);
    if (!failure || (support === 'taken' && failure === 'failed')) throw error;
    const alone = await askAlone(source, part, range);
    // What is refused alone as well was not refused for being in a batch.
    if ('result' in alone) learnFromBatch(source.memory, failure);
    return alone;
  }
}

async function askBatch(source: LogSource, part: ServerFilter, range: FetchRange): Promise<AskedLogs> {
  const calls = [
    { method: BLOCK_NUMBER, params: [] },
    { method: GET_LOGS, params: [queryOf(source, part, range)] },
  ];
  const isTrial = batchSupport(source.memory.current()) !== 'taken';
  const [head, logs] = await source.rpc.callBatch(calls, { ...effortOf(source, range), isTrial });
  if (!head || !logs) return { result: undefined, head: undefined };
  // Each server answers this: what it refuses is the batch, call by call.
  if ('refusal' in head) throw head.refusal;
  learnFromBatch(source.memory, 'taken');
  return { ...logs, head: blockNumberIn(head.result) };
}

function queryOf({ memory }: LogSource, part: ServerFilter, { fromBlock, toBlock, after }: FetchRange) {
  return {
    ...part,
    fromBlock: toQuantity(fromBlock),
    toBlock: toQuantity(toBlock),
    ...(after ? { paging_options: cursorOf(after, memory.current().prefixedCursor) } : {}),
  };
}

function effortOf({ effort }: LogSource, { retries, signal, maxBytes }: FetchRange) {
  return { ...effort, ...(retries === undefined ? {} : { retries }), signal, maxBytes };
}

/**
 * The cursor after `log`, for every Blockscout version: block and log index as hex without `0x` (its parser stops at
 * the `x`), transaction index as an integer; all three, since an incomplete cursor gives page 1 again.
 */
function cursorOf(log: Log, prefixed: boolean) {
  const hex = (value: bigint | number) => (prefixed ? toQuantity(value) : value.toString(16));
  return {
    blockNumber: hex(log.blockNumber),
    logIndex: hex(log.logIndex),
    transactionIndex: log.transactionIndex,
  };
}
