import { globTest, type PathTest } from './glob.ts';

/** Of one file; real ones have some dozens. */
const MOST_LINES = 5000;

interface Rule {
  readonly test: PathTest;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
}

/** What a `.gitignore` says of a path from its folder on: left out, taken in again, or nothing. */
export type Ignores = (path: readonly string[], isFolder: boolean) => boolean | undefined;

/** Reads a `.gitignore`, as https://git-scm.com/docs/gitignore has it. */
export function readGitignore(text: string): Ignores {
  const rules = text
    .split('\n', MOST_LINES)
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
  const test = globTest(pattern);
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
