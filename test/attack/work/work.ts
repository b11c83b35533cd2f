/** One way in for what others send: how to make it, and what the program does with it. */
export interface Work<Input = unknown> {
  readonly name: string;
  /** Bytes that the program lets in. */
  readonly most: number;
  /** Where one case takes half a second by its own bound; default 5,000. */
  readonly seeds?: number;
  /** Input of about `size` bytes that costs as much as it can. `random` is uniform in [0, 1). */
  make(size: number, random: () => number): Input;
  /** Runs what the program does with the input. A refusal (an `AppError`) is as good as a result. */
  run(input: Input): unknown;
}
