import ignore from 'ignore';
import picomatch from 'picomatch';
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
  /** How many names of the path belong to the folders above the one that contains the rule. */
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
      // Rules in deeper folders override those above.
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
const MAX_GITIGNORE_LINES = 1000;

/** What a `.gitignore` says of a path from its folder on: ignored, included again, or nothing. */
type GitignoreTest = (path: readonly string[], isFolder: boolean) => boolean | undefined;

function parseGitignore(text: string): GitignoreTest {
  const lines = text.split(/\r?\n/, MAX_GITIGNORE_LINES).filter(isQuickToMatch);
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(lines);
  return (path, isFolder) => {
    const { ignored, unignored } = rules.test(`${path.join('/')}${isFolder ? '/' : ''}`);
    return ignored ? true : unignored ? false : undefined;
  };
}

/** Whether a path, from some folder on, matches. */
type PathTest = (path: readonly string[]) => boolean;

/** A glob as in `files.exclude`; undefined for one that is too long or has too many wildcards. */
export function compileGlob(pattern: string): PathTest | undefined {
  if (!isQuickToMatch(pattern)) return undefined;
  // VS Code gives these no meaning; picomatch would pass them on to a regular expression.
  const literal = pattern.replaceAll(/[()|+@!](?![^[]*\])/g, '\\$&');
  const matches = picomatch(literal, {
    dot: true,
    posix: true,
    nonegate: true,
    noextglob: true,
    windows: false,
  });
  return (path) => matches(path.join('/'));
}

const MAX_PATTERN_CHARS = 1000;
const MAX_WILDCARDS_IN_NAME = 2;
/** `**` between slashes. */
const MAX_FOLDER_WILDCARDS = 3;

/**
 * Both libraries match by regular expressions, whose time grows with the length of the name to the power of its
 * wildcards. A repository that one opens must not freeze the editor, so that patterns with many are left out.
 */
function isQuickToMatch(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_CHARS) return false;
  let plain = pattern;
  // Of alternatives in braces the one with the most wildcards counts.
  while (/\{[^{}]*\}/.test(plain)) {
    plain = plain.replaceAll(/\{([^{}]*)\}/g, (_, inner: string) =>
      '*x'.repeat(Math.max(...inner.split(',').map(countWildcards))),
    );
  }
  const names = plain.split('/');
  return (
    names.every((name) => countWildcards(name) <= MAX_WILDCARDS_IN_NAME) &&
    names.filter((name) => name === '**').length <= MAX_FOLDER_WILDCARDS
  );
}

function countWildcards(name: string): number {
  return name.match(/\*+/g)?.length ?? 0;
}
