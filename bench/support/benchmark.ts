/** One subject that can be measured by itself. */
export interface Benchmark {
  readonly name: string;
  /** Left out where only a first look is wanted: it takes long, and seldom changes. */
  readonly isSlow?: boolean;
  /** What it starts goes into `resources`, which are released when it has ended. */
  run(resources: AsyncDisposableStack): Promise<readonly Section[]>;
}

/** A table of the report. */
export interface Section {
  readonly title: string;
  /** How it was measured, in whole sentences. */
  readonly how: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  /** One text a column. */
  readonly cells: readonly string[];
  /** The same as numbers, for programs. */
  readonly figures: Readonly<Record<string, number | string>>;
  readonly budget?: Budget;
}

export interface Budget {
  /** As `≤ 250 KiB`. */
  readonly words: string;
  readonly held: boolean;
  /** Whether it is the same on every machine at every time, so that a miss is a fault of the program. */
  readonly exact: boolean;
}

/** A budget that a number must not exceed. */
export function atMost(value: number, limit: number, unit: string, exact: boolean): Budget {
  return { words: `≤ ${limit} ${unit}`.trim(), held: value <= limit, exact };
}
