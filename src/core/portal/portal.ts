import type { RetryOptions } from '../http/retry.ts';
import type { Hex } from '../values/hex.ts';
import type { PortalBlock } from './blockLines.ts';

/** How hard is tried, and for how long. */
export type PortalEffort = Pick<
  RetryOptions,
  'longestHoldMs' | 'longestWaitMs' | 'persistent' | 'retries' | 'signal'
>;

/** One selection of logs: all of it holds for each; what is left out is any. */
export interface PortalLogItem {
  readonly address?: readonly string[];
  readonly topic0?: readonly string[];
  readonly topic1?: readonly string[];
  readonly topic2?: readonly string[];
  readonly topic3?: readonly string[];
}

export interface StreamQuestion {
  /** Inclusive, as {@link toBlock}. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Of the block before the first, where it is known: the portal says when its chain has another one there. */
  readonly parentBlockHash?: Hex | undefined;
  readonly logs: readonly PortalLogItem[];
}

/** A block by its height, as a portal names it. */
export interface BlockRef {
  readonly number: bigint;
  readonly hash: Hex;
}

/**
 * What a portal answers: blocks of which the last is the last that it covered; `none` where it knows none of those that
 * were asked for; `fork` with blocks of its own chain where that has another parent than was named.
 */
export type StreamAnswer =
  | {
      readonly state: 'blocks';
      readonly blocks: readonly PortalBlock[];
      /** Of the answer, as far as it was read. */
      readonly bytes: number;
      /** The newest block that the portal has, where it tells. */
      readonly head: bigint | undefined;
    }
  | { readonly state: 'none'; readonly head: bigint | undefined }
  | { readonly state: 'fork'; readonly previousBlocks: readonly BlockRef[] };

export interface PortalMetadata {
  /** Where the portal tells it. */
  readonly chainId: number | undefined;
  readonly startBlock: bigint | undefined;
}

/** One dataset of an SQD Portal. https://docs.sqd.dev, and the interface binding in github.com/subsquid/sqd-portal. */
export interface PortalClient {
  /** The newest block that it has. @throws AppError of any network kind; `unavailable` where it has none yet. */
  head(effort?: PortalEffort): Promise<BlockRef>;
  /** @throws AppError of any network kind; `notFound` for a dataset that it has not. */
  metadata(effort?: PortalEffort): Promise<PortalMetadata>;
  /**
   * Blocks with matching logs, and the first and last of those that it covered.
   *
   * @throws AppError of any network kind; `rpc` for a query that it does not take; `badResponse` for lines that cannot
   *   be an answer; `tooLarge` for a block over `maxBytes`.
   */
  stream(
    question: StreamQuestion,
    options?: PortalEffort & { readonly maxBytes?: number | undefined },
  ): Promise<StreamAnswer>;
}
