import type { Token } from './solidityTokens.ts';

export interface VyperToken extends Token {
  /** Of the first token of a line: how many characters stand before it. Lines that go on in brackets are one. */
  readonly indent: number | undefined;
}

/** The tokens of a Vyper source in order, without comments; each character is looked at once. */
export function* vyperTokens(source: string): Generator<VyperToken, void> {
  let at = 0;
  let lineStart = 0;
  let isFirst = true;
  let brackets = 0;
  while (at < source.length) {
    const offset = at;
    const sign = source[at] ?? '';
    if (sign === '\n' || sign === '\r') {
      at++;
      lineStart = at;
      // A name that stands at the very left begins a declaration, also where a bracket was left open before.
      if (brackets === 0 || START.test(source[at] ?? '')) {
        isFirst = true;
        brackets = 0;
      }
      continue;
    }
    if (sign === ' ' || sign === '\t') {
      at++;
      continue;
    }
    if (sign === '#') {
      at = endOfLine(source, at);
      continue;
    }
    if (sign === '\\' && isLineEnd(source[at + 1])) {
      at += source.startsWith('\r\n', at + 1) ? 3 : 2;
      continue;
    }
    const kind = WORD.test(sign) ? 'word' : QUOTE.test(sign) ? 'string' : 'sign';
    if (kind === 'word') while (WORD.test(source[at] ?? '')) at++;
    else at = kind === 'string' ? endOfString(source, at) : at + 1;
    if (sign === '(' || sign === '[' || sign === '{') brackets++;
    else if ((sign === ')' || sign === ']' || sign === '}') && brackets > 0) brackets--;
    yield { kind, text: source.slice(offset, at), offset, indent: isFirst ? offset - lineStart : undefined };
    isFirst = false;
  }
}

const WORD = /[\w$]/;
const START = /[a-z_@]/i;
const QUOTE = /["']/;

const isLineEnd = (sign: string | undefined) => sign === '\n' || sign === '\r';

function endOfLine(source: string, start: number): number {
  let at = start;
  while (at < source.length && !isLineEnd(source[at])) at++;
  return at;
}

/** Past the closing quotes, three of which hold many lines; without them the end of the line, or of the source. */
function endOfString(source: string, start: number): number {
  const quote = source[start] ?? '';
  const isLong = source.startsWith(quote.repeat(3), start);
  const closing = isLong ? quote.repeat(3) : quote;
  let at = start + closing.length;
  while (at < source.length) {
    if (source.startsWith(closing, at)) return at + closing.length;
    if (!isLong && isLineEnd(source[at])) return at;
    at += source[at] === '\\' ? 2 : 1;
  }
  return source.length;
}
