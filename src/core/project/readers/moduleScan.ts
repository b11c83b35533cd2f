const NEWLINE = 0x0a;

/** Characters after which a slash begins a regular expression. */
export const BEFORE_REGEXP = '(,=:[!&|?{};+-*%<>~^';
const ESCAPE = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r?\n|([\s\S]))/g;
const CONTROL_CHARACTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

/** The end of the white space and comments that begin at `at`. */
export function skipBlank(text: string, at: number): number {
  let next = at;
  for (;;) {
    const code = text.charCodeAt(next);
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0xfeff) next++;
    else if (code === 0x2f && isComment(text, next)) next = skipComment(text, next);
    else return next;
  }
}

export function isComment(text: string, at: number): boolean {
  return text[at] === '/' && (text[at + 1] === '/' || text[at + 1] === '*');
}

export function skipComment(text: string, at: number): number {
  const line = text[at + 1] === '/';
  const end = line ? text.indexOf('\n', at) : text.indexOf('*/', at + 2);
  if (end === -1) return text.length;
  return line ? end : end + 2;
}

export function isQuote(sign: string | undefined): boolean {
  return sign === "'" || sign === '"' || sign === '`';
}

/** The end of the string or template that begins at `at`; a string ends with its line at the latest. */
export function skipQuoted(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  const isTemplate = text[at] === '`';
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 0x5c) next++;
    else if (code === quote) return next + 1;
    else if (code === NEWLINE && !isTemplate) return next;
  }
  return text.length;
}

/** The end of a regular expression, at the end of its line at the latest. */
export function skipRegExp(text: string, at: number): number {
  let inClass = false;
  for (let next = at + 1; next < text.length; next++) {
    const sign = text[next];
    if (sign === '\n') return next;
    if (sign === '\\') next++;
    else if (sign === '[') inClass = true;
    else if (sign === ']') inClass = false;
    else if (sign === '/' && !inClass) return next + 1;
  }
  return text.length;
}

/**
 * The end of the expression that begins at `at`: before a comma, a semicolon or the closing bracket around it. With `angles`
 * it is a type, in which angle brackets nest: `Record<string, Address>`.
 */
export function skipExpression(text: string, at: number, angles = false): number {
  let depth = 0;
  let openAngles = 0;
  let next = at;
  while (next < text.length) {
    const sign = text[next];
    if (isQuote(sign)) {
      next = skipQuoted(text, next);
      continue;
    }
    if (isComment(text, next)) {
      next = skipComment(text, next);
      continue;
    }
    if (sign === '(' || sign === '[' || sign === '{') depth++;
    else if (sign === ')' || sign === ']' || sign === '}') {
      if (depth-- === 0) return next;
    } else if (depth === 0) {
      if (angles && sign === '<') openAngles++;
      else if (angles && sign === '>') openAngles = Math.max(0, openAngles - 1);
      else if ((sign === ',' && openAngles === 0) || sign === ';') return next;
    }
    next++;
  }
  return next;
}

export function replaceEscapes(text: string): string {
  return text.replace(ESCAPE, (_, ...groups: readonly unknown[]) => {
    const [long, four, two, sign] = groups.slice(0, 4).map((each) => (typeof each === 'string' ? each : ''));
    const code = long || four || two;
    if (code)
      return Number.parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(Number.parseInt(code, 16)) : '';
    return sign ? (CONTROL_CHARACTERS[sign] ?? sign) : '';
  });
}

/** A token of a JavaScript or TypeScript module. Comments and white space are not tokens. */
export interface ModuleToken {
  /**
   * `word`: a name, keyword or number; `string`: a literal with its quotes; `template`: a part of a template, from a
   * backtick or `}` to a backtick or `${`; `sign`: an operator or any other single character.
   */
  readonly kind: 'word' | 'string' | 'template' | 'sign';
  readonly text: string;
  /** Whether a line end precedes it. */
  readonly startsLine: boolean;
}

/** Operators that another sign begins, so that `||` is never read as two of `|`. */
const OPERATORS = ['...', '||', '??', '&&', '=>', '==', '!=', '?.', '+=', '++'];

/**
 * Yields the tokens of a JavaScript or TypeScript module in order. The time is linear for any text: an unclosed comment or
 * template extends to the end, an unclosed string to the end of its line.
 *
 * @example [...tokenizeModule('const a = `x${b}`; // last')].length // 7
 */
export function* tokenizeModule(text: string): Generator<ModuleToken, void> {
  /** For each open interpolation, the braces that are open in it. */
  const braces: number[] = [];
  let previous: ModuleToken = { kind: 'sign', text: ';', startsLine: true };
  let at = 0;
  let lastEnd = 0;
  for (;;) {
    at = skipBlank(text, at);
    const sign = text[at];
    if (sign === undefined) return;
    const start = at;
    let kind: ModuleToken['kind'] = 'sign';
    const continuesTemplate = sign === '}' && braces.at(-1) === 0;
    if (sign === '`' || continuesTemplate) {
      if (continuesTemplate) braces.pop();
      kind = 'template';
      at = skipTemplatePart(text, at + 1);
      if (text[at - 1] === '{') braces.push(0);
    } else if (isQuote(sign)) {
      kind = 'string';
      at = skipQuoted(text, at);
    } else if (isWordSign(sign)) {
      kind = 'word';
      while (isWordSign(text[at])) at++;
    } else if (sign === '/' && isBeforeRegExp(previous)) {
      at = skipRegExp(text, at);
    } else {
      at += OPERATORS.find((each) => text.startsWith(each, start))?.length ?? 1;
      const open = braces.length - 1;
      if (open >= 0 && (sign === '{' || sign === '}'))
        braces[open] = (braces[open] ?? 0) + (sign === '{' ? 1 : -1);
    }
    const startsLine = lastEnd === 0 || text.slice(lastEnd, start).includes('\n');
    previous = { kind, text: text.slice(start, at), startsLine };
    yield previous;
    lastEnd = at;
  }
}

/** Past the next backtick or `${`, or the end of the text. */
function skipTemplatePart(text: string, at: number): number {
  for (let next = at; next < text.length; next++) {
    const sign = text[next];
    if (sign === '\\') next++;
    else if (sign === '`') return next + 1;
    else if (sign === '$' && text[next + 1] === '{') return next + 2;
  }
  return text.length;
}

function isWordSign(sign: string | undefined): boolean {
  return sign !== undefined && /[\w$]/.test(sign);
}

function isBeforeRegExp({ kind, text }: ModuleToken): boolean {
  return kind === 'sign' ? BEFORE_REGEXP.includes(text.at(-1) ?? '') : text === 'return';
}
