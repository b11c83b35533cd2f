import { sanitizeText } from './text.ts';

/**
 * A name or label of an address, token or contract from outside: sanitized text, without the NULs that fill up a text of
 * fixed length; undefined if it is empty, or looks like an address, since it is shown in the place of one.
 *
 * @param maxLength as for {@link sanitizeText}.
 * @example
 * sanitizeName('USD\u202eC'); // 'USD<U+202E>C'
 * sanitizeName('0x5FbD…0aa3'); // undefined
 */
export function sanitizeName(text: string, maxLength?: number): string | undefined {
  const filled = trimNuls(text);
  return looksLikeAddress(filled) ? undefined : sanitizeText(filled, maxLength) || undefined;
}

function trimNuls(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '\0') start++;
  while (end > start && text[end - 1] === '\0') end--;
  return text.slice(start, end);
}

/**
 * Whether a reader could take a name for an address: all of it or its first word is an address, in full or shortened, in
 * letters and digits of any script that look alike, with or without `0x` and the prefix of a chain.
 *
 * @example
 * looksLikeAddress('eth:0x5FbD…0aa3'); // true
 * looksLikeAddress('0xSplits'); // false
 */
export function looksLikeAddress(name: string): boolean {
  // Most names have nothing of what the patterns need; a file may have many thousands.
  if (!/x|\.\.|\P{ASCII}|.{40}/isu.test(name)) return false;
  const plain = name
    .slice(0, MAX_NAME_READ_CHARS)
    .normalize('NFKD')
    .replace(/[\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\p{Nd}/gu, '0')
    .replace(/[^\p{ASCII}]/gu, (character) => LOOKALIKES[character] ?? character)
    .toLowerCase()
    .replaceAll('o', '0')
    .replace(/[li]/g, '1');
  const firstWord = plain.split(/[\s()[\]{}<>,;|"'`]+/).find((word) => /[\p{L}\p{N}]/u.test(word)) ?? '';
  return (
    FULL_ADDRESS.test(toAlphanumeric(plain)) ||
    firstWord.split(':').some((part) => FULL_ADDRESS.test(toAlphanumeric(part)) || SHORT_ADDRESS.test(part))
  );
}

const MAX_NAME_READ_CHARS = 512;
/** Eight digits are what is left of an address that is shortened. */
const FULL_ADDRESS = /^(?:0x[0-9a-f]{8,}|[0-9a-f]{40})$/;
/** Has a gap of any signs, except a single dot, which names contain too. Without `0x`, the gap is of dots only. */
const SHORT_ADDRESS =
  /^[^\p{L}\p{N}]*(?:0x[0-9a-f]+(?!\.[0-9a-f])[^\p{L}\p{N}]+|[0-9a-f]{4,}\.{2,})[0-9a-f]{2,}[^\p{L}\p{N}]*$/u;
/** Letters that look like `x`, `o` or a hex digit, after compatibility decomposition. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    x: 'хХχΧ×✕✖⨉⨯╳',
    o: 'оОοΟՕօ〇Øø',
    a: 'аАαΑɑ',
    b: 'ВвΒЬьЪ',
    c: 'сСϲϹ',
    d: 'ԁԀ',
    e: 'еЕΕεϵ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter])),
);

function toAlphanumeric(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}
