import { type Chance, pick } from './random.ts';

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

export type Door = readonly [make: (size: number, chance: Chance) => unknown, run: (value: never) => unknown];

/** One of the doors at random, with what it takes. */
export const workOf = (name: string, most: number, doors: readonly Door[], seeds?: number): Work => ({
  ...{ name, most, ...(seeds !== undefined && { seeds }) },
  make(size, chance) {
    const [make, run] = pick(chance, doors);
    return { value: make(size, chance), run };
  },
  run(input) {
    const { value, run } = input as { readonly value: unknown; readonly run: (value: unknown) => unknown };
    return run(value);
  },
});
