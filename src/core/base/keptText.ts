/** A text that is kept from one start of the program to the next. */
export interface KeptText {
  /** Undefined where there is none. */
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}
