import { Worker } from 'node:worker_threads';

/** What is being done, by a number each. */
const running = new Map<number, string>();
const listeners = new Set<() => void>();
let count = 0;

/** Does `work`, which is named while {@link reportProgress} reports. */
export async function doing<T>(what: string, work: () => Promise<T>): Promise<T> {
  const id = ++count;
  const change = (apply: () => void) => {
    apply();
    for (const notify of listeners) notify();
  };
  change(() => running.set(id, what));
  try {
    return await work();
  } finally {
    change(() => running.delete(id));
  }
}

/** Prints on standard output what begins, and every few seconds what is still being done, until disposed of. */
export function reportProgress(): Disposable {
  // Compilers keep this thread busy for many seconds.
  const ticker = new Worker(new URL('./progressTicker.ts', import.meta.url), {
    workerData: { columns: process.stdout.isTTY ? process.stdout.columns : undefined },
  });
  ticker.unref();
  const post = () => ticker.postMessage([...running]);
  listeners.add(post);
  return {
    [Symbol.dispose]() {
      listeners.delete(post);
      void ticker.terminate();
    },
  };
}
