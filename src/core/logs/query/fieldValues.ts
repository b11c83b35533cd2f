/** One value of a list field, with its position in the text, quotes included. */
import { pushAll } from '../../base/values.ts';
export interface ListItem {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SEPARATOR = /[\s,;]/;
const PLAIN_END = /[,;\r\n]/g;
const PLAIN_END_IN_LIST = /[,;\r\n\]]/g;
/** Each character is visited once for each quote that begins a value. */
const QUOTED = /"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`/sy;
const NUMBER_OR_BOOL = /^(?:-?\d[\d_]*|true|false)$/i;

/**
 * The values of a list field: separated by commas, semicolons and line breaks; by spaces if one of them is hex, or
 * if all are numbers; in quotes of any kind; in brackets, as JSON or a program writes a list.
 *
 * @example parseListItems('["0x12", "Cold wallet"]').map(({ text }) => text) // ['0x12', 'Cold wallet']
 */
export function parseListItems(text: string): readonly ListItem[] {
  const items: ListItem[] = [];
  const isList = /^\s*\[/.test(text);
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (SEPARATOR.test(character) || (isList && (character === '[' || character === ']'))) {
      at++;
      continue;
    }
    const quoted = parseQuoted(text, at, isList);
    if (quoted) items.push(quoted);
    else pushAll(items, splitPlain(text, at, findPlainEnd(text, at, isList)));
    at = items.at(-1)?.end ?? text.length;
  }
  return items;
}

/**
 * The texts of {@link parseListItems}.
 *
 * @example splitList('0x12, 0x34') // ['0x12', '0x34']
 */
export function splitList(text: string): readonly string[] {
  return parseListItems(text).map((item) => item.text);
}

/**
 * The text of a list field; {@link splitList} returns the same values.
 *
 * @example joinList(['0x12', 'Cold, old']) // '0x12, "Cold, old"'
 */
export function joinList(values: readonly string[]): string {
  return values.map((value) => (isOneItem(value) ? value : quote(value))).join(', ');
}

/** Whether a text is a list with itself as its only item. */
export function isOneItem(text: string): boolean {
  const [only, ...others] = splitList(text);
  return only === text && others.length === 0;
}

/** A value in quotes, one without, or a comma. Each character is visited once. */
const VALUE_OR_COMMA = /"((?:[^"\\]|\\.)*)"?|[^,"]+|,/gs;

/**
 * The values of a list field, separated by commas. Text in double quotes is one value, with its commas and spaces;
 * `\"` and `\\` are a quote and a backslash in it.
 *
 * @example splitValues('1, "a, b"') // ['1', 'a, b']
 */
export function splitValues(text: string): readonly string[] {
  const values: string[] = [];
  let plain = '';
  /** Whether `plain` is: to trim it at each quote would visit each character as often. */
  let isBlank = true;
  let quoted: string | undefined;
  const end = () => {
    const value = quoted ?? plain.trim();
    if (quoted !== undefined || value !== '') values.push(value);
    [plain, isBlank, quoted] = ['', true, undefined];
  };
  for (const [part, inside] of text.matchAll(VALUE_OR_COMMA)) {
    if (part === ',') end();
    else if (inside !== undefined && isBlank && quoted === undefined) quoted = unescapeText(inside);
    else if (quoted === undefined) {
      plain += part;
      isBlank &&= part.trim() === '';
    } else if (part.trim() !== '') quoted += part;
  }
  end();
  return values;
}

/**
 * The text of a list field; {@link splitValues} returns the same values.
 *
 * @example joinValues(['1', 'a, b']) // '1, "a, b"'
 */
export function joinValues(values: readonly string[]): string {
  return values.map(quoteIfNeeded).join(', ');
}

/** A quote inside of a value, as in Alice's, is an ordinary character. */
function parseQuoted(text: string, start: number, isList: boolean): ListItem | undefined {
  QUOTED.lastIndex = start;
  const found = QUOTED.exec(text);
  if (!found) return undefined;
  const end = start + found[0].length;
  const next = text.charAt(end);
  if (next !== '' && !SEPARATOR.test(next) && !(isList && next === ']')) return undefined;
  const inside = found[1]?.replace(/\\(.)/gs, '$1') ?? found[2] ?? found[3] ?? '';
  return { text: inside, start, end };
}

function findPlainEnd(text: string, start: number, isList: boolean): number {
  const ends = isList ? PLAIN_END_IN_LIST : PLAIN_END;
  ends.lastIndex = start;
  return ends.exec(text)?.index ?? text.length;
}

function splitPlain(text: string, start: number, end: number): readonly ListItem[] {
  const whole = text.slice(start, end).trimEnd();
  const areSeparate = /(?:^|\s)0x/i.test(whole) || areNumbers(whole);
  if (!areSeparate) return [{ text: whole, start, end: start + whole.length }];
  return [...whole.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    start: start + match.index,
    end: start + match.index + match[0].length,
  }));
}

/** `1 000` is one number in groups of digits, not two numbers. */
function areNumbers(words: string): boolean {
  if (DIGIT_GROUPS.test(words)) return false;
  for (const [word] of words.matchAll(/\S+/g)) if (!NUMBER_OR_BOOL.test(word)) return false;
  return true;
}

const DIGIT_GROUPS = /(?:^|\s)-?\d{1,3}\s\d{3}(?:\s|$)/;

/** In quotes if it would otherwise be read as several values or as another one. */
function quoteIfNeeded(value: string): string {
  if (value !== '' && value === value.trim() && !/[,;"]|^\[/.test(value)) return value;
  return quote(value);
}

function quote(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}
