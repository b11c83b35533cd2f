import { rm } from 'node:fs/promises';
import { recordStageCost } from '../../test/support/costs.ts';

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Runs a script's body and ends the process with the code that it returns. What the body has put into
 * `resources` is released, last one first, when the body ends, fails, or a signal arrives.
 */
export async function runScript(
  body: (resources: AsyncDisposableStack) => Promise<number | undefined>,
): Promise<void> {
  const resources = new AsyncDisposableStack();
  // Ctrl-C can arrive twice, from the terminal and from a parent that passes it on: the second must not cut the
  // release short.
  const interrupted = new Promise<number>((resolve) => {
    for (const [signal, code] of Object.entries(signals)) process.on(signal, () => resolve(code));
  });
  let code: number;
  try {
    code = (await Promise.race([body(resources), interrupted])) ?? 0;
  } catch (error) {
    console.error(error instanceof Error && process.env.DEBUG === undefined ? error.message : error);
    code = 1;
  }
  await release(resources);
  recordStageCost();
  process.exit(code);
}

/**
 * Releases what is being started when `resources` are, even when that comes before the start is over; the body
 * then goes no further.
 */
export async function hold<T>(
  resources: AsyncDisposableStack,
  starting: Promise<T>,
  release: (started: T) => Promise<unknown>,
): Promise<T> {
  resources.defer(async () => {
    const started = await starting.catch(() => undefined);
    if (started !== undefined) await release(started);
  });
  const started = await starting;
  return resources.disposed ? new Promise<never>(() => {}) : started;
}

async function release(resources: AsyncDisposableStack): Promise<void> {
  const deadline = setTimeout(() => process.exit(1), 10_000);
  try {
    await resources.disposeAsync();
  } catch (error) {
    console.error(error);
  }
  clearTimeout(deadline);
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
