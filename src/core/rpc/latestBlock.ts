import type { Clock } from '../base/clock.ts';
import { type AppError, createError, isAppError } from '../base/errors.ts';
import { createMessage } from '../base/text.ts';
import { isLoopbackUrl } from '../base/urls.ts';
import { bigintMax, isRecord } from '../base/values.ts';
import { type Hex, parseHexData, parseQuantity } from '../eth/hex.ts';
import { getBlockHash, getBlockNumber, isSyncing } from './methods.ts';
import { type RpcCallOptions, type RpcClient, SHORT_RESPONSE } from './rpcClient.ts';

export interface LatestBlockReading {
  readonly block: bigint;
  /**
   * The node has another chain than at the request before: it was restarted or reset, and what was read of it before is
   * gone. Always false for a node of another machine.
   */
  readonly isOnNewChain: boolean;
}

export type LatestBlockReader = (options?: RpcCallOptions) => Promise<LatestBlockReading>;

/** One run of a node. */
interface Run {
  readonly id: Hex;
  readonly block: bigint;
  readonly hash: Hex;
}

/**
 * Reads the latest block of an endpoint, and notices a new chain of a node on this machine. The reader throws as
 * {@link getBlockNumber} does.
 *
 * `hardhat_metadata` of Hardhat and anvil has an `instanceId`, which each start and each reset changes; a node that
 * loads a saved state has another one, too, but the same blocks. Any other node has another block 0.
 */
export function createLatestBlockReader(rpc: RpcClient): LatestBlockReader {
  const isLocal = isLoopbackUrl(rpc.url);
  let offersMetadata = true;
  let known: Run | undefined;

  async function readRun(options: RpcCallOptions | undefined): Promise<Run | undefined> {
    if (offersMetadata) {
      try {
        const run = parseMetadata(await rpc.call(METADATA_METHOD, [], { ...SHORT_RESPONSE, ...options }));
        if (run) return run;
      } catch (error) {
        if (!isAppError(error, 'rpc', 'notServed', 'badResponse')) throw error;
      }
      offersMetadata = false;
    }
    const genesis = await getBlockHash(rpc, 0n, options);
    return genesis ? { id: genesis, block: 0n, hash: genesis } : undefined;
  }

  async function isNew(run: Run, options: RpcCallOptions | undefined): Promise<boolean> {
    if (!known || known.id === run.id) return false;
    return (await getBlockHash(rpc, known.block, options)) !== known.hash;
  }

  return async (options) => {
    if (!isLocal) return { block: await getBlockNumber(rpc, options), isOnNewChain: false };
    const reading = readRun(options);
    if (!known) {
      // Nothing waits for what is only compared with later.
      reading.then(
        (run) => {
          known ??= run;
        },
        () => undefined,
      );
      return { block: await getBlockNumber(rpc, options), isOnNewChain: false };
    }
    const [block, run] = await Promise.all([getBlockNumber(rpc, options), reading]);
    const isOnNewChain = run !== undefined && (await isNew(run, options));
    known = run ?? known;
    return { block, isOnNewChain };
  };
}

const METADATA_METHOD = 'hardhat_metadata';

function parseMetadata(result: unknown): Run | undefined {
  if (!isRecord(result)) return undefined;
  const { instanceId, latestBlockHash, latestBlockNumber } = result;
  const id = parseHexData(instanceId, 32);
  const hash = parseHexData(latestBlockHash, 32);
  const block = parseQuantity(latestBlockNumber);
  return id && hash && block !== undefined ? { id, block, hash } : undefined;
}

/**
 * Reads the latest block of an endpoint whose replicas may lag: never an older one than the endpoint has reported, unless
 * its chain was reset. Before the endpoint has reported any, two requests are sent at once, as one of them may reach a
 * lagging replica. A node on this machine has no replicas; of any other, an older head is believed once the newest was
 * not reported for a minute.
 *
 * @returns a function that throws AppError as {@link getBlockNumber} does; `blockNotSeen` for the field `noBlocks` if the
 *   node is still fetching the chain and has no blocks.
 */
export function createHeadReader(
  rpc: RpcClient,
  heads: ReportedHeads,
  { hasReplicas = true }: { readonly hasReplicas?: boolean } = {},
): (options?: RpcCallOptions) => Promise<bigint> {
  const server = { isLocal: isLoopbackUrl(rpc.url), hasReplicas };
  return (options) =>
    fetchNewestHead(
      async () => {
        const head = await getBlockNumber(rpc, options);
        await requireBlocks(rpc, head, options);
        return head;
      },
      heads,
      server,
    );
}

/**
 * The latest block, as {@link createHeadReader} finds it.
 *
 * @param fetchHead requests it once.
 * @throws AppError as `fetchHead` does.
 * @example await fetchNewestHead(() => getBlockNumber(rpc), heads, { isLocal: false, hasReplicas: true })
 */
export async function fetchNewestHead(
  fetchHead: () => Promise<bigint>,
  heads: ReportedHeads,
  { isLocal, hasReplicas }: { readonly isLocal: boolean; readonly hasReplicas: boolean },
): Promise<bigint> {
  if (heads.newest() === undefined && hasReplicas && !isLocal) {
    const [one, other] = await Promise.allSettled([fetchHead(), fetchHead()]);
    if (one.status === 'rejected' && other.status === 'rejected') throw one.reason;
    const reported = [one, other].flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    return heads.note(reported.reduce(bigintMax));
  }
  for (let attempt = 0; ; attempt++) {
    const head = await fetchHead();
    const newest = heads.newest();
    if (newest === undefined || head >= newest) return heads.note(head);
    if (attempt < MAX_HEAD_RETRIES) continue;
    return isLocal || !heads.isCurrent() ? heads.restart(head) : newest;
  }
}

const MAX_HEAD_RETRIES = 3;

/**
 * A node that fetches the chain reports block 0 until it has it, and its state is not that of the chain.
 *
 * @throws AppError {@link noBlocksError}; as {@link isSyncing} does.
 */
async function requireBlocks(rpc: RpcClient, head: bigint, options?: RpcCallOptions): Promise<void> {
  if (head === 0n && (await isSyncing(rpc, options))) throw noBlocksError();
}

/** The error of a node that is still fetching the chain: `blockNotSeen` for the field `noBlocks`. */
export function noBlocksError(): AppError {
  return createError(
    'blockNotSeen',
    createMessage(
      'The node is still fetching the chain and has no blocks yet. Try again later, or use another endpoint.',
    ),
    { field: 'noBlocks' },
  );
}

/** The newest blocks that an endpoint has reported. */
export interface ReportedHeads {
  note(head: bigint): bigint;
  /** Forgets the heads so far: the chain has lost their blocks. */
  restart(head: bigint): bigint;
  newest(): bigint | undefined;
  /** Whether the newest was reported within the last minute. */
  isCurrent(): boolean;
  /** Whether a block is the newest, or was reported as such a moment ago. */
  isLatest(block: bigint): boolean;
  /** The newest, if it is so far above this one that a lagging replica must have reported this one. */
  getAhead(head: bigint): bigint | undefined;
}

/** Blocks that a chain may gain before the next response, and one more for each {@link MIN_BLOCK_MS}. */
const EXPECTED_NEW_BLOCKS = 2n;
const MIN_BLOCK_MS = 250;

/** Whether a lagging replica must have reported `head`, as another one reports `newer` after this time. */
export function isFarBehind(head: bigint, newer: bigint, elapsedMs: number): boolean {
  return newer > head + EXPECTED_NEW_BLOCKS + BigInt(Math.floor(elapsedMs / MIN_BLOCK_MS));
}

/** A chain moves on while an answer of several calls is read. */
const LATEST_FOR_MS = 15_000;
const NEWEST_FOR_MS = 60_000;
const MAX_HEADS = 64;

export function createReportedHeads(clock: Pick<Clock, 'elapsed'>): ReportedHeads {
  const reportedAt = new Map<bigint, number>();
  let newest: bigint | undefined;
  let newestAt: number | undefined;

  function note(head: bigint): bigint {
    if (newest === undefined || head >= newest) newestAt = clock.elapsed();
    newest = newest === undefined ? head : bigintMax(newest, head);
    reportedAt.delete(head);
    reportedAt.set(head, clock.elapsed());
    const [oldest] = reportedAt.keys();
    if (reportedAt.size > MAX_HEADS && oldest !== undefined) reportedAt.delete(oldest);
    return head;
  }

  return {
    note,
    restart(head) {
      newest = undefined;
      reportedAt.clear();
      return note(head);
    },
    newest: () => newest,
    isCurrent: () => newestAt !== undefined && clock.elapsed() - newestAt < NEWEST_FOR_MS,
    isLatest(block) {
      if (newest !== undefined && block >= newest) return true;
      const at = reportedAt.get(block);
      return at !== undefined && clock.elapsed() - at < LATEST_FOR_MS;
    },
    getAhead(head) {
      const at = reportedAt.get(head);
      return newest !== undefined && at !== undefined && isFarBehind(head, newest, clock.elapsed() - at)
        ? newest
        : undefined;
    },
  };
}
