/** A set of workspace files. */
export interface FileInterest {
  readonly names: RegExp;
  /**
   * Lower-case names of folders that are skipped with everything in them. Folders whose name begins with a dot are
   * always skipped.
   */
  readonly skippedFolders: ReadonlySet<string>;
}

/** Output folders of build tools. */
export const buildOutput = [
  ...['dist', 'out', 'build', 'cache', 'coverage', 'artifacts', 'typechain-types', 'target', '__pycache__'],
] as const;

/** Folders of third-party code: npm packages, Foundry libraries, vendored code. */
export const dependencies = ['node_modules', 'lib', 'vendor'] as const;

export function isSkippedFolder(folderName: string, { skippedFolders }: FileInterest): boolean {
  return folderName.startsWith('.') || skippedFolders.has(folderName.toLowerCase());
}

export type ChangeKind = 'created' | 'changed' | 'deleted';

/** A set of changes: those to a set of files, or by a predicate. */
export type ChangeInterest = FileInterest | ((path: readonly string[], kind: ChangeKind) => boolean);

/**
 * Whether a change at `path` (relative to a workspace folder) may be of interest. A path that was created or
 * deleted may be a folder of any name: its contents are not reported.
 */
export function isOfInterest(path: readonly string[], kind: ChangeKind, interest: ChangeInterest): boolean {
  if (typeof interest === 'function') return interest(path, kind);
  const folders = path.slice(0, -1);
  const name = path.at(-1) ?? '';
  if (folders.some((folder) => isSkippedFolder(folder, interest))) return false;
  return interest.names.test(name) || (kind !== 'changed' && !isSkippedFolder(name, interest));
}
