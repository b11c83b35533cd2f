import type { FileFacts } from '../facts.ts';
import type { SourceFacts } from '../sources/sourceFacts.ts';

/** What is known of a file that was read. */
export interface KnownFile {
  readonly path: string;
  /** Size and time of it and of the file beside it: as long as they are the same, it is not read again. */
  readonly signature: string;
  /** Of its content: as long as it is the same, it is not parsed again. */
  readonly hash: number;
  /** Of the layout of its project, by which it was read. */
  readonly context: number;
  readonly facts: FileFacts | undefined;
  readonly source: SourceFacts | undefined;
  /** Why it could not be read. */
  readonly problem: string | undefined;
}
