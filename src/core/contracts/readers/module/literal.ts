import { isQuote, skipBlank, skipExpression, skipQuoted } from './skip.ts';

/** What is no literal, and would have to be run to be known. */
export const unknown = Symbol('unknown');

/** A place in a module, which moves on as values are read, and never back. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** Values that may still be read. */
  left: number;
  /** Constants before it, by name. */
  readonly constants: ReadonlyMap<string, unknown>;
}

/** Of lists and objects in one another; those of ABIs and address books have up to twelve. */
const DEEPEST_LITERAL = 64;
const NUMBER =
  /[-+]?(?:0[xX][0-9a-fA-F_]{1,64}|[0-9][0-9_]{0,64}(?:\.[0-9]{0,32})?(?:[eE][-+]?[0-9]{1,3})?)n?/y;
const IDENTIFIER = /[A-Za-z_$][\w$]{0,127}/y;
/** Calls that give what they are given, or an ABI from its lines. */
const TRANSPARENT = /(?:Object\.freeze|parseAbi|defineConst)\s{0,8}(?=\()/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

/**
 * The value of the literal at the cursor: an object, a list, a string without interpolation, a number, a boolean, null, or a
 * constant of the module. Nothing is run: what is none of these is `unknown`, alone or within a list, and left out of an
 * object. A type behind it (`as const`, `satisfies X`) is passed over.
 *
 * @param depth how many lists and objects it is in.
 */
export function readLiteral(cursor: Cursor, depth = 0): unknown {
  cursor.at = skipBlank(cursor.text, cursor.at);
  if (depth > DEEPEST_LITERAL || cursor.left-- <= 0) return giveUp(cursor, depth);
  const value = readPrimary(cursor, depth);
  return value === unknown ? giveUp(cursor, depth) : afterValue(cursor, value, depth);
}

function readPrimary(cursor: Cursor, depth: number): unknown {
  const sign = cursor.text[cursor.at];
  if (sign === '{') return readObject(cursor, depth);
  if (sign === '[') return readItems(cursor, depth);
  if (isQuote(sign)) return readText(cursor);
  matchAt(TRANSPARENT, cursor);
  if (cursor.text[cursor.at] === '(') {
    cursor.at++;
    const value = readLiteral(cursor, depth + 1);
    cursor.at = skipBlank(cursor.text, cursor.at);
    if (cursor.text[cursor.at] !== ')') return unknown;
    cursor.at++;
    return value;
  }
  const number = matchAt(NUMBER, cursor);
  if (number !== undefined) return Number(number.replaceAll(/[_n]/g, ''));
  const word = matchAt(IDENTIFIER, cursor);
  if (word === undefined) return unknown;
  if (WORDS.has(word)) return WORDS.get(word);
  return cursor.constants.has(word) ? cursor.constants.get(word) : unknown;
}

/** `value`, if nothing is done with it: `'a' + b` is another value than `'a'`. */
function afterValue(cursor: Cursor, value: unknown, depth: number): unknown {
  const { text } = cursor;
  const next = skipBlank(text, cursor.at);
  const sign = text[next];
  if (sign === undefined || ',;)]}'.includes(sign)) return value;
  if (/^(?:as|satisfies)\b/.test(text.slice(next, next + 10))) {
    if (depth > 0) cursor.at = skipExpression(text, next, true);
    return value;
  }
  // A statement may end with its line.
  if (depth === 0 && text.slice(cursor.at, next).includes('\n') && /[\w$@]/.test(sign)) return value;
  return giveUp(cursor, depth);
}

function readItems(cursor: Cursor, depth: number): unknown {
  const items: unknown[] = [];
  cursor.at++;
  while (!isEnd(cursor, ']')) {
    if (cursor.text.startsWith('...', cursor.at)) {
      cursor.at += 3;
      const more = readLiteral(cursor, depth + 1);
      if (Array.isArray(more)) for (const each of more) if (cursor.left-- > 0) items.push(each);
    } else items.push(readLiteral(cursor, depth + 1));
    if (!passComma(cursor, ']')) return unknown;
  }
  cursor.at++;
  return items;
}

function readObject(cursor: Cursor, depth: number): unknown {
  // Without a prototype, so that `__proto__` is a name like others.
  const members: Record<string, unknown> = Object.create(null);
  cursor.at++;
  while (!isEnd(cursor, '}')) {
    readMember(cursor, members, depth);
    if (!passComma(cursor, '}')) return unknown;
  }
  cursor.at++;
  return members;
}

function readMember(cursor: Cursor, members: Record<string, unknown>, depth: number): void {
  if (cursor.text.startsWith('...', cursor.at)) {
    cursor.at += 3;
    const more = readLiteral(cursor, depth + 1);
    if (typeof more !== 'object' || more === null) return;
    for (const [name, value] of Object.entries(more)) if (cursor.left-- > 0) members[name] = value;
    return;
  }
  const name = readKey(cursor);
  cursor.at = skipBlank(cursor.text, cursor.at);
  const sign = cursor.text[cursor.at];
  if (name !== undefined && sign === ':') {
    cursor.at++;
    const value = readLiteral(cursor, depth + 1);
    if (value !== unknown) members[name] = value;
  } else if (name !== undefined && (sign === ',' || sign === '}') && cursor.constants.has(name)) {
    members[name] = cursor.constants.get(name);
  } else cursor.at = skipExpression(cursor.text, cursor.at);
}

/** The name of a member; of a computed one its last word, which says which network it is: `[mainnet.id]`, `[ChainId.BASE]`. */
function readKey(cursor: Cursor): string | undefined {
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

function readText(cursor: Cursor): unknown {
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

function matchAt(pattern: RegExp, cursor: Cursor): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

function isEnd(cursor: Cursor, close: string): boolean {
  cursor.at = skipBlank(cursor.text, cursor.at);
  return cursor.at >= cursor.text.length || cursor.text[cursor.at] === close;
}

/** Whether the list or object goes on, or ends with `close`. */
function passComma(cursor: Cursor, close: string): boolean {
  cursor.at = skipBlank(cursor.text, cursor.at);
  if (cursor.text[cursor.at] === ',') {
    cursor.at++;
    return true;
  }
  return cursor.text[cursor.at] === close;
}

/** Passes over the rest of a value within another. A statement is left as it is: where it ends is not known. */
function giveUp(cursor: Cursor, depth: number): typeof unknown {
  if (depth > 0) cursor.at = skipExpression(cursor.text, cursor.at);
  return unknown;
}
