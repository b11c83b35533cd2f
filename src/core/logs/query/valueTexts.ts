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
