import { once } from 'node:events';
import { type AppError, sanitizeText } from '../core/index.ts';

// What JSON may carry raw and a terminal obeys, hides or turns round: controls from DEL on, format and ignorable
// characters, separators of lines, the blank Braille pattern.
const UNSAFE_CHARACTERS = /[\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const MAX_LINE_CHARS = 500;
const PRINT_BATCH_CHARS = 256 * 1024;

/** A value as one line of JSON in which nothing acts on a terminal; read as JSON it is the same value. */
export function formatJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(UNSAFE_CHARACTERS, escapeCharacters)}\n`;
}

/** Writes values to standard output as JSON, one a line, no faster than the reader takes them. */
export async function printLines(values: Iterable<unknown>): Promise<void> {
  let text = '';
  const print = async () => {
    const printed = text;
    text = '';
    if (printed !== '' && !process.stdout.write(printed)) await once(process.stdout, 'drain');
  };
  for (const value of values) {
    text += formatJsonLine(value);
    if (text.length >= PRINT_BATCH_CHARS) await print();
  }
  await print();
}

/** One line of words for people, on standard error: plain and short, whoever they are of. */
export function printMessage(line: string): void {
  process.stderr.write(`${sanitizeText(line, MAX_LINE_CHARS)}\n`);
}

/** An error for people: what went wrong, and what the server said of it. */
export function printErrorMessage({ message, details: { serverMessage } }: AppError): void {
  const isSaid = serverMessage === undefined || message.includes(serverMessage);
  printMessage(isSaid ? message : `${message} The server says: ${serverMessage}`);
}

/** An error as data: its kind, its words, and what the server said or asks for. */
export function errorToJson(error: AppError) {
  const { status, code, serverMessage, retryAfterMs, field } = error.details;
  return { kind: error.kind, message: error.message, status, code, serverMessage, retryAfterMs, field };
}

function escapeCharacters(characters: string): string {
  return Array.from(
    { length: characters.length },
    (_, index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
