import { isQuote, skipExpression, skipQuoted } from './skip.ts';

/** What is no literal, and would have to be run to be known. */
export const unknown = Symbol('unknown');

/** A place in a module, which moves on as values are read, and never back. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** Values that may still be read. */
  left: number;
  /** Constants before it, by name. */
  readonly constants: ReadonlyMap<string, Constant>;
}

export interface Constant {
  readonly value: unknown;
  /** How many values are in it, those of constants in it too. */
  readonly size: number;
}

export const NUMBER =
  /[-+]?(?:0[xX][0-9a-fA-F_]{1,64}|[0-9][0-9_]{0,64}(?:\.[0-9]{0,32})?(?:[eE][-+]?[0-9]{1,3})?)n?/y;
export const IDENTIFIER = /[A-Za-z_$][\w$]{0,127}/y;

/** The name of a member; of a computed one its last word, which says which network it is: `[mainnet.id]`, `[ChainId.BASE]`. */
export function readKey(cursor: Cursor): string | undefined {
  const { text } = cursor;
  if (isQuote(text[cursor.at])) {
    const name = readText(cursor);
    return typeof name === 'string' ? name : undefined;
  }
  if (text[cursor.at] !== '[') {
    const number = matchAt(NUMBER, cursor);
    return number === undefined
      ? matchAt(IDENTIFIER, cursor)
      : String(Number(number.replaceAll(/[_n]/g, '')));
  }
  const end = skipExpression(text, cursor.at + 1);
  const written = text.slice(cursor.at + 1, Math.min(end, cursor.at + 200)).trim();
  cursor.at = text[end] === ']' ? end + 1 : end;
  const path = written.replace(/\.id$/, '').replaceAll(/["'`]/g, '');
  return /^[\w$.-]{1,128}$/.test(path) ? path.slice(path.lastIndexOf('.') + 1) : undefined;
}

/** The string or template at the cursor, `unknown` with an interpolation in it. */
export function readText(cursor: Cursor): unknown {
  const from = cursor.at;
  cursor.at = skipQuoted(cursor.text, from);
  const written = cursor.text.slice(from, cursor.at);
  if (written.length < 2 || written.at(-1) !== written[0]) return unknown;
  const inner = written.slice(1, -1);
  if (written[0] === '`' && inner.includes('$' + '{')) return unknown;
  return inner.includes('\\') ? unescaped(inner) : inner;
}

const ESCAPE = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r?\n|([\s\S]))/g;
const CONTROLS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, ...groups: readonly unknown[]) => {
    const [long, four, two, sign] = groups.slice(0, 4).map((each) => (typeof each === 'string' ? each : ''));
    const code = long || four || two;
    if (code)
      return Number.parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(Number.parseInt(code, 16)) : '';
    return sign ? (CONTROLS[sign] ?? sign) : '';
  });
}

/** What `pattern`, a sticky one, finds at the cursor, which then stands behind it. */
export function matchAt(pattern: RegExp, cursor: Cursor): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

/** The constant `name`, which counts as often as it is used: what goes through all values meets it each time. */
export function constantOf(cursor: Cursor, name: string): unknown {
  const constant = cursor.constants.get(name);
  if (constant === undefined || constant.size > cursor.left) return unknown;
  cursor.left -= constant.size;
  return constant.value;
}
