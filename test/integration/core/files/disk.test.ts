import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import {
  createTempNames,
  type Disk,
  findDiskPlace,
  isSamePlace,
  MIN_FREE_BYTES,
  openDiskDraft,
  PlaceError,
  type PlaceErrorReason,
  removeDiskDraft,
  restoreOriginal,
} from '../../../../src/core/files/disk.ts';

describe('a file on disk', () => {
  const disk: Disk = { fs, separator: sep };
  const bytes = (text: string) => new TextEncoder().encode(text);
  let folder: string;
  let target: string;

  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'chainside-disk-'));
    target = join(folder, 'logs.csv');
  });
  afterEach(() => fs.rm(folder, { recursive: true, force: true }));

  const names = async () => (await fs.readdir(folder)).sort();
  const content = (path = target) => fs.readFile(path, 'utf8');
  const rightsOf = async (path = target) => (await fs.lstat(path)).mode & 0o777;
  const refused = (reason: PlaceErrorReason) => (error: unknown) =>
    error instanceof PlaceError && error.reason === reason;

  async function open(at = target, on = disk) {
    return openDiskDraft(on, await findDiskPlace(on, at), createTempNames());
  }

  async function write(text: string, at = target): Promise<void> {
    const draft = await open(at);
    await draft.append(bytes(text));
    await draft.finish();
    await draft.replace();
    await draft.settle();
    await draft.discard();
  }

  it('is made with the rights that the system gives a new one', async () => {
    await fs.writeFile(join(folder, 'other'), '');
    await write('new');
    assert.equal(await content(), 'new');
    assert.equal(await rightsOf(), await rightsOf(join(folder, 'other')));
    assert.deepEqual(await names(), ['logs.csv', 'other']);
  });

  it('keeps the rights of the one that it replaces, and never gives more while it is made', async () => {
    for (const rights of [0o600, 0o640, 0o664, 0o755]) {
      await fs.rm(target, { force: true });
      await fs.writeFile(target, 'old');
      await fs.chmod(target, rights);
      const draft = await open();
      const part = (await names()).find((name) => name.endsWith('.part')) ?? '';
      assert.equal(await rightsOf(join(folder, part)), 0o600);
      await draft.append(bytes('new'));
      await draft.finish();
      await draft.replace();
      assert.equal(await rightsOf(), rights);
      await draft.settle();
      assert.deepEqual(await names(), ['logs.csv']);
    }
  });

  describe('that grows without end', () => {
    const mebibyte = 1024 * 1024;
    const chunk = new Uint8Array(32 * mebibyte);
    const withFree = (bytes: number, blocks = 1e9): Disk => ({
      ...disk,
      fs: { ...fs, statfs: async () => ({ blocks, bavail: bytes / 4096, bsize: 4096 }) },
    });

    it('leaves half a gibibyte of the disk to others, and nothing of itself', async () => {
      const draft = await open(target, withFree(MIN_FREE_BYTES - 4096));
      await draft.append(chunk);
      await assert.rejects(draft.append(chunk), refused('full'));
      await draft.discard();
      assert.deepEqual(await names(), []);
    });

    it('goes on while there is more, or the file system does not tell', async () => {
      const silent: Disk = { ...disk, fs: { ...fs, statfs: () => Promise.reject(new Error('ENOSYS')) } };
      for (const on of [withFree(MIN_FREE_BYTES), withFree(0, 0), silent]) {
        const draft = await open(target, on);
        for (let written = 0; written < 4; written++) await draft.append(chunk);
        await draft.discard();
      }
    });

    it('may take the last of a disk while it is small', async () => {
      const draft = await open(target, withFree(0));
      await draft.append(chunk);
      await draft.finish();
      await draft.discard();
    });
  });

  it('refuses a folder, a pipe and a socket, and leaves them', async () => {
    await fs.mkdir(target);
    await fs.writeFile(join(target, 'mine'), 'mine');
    await assert.rejects(findDiskPlace(disk, target), refused('folder'));
    assert.equal(await content(join(target, 'mine')), 'mine');

    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(findDiskPlace(disk, pipe), refused('special'));
    const server = createServer();
    const socket = join(folder, 'socket');
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    await assert.rejects(findDiskPlace(disk, socket), refused('special'));
    assert.deepEqual(await names(), ['logs.csv', 'pipe', 'socket']);
    await new Promise((resolve) => server.close(resolve));
  });

  it('refuses a write-protected file', async () => {
    await fs.writeFile(target, 'old', { mode: 0o444 });
    await assert.rejects(findDiskPlace(disk, target), refused('protected'));
  });

  it('goes where a symbolic link leads, and the link stays', async () => {
    await fs.mkdir(join(folder, 'far'));
    const real = join(folder, 'far', 'real.csv');
    await fs.writeFile(real, 'old', { mode: 0o600 });
    await fs.symlink(join('far', 'real.csv'), join(folder, 'hop'));
    await fs.symlink(join(folder, 'hop'), target);
    await write('new');
    assert.equal(await fs.readlink(target), join(folder, 'hop'));
    assert.equal(await content(real), 'new');
    assert.equal(await rightsOf(real), 0o600);
    assert.deepEqual(await fs.readdir(join(folder, 'far')), ['real.csv']);
  });

  it('makes the file that a link names before it is there, if its folder is', async () => {
    await fs.symlink('real.csv', target);
    await write('new');
    assert.equal(await content(join(folder, 'real.csv')), 'new');
    assert.ok((await fs.lstat(target)).isSymbolicLink());
    await fs.symlink(join('missing', 'real.csv'), join(folder, 'nowhere'));
    await assert.rejects(open(join(folder, 'nowhere')), { code: 'ENOENT' });
  });

  it('refuses links that go round, and a link to a folder', async () => {
    await fs.symlink('b', join(folder, 'a'));
    await fs.symlink('a', join(folder, 'b'));
    await assert.rejects(findDiskPlace(disk, join(folder, 'a')), refused('links'));
    await fs.symlink('.', join(folder, 'here'));
    await assert.rejects(findDiskPlace(disk, join(folder, 'here')), refused('folder'));
  });

  it('sees that two names are one file', async () => {
    await fs.writeFile(target, 'old');
    await fs.symlink('logs.csv', join(folder, 'link'));
    await fs.link(target, join(folder, 'second'));
    const place = await findDiskPlace(disk, target);
    for (const name of ['link', 'second']) {
      assert.ok(isSamePlace(place, await findDiskPlace(disk, join(folder, name))), name);
    }
    assert.ok(!isSamePlace(place, await findDiskPlace(disk, join(folder, 'other'))));
  });

  it('refuses a name that the file system does not take, before anything is written', async () => {
    const longest = 'x'.repeat(255);
    await write('fits', join(folder, longest));
    for (const name of [`${longest}y`, 'ü'.repeat(128), 'a\0b']) {
      await assert.rejects(open(join(folder, name)), refused('name'), name);
    }
    await assert.rejects(open(join(folder, 'missing', 'logs.csv')), { code: 'ENOENT' });
    assert.deepEqual(await names(), [longest]);
  });

  it('refuses names that Windows takes for something else, there only', async () => {
    const windows: Disk = { fs, separator: '\\' };
    for (const name of ['CON', 'nul.csv', 'COM1', 'a:b', 'what?.csv', 'end.', 'end ', 'lpt9 .txt']) {
      await assert.rejects(findDiskPlace(windows, `${folder}/${name}`), refused('name'), name);
      await findDiskPlace(disk, join(folder, name));
    }
    for (const name of ['console.csv', 'com.csv', 'logs-1.csv', '.hidden']) {
      await findDiskPlace(windows, `${folder}/${name}`);
    }
  });

  it('leaves what came to its place meanwhile', async () => {
    const draft = await open();
    await draft.finish();
    await fs.writeFile(target, 'mine');
    await assert.rejects(draft.replace(), refused('appeared'));
    await draft.undo();
    await draft.discard();
    assert.equal(await content(), 'mine');
    assert.deepEqual(await names(), ['logs.csv']);
  });

  it('leaves a folder, a link or a pipe that took the place of the file that it replaces', async () => {
    const comes: readonly (() => Promise<unknown> | unknown)[] = [
      () => fs.mkdir(target),
      () => fs.symlink('elsewhere', target),
      () => execFileSync('mkfifo', [target]),
    ];
    for (const come of comes) {
      await fs.writeFile(target, 'old');
      const draft = await open();
      await draft.finish();
      await fs.rm(target);
      await come();
      const before = await fs.lstat(target);
      await assert.rejects(draft.replace(), refused('changed'));
      await draft.undo();
      await draft.discard();
      assert.deepEqual([(await fs.lstat(target)).ino, await names()], [before.ino, ['logs.csv']]);
      await fs.rm(target, { recursive: true });
    }
  });

  it('puts back what it replaced, with and without second names for a file', async () => {
    const noLinks: Disk = {
      separator: sep,
      fs: { ...fs, link: () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' })) },
    };
    for (const on of [disk, noLinks]) {
      await fs.writeFile(target, 'old');
      const { ino } = await fs.lstat(target);
      const draft = await open(target, on);
      await draft.append(bytes('new'));
      await draft.finish();
      await draft.replace();
      assert.equal(await content(), 'new');
      await draft.undo();
      await draft.discard();
      assert.deepEqual([await content(), (await fs.lstat(target)).ino], ['old', ino]);
      assert.deepEqual(await names(), ['logs.csv']);
    }
  });

  it('puts back what it replaced when it cannot take the place', async () => {
    for (const links of [true, false]) {
      await fs.writeFile(target, 'old');
      const failing: Disk = {
        separator: sep,
        fs: {
          ...fs,
          link: links ? fs.link : () => Promise.reject(new Error('no links')),
          rename: (from, to) =>
            String(from).endsWith('.part') ? Promise.reject(new Error('no')) : fs.rename(from, to),
        },
      };
      const draft = await open(target, failing);
      await draft.finish();
      await assert.rejects(draft.replace(), /^Error: no$/);
      await draft.undo();
      await draft.discard();
      assert.deepEqual([await content(), await names()], ['old', ['logs.csv']]);
    }
  });

  it('takes a new file away again, but not one that took its place', async () => {
    const draft = await open();
    await draft.finish();
    await draft.replace();
    await draft.undo();
    assert.deepEqual(await names(), []);

    const second = await open();
    await second.finish();
    await second.replace();
    await fs.rename(target, join(folder, 'moved'));
    await fs.writeFile(target, 'mine');
    await second.undo();
    assert.deepEqual(await names(), ['logs.csv', 'moved']);
  });

  it('removes what is unfinished only if it is a regular file with a name for that', async () => {
    const { part } = createTempNames();
    await fs.writeFile(target, 'mine');
    await removeDiskDraft(disk, target);
    await fs.symlink(target, join(folder, part));
    await removeDiskDraft(disk, join(folder, part));
    await fs.rm(join(folder, part));
    await fs.mkdir(join(folder, part));
    await removeDiskDraft(disk, join(folder, part));
    assert.deepEqual(await names(), [part, 'logs.csv']);
    await fs.rmdir(join(folder, part));
    await fs.writeFile(join(folder, part), '');
    await removeDiskDraft(disk, join(folder, part));
    assert.deepEqual(await names(), ['logs.csv']);
  });

  it('gives back what was set aside by an export that broke off', async () => {
    const old = join(folder, createTempNames().old);
    await fs.writeFile(old, 'old');
    await restoreOriginal(disk, old, target);
    assert.deepEqual([await content(), await names()], ['old', ['logs.csv']]);
    await fs.writeFile(old, 'older');
    await restoreOriginal(disk, old, target);
    assert.deepEqual([await content(), await names()], ['old', ['logs.csv']]);
    await restoreOriginal(disk, target, join(folder, 'elsewhere'));
    assert.deepEqual(await names(), ['logs.csv']);
  });
});
