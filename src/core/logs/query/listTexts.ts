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
 * @example listItems('["0x12", "Cold wallet"]').map(({ text }) => text) // ['0x12', 'Cold wallet']
 */
export function listItems(text: string): readonly ListItem[] {
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
 * The texts of {@link listItems}.
 *
 * @example splitTexts('0x12, 0x34') // ['0x12', '0x34']
 */
export function splitTexts(text: string): readonly string[] {
  return listItems(text).map((item) => item.text);
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
