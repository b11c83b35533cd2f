import type { FileFacts } from '../../facts.ts';

/** What is known of a file that was read. */
export interface KnownFile {
  readonly path: string;
  /** Size and time of it and of the file beside it: as long as they are the same, it is not read again. */
  readonly signature: string;
  /** Of its content: as long as it is the same, it is not parsed again. */
  readonly hash: number;
  /** Of the project that it was read in: another layout reads the same file otherwise. */
  readonly context: number;
  readonly facts: FileFacts | undefined;
  readonly source: KnownSource | undefined;
  /** Why it, or a part of it, could not be read. */
  readonly problem: string | undefined;
}

/** What a source declares. Few are needed at once, and as text they take a tenth of the memory. */
export interface KnownSource {
  /** `SourceFacts` as JSON. */
  readonly json: string;
  /** The files that it imports; undefined as long as nobody has looked where they are. */
  readonly imports: readonly string[] | undefined;
  /** Whether an import was not found: a file that is new may be it. */
  readonly isLacking: boolean;
}
