import { MAX_SOURCE_DECLARATION_CHARS, type SourceUse } from './declarations.ts';

const QUOTE_CODE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
const WORD = /[\w$]/;
const QUOTE = /["']/;
const DECLARATION_START = /[a-z_@]/i;

/** A token of Solidity source. Comments and white space are not tokens. */
export interface Token {
  /** `word`: a name, keyword or number; `sign`: any other single character; `string`: a literal with its quotes. */
  readonly kind: 'word' | 'sign' | 'string';
  readonly text: string;
  /** Index of its first character in the source. */
  readonly offset: number;
}

export interface VyperToken extends Token {
  /** Characters before the first token of a line, undefined for other tokens. Lines joined by brackets are one line. */
  readonly indent: number | undefined;
}

/**
 * Yields the tokens of a Solidity source in order. The time is linear for any source: an unclosed comment extends to the
 * end, an unclosed string to the end of its line.
 *
 * @param onDocComment receives each `///` and each `/**` comment.
 * @example [...tokenizeSolidity('event E(); // paid')].length // 5
 */
export function* tokenizeSolidity(
  source: string,
  onDocComment?: (start: number, end: number) => void,
): Generator<Token, void> {
  let at = 0;
  while (at < source.length) {
    const offset = at;
    const code = source.charCodeAt(at);
    if (isWord(code)) {
      at = findEnd(source, at, isWord);
      yield { kind: 'word', text: copyPart(source, offset, at), offset };
    } else if (code === QUOTE_CODE || code === APOSTROPHE) {
      at = findStringEnd(source, at, code);
      yield { kind: 'string', text: copyPart(source, offset, at), offset };
    } else if (source.startsWith('//', at)) {
      at = findEnd(source, at, (other) => !isLineEnd(other));
      if (source.startsWith('///', offset)) onDocComment?.(offset, at);
    } else if (source.startsWith('/*', at)) {
      const end = source.indexOf('*/', at + 2);
      at = end < 0 ? source.length : end + 2;
      if (source.startsWith('/**', offset)) onDocComment?.(offset, at);
    } else {
      at++;
      if (!isSpace(code)) yield { kind: 'sign', text: source[offset] ?? '', offset };
    }
  }
}

/** V8 copies a slice of up to this length; a longer one would keep the whole source in memory. */
const MAX_COPIED_BY_SLICE = 12;

function copyPart(source: string, start: number, end: number): string {
  const part = source.slice(start, end);
  return part.length <= MAX_COPIED_BY_SLICE ? part : JSON.parse(JSON.stringify(part));
}

function findEnd(source: string, start: number, belongs: (code: number) => boolean): number {
  let at = start;
  while (at < source.length && belongs(source.charCodeAt(at))) at++;
  return at;
}

/** Past the closing quote, or at the end of the line if there is none; an escaped line end belongs to the string. */
function findStringEnd(source: string, start: number, quote: number): number {
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

/** The line ends of solc: LF, VT, FF, CR, NEL, LS, PS. */
function isLineEnd(code: number): boolean {
  return (code >= 0x0a && code <= 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || isLineEnd(code);
}

/** Yields the tokens of a Vyper source in order, without comments. The time is linear. */
export function* tokenizeVyper(source: string): Generator<VyperToken, void> {
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
      // A name in the first column begins a declaration, even if a bracket before it is not closed.
      if (brackets === 0 || DECLARATION_START.test(source[at] ?? '')) {
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
      at = findLineEnd(source, at);
      continue;
    }
    if (sign === '\\' && isVyperLineEnd(source[at + 1])) {
      at += source.startsWith('\r\n', at + 1) ? 3 : 2;
      continue;
    }
    const kind = WORD.test(sign) ? 'word' : QUOTE.test(sign) ? 'string' : 'sign';
    if (kind === 'word') while (WORD.test(source[at] ?? '')) at++;
    else at = kind === 'string' ? findVyperStringEnd(source, at) : at + 1;
    if (sign === '(' || sign === '[' || sign === '{') brackets++;
    else if ((sign === ')' || sign === ']' || sign === '}') && brackets > 0) brackets--;
    const indent = isFirst ? offset - lineStart : undefined;
    yield { kind, text: copyPart(source, offset, at), offset, indent };
    isFirst = false;
  }
}

const isVyperLineEnd = (sign: string | undefined) => sign === '\n' || sign === '\r';

function findLineEnd(source: string, start: number): number {
  let at = start;
  while (at < source.length && !isVyperLineEnd(source[at])) at++;
  return at;
}

/** Past the closing quotes; three quotes span lines. Without them, the end of the line, or of the source. */
function findVyperStringEnd(source: string, start: number): number {
  const quote = source[start] ?? '';
  const isLong = source.startsWith(quote.repeat(3), start);
  const closing = isLong ? quote.repeat(3) : quote;
  let at = start + closing.length;
  while (at < source.length) {
    if (source.startsWith(closing, at)) return at + closing.length;
    if (!isLong && isVyperLineEnd(source[at])) return at;
    at += source[at] === '\\' ? 2 : 1;
  }
  return source.length;
}

type FoundUse = Omit<SourceUse, 'line' | 'contract'>;

/** Finds `emit Name(`, `revert Errors.Name(`, `require(…, Name(` and the like among the tokens of a body. */
export function createUseReader(
  keywords: Readonly<Record<string, SourceUse['kind']>>,
  onUse: (use: FoundUse) => void,
): { take(token: Token): void } {
  const kinds = new Map(Object.entries(keywords));
  let use: { -readonly [Key in keyof FoundUse]: FoundUse[Key] } | undefined;
  /** Open parentheses in `require(`; undefined outside of it. */
  let openParentheses: number | undefined;

  /** Whether this token precedes the second argument of `require`. */
  function isBeforeReason(text: string): boolean {
    if (text === 'require') openParentheses = 0;
    else if (openParentheses === undefined) return false;
    else if (text === '(') openParentheses++;
    else if (text === ')' && openParentheses > 0) openParentheses--;
    const isFirstComma = openParentheses === 1 && text === ',';
    if (isFirstComma || (openParentheses === 0 && text !== 'require')) openParentheses = undefined;
    return isFirstComma;
  }

  function continueUse({ kind, text, offset }: Token): void {
    if (!use) return;
    if (text === '(') {
      if (use.name !== '') onUse(use);
      use = undefined;
    } else if (text === '.' && use.name === '') {
      // `log.Paid(…)` of Vyper before 0.2.0.
    } else if ((kind === 'word' || text === '.') && use.name.length < MAX_SOURCE_DECLARATION_CHARS) {
      if (use.offset < 0) use.offset = offset;
      use.name += text;
      use.end = offset + text.length;
    } else use = undefined;
  }

  return {
    take(token) {
      const { kind, text, offset } = token;
      const useKind = kind === 'word' ? kinds.get(text) : undefined;
      // In `require`, no keyword precedes an error.
      if (isBeforeReason(text)) use = { kind: 'error', name: '', offset: -1, end: offset };
      else if (useKind) use = { kind: useKind, name: '', offset, end: offset };
      else continueUse(token);
    },
  };
}
