import type { Clock } from '../../base/clock.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import { QUORUM } from '../engine/fetchLogs.ts';
import type { Log } from '../log.ts';

/** How long reports of fewer blocks than already covered are attributed to a lagging replica. */
export interface ConfirmationPolicy {
  /** Consecutive reports. */
  readonly times: number;
  /** Milliseconds from the first report to the last. */
  readonly ms: number;
}

/** Reports of heads below what is covered. */
interface LowerHeads {
  /**
   * Adds one report.
   *
   * @returns the newest of the last such heads if the chain must be shorter by now: of all replicas, the one that is
   *   least behind counts.
   */
  report(head: bigint): bigint | undefined;
  /** A head was reported that is not lower. */
  reset(): void;
}

export function createLowerHeads(clock: Clock, { times, ms }: ConfirmationPolicy): LowerHeads {
  let since: number | undefined;
  let count = 0;
  let heads: readonly bigint[] = [];
  return {
    report(head) {
      since ??= clock.elapsed();
      count++;
      // Older reports may be of a chain that became shorter once more.
      heads = [...heads, head].slice(-Math.max(times, QUORUM));
      return count >= times && clock.elapsed() - since >= ms ? heads.reduce(bigintMax) : undefined;
    },
    reset() {
      since = undefined;
      count = 0;
      heads = [];
    },
  };
}

/** The heads of the last looks. */
interface RecentHeads {
  add(head: bigint): void;
  /** Each was as high as the one before: nothing hints at a replica that is behind, or at a shorter chain. */
  areSteady(): boolean;
}

const LAST_HEADS = 2 * QUORUM;

export function createRecentHeads(): RecentHeads {
  let heads: readonly bigint[] = [];
  return {
    add(head) {
      heads = [...heads, head].slice(-LAST_HEADS);
    },
    areSteady: () => heads.every((head, at) => head >= (heads[at - 1] ?? 0n)),
  };
}

/** The last blocks as one replica returned them, without its head. */
interface QuorumResponse {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly logs: readonly Log[];
}

/** Compares the end of a chain over responses of replicas that do not report their heads. */
interface Quorum {
  /** @returns the blocks that all of the last responses have alike; undefined if there are none. */
  add(response: QuorumResponse): Pick<QuorumResponse, 'fromBlock' | 'toBlock'> | undefined;
}

export function createQuorum(): Quorum {
  let responses: readonly QuorumResponse[] = [];
  return {
    add(response) {
      responses = [...responses.slice(1 - QUORUM), response];
      if (responses.length < QUORUM) return undefined;
      const fromBlock = responses.map((each) => each.fromBlock).reduce(bigintMax);
      const toBlock = responses.map((each) => each.toBlock).reduce(bigintMin);
      const keys = responses.map(({ logs }) => formatRowKeys(logs, fromBlock, toBlock));
      return new Set(keys).size === 1 && fromBlock <= toBlock ? { fromBlock, toBlock } : undefined;
    },
  };
}

function formatRowKeys(logs: readonly Log[], fromBlock: bigint, toBlock: bigint): string {
  return logs
    .filter(({ blockNumber }) => blockNumber >= fromBlock && blockNumber <= toBlock)
    .map(({ blockHash, logIndex }) => `${blockHash}:${logIndex}`)
    .join();
}
