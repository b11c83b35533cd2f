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

/** Reports that contradict what is covered: a lower head, or removed rows from a replica with a lower head. */
type Contradiction = 'lowerHead' | 'removedRows';

interface Confirmation {
  /**
   * Adds one report.
   *
   * @returns whether it is confirmed by now.
   */
  report(contradiction: Contradiction): boolean;
  /** The opposite was reported. */
  reset(contradiction: Contradiction): void;
}

export function createConfirmation(clock: Clock, { times, ms }: ConfirmationPolicy): Confirmation {
  const reports = new Map<Contradiction, { readonly since: number; count: number }>();
  return {
    report(contradiction) {
      const seen = reports.get(contradiction) ?? { since: clock.elapsed(), count: 0 };
      reports.set(contradiction, seen);
      seen.count++;
      return seen.count >= times && clock.elapsed() - seen.since >= ms;
    },
    reset(contradiction) {
      reports.delete(contradiction);
    },
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
  /** @returns the last block through which the last responses agree; undefined if they do not. */
  add(response: QuorumResponse): bigint | undefined;
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
      return new Set(keys).size === 1 ? toBlock : undefined;
    },
  };
}

function formatRowKeys(logs: readonly Log[], fromBlock: bigint, toBlock: bigint): string {
  return logs
    .filter(({ blockNumber }) => blockNumber >= fromBlock && blockNumber <= toBlock)
    .map(({ blockHash, logIndex }) => `${blockHash}:${logIndex}`)
    .join();
}
