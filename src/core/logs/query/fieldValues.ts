/** One of the values in a field that takes several, and where it stands in the text, quotes included. */
export interface ListItem {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const BETWEEN = /[\s,;]/;
const PLAIN_ENDS = /[,;\r\n]/g;
const PLAIN_ENDS_IN_LIST = /[,;\r\n\]]/g;
/** Each character is looked at once for each quote that begins a value. */
const QUOTED = /"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`/sy;
const ALONE = /^(?:-?\d[\d_]*|true|false)$/i;

/**
 * The values in a field that takes several: between commas, semicolons and line breaks; between spaces where one of them is
 * hex, or all are numbers; in quotes of any kind; in a list as JSON or a program writes it.
 *
 * @example parseListItems('["0x12", "Cold wallet"]').map(({ text }) => text) // ['0x12', 'Cold wallet']
 */
export function parseListItems(text: string): readonly ListItem[] {
  const items: ListItem[] = [];
  const isList = /^\s*\[/.test(text);
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (BETWEEN.test(character) || (isList && (character === '[' || character === ']'))) {
      at++;
      continue;
    }
    const quoted = quotedAt(text, at, isList);
    if (quoted) items.push(quoted);
    else items.push(...plainItems(text, at, plainEnd(text, at, isList)));
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

/** A quote inside of a value, as in Alice's, is a character of it. */
function quotedAt(text: string, start: number, isList: boolean): ListItem | undefined {
  QUOTED.lastIndex = start;
  const found = QUOTED.exec(text);
  if (!found) return undefined;
  const end = start + found[0].length;
  const next = text.charAt(end);
  if (next !== '' && !BETWEEN.test(next) && !(isList && next === ']')) return undefined;
  const inside = found[1]?.replace(/\\(.)/gs, '$1') ?? found[2] ?? found[3] ?? '';
  return { text: inside, start, end };
}

function plainEnd(text: string, start: number, isList: boolean): number {
  const ends = isList ? PLAIN_ENDS_IN_LIST : PLAIN_ENDS;
  ends.lastIndex = start;
  return ends.exec(text)?.index ?? text.length;
}

function plainItems(text: string, start: number, end: number): readonly ListItem[] {
  const whole = text.slice(start, end).trimEnd();
  const words = [...whole.matchAll(/\S+/g)];
  const areApart = words.some(([word]) => /^0x/i.test(word)) || words.every(([word]) => ALONE.test(word));
  if (!areApart) return [{ text: whole, start, end: start + whole.length }];
  return words.map((word) => ({
    text: word[0],
    start: start + word.index,
    end: start + word.index + word[0].length,
  }));
}

/** A value in quotes, one without, or a comma. Each character is looked at once. */
const PARTS = /"((?:[^"\\]|\\.)*)"?|[^,"]+|,/gs;

/**
 * The values in a field that takes several, separated by commas. What stands in double quotes is one value with its commas
 * and spaces; `\"` and `\\` stand for a quote and a backslash in it.
 *
 * @example splitValues('1, "a, b"') // ['1', 'a, b']
 */
export function splitValues(text: string): readonly string[] {
  const values: string[] = [];
  let plain = '';
  let quoted: string | undefined;
  const end = () => {
    const value = quoted ?? plain.trim();
    if (quoted !== undefined || value !== '') values.push(value);
    [plain, quoted] = ['', undefined];
  };
  for (const [part, inside] of text.matchAll(PARTS)) {
    if (part === ',') end();
    else if (inside !== undefined && plain.trim() === '' && quoted === undefined) quoted = unescaped(inside);
    else if (quoted === undefined) plain += part;
    else if (part.trim() !== '') quoted += part;
  }
  end();
  return values;
}

/**
 * Values as one field takes them: {@link splitValues} gives the same ones.
 *
 * @example joinValues(['1', 'a, b']) // '1, "a, b"'
 */
export function joinValues(values: readonly string[]): string {
  return values.map(quotedIfNeeded).join(', ');
}

/** In quotes where it would be taken for several values or for another one. */
function quotedIfNeeded(value: string): string {
  if (value !== '' && value === value.trim() && !/[,"]|^\[/.test(value)) return value;
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}
