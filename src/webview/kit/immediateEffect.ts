import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Runs `run` at once whenever a signal that it reads changes. `useSignalEffect` waits for the next frame: too late
 * where the next key must find what the last one did.
 */
export function useImmediateEffect(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useLayoutEffect(() => effect(() => latest.current()), []);
}
