import type { Clock } from '../../base/clock.ts';
import { bigintMax, bigintMin } from '../../base/values.ts';
import type { Log } from '../log.ts';

/** How long a machine that tells of fewer blocks than are known is taken for one that is behind. */
export interface ConfirmationPolicy {
  /** Times that it is told, one after another. */
  readonly times: number;
  /** Milliseconds from the first to the last of them. */
  readonly ms: number;
}

/** What is told against what is known: a chain that became shorter, or rows that are gone by the word of a machine behind. */
type Contradiction = 'lower' | 'taken';

export interface Confirmation {
  /** It is told once more. @returns whether it is to be believed by now. */
  report(told: Contradiction): boolean;
  /** The contrary is told. */
  reset(told: Contradiction): void;
}

export function createConfirmation(clock: Clock, { times, ms }: ConfirmationPolicy): Confirmation {
  const heard = new Map<Contradiction, { readonly since: number; count: number }>();
  return {
    report(told) {
      const known = heard.get(told) ?? { since: clock.elapsed(), count: 0 };
      heard.set(told, known);
      known.count++;
      return known.count >= times && clock.elapsed() - known.since >= ms;
    },
    reset(told) {
      heard.delete(told);
    },
  };
}

/** What one machine gave of the last blocks, without a word of how many it knows. */
interface QuorumResponse {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly logs: readonly Log[];
}

/** Looks at the end of a chain whose machines do not tell their heads. */
export interface Quorum {
  /** Takes in a look. @returns the last block through which the last looks were alike; undefined where they were not. */
  add(look: QuorumResponse): bigint | undefined;
}

/** As many as have to be alike when a query is read. */
const QUORUM = 3;

export function createQuorum(): Quorum {
  let looks: readonly QuorumResponse[] = [];
  return {
    add(look) {
      looks = [...looks.slice(1 - QUORUM), look];
      if (looks.length < QUORUM) return undefined;
      const fromBlock = looks.map((one) => one.fromBlock).reduce(bigintMax);
      const toBlock = looks.map((one) => one.toBlock).reduce(bigintMin);
      const texts = looks.map(({ logs }) => textOf(logs, fromBlock, toBlock));
      return new Set(texts).size === 1 ? toBlock : undefined;
    },
  };
}

function textOf(logs: readonly Log[], fromBlock: bigint, toBlock: bigint): string {
  return logs
    .filter(({ blockNumber }) => blockNumber >= fromBlock && blockNumber <= toBlock)
    .map(({ blockHash, logIndex }) => `${blockHash}:${logIndex}`)
    .join();
}
