/** What a list offers. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** What is typed, and where the caret stands in it. */
export interface Typed {
  readonly text: string;
  readonly caret: number;
  /** The list was asked for by a key: it is wanted whatever is typed. */
  readonly wanted: boolean;
}
