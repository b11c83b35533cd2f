/** A pattern of paths: a pattern for each name, or any number of folders. */
export type PathPattern = readonly (NamePattern | '**')[];

/** A test for each character, or any number of characters. */
type NamePattern = readonly (CharacterTest | '*')[];
type CharacterTest = (character: string) => boolean;

/**
 * A pattern without braces: `*` and `?` within a name, `**` for any number of folders, `[a-z]`, `[!a]`, and `\` before a
 * character that means itself. Undefined if it is too long, has more than two `*` in a name, or a `[` without its `]`.
 * Tested without a regular expression, so that the time grows with the pattern times the path only.
 *
 * @example parsePattern('src/*')?.length // 2
 */
export function parsePattern(text: string): PathPattern | undefined {
  if (text.length > MAX_PATTERN_CHARS) return undefined;
  const pattern: (NamePattern | '**')[] = [];
  for (const name of text.split('/')) {
    const parsed = name === '**' ? name : parseName(name);
    if (parsed === undefined) return undefined;
    // Twice any number of folders is any number.
    if (parsed !== '**' || pattern.at(-1) !== '**') pattern.push(parsed);
  }
  return pattern;
}

const MAX_PATTERN_CHARS = 1000;
const MAX_WILDCARDS_IN_NAME = 2;

function parseName(name: string): NamePattern | undefined {
  const parts: (CharacterTest | '*')[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = name.charAt(at);
    if (character === '*') {
      if (parts.at(-1) !== '*') parts.push('*');
    } else if (character === '?') {
      parts.push(() => true);
    } else if (character === '[') {
      const set = parseSet(name, at);
      if (set === undefined) return undefined;
      parts.push(set.test);
      at = set.end;
    } else {
      if (character === '\\') at++;
      if (at === name.length) return undefined;
      const own = name.charAt(at);
      parts.push((other) => other === own);
    }
  }
  return parts.filter((part) => part === '*').length > MAX_WILDCARDS_IN_NAME ? undefined : parts;
}

/** The characters between brackets; the first may be a `]`. `end` is the place of the closing bracket. */
function parseSet(
  name: string,
  start: number,
): { readonly test: CharacterTest; readonly end: number } | undefined {
  const isNegated = /^[!^]$/.test(name.charAt(start + 1));
  const first = start + (isNegated ? 2 : 1);
  const ranges: (readonly [low: string, high: string])[] = [];
  for (let at = first; at < name.length; at++) {
    if (name.charAt(at) === ']' && at > first) {
      const isIn = (other: string) => ranges.some(([low, high]) => low <= other && other <= high);
      return { test: (other) => isIn(other) !== isNegated, end: at };
    }
    if (name.charAt(at) === '\\') at++;
    const low = name.charAt(at);
    const isRange = name.charAt(at + 1) === '-' && at + 2 < name.length && name.charAt(at + 2) !== ']';
    if (isRange) at += 2;
    ranges.push([low, isRange ? name.charAt(at) : low]);
  }
  return undefined;
}

/** Whether the names of a path match, from the folder of the pattern on. A last `**` matches the folder itself, too. */
export function matchesPath(pattern: PathPattern, path: readonly string[]): boolean {
  const isName = (name: NamePattern | '**', at: number) => name !== '**' && matchesName(name, path[at] ?? '');
  return matchesInOrder(pattern, '**', { length: path.length, matches: isName });
}

function matchesName(pattern: NamePattern, name: string): boolean {
  const isCharacter = (part: CharacterTest | '*', at: number) => part !== '*' && part(name.charAt(at));
  return matchesInOrder(pattern, '*', { length: name.length, matches: isCharacter });
}

/** Whether each of `length` places matches a part, in order; a part that equals `any` matches any number of places. */
function matchesInOrder<Part>(
  parts: readonly Part[],
  any: Part,
  { length, matches }: { readonly length: number; matches(part: Part, place: number): boolean },
): boolean {
  let part = 0;
  let place = 0;
  let last: { readonly part: number; place: number } | undefined;
  while (place < length) {
    const current = parts[part];
    if (current === any && part < parts.length) {
      last = { part: ++part, place };
    } else if (current !== undefined && matches(current, place)) {
      part++;
      place++;
    } else if (last) {
      // Only the last one needs to take more: what matched before it stays the shortest beginning.
      ({ part } = last);
      place = ++last.place;
    } else {
      return false;
    }
  }
  return parts.slice(part).every((left) => left === any);
}

/**
 * The alternatives of a pattern with braces. A brace without its partner means itself. Undefined if braces are nested
 * deeper than two, or make more than a hundred patterns.
 *
 * @example expandBraces('{a,b}/c') // ['a/c', 'b/c']
 */
export function expandBraces(pattern: string): readonly string[] | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined;
  let depth = 0;
  for (const character of pattern.replaceAll(/\\./g, '')) {
    if (character === '{') depth++;
    if (character === '}') depth = Math.max(0, depth - 1);
    if (depth > MAX_BRACE_DEPTH) return undefined;
  }
  return expandFrom(pattern);
}

const MAX_BRACE_DEPTH = 2;
const MAX_ALTERNATIVES = 100;

function expandFrom(text: string): readonly string[] | undefined {
  const braces = findBraces(text);
  if (!braces) return [text];
  const { start, end, commas } = braces;
  const borders = [start, ...commas, end];
  const endings = expandFrom(text.slice(end + 1));
  const expanded: string[] = [];
  for (const [index, border] of borders.slice(1).entries()) {
    const inner = expandFrom(text.slice((borders[index] ?? 0) + 1, border));
    if (!endings || !inner || expanded.length + inner.length * endings.length > MAX_ALTERNATIVES)
      return undefined;
    for (const one of inner)
      for (const ending of endings) expanded.push(`${text.slice(0, start)}${one}${ending}`);
  }
  return expanded;
}

/** The first pair of braces, and the commas between them that belong to no inner pair. */
function findBraces(
  text: string,
): { readonly start: number; readonly end: number; readonly commas: readonly number[] } | undefined {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    if (text.charAt(start - 1) === '\\') continue;
    const commas: number[] = [];
    let depth = 0;
    for (let at = start; at < text.length; at++) {
      const character = text.charAt(at);
      if (character === '\\') at++;
      if (character === '{') depth++;
      if (character === ',' && depth === 1) commas.push(at);
      if (character === '}' && --depth === 0) return { start, end: at, commas };
    }
  }
  return undefined;
}
