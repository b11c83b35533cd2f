/** A value in quotes, one without, or a comma. Each character is looked at once. */
const PARTS = /"((?:[^"\\]|\\.)*)"?|[^,"]+|,/gs;

/**
 * The values in a field that takes several, separated by commas. What stands in double quotes is one value with its commas
 * and spaces; `\"` and `\\` stand for a quote and a backslash in it.
 *
 * @example splitValues('1, "a, b"') // ['1', 'a, b']
 */
export function splitValues(text: string): readonly string[] {
  return valuesIn(text).flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** A value of a field and where it stands, quotes and spaces around it included. */
interface PlacedValue {
  /** Undefined where there is none. */
  readonly value: string | undefined;
  readonly start: number;
  readonly end: number;
}

/**
 * What stands between the commas of a field, in order.
 *
 * @example valuesIn('a, b').map(({ start }) => start) // [0, 2]
 */
export function valuesIn(text: string): readonly PlacedValue[] {
  const found: PlacedValue[] = [];
  let start = 0;
  let plain = '';
  let quoted: string | undefined;
  const end = (at: number) => {
    const value = quoted === undefined ? plain.trim() || undefined : quoted;
    found.push({ value, start, end: at });
    [start, plain, quoted] = [at + 1, '', undefined];
  };
  for (const { 0: part, 1: inside, index } of text.matchAll(PARTS)) {
    if (part === ',') end(index);
    else if (inside !== undefined && plain.trim() === '' && quoted === undefined) quoted = unescaped(inside);
    else if (quoted === undefined) plain += part;
    else if (part.trim() !== '') quoted += part;
  }
  end(text.length);
  return found;
}

/**
 * Values as one field takes them: {@link splitValues} gives the same ones.
 *
 * @example joinValues(['1', 'a, b']) // '1, "a, b"'
 */
export function joinValues(values: readonly string[]): string {
  return values.map(quotedIfNeeded).join(', ');
}

/**
 * One value, in quotes where it would be taken for several or for another one.
 *
 * @example quotedIfNeeded('a, b') // '"a, b"'
 */
export function quotedIfNeeded(value: string): string {
  if (value !== '' && value === value.trim() && !/[,"]/.test(value)) return value;
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}
