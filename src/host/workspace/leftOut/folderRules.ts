import { parseLayout } from '../../../core/index.ts';
import { type Ignores, readGitignore } from './gitignore.ts';
import type { PathTest } from './glob.ts';

/** What is left out of a folder, and of those in it. */
export interface FolderRules {
  leavesOut(name: string, isFolder: boolean): boolean;
  /** The rules within a folder of that name; the text of its files is read where one of them has rules. */
  within(name: string, files: FolderFiles): Promise<FolderRules>;
}

/** The files of a folder, by their names. */
export interface FolderFiles {
  has(name: string): boolean;
  read(name: string): Promise<string>;
}

interface Source {
  /** How many names of the path belong to the folders above the one that the rule stands in. */
  readonly depth: number;
  readonly ignores: Ignores;
}

export interface RulesOptions {
  /** What settings leave out, by its path from the folder of the workspace on. */
  readonly excluded: PathTest;
  readonly useIgnoreFiles: boolean;
}

/** The rules within a folder of the workspace: what its settings leave out, `.gitignore`, and libraries of Foundry. */
export function folderRules(files: FolderFiles, options: RulesOptions): Promise<FolderRules> {
  return rulesIn({ path: [], above: [] }, files, options);
}

async function rulesIn(
  { path, above }: { readonly path: readonly string[]; readonly above: readonly Source[] },
  files: FolderFiles,
  options: RulesOptions,
): Promise<FolderRules> {
  const sources = [...above, ...(await ownSources(path.length, files, options))];
  return {
    leavesOut(name, isFolder) {
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

async function ownSources(
  depth: number,
  files: FolderFiles,
  { useIgnoreFiles }: RulesOptions,
): Promise<readonly Source[]> {
  const sources: Source[] = [];
  if (useIgnoreFiles && files.has('.gitignore')) {
    sources.push({ depth, ignores: readGitignore(await files.read('.gitignore')) });
  }
  if (files.has('foundry.toml')) {
    const libs = new Set(parseLayout({ foundryToml: await files.read('foundry.toml') }).libs);
    sources.push({ depth, ignores: (path) => libs.has(path.join('/')) || undefined });
  }
  return sources;
}
