/** A character that a text may stand for at some place, and where what stands for it ends. */
type Reading = readonly [character: string, end: number];

interface Escape {
  /** What stands behind the opening sign once more for each time that the text was escaped again. */
  readonly again: string;
  readonly body: RegExp;
}

const escapes: Readonly<Record<string, Escape>> = {
  '%': { again: '25', body: /([\da-f]{2})/iy },
  '&': { again: 'amp;', body: /(?:#x0{0,6}([\da-f]{1,2})|#0{0,6}(\d{1,3})|(amp|lt|gt|quot|apos));?/iy },
  '\\': { again: '\\', body: /(?:u00|x)([\da-f]{2})|(["'/\\])/iy },
};
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const MOST_TIMES = 4;

export function opensEscape(sign: string): boolean {
  return sign in escapes;
}

/** What the text at `at` stands for: itself, and an ASCII character escaped for a URL, for HTML or for JSON. */
export function readingsAt(text: string, at: number): readonly Reading[] {
  const sign = text.charAt(at);
  if (sign === '') return [];
  const readings: Reading[] = [[sign, at + 1]];
  const written = escapes[sign];
  if (!written) return readings;
  const { again, body } = written;
  for (let times = 0, from = at + 1; times < MOST_TIMES; times++, from += again.length) {
    body.lastIndex = from;
    const match = body.exec(text);
    if (match) readings.push([characterOf(sign, match), body.lastIndex]);
    if (!text.startsWith(again, from)) break;
  }
  return readings;
}

function characterOf(sign: string, [, hex, other = '', name = '']: RegExpExecArray): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (sign === '\\') return other;
  return other === '' ? (named[name.toLowerCase()] ?? '') : String.fromCharCode(Number(other));
}
