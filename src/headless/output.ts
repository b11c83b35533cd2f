import { once } from 'node:events';
import { type AppError, plainText, reasonText, type Verdict } from '../core/index.ts';

// What JSON may carry raw and a terminal obeys, hides or turns round: controls from DEL on, format and ignorable
// characters, separators of lines, the blank Braille pattern.
const NOT_PLAIN = /[\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const LONGEST_LINE = 500;
const LONGEST_MESSAGE = 2048;

/** A value as one line of JSON in which nothing acts on a terminal; read as JSON it is the same value. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(NOT_PLAIN, escaped)}\n`;
}

/** Writes values to standard output as JSON, one a line, no faster than the reader takes them. */
export async function printLines(values: Iterable<unknown>): Promise<void> {
  const text = Array.from(values, jsonLine).join('');
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** One line of words for people, on standard error: plain and short, whoever they are of. */
export function say(line: string): void {
  process.stderr.write(`${plainText(line, LONGEST_LINE)}\n`);
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
  const message = shortened(error.message);
  return {
    kind: error.kind,
    message,
    status,
    code,
    serverMessage: serverMessage === undefined ? undefined : shortened(serverMessage),
    retryAfterMs,
    field,
  };
}

/** A server's words cut to what a person may read; the ellipsis tells. */
export function shortened(words: string): string {
  return words.length <= LONGEST_MESSAGE ? words : `${words.slice(0, LONGEST_MESSAGE)}…`;
}

function escaped(characters: string): string {
  return Array.from(
    { length: characters.length },
    (_, index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
