import type { AppError } from '../../core/index.ts';

/** The newest block that the endpoint gave. What ends in `Elapsed` is by {@link Clock.elapsed}. */
export interface Head {
  readonly block: bigint;
  /** When this block number was first seen, in milliseconds since the Unix epoch: in place of the block's own time. */
  readonly firstSeenAt: number;
  /** The same for its age, which is right also after the system's clock was set. */
  readonly firstSeenElapsed: number;
  /** When the endpoint last gave it. */
  readonly confirmedElapsed: number;
  /** How long the last answer took, in milliseconds. */
  readonly latencyMs: number;
}

export interface HeadState {
  /** The last good answer; kept while later ones fail. */
  readonly head?: Head;
  /** Why the last try failed; undefined when it did not. */
  readonly error?: AppError;
  /** Tries that failed one after another. */
  readonly failures: number;
  /** When the request in flight was sent; undefined when none is. */
  readonly askedElapsed?: number;
}
