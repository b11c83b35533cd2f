import { once } from 'node:events';
import { type AppError, reasonText, type Verdict } from '../core/index.ts';

/** Writes values to standard output as JSON, one a line, no faster than the reader takes them. */
export async function printLines(values: Iterable<unknown>): Promise<void> {
  const text = Array.from(values, (value) => `${JSON.stringify(value)}\n`).join('');
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Words for people, on standard error. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A verdict with its block numbers as decimal strings and its reasons in words. */
export function verdictToJson(verdict: Verdict) {
  return {
    state: verdict.state,
    reasons: verdict.reasons.map(reasonText),
    fromBlock: verdict.fromBlock.toString(),
    toBlock: verdict.toBlock.toString(),
    head: verdict.head.toString(),
    rows: verdict.rows,
    requests: verdict.requests,
  };
}

/** An error as data: its kind, its words, and what the server said or asks for. */
export function errorToJson(error: AppError) {
  const { status, code, serverMessage, retryAfterMs, field } = error.details;
  return { kind: error.kind, message: error.message, status, code, serverMessage, retryAfterMs, field };
}
