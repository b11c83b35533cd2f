/** A file in the making, under a name of its own until it is put in its place. */
export interface Draft {
  append(chunk: Uint8Array): Promise<void>;
  /** All that was appended is in the unfinished file, which is as the one in its place will be. */
  finish(): Promise<void>;
  /** Gives the file its place. What was there before is kept until `settle` or `undo`. */
  replace(): Promise<void>;
  /** Puts back what was in its place before. Does nothing if nothing was replaced. */
  undo(): Promise<void>;
  /** Drops what was in its place before. */
  settle(): Promise<void>;
  /** Removes what is unfinished. Never throws. */
  discard(): Promise<void>;
}
