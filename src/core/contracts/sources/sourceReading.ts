import type { SourceFacts } from './sourceFacts.ts';

/** A source that is being read, a token at a time. */
export interface SourceReading {
  /** Reads on; false at the end of the source. */
  next(): boolean;
  /** What has been read so far. */
  facts(): SourceFacts;
}
