/** A place for one text, from one start of the program to the next. */
export interface KeptText {
  /** Undefined where nothing was saved, or nothing that is ours. */
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}
