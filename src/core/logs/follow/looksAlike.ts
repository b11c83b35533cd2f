import { greater, lesser } from '../../values/lesser.ts';
import type { Log } from '../query/log.ts';

/** What one machine gave of the last blocks, without a word of how many it knows. */
interface Look {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly logs: readonly Log[];
}

/** Looks at the end of a chain whose machines do not tell their heads. */
export interface LooksAlike {
  /** Takes in a look. @returns the last block through which the last looks were alike; undefined where they were not. */
  take(look: Look): bigint | undefined;
}

/** As many as have to be alike when a query is read. */
const LOOKS = 3;

export function createLooksAlike(): LooksAlike {
  let looks: readonly Look[] = [];
  return {
    take(look) {
      looks = [...looks.slice(1 - LOOKS), look];
      if (looks.length < LOOKS) return undefined;
      const fromBlock = looks.map((one) => one.fromBlock).reduce(greater);
      const toBlock = looks.map((one) => one.toBlock).reduce(lesser);
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
