/** A file that was written, and its digest. */
export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Where the rows of an answer may be written: a folder that the user has named. */
export interface EventFiles {
  /**
   * Writes a new file, and another beside it that tells what is in it; neither is there unless both are whole.
   *
   * @param name with its extension, without a folder.
   * @throws AppError `badInput` for `file` where one of them is there already: nothing is overwritten.
   */
  write(
    name: string,
    content: AsyncIterable<Uint8Array>,
    record: () => { readonly name: string; readonly content: Uint8Array },
  ): Promise<WrittenFile>;
}
