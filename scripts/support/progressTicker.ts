import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** The worker of `reportProgress`: it takes what is running, and prints. */
const EVERY_MS = 5000;

const { columns }: { readonly columns: number | undefined } = workerData;
const since = new Map<number, { readonly what: string; readonly ms: number }>();
/** In a terminal, the line that says what is still being done is replaced by the next. */
const clear = columns === undefined ? '' : '\r\u001b[K';

parentPort?.on('message', (running: readonly (readonly [id: number, what: string])[]) => {
  const ids = new Set(running.map(([id]) => id));
  for (const id of since.keys()) if (!ids.has(id)) since.delete(id);
  for (const [id, what] of running) {
    if (since.has(id)) continue;
    since.set(id, { what, ms: performance.now() });
    writeSync(1, `${clear}${what} …\n`);
  }
  if (since.size === 0) writeSync(1, clear);
});

setInterval(() => {
  if (since.size === 0) return;
  const now = performance.now();
  const still = [...since.values()].map(({ what, ms }) => `${what} (${Math.round((now - ms) / 1000)} s)`);
  const line = `  … still: ${still.join(', ')}`;
  writeSync(1, columns === undefined ? `${line}\n` : `${clear}${line.slice(0, columns - 1)}`);
}, EVERY_MS);
