import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects all that nothing refers to any more. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let i = 0; i < 3; i++) {
    // What a weak reference has given out is held until the turn ends.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}
