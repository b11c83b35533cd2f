/** What several rounds of one thing took, in the unit in which they were measured. */
export interface Sample {
  readonly rounds: number;
  readonly p50: number;
  readonly p95: number;
  readonly least: number;
}

export interface Rounds {
  readonly warmUps: number;
  readonly rounds: number;
}

export function sampleOf(values: readonly number[]): Sample {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { rounds: sorted.length, p50: median(sorted), p95: at(0.95), least: at(0) };
}

/** The middle, or the mean of the two middle ones. */
function median(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

/**
 * Times every task once a round, one after another, so that a machine that is slow for a while is slow for all of
 * them. Milliseconds.
 */
export async function timeSideBySide<Name extends string>(
  tasks: Readonly<Record<Name, () => Promise<unknown>>>,
  { warmUps, rounds }: Rounds,
): Promise<Readonly<Record<Name, Sample>>> {
  const names = Object.keys(tasks) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const name of names) {
      const ms = await timed(tasks[name]);
      if (round >= 0) times.get(name)?.push(ms);
    }
  }
  return Object.fromEntries(names.map((name) => [name, sampleOf(times.get(name) ?? [])])) as Record<
    Name,
    Sample
  >;
}

export async function timed(task: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await task();
  return performance.now() - started;
}
