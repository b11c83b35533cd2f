import { isQuote, skipBlank, skipExpression } from './skip.ts';
import { type Cursor, constantOf, IDENTIFIER, matchAt, NUMBER, readKey, readText, unknown } from './words.ts';

/** Of lists and objects in one another; those of ABIs and address books have up to twelve. */
const DEEPEST_LITERAL = 64;
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
  return constantOf(cursor, word);
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
  } else if (name !== undefined && (sign === ',' || sign === '}')) {
    const value = constantOf(cursor, name);
    if (value !== unknown) members[name] = value;
  } else cursor.at = skipExpression(cursor.text, cursor.at);
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
