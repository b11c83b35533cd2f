import { parseLayout } from '../../core/index.ts';

/** What is left out of a folder, and of those in it. */
export interface FolderRules {
  ignores(name: string, isFolder: boolean): boolean;
  /** The rules within a folder of that name; the text of its files is read where one of them has rules. */
  within(name: string, files: FolderFiles): Promise<FolderRules>;
}

/** The files of a folder, by their names. */
export interface FolderFiles {
  has(name: string): boolean;
  read(name: string): Promise<string>;
}

interface RuleOrigin {
  /** How many names of the path belong to the folders above the one that the rule stands in. */
  readonly depth: number;
  readonly ignores: GitignoreTest;
}

export interface RulesOptions {
  /** What settings leave out, by its path from the folder of the workspace on. */
  readonly excluded: PathTest;
  readonly useIgnoreFiles: boolean;
}

/** The rules within a folder of the workspace: what its settings leave out, `.gitignore`, and libraries of Foundry. */
export function readFolderRules(files: FolderFiles, options: RulesOptions): Promise<FolderRules> {
  return rulesIn({ path: [], above: [] }, files, options);
}

async function rulesIn(
  { path, above }: { readonly path: readonly string[]; readonly above: readonly RuleOrigin[] },
  files: FolderFiles,
  options: RulesOptions,
): Promise<FolderRules> {
  const sources = [...above, ...(await readOwnRules(path.length, files, options))];
  return {
    ignores(name, isFolder) {
      const whole = [...path, name];
      if (options.excluded(whole)) return true;
      // What stands deeper counts before what stands above.
      for (const { depth, ignores } of sources.toReversed()) {
        const isIgnored = ignores(whole.slice(depth), isFolder);
        if (isIgnored !== undefined) return isIgnored;
      }
      return false;
    },
    within: (name, inner) => rulesIn({ path: [...path, name], above: sources }, inner, options),
  };
}

async function readOwnRules(
  depth: number,
  files: FolderFiles,
  { useIgnoreFiles }: RulesOptions,
): Promise<readonly RuleOrigin[]> {
  const sources: RuleOrigin[] = [];
  if (useIgnoreFiles && files.has('.gitignore')) {
    sources.push({ depth, ignores: parseGitignore(await files.read('.gitignore')) });
  }
  if (files.has('foundry.toml')) {
    const libs = new Set(parseLayout({ foundryToml: await files.read('foundry.toml') }).libs);
    sources.push({ depth, ignores: (path) => libs.has(path.join('/')) || undefined });
  }
  return sources;
}

/** Of one file; real ones have some dozens. */
const MAX_GITIGNORE_LINES = 5000;

interface Rule {
  readonly test: PathTest;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
}

/** What a `.gitignore` says of a path from its folder on: left out, taken in again, or nothing. */
type GitignoreTest = (path: readonly string[], isFolder: boolean) => boolean | undefined;

/** Reads a `.gitignore`, as https://git-scm.com/docs/gitignore has it. */
function parseGitignore(text: string): GitignoreTest {
  const rules = text
    .split('\n', MAX_GITIGNORE_LINES)
    .flatMap((line) => ruleOf(line.endsWith('\r') ? line.slice(0, -1) : line) ?? [])
    .reverse();
  return (path, isFolder) => {
    const last = rules.find(({ test, foldersOnly }) => (isFolder || !foldersOnly) && test(path));
    return last && !last.isNegated;
  };
}

function ruleOf(line: string): Rule | undefined {
  if (line.startsWith('#')) return undefined;
  const isNegated = line.startsWith('!');
  const written = withoutSpaces(isNegated ? line.slice(1) : line);
  const foldersOnly = written.endsWith('/');
  const path = foldersOnly ? written.slice(0, -1) : written;
  if (path === '' || path === '/') return undefined;
  const isPlaced = path.includes('/');
  const fromFolder = path.startsWith('/') ? path.slice(1) : path;
  // `a/**` is what is in `a`, not `a`; git has a name without a slash at any depth.
  const pattern = isPlaced ? inside(fromFolder) : `**/${path}`;
  const test = compileGlob(pattern);
  return test && { test, isNegated, foldersOnly };
}

function inside(pattern: string): string {
  return pattern.endsWith('/**') ? `${pattern}/*` : pattern;
}

/** Spaces at the end count only where a backslash stands before them. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}

/** Tells whether a path, from some folder on, is meant. */
type PathTest = (path: readonly string[]) => boolean;

/** Alternatives in braces that a pattern is written out to. */
const MAX_ALTERNATIVES = 100;
const MAX_PATTERN_CHARS = 1000;

/**
 * What a glob of paths means, without a regular expression, so that no pattern takes longer than the product of its
 * length and the path's: `*`, `?`, `[a-z]`, `[!a]`, `**` for any folders, and `{a,b}` where `braces` are meant so.
 * Undefined for one that is too long.
 */
export function compileGlob(pattern: string, { braces = false } = {}): PathTest | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined;
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
    const next = patterns.flatMap(alternatives).slice(0, MAX_ALTERNATIVES);
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
