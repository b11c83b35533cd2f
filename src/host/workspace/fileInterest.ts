/** Which files of the workspace somebody wants to know of. */
export interface FileInterest {
  /** What the names of these files are like. */
  readonly names: RegExp;
  /**
   * Names of folders that are left out with all that is in them, in lower case. Folders whose name begins with a dot
   * always are.
   */
  readonly skippedFolders: ReadonlySet<string>;
}

/** Folders that build tools write. */
export const buildOutput = [
  ...['dist', 'out', 'build', 'cache', 'coverage', 'artifacts', 'typechain-types', 'target', '__pycache__'],
] as const;

/** Folders of what others wrote: npm packages, Foundry libraries, vendored code. */
export const dependencies = ['node_modules', 'lib', 'vendor'] as const;

/** Whether a folder of this name is left out. */
export function isSkippedFolder(folderName: string, { skippedFolders }: FileInterest): boolean {
  return folderName.startsWith('.') || skippedFolders.has(folderName.toLowerCase());
}

export type ChangeKind = 'created' | 'changed' | 'deleted';

/** Which changes somebody wants to know of: those of files that are listed, or by a rule of their own. */
export type ChangeInterest = FileInterest | ((path: readonly string[], kind: ChangeKind) => boolean);

/**
 * Whether a change at `path`, from a folder of the workspace on, may be of interest. One that was created or deleted
 * may be a folder, whatever it is called: of what is in it nothing is said.
 */
export function isOfInterest(path: readonly string[], kind: ChangeKind, interest: ChangeInterest): boolean {
  if (typeof interest === 'function') return interest(path, kind);
  const folders = path.slice(0, -1);
  const name = path.at(-1) ?? '';
  if (folders.some((folder) => isSkippedFolder(folder, interest))) return false;
  return interest.names.test(name) || (kind !== 'changed' && !isSkippedFolder(name, interest));
}
