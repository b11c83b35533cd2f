import { readLiteral } from './literal.ts';
import { isComment, isQuote, skipComment, skipQuoted } from './skip.ts';
import { type Constant, type Cursor, unknown } from './words.ts';

/** Values of one module: those of an ABI of 2,000 items are 50,000. */
const MOST_VALUES = 1_000_000;
/** A declaration at the beginning of a line; its name is missing for what is exported without one. */
const DECLARATION =
  /(?:export\s{1,8})?(?:const|let|var)\s{1,8}([A-Za-z_$][\w$]{0,127})\s{0,8}(?::[^=;\n]{0,200})?=(?![=>])|export\s{1,8}default\s|(?:module\.)?exports(?:\.([A-Za-z_$][\w$]{0,127}))?\s{0,8}=(?![=>])/y;
/** Signs after which a slash begins a regular expression. */
const BEFORE_PATTERN = '(,=:[!&|?{};+-*%<>~^';

/**
 * The constants of a module that are literals, by name, each once; `default` is what it exports without a name. The module is
 * never run: https://tc39.es/ecma262/#sec-ecmascript-language-lexical-grammar is followed as far as literals go.
 */
export function constantsIn(text: string): ReadonlyMap<string, unknown> {
  const constants = new Map<string, Constant>();
  const cursor: Cursor = { text, at: 0, left: MOST_VALUES, constants };
  let signBefore = '';
  while (cursor.at < text.length && cursor.left > 0) {
    const sign = text[cursor.at] ?? '';
    if (isStartOfLine(text, cursor.at) && 'eclvm'.includes(sign)) {
      DECLARATION.lastIndex = cursor.at;
      const found = DECLARATION.exec(text);
      if (found) {
        cursor.at += found[0].length;
        const before = cursor.left;
        const value = readLiteral(cursor);
        const name = found[1] ?? found[2] ?? 'default';
        if (value !== unknown) constants.set(name, { value, size: before - cursor.left });
        signBefore = '';
        continue;
      }
    }
    if (isQuote(sign)) cursor.at = skipQuoted(text, cursor.at);
    else if (isComment(text, cursor.at)) {
      cursor.at = skipComment(text, cursor.at);
      continue;
    } else if (sign === '/' && BEFORE_PATTERN.includes(signBefore)) cursor.at = skipPattern(text, cursor.at);
    else cursor.at++;
    if (sign > ' ') signBefore = sign;
  }
  return new Map([...constants].map(([name, { value }]) => [name, value]));
}

/** The one literal of a text that is nothing else, such as JSON with comments; undefined where it is none. */
export function readLiteralText(text: string): unknown {
  const value = readLiteral({ text, at: 0, left: MOST_VALUES, constants: new Map() });
  return value === unknown ? undefined : value;
}

function isStartOfLine(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 0x0a;
}

/** One past a regular expression, which ends with its line at the latest. */
function skipPattern(text: string, at: number): number {
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
