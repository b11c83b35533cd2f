import { setTimeout as sleep } from 'node:timers/promises';

/** How long a test waits for what comes in the end, also on a machine with much other work. */
export const PATIENCE_MS = 60_000;

/** Looks again and again until something holds; fails with the words for it. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { seconds = PATIENCE_MS / 1000 }: { readonly seconds?: number } = {},
): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited ${seconds} s in vain: ${what}.`);
    await sleep(25);
  }
}

/** What `waiting` gives; where it fails, that is said in words before its own. */
export async function waitFor<T>(what: string, waiting: Promise<T>): Promise<T> {
  try {
    return await waiting;
  } catch (cause) {
    throw failedWait(what, cause);
  }
}

/** The error of a wait that was in vain, which says what for. */
export function failedWait(what: string, cause: unknown): Error {
  return new Error(`Waited in vain: ${what}.\n${cause instanceof Error ? cause.message : cause}`);
}
