/** A piece of Solidity code. Comments and spaces are none. */
export interface Token {
  /** `word`: a name, keyword or number; `sign`: one other character; `string`: a literal with its quotes. */
  readonly kind: 'word' | 'sign' | 'string';
  readonly text: string;
  /** Index of its first character in the source. */
  readonly offset: number;
}

/**
 * The tokens of a Solidity source in order. Each character is looked at once, whatever the source is: what is not
 * closed (a comment at the end, a string at the end of its line) is never gone back over.
 *
 * @example [...solidityTokens('event E(); // paid')].length // 5
 */
export function* solidityTokens(source: string): Generator<Token, void> {
  let at = 0;
  while (at < source.length) {
    const offset = at;
    const code = source.charCodeAt(at);
    if (isWord(code)) {
      at = endOf(source, at, isWord);
      yield { kind: 'word', text: source.slice(offset, at), offset };
    } else if (code === QUOTE || code === APOSTROPHE) {
      at = endOfString(source, at, code);
      yield { kind: 'string', text: source.slice(offset, at), offset };
    } else if (source.startsWith('//', at)) {
      at = endOf(source, at, (other) => !isLineEnd(other));
    } else if (source.startsWith('/*', at)) {
      const end = source.indexOf('*/', at + 2);
      at = end < 0 ? source.length : end + 2;
    } else {
      at++;
      if (!isSpace(code)) yield { kind: 'sign', text: source[offset] ?? '', offset };
    }
  }
}

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;

function endOf(source: string, start: number, belongs: (code: number) => boolean): number {
  let at = start;
  while (at < source.length && belongs(source.charCodeAt(at))) at++;
  return at;
}

/** Past the closing quote, or at the end of the line where there is none; an escaped line end belongs to the string. */
function endOfString(source: string, start: number, quote: number): number {
  let at = start + 1;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === quote) return at + 1;
    if (isLineEnd(code)) return at;
    if (code !== BACKSLASH) at++;
    else at += source.startsWith('\r\n', at + 1) ? 3 : 2;
  }
  return source.length;
}

function isWord(code: number): boolean {
  const lower = code | 0x20;
  const letter = code < 0x80 && lower >= 0x61 && lower <= 0x7a;
  return letter || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x24;
}

/** What the compiler takes for the end of a line: LF, VT, FF, CR, NEL, LS, PS. */
function isLineEnd(code: number): boolean {
  return (code >= 0x0a && code <= 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || isLineEnd(code);
}
