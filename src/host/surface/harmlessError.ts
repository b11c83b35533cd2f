import { harmless } from './harmless.ts';

const LONGEST = 600;

/** An error that goes on to the editor, which shows its message: the same one, with a message that does no harm. */
export function harmlessError(error: unknown): unknown {
  if (!(error instanceof Error)) return new Error(harmless(String(error), LONGEST));
  error.message = harmless(error.message, LONGEST);
  return error;
}
