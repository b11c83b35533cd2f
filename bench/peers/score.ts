import type { NodeLog } from './question.ts';

/** A log as some client gives it: numbers in any of the forms that clients use. */
export interface GivenLog {
  readonly address: string;
  readonly blockNumber: unknown;
  readonly data: string;
  readonly logIndex: unknown;
  readonly topics: readonly string[];
  readonly transactionHash: string;
}

export interface Score {
  /** Share of the true logs that were given. */
  readonly recall: number;
  /** Rows that are no true log, or one that was given before. */
  readonly wrong: number;
  readonly rows: number;
}

export function scoreOf(given: readonly GivenLog[], truth: readonly NodeLog[]): Score {
  const missing = new Set(truth.map(identityOf));
  let wrong = 0;
  for (const log of given) {
    if (!missing.delete(identityOf(log))) wrong++;
  }
  const found = truth.length - missing.size;
  return { recall: truth.length === 0 ? 1 : found / truth.length, wrong, rows: given.length };
}

/** All that tells a log from another, its place on the chain included. */
function identityOf({ address, blockNumber, data, logIndex, topics, transactionHash }: GivenLog): string {
  const texts = [address, transactionHash, data, ...topics].map((text) => text.toLowerCase());
  return [numberIn(blockNumber), numberIn(logIndex), ...texts].join(' ');
}

function numberIn(value: unknown): string {
  try {
    return BigInt(value as string).toString();
  } catch {
    return `not a number: ${value}`;
  }
}
