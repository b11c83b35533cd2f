import {
  beside,
  codeOf,
  type Disk,
  type DiskPlace,
  type FileHandle,
  freeBytes,
  isSameFile,
  refusedName,
  type Stats,
  statOf,
} from './diskPlace.ts';
import type { Draft } from './draft.ts';
import { PlaceRefused } from './placeRefused.ts';
import { isWorkPath, type WorkNames } from './workNames.ts';

/** So much is left to other programs: a server can send rows without end. */
export const LEAST_FREE_BYTES = 512 * 1024 * 1024;
/** Smaller files are written as long as there is any room. */
const LOOK_EVERY_BYTES = 64 * 1024 * 1024;

/**
 * Opens the unfinished file, after proving that the file system takes the name of the place.
 *
 * @throws PlaceRefused, or the error of the file system.
 */
export async function openOnDisk(disk: Disk, place: DiskPlace, names: WorkNames): Promise<Draft> {
  const { fs } = disk;
  const { path, found } = place;
  const part = beside(disk, path, names.part);
  const old = beside(disk, path, names.old);
  if (!found) await removeOwn(disk, path, await reserve(disk, path));
  const file = await fs.open(part, 'wx', found ? 0o600 : 0o666);
  const own = await file.stat();
  let closing: Promise<void> | undefined;
  let unlooked = 0;
  let replaced: 'nothing' | 'file' | undefined;
  const close = () => {
    closing ??= file.close();
    return closing;
  };
  return {
    async append(chunk) {
      await file.appendFile(chunk);
      unlooked += chunk.byteLength;
      if (unlooked < LOOK_EVERY_BYTES) return;
      unlooked = 0;
      if ((await freeBytes(disk, part)) < LEAST_FREE_BYTES) throw new PlaceRefused('full');
    },
    async finish() {
      if (found) await takeAfter(file, found, own);
      await file.sync().catch(unlessUnknown);
      await close();
    },
    async replace() {
      const now = await statOf(disk, path);
      if (now && !found) throw new PlaceRefused('appeared');
      if (now && !now.isFile()) throw new PlaceRefused('changed');
      if (!now) {
        const reserved = await reserve(disk, path);
        try {
          await fs.rename(part, path);
        } catch (error) {
          await removeOwn(disk, path, reserved);
          throw error;
        }
        replaced = 'nothing';
        return;
      }
      // Where a file has one name only, it is without it for a moment.
      await fs.link(path, old).catch(() => fs.rename(path, old));
      replaced = 'file';
      await fs.rename(part, path);
    },
    async undo() {
      if (replaced === 'file') {
        await fs.rename(old, path);
        // Left where both were names of one file.
        await removeWork(disk, old);
      } else if (replaced === 'nothing') await removeOwn(disk, path, own);
      replaced = undefined;
    },
    settle: () => removeWork(disk, old),
    async discard() {
      await close().catch(() => undefined);
      await removeWork(disk, part).catch(() => undefined);
    },
  };
}

/** Removes an unfinished file: of a name that only those have, and regular. */
export async function removeWork(disk: Disk, path: string): Promise<void> {
  if (!isWorkPath(path)) return;
  const found = await statOf(disk, path);
  if (found?.isFile()) await disk.fs.unlink(path);
}

/**
 * Gives back to its place what an export had set aside when it broke off; removes it where the place is taken.
 */
export async function putBack(disk: Disk, old: string, path: string): Promise<void> {
  if (!isWorkPath(old) || !(await statOf(disk, old))?.isFile()) return;
  if (await statOf(disk, path)) await removeWork(disk, old);
  else await disk.fs.rename(old, path);
}

/** Takes the name, if nothing has it, by an empty file. */
async function reserve({ fs }: Disk, path: string): Promise<Stats> {
  try {
    const file = await fs.open(path, 'wx');
    try {
      return await file.stat();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new PlaceRefused('appeared', { cause: error });
    throw refusedName(error);
  }
}

async function removeOwn(disk: Disk, path: string, own: Stats): Promise<void> {
  const found = await statOf(disk, path);
  if (found?.isFile() && isSameFile(found, own)) await disk.fs.unlink(path);
}

/** Gives the new file the owner, group and mode of the one that it replaces. */
async function takeAfter(file: FileHandle, { mode, uid, gid }: Stats, own: Stats): Promise<void> {
  if (own.uid !== uid || own.gid !== gid) {
    await file.chown(uid, gid).catch(() => file.chown(own.uid, gid).catch(() => undefined));
  }
  const kept = (await file.stat()).gid === gid;
  // A group that is not the one the mode was meant for may do what all others may.
  const rights = kept ? mode & 0o777 : (mode & 0o707) | (((mode & 0o007) << 3) & mode);
  await file.chmod(rights);
}

/** Some file systems know no way to write through to the disk. */
function unlessUnknown(error: unknown): void {
  if (!['EINVAL', 'ENOTSUP', 'ENOSYS', 'EPERM'].includes(String(codeOf(error)))) throw error;
}
