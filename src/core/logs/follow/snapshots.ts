import type { Abortable } from '../../base/concurrency.ts';
import { bigintMax, bigintMin, isRecord } from '../../base/values.ts';
import { type Hex, parseHexData, parseQuantity, toQuantity } from '../../eth/hex.ts';
import { isMissingMethod } from '../../rpc/ethCall.ts';
import { classifyBatchError, type RpcOutcome } from '../../rpc/rpcClient.ts';
import {
  getBatchSupport,
  isIdentified,
  mayBeTruncated,
  reportsHead,
  SURELY_COMPLETE_ROWS,
} from '../engine/dialect.ts';
import { getServerPaging, isCompleteResponse } from '../engine/dialectMemory.ts';
import { fetchLogsOnce } from '../engine/fetchLogs.ts';
import { type QueryContext, type RetryPolicy, resolveServerFilters } from '../engine/getLogs.ts';
import { mergeLogs } from '../engine/parseLogs.ts';
import { readWindow } from '../engine/readWindow.ts';
import { parseRangeLimitError } from '../engine/refusals.ts';
import type { ServerFilter } from '../engine/serverFilters.ts';
import type { Log } from '../log.ts';
import type { VerdictReason } from '../query/verdict.ts';

/** The rows of some blocks as one replica had them at one moment. */
export interface Snapshot {
  readonly fromBlock: bigint;
  /** Last requested block. */
  readonly toBlock: bigint;
  /** Last block whose rows are complete; rows above it may be missing. */
  readonly coveredTo: bigint;
  /** In chain order. */
  readonly logs: readonly Log[];
  /** Newest block of the replica, if reported. */
  readonly head: bigint | undefined;
  /** The replica itself said which blocks it has. */
  readonly isReported: boolean;
  /** Hashes of blocks that the same replica reported. */
  readonly hashes: ReadonlyMap<bigint, Hex>;
  /** The replica said that its chain differs below the first block. */
  readonly isOtherBelow: boolean;
  /** All rows come from one replica at one moment, as the server says itself. */
  readonly isAtomic: boolean;
}

/** The rows of a snapshot and the blocks that they are of. */
export type SnapshotRows = Pick<Snapshot, 'fromBlock' | 'toBlock' | 'coveredTo' | 'logs'>;

export interface SnapshotRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Blocks whose hashes the same replica should report. */
  readonly hashesOf?: readonly bigint[];
}

/** `unseen`: the replica has none of the blocks. `tooMuch`: the response is refused, or may lack rows. */
type SnapshotResponse = Snapshot | 'unseen' | 'tooMuch' | 'unrequested';

export interface SnapshotReader {
  /** Widest range that the server takes, as far as known. */
  getMaxBlocks(): bigint | undefined;
  /** Whether responses say which blocks their replica has, as far as known. */
  reportsHeads(): boolean;
  /** Whether responses come with the hashes of blocks, as far as known. */
  canReportHashes(): boolean;
  /** Sends one request; one for each part of the filter if a server takes it only in parts. */
  read(range: SnapshotRange, options: Abortable): Promise<SnapshotResponse>;
  /**
   * Reads a range that one response does not hold, twice. It may end before its last block. Undefined if the two were
   * not alike, or if the server returns no more.
   */
  readLarge(range: SnapshotRange, options: Abortable): Promise<Snapshot | undefined>;
}

const GET_BLOCK = 'eth_getBlockByNumber';

/** What stays uncertain about rows of a response. */
interface UncertainRows {
  readonly reasons: readonly VerdictReason[];
  /** The server returns no more. */
  readonly endsQuery: boolean;
}

/** Reasons that hold only until the last blocks are read again. */
export const TEMPORARY_REASONS: readonly VerdictReason['code'][] = ['headWentBack', 'reorg', 'serversDiffer'];

/** @param retry for ranges that one response does not hold. */
export function createSnapshotReader(
  query: QueryContext,
  retry: RetryPolicy,
  onUncertain: (rows: UncertainRows) => void,
): SnapshotReader {
  const { memory } = query;
  let maxWidth: bigint | undefined;
  let hasHashes = true;

  function getMaxBlocks(): bigint | undefined {
    const { maxBlocks = maxWidth } = memory.current();
    return maxWidth !== undefined && maxBlocks !== undefined ? bigintMin(maxWidth, maxBlocks) : maxBlocks;
  }

  const canReportHashes = () =>
    hasHashes && !query.fetchWithCoverage && getBatchSupport(memory.current()) !== 'refused';

  /** {@link query} whose batches also get the hashes of `blocks`, from the same replica. */
  function withHashes(blocks: readonly bigint[], hashes: Map<bigint, Hex>): QueryContext {
    const { rpc } = query;
    const headers = blocks.map((block) => ({ method: GET_BLOCK, params: [toQuantity(block), false] }));

    function keepHashes(outcomes: readonly RpcOutcome[]): void {
      for (const [at, outcome] of outcomes.entries()) {
        const block = blocks[at];
        if ('error' in outcome) hasHashes &&= !isMissingMethod(outcome.error);
        else if (block !== undefined) {
          const { number, hash } = isRecord(outcome.result) ? outcome.result : {};
          const parsed = parseQuantity(number) === block ? parseHexData(hash, 32) : undefined;
          if (parsed) hashes.set(block, parsed);
        }
      }
    }

    return {
      ...query,
      rpc: {
        ...rpc,
        async callBatch(calls, options) {
          try {
            const outcomes = await rpc.callBatch([...calls, ...headers], options);
            keepHashes(outcomes.slice(calls.length));
            return outcomes.slice(0, calls.length);
          } catch (error) {
            if (getBatchSupport(memory.current()) !== 'taken' || classifyBatchError(error) !== 'refused')
              throw error;
            // A server may take fewer calls at once.
            hasHashes = false;
            return rpc.callBatch(calls, options);
          }
        },
      },
    };
  }

  async function read(
    { fromBlock, toBlock, hashesOf = [] }: SnapshotRange,
    { signal }: Abortable,
  ): Promise<SnapshotResponse> {
    const hashes = new Map<bigint, Hex>();
    const parts = await resolveServerFilters(query, { signal });
    const addsHashes = hashesOf.length > 0 && parts.length === 1 && canReportHashes();
    const source = addsHashes ? withHashes(hashesOf, hashes) : query;
    const range = { fromBlock, toBlock, signal };
    try {
      const pages = await Promise.all(parts.map((part) => fetchPart(source, part, range)));
      const seen = pages.filter((page) => page !== undefined);
      if (seen.length < pages.length) return 'unseen';
      if (seen.some(({ hasUnrequestedRows }) => hasUnrequestedRows)) return 'unrequested';
      if (!seen.every(({ isWhole }) => isWhole)) return 'tooMuch';
      for (const { uncertainAt } of seen) {
        const reasons = uncertainAt.map((block) => ({ code: 'forkRows', block }) as const);
        onUncertain({ reasons, endsQuery: false });
      }
      const logs = await mergeLogs(
        seen.map(({ matching }) => matching),
        query,
      );
      const heads = seen.map(({ head }) => head).filter((head) => head !== undefined);
      return {
        ...{ fromBlock, toBlock, hashes },
        coveredTo: bigintMin(seen.map((page) => page.coveredTo).reduce(bigintMin), toBlock),
        logs,
        head: heads.length < seen.length ? undefined : heads.reduce(bigintMin),
        isReported: heads.length === seen.length || query.fetchWithCoverage !== undefined,
        isOtherBelow: seen.some(({ reorgAt }) => reorgAt !== undefined && reorgAt < fromBlock),
        isAtomic: parts.length === 1,
      };
    } catch (error) {
      const limit = parseRangeLimitError(error, fromBlock);
      if (!limit || (fromBlock === toBlock && !limit.ofContent)) throw error;
      if (!limit.ofContent) learnWidth(limit, { fromBlock, toBlock });
      return 'tooMuch';
    }
  }

  function learnWidth(
    { maxBlocks, suggestedEnd }: NonNullable<ReturnType<typeof parseRangeLimitError>>,
    { fromBlock, toBlock }: SnapshotRange,
  ): void {
    const blocks = toBlock - fromBlock + 1n;
    const named = maxBlocks ?? (suggestedEnd === undefined ? undefined : suggestedEnd - fromBlock + 1n);
    maxWidth = named !== undefined && named < blocks ? named : bigintMax(1n, blocks / 2n);
  }

  async function fetchPart(source: QueryContext, part: ServerFilter, range: SnapshotRange & Abortable) {
    const fetched = await fetchLogsOnce(source, part, range);
    if (!fetched) return undefined;
    const { count } = fetched;
    if (count >= SURELY_COMPLETE_ROWS || mayBeTruncated(count))
      await query.identify({ signal: range.signal });
    // A node does not truncate a single block.
    const isWholeBlock =
      range.fromBlock === range.toBlock &&
      isIdentified(memory.current()) &&
      count < getServerPaging(memory, part).completeBelow;
    return { ...fetched, isWhole: isWholeBlock || isCompleteResponse(memory, part, count) };
  }

  async function readLarge(
    { fromBlock, toBlock }: SnapshotRange,
    { signal }: Abortable,
  ): Promise<Snapshot | undefined> {
    const parts = await resolveServerFilters(query, { signal });
    const patientQuery: QueryContext = { ...query, retry, unsettledFrom: fromBlock };
    const readTo = (last: bigint) =>
      readWindow(patientQuery, { parts, span: { first: fromBlock, last }, signal });
    const first = await readTo(toBlock);
    if (!first) return undefined;
    if (first.error !== undefined) throw first.error;
    const { endsQuery } = first;
    if (endsQuery) onUncertain({ reasons: first.reasons, endsQuery });
    if (endsQuery || first.through < fromBlock) return undefined;
    const second = await readTo(first.through);
    const reasons = [...first.reasons, ...(second?.reasons ?? [])];
    const isAlike = second?.through === first.through && hasSameRows(first.logs, second.logs);
    if (!isAlike || reasons.some(({ code }) => TEMPORARY_REASONS.includes(code))) return undefined;
    const otherRows = query.responseReasons.list().filter(({ code }) => code === 'otherRows');
    onUncertain({ reasons: [...reasons, ...otherRows], endsQuery });
    return {
      ...{
        fromBlock,
        toBlock,
        coveredTo: first.through,
        logs: first.logs,
        head: undefined,
        hashes: new Map(),
      },
      ...{ isReported: true, isOtherBelow: false, isAtomic: false },
    };
  }

  return {
    ...{ getMaxBlocks, canReportHashes, read, readLarge },
    reportsHeads: () => reportsHead(memory.current()),
  };
}

export function hasSameRows(a: readonly Log[], b: readonly Log[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ blockHash, logIndex }, at) => b[at]?.blockHash === blockHash && b[at]?.logIndex === logIndex)
  );
}
