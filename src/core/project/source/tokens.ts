import { MAX_SOURCE_DECLARATION_CHARS, type SourceUse } from './declarations.ts';

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
 * @example [...tokenizeSolidity('event E(); // paid')].length // 5
 */
export function* tokenizeSolidity(source: string): Generator<Token, void> {
  let at = 0;
  while (at < source.length) {
    const offset = at;
    const code = source.charCodeAt(at);
    if (isWord(code)) {
      at = endOf(source, at, isWord);
      yield { kind: 'word', text: source.slice(offset, at), offset };
    } else if (code === QUOTE_CODE || code === APOSTROPHE) {
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

const QUOTE_CODE = 0x22;
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

export interface VyperToken extends Token {
  /** Of the first token of a line: how many characters stand before it. Lines that go on in brackets are one. */
  readonly indent: number | undefined;
}

/** The tokens of a Vyper source in order, without comments; each character is looked at once. */
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
    if (sign === '\\' && isVyperLineEnd(source[at + 1])) {
      at += source.startsWith('\r\n', at + 1) ? 3 : 2;
      continue;
    }
    const kind = WORD.test(sign) ? 'word' : QUOTE.test(sign) ? 'string' : 'sign';
    if (kind === 'word') while (WORD.test(source[at] ?? '')) at++;
    else at = kind === 'string' ? endOfVyperString(source, at) : at + 1;
    if (sign === '(' || sign === '[' || sign === '{') brackets++;
    else if ((sign === ')' || sign === ']' || sign === '}') && brackets > 0) brackets--;
    yield { kind, text: source.slice(offset, at), offset, indent: isFirst ? offset - lineStart : undefined };
    isFirst = false;
  }
}

const WORD = /[\w$]/;
const START = /[a-z_@]/i;
const QUOTE = /["']/;

const isVyperLineEnd = (sign: string | undefined) => sign === '\n' || sign === '\r';

function endOfLine(source: string, start: number): number {
  let at = start;
  while (at < source.length && !isVyperLineEnd(source[at])) at++;
  return at;
}

/** Past the closing quotes, three of which hold many lines; without them the end of the line, or of the source. */
function endOfVyperString(source: string, start: number): number {
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

/** Finds `emit Name(`, `revert Errors.Name(`, `require(…, Name(` and their like among the tokens of a body. */
export function createUseReader(
  words: Readonly<Record<string, SourceUse['kind']>>,
  found: (use: FoundUse) => void,
): { take(token: Token): void } {
  const kinds = new Map(Object.entries(words));
  let use: { -readonly [Key in keyof FoundUse]: FoundUse[Key] } | undefined;
  /** Parentheses that are open in `require(`; undefined outside. */
  let required: number | undefined;

  /** Whether what follows is the second argument of `require`. */
  function isReason(text: string): boolean {
    if (text === 'require') required = 0;
    else if (required === undefined) return false;
    else if (text === '(') required++;
    else if (text === ')' && required > 0) required--;
    const found = required === 1 && text === ',';
    if (found || (required === 0 && text !== 'require')) required = undefined;
    return found;
  }

  function goOn({ kind, text, offset }: Token): void {
    if (!use) return;
    if (text === '(') {
      if (use.name !== '') found(use);
      use = undefined;
    } else if ((kind === 'word' || text === '.') && use.name.length < MAX_SOURCE_DECLARATION_CHARS) {
      if (use.offset < 0) use.offset = offset;
      use.name += text;
      use.end = offset + text.length;
    } else use = undefined;
  }

  return {
    take(token) {
      const { kind, text, offset } = token;
      const begun = kind === 'word' ? kinds.get(text) : undefined;
      // No word is before an error in `require`: it begins with its name.
      if (isReason(text)) use = { kind: 'error', name: '', offset: -1, end: offset };
      else if (begun) use = { kind: begun, name: '', offset, end: offset };
      else goOn(token);
    },
  };
}
