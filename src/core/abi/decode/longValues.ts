import type { AbiValue } from '../abiType.ts';
import { readUtf8 } from './utf8.ts';
import { type Cursor, failed, readDigits, smallUint, WORD } from './words.ts';

export function readString(cursor: Cursor, at: number): AbiValue | undefined {
  const bytes = readRaw(cursor, at, 'a string');
  if (bytes === undefined) return undefined;
  const digits = readDigits(cursor, bytes.from, bytes.end);
  if (digits === undefined) return undefined;
  const text = readUtf8(digits);
  return text ?? failed(cursor, { fault: 'utf8', detail: 'a string is not UTF-8' });
}

export function readBytes(cursor: Cursor, at: number): AbiValue | undefined {
  const bytes = readRaw(cursor, at, 'bytes');
  return bytes && readDigits(cursor, bytes.from, bytes.end);
}

/** Where the characters stand that the length at `at` announces. Moves the tail behind their padding. */
function readRaw(cursor: Cursor, at: number, what: string) {
  if (!hasHead(cursor, at, WORD)) return undefined;
  const length = smallUint(cursor.text, at);
  const from = at + WORD;
  const end = from + 2 * length;
  const padded = from + Math.ceil((2 * length) / WORD) * WORD;
  if (length < 0 || padded > cursor.text.length) return tooLong(cursor, what);
  for (let place = end; place < padded; place++) {
    if (cursor.text.charCodeAt(place) !== 48) {
      return failed(cursor, {
        fault: 'padding',
        detail: `what follows ${what} up to a whole word is not zero`,
      });
    }
  }
  cursor.tail = padded;
  return { from, end };
}

/** Whether the data go on for as long. */
export function hasHead(cursor: Cursor, at: number, length: number): boolean {
  const lacking = at + length - cursor.text.length;
  if (lacking <= 0) return true;
  const bytes = Number.isSafeInteger(lacking) ? `${lacking / 2} bytes` : 'far';
  failed(cursor, { fault: 'short', detail: `the data ends ${bytes} too early` });
  return false;
}

/** Notes that a length is beyond what is there. */
export function tooLong(cursor: Cursor, what: string): undefined {
  return failed(cursor, { fault: 'length', detail: `the length of ${what} goes beyond the data` });
}
