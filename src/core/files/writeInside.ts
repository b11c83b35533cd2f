import {
  createTempNames,
  type Disk,
  type DiskPlace,
  findDiskPlace,
  findStats,
  getFsErrorCode,
  openDiskDraft,
  PlaceError,
} from './disk.ts';

/** A file below a folder. */
export interface InsideFile {
  /** An absolute path. It may lead through links: the user has chosen it. */
  readonly root: string;
  /** From the root; separated by `/`, or as the disk does. */
  readonly path: string;
}

/**
 * Writes a file below a folder. Missing folders on the way are created one by one: Node never ends creating all of
 * them below /proc. An existing file keeps its rights, and its content if anything fails.
 *
 * @throws PlaceError `link` where the file or a folder on the way is a symbolic link, `outside` for a path that leads
 *   out; the others, and the errors of the file system, as {@link findDiskPlace}.
 */
export async function writeInside(disk: Disk, file: InsideFile, content: Uint8Array): Promise<void> {
  const folder = await openFolder(disk, file);
  const name = splitPath(disk, file.path).at(-1) ?? '';
  const place = await findDiskPlace(disk, folder + disk.separator + name, { followsLinks: false });
  // A link that has come meanwhile.
  const check = async () => void (await openFolder(disk, file));
  await replaceFile(disk, place, content, check);
}

/**
 * Writes a file under a temporary name, then moves it to its place.
 *
 * @param check is called before it is moved: throws where it must not be.
 * @throws as {@link openDiskDraft}.
 */
export async function replaceFile(
  disk: Disk,
  place: DiskPlace,
  content: Uint8Array,
  check?: () => Promise<void>,
): Promise<void> {
  const draft = await openDiskDraft(disk, place, createTempNames());
  try {
    await draft.append(content);
    await draft.finish();
    await check?.();
    await draft.replace();
    await draft.settle();
  } catch (error) {
    await draft.undo().catch(() => undefined);
    throw error;
  } finally {
    await draft.discard();
  }
}

/** The real path of the folder that a file is in. */
async function openFolder(disk: Disk, { root, path }: InsideFile): Promise<string> {
  const { fs, separator } = disk;
  let folder = await fs.realpath(root);
  for (const name of splitPath(disk, path).slice(0, -1)) {
    folder += (folder.endsWith(separator) ? '' : separator) + name;
    const found = (await findStats(disk, folder)) ?? (await createFolder(disk, folder));
    if (found?.isSymbolicLink()) throw new PlaceError('link');
    if (!found?.isDirectory()) throw new PlaceError('notFolder');
  }
  return folder;
}

async function createFolder(disk: Disk, folder: string) {
  await disk.fs.mkdir(folder).catch((error: unknown) => {
    if (getFsErrorCode(error) !== 'EEXIST') throw error;
  });
  return findStats(disk, folder);
}

function splitPath({ separator }: Disk, path: string): readonly string[] {
  const names = path.split(separator === '\\' ? /[\\/]/ : '/');
  if (names.some((name) => ['', '.', '..'].includes(name))) throw new PlaceError('outside');
  return names;
}
