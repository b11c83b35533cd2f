import { parseLayout } from '../../core/index.ts';
import { expandBraces, matchesPath, type PathPattern, parsePattern } from './globs.ts';

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
  /** Characters of its `.gitignore`. */
  readonly size: number;
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
  const left = MAX_GITIGNORE_CHARS - above.reduce((sum, { size }) => sum + size, 0);
  const sources = [...above, ...(await readOwnRules({ depth: path.length, left }, files, options))];
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
  { depth, left }: { readonly depth: number; readonly left: number },
  files: FolderFiles,
  { useIgnoreFiles }: RulesOptions,
): Promise<readonly RuleOrigin[]> {
  const sources: RuleOrigin[] = [];
  if (useIgnoreFiles && files.has('.gitignore')) {
    const text = (await files.read('.gitignore')).slice(0, left);
    sources.push({ depth, size: text.length, ignores: parseGitignore(text) });
  }
  if (files.has('foundry.toml')) {
    const libs = new Set(parseLayout({ foundryToml: await files.read('foundry.toml') }).libs);
    sources.push({ depth, size: 0, ignores: (path) => libs.has(path.join('/')) || undefined });
  }
  return sources;
}

/** Of one file; real ones have some dozens. */
const MAX_GITIGNORE_LINES = 1000;
/** Of all files that apply to a folder. */
const MAX_GITIGNORE_CHARS = 64 * 1024;

/** What a `.gitignore` says of a path from its folder on: ignored, included again, or nothing. */
type GitignoreTest = (path: readonly string[], isFolder: boolean) => boolean | undefined;

function parseGitignore(text: string): GitignoreTest {
  const lines = text.split(/\r?\n/, MAX_GITIGNORE_LINES);
  // The last line that matches decides.
  const rules = lines.flatMap((line) => parseGitignoreLine(line) ?? []).reverse();
  return (path, isFolder) => {
    const rule = rules.find(
      ({ pattern, isForFolders }) => (isFolder || !isForFolders) && matchesPath(pattern, path),
    );
    return rule && !rule.isNegated;
  };
}

interface GitignoreRule {
  readonly pattern: PathPattern;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
}

/** As git reads a line: <https://git-scm.com/docs/gitignore>. */
function parseGitignoreLine(line: string): GitignoreRule | undefined {
  const trimmed = trimSpaces(line);
  if (trimmed.startsWith('#')) return undefined;
  const isNegated = trimmed.startsWith('!');
  const whole = isNegated ? trimmed.slice(1) : trimmed;
  const isForFolders = whole.endsWith('/');
  const names = isForFolders ? whole.slice(0, -1) : whole;
  if (names === '' || names === '/') return undefined;
  const isAtAnyDepth = !names.includes('/');
  // `a/**` is what is in the folder, and not the folder.
  const pattern = parsePattern(
    isAtAnyDepth ? `**/${names}` : names.replace(/^\//, '').replace(/\/\*\*$/, '/**/*'),
  );
  return pattern && { pattern, isNegated, isForFolders };
}

/** Without spaces at the end; one after a `\\` is a part of the name. */
function trimSpaces(line: string): string {
  let end = line.length;
  while (line.charAt(end - 1) === ' ') end--;
  return line.slice(0, line.charAt(end - 1) === '\\' ? end + 1 : end);
}

/** Whether a path, from some folder on, matches. */
type PathTest = (path: readonly string[]) => boolean;

/** A glob as in `files.exclude`; undefined for one that is too long or has too many wildcards. */
export function compileGlob(pattern: string): PathTest | undefined {
  const patterns = expandBraces(pattern)?.flatMap((alternative) => {
    const parsed = parsePattern(alternative);
    return parsed ? [parsed] : [];
  });
  if (patterns === undefined || patterns.length === 0) return undefined;
  return (path) => patterns.some((one) => matchesPath(one, path));
}
