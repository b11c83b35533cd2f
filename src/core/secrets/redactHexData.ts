import type { TimeSlices } from '../base/timeSlices.ts';
import { MIN_REDACTED_CHARS } from './keyMatcher.ts';

/**
 * A body without the key in the texts within its hex data, which contracts and logs have as ABI text: as it is, in lower or
 * upper case, escaped for a URL, in hex or in base64. Its first half counts as the key. Each byte becomes an asterisk, so
 * that the data decode as before. A body that does not repeat the key is the same.
 *
 * @param key of at least 8 characters; others stay, since they are in many data by chance.
 * @example const body = await redactHexData('0x21736b5f3132333435', 'sk_12345', slices); // '0x212a2a2a2a2a2a2a2a'
 */
export async function redactHexData(text: string, key: string, slices: TimeSlices): Promise<string> {
  if (key.length < MIN_REDACTED_CHARS) return text;
  const forms = listForms(key).map(createForm);
  const pieces: string[] = [];
  let done = 0;
  for (let from = 0; from < text.length; from += PIECE_CHARS) {
    const parts: string[] = [];
    const lower = text.slice(from, from + PIECE_CHARS + MAX_HEAD_DIGITS).toLowerCase();
    const starts = forms.flatMap((form) => findStarts(lower, form).map((at) => ({ start: from + at, form })));
    for (const { start, form } of starts.sort((a, b) => a.start - b.start)) {
      const first = Math.max(start, done);
      const digits = Math.max(0, findEnd(text, start, form) - first);
      parts.push(text.slice(done, first), '2a'.repeat(Math.ceil(digits / 2)).slice(0, digits));
      done = first + digits;
    }
    if (parts.length > 0) pieces.push(parts.join(''));
    if (slices.isOver()) await slices.rest();
  }
  return pieces.length === 0 ? text : [...pieces, text.slice(done)].join('');
}

/** Searched without a pause: a millisecond. */
const PIECE_CHARS = 64 * 1024;

interface HexForm {
  readonly digits: string;
  /** The digits that are searched. */
  readonly head: string;
}

/** Base64 of half a key of 512 characters, in hex; longer heads are cut. */
const MAX_HEAD_DIGITS = 1024;

function createForm(form: string): HexForm {
  const digits = toHex(form);
  const half = Math.max(MIN_REDACTED_CHARS, Math.ceil(form.length / 2));
  return { digits, head: digits.slice(0, Math.min(2 * half, MAX_HEAD_DIGITS)) };
}

function findStarts(lower: string, { head }: HexForm): readonly number[] {
  const starts: number[] = [];
  for (let at = lower.indexOf(head); at >= 0 && at < PIECE_CHARS; at = lower.indexOf(head, at + head.length))
    starts.push(at);
  return starts;
}

function findEnd(text: string, start: number, { digits, head }: HexForm): number {
  const rest = text.slice(start, start + digits.length).toLowerCase();
  let length = head.length;
  while (length < rest.length && rest[length] === digits[length]) length++;
  return start + length;
}

function listForms(key: string): readonly string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  const escaped = bytes.replace(/[^\w.!~*'()-]/g, (byte) => `%${toHex(byte).toUpperCase()}`);
  const hex = toHex(bytes);
  const base64 = [0, 1, 2].map((offset) => encodeInBase64(bytes, offset));
  const urlBase64 = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const cases = [bytes, bytes.toLowerCase(), bytes.toUpperCase(), escaped];
  return [...new Set([...cases, hex, hex.toUpperCase(), ...base64, ...urlBase64])];
}

/** Without the characters that depend on what is before and after the key. */
function encodeInBase64(bytes: string, offset: number): string {
  const encoded = btoa(`${'\0'.repeat(offset)}${bytes}`);
  const last = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice([0, 2, 3][offset], last);
}

function toHex(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
