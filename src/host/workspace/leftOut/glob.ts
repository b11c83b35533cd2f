/** Tells whether a path, from some folder on, is meant. */
export type PathTest = (path: readonly string[]) => boolean;

/** Alternatives in braces that a pattern is written out to. */
const MOST_ALTERNATIVES = 100;
const LONGEST_PATTERN = 1000;

/**
 * What a glob of paths means, without a regular expression, so that no pattern takes longer than the product of its
 * length and the path's: `*`, `?`, `[a-z]`, `[!a]`, `**` for any folders, and `{a,b}` where `braces` are meant so.
 * Undefined for one that is too long.
 */
export function globTest(pattern: string, { braces = false } = {}): PathTest | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  const written = braces ? writtenOut(pattern) : [pattern];
  const tests = written.map((one) => one.split('/').map(segmentTest));
  return (path) => tests.some((segments) => matches(segments, path, (segment, name) => segment(name)));
}

type SegmentTest = ((name: string) => boolean) & { readonly isAny?: boolean };

function segmentTest(pattern: string): SegmentTest {
  if (pattern === '**') return Object.assign(() => true, { isAny: true });
  const parts = [...characters(pattern)];
  if (parts.every((part) => typeof part === 'string')) {
    const text = parts.join('');
    return (name) => name === text;
  }
  return (name) => matches(parts.map(partOf), [...name], (part, character) => part(character));
}

/** A character, what stands for any of several, or for any text. */
type Part = string | { readonly isAny?: boolean; readonly test: (character: string) => boolean };

function partOf(part: Part): SegmentTest {
  if (typeof part === 'string') return (character) => character === part;
  return part.isAny ? Object.assign(() => true, { isAny: true }) : part.test;
}

function* characters(pattern: string): Generator<Part> {
  for (let at = 0; at < pattern.length; at++) {
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    const set = character === '[' ? setAt(pattern, at) : undefined;
    if (set) {
      yield { test: set.test };
      at = set.end;
    } else if (character === '*') yield { isAny: true, test: () => true };
    else if (character === '?') yield { test: () => true };
    else if (character === '\\' && at + 1 < pattern.length) yield pattern.charAt(++at);
    else {
      yield character;
      at += character.length - 1;
    }
  }
}

/** `[a-z_]`, or `[!a-z]` and `[^a-z]` for all others. */
function setAt(pattern: string, start: number) {
  const isNegated = '!^'.includes(pattern.charAt(start + 1)) && start + 1 < pattern.length;
  const from = start + (isNegated ? 2 : 1);
  const end = pattern.indexOf(']', from + 1);
  if (end < 0) return undefined;
  const ranges: (readonly [string, string])[] = [];
  for (let at = from; at < end; at++) {
    const isRange = pattern.charAt(at + 1) === '-' && at + 2 < end;
    ranges.push([pattern.charAt(at), pattern.charAt(isRange ? at + 2 : at)]);
    if (isRange) at += 2;
  }
  const isIn = (character: string) => ranges.some(([first, last]) => first <= character && character <= last);
  return { end, test: (character: string) => isIn(character) !== isNegated };
}

/** Whether items match tests one by one, those that are `isAny` any number of items. Goes back to the last of these only. */
function matches<Item>(
  tests: readonly SegmentTest[],
  items: readonly Item[],
  holds: (test: SegmentTest, item: Item) => boolean,
): boolean {
  let [test, item] = [0, 0];
  let back: { readonly test: number; readonly item: number } | undefined;
  while (item < items.length) {
    const now = tests[test];
    if (now?.isAny) {
      back = { test: ++test, item };
    } else if (now && holds(now, items[item] as Item)) {
      test++;
      item++;
    } else if (back) {
      back = { test: back.test, item: back.item + 1 };
      ({ test, item } = back);
    } else {
      return false;
    }
  }
  while (tests[test]?.isAny) test++;
  return test === tests.length;
}

/** `{a,b}` as one pattern for each; only the first hundred. */
function writtenOut(pattern: string): readonly string[] {
  let patterns: readonly string[] = [pattern];
  for (;;) {
    const next = patterns.flatMap(alternatives).slice(0, MOST_ALTERNATIVES);
    if (next.length === patterns.length && next.every((one, at) => one === patterns[at])) return next;
    patterns = next;
  }
}

/** With the first innermost braces written out. */
function alternatives(pattern: string): readonly string[] {
  const end = pattern.indexOf('}');
  const start = end < 0 ? -1 : pattern.lastIndexOf('{', end);
  if (start < 0) return [pattern];
  const inside = pattern.slice(start + 1, end).split(',');
  return inside.map((one) => pattern.slice(0, start) + one + pattern.slice(end + 1));
}
