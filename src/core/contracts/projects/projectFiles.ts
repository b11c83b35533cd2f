/** Something in a folder. A symbolic link is `other`: none is followed, so that no loop has to be found. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

export interface FileStat {
  readonly kind: FolderEntry['kind'];
  /** In bytes. */
  readonly size: number;
  /** When it was last written, in a number that only ever is compared. */
  readonly modified: number;
}

/**
 * The files of a workspace, wherever they are. Paths are '/'-separated and begin at one root for all: the empty path is
 * the workspace. Nothing here rejects for a file that is not there or may not be read.
 */
export interface ProjectFiles {
  /** Empty where there is no such folder. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  stat(path: string): Promise<FileStat | undefined>;
  /** Undefined where it is not there, or has more than `most` bytes. */
  read(path: string, most: number): Promise<Uint8Array | undefined>;
}
