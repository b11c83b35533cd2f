/** Reads that are under way before their turn. */
const AHEAD = 8;

/**
 * What `read` gives for each of `values`, in order, some of them read ahead: one after the other is worked on, while the
 * next come from the disk.
 */
export async function* readAhead<Value, Read>(
  values: readonly Value[],
  read: (value: Value) => Promise<Read>,
): AsyncGenerator<readonly [Value, Read], void> {
  const reads: Promise<Read>[] = [];
  const begin = (value: Value | undefined) => {
    if (value === undefined) return;
    const reading = read(value);
    // One that fails is told in its turn.
    reading.catch(() => undefined);
    reads.push(reading);
  };
  for (const value of values.slice(0, AHEAD)) begin(value);
  for (const [at, value] of values.entries()) {
    const reading = reads.shift();
    if (!reading) return;
    const result = await reading;
    begin(values[at + AHEAD]);
    yield [value, result];
  }
}
