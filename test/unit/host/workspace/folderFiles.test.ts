import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventEmitter, FileSystemError, FileType, Uri, workspace } from 'vscode';
import { getFolderFiles } from '../../../../src/host/workspace/folderFiles.ts';
import { listFolder, readTextFile } from '../../../../src/host/workspace/listFiles.ts';
import { createWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';

describe('files of a workspace folder', () => {
  let outside: string;
  let folder: Uri;
  before(async () => {
    outside = mkdtempSync(join(tmpdir(), 'chainside-outside-'));
    writeFileSync(join(outside, 'credentials'), 'aws_secret_access_key=stolen');
    folder = await createWorkspaceFolder('folderFiles');
  });
  after(async () => {
    rmSync(outside, { recursive: true });
    await workspace.fs.delete(folder, { recursive: true });
  });

  it('are read by no link that leads out, and in no folder that is one', async () => {
    const at = (path: string) => Uri.joinPath(folder, path);
    writeFileSync(at('own').fsPath, 'own');
    symlinkSync(join(outside, 'credentials'), at('.env').fsPath);
    symlinkSync(outside, at('linked').fsPath);
    assert.equal(await readTextFile(at('own')), 'own');
    assert.equal(await readTextFile(at('.env')), '');
    assert.equal(await readTextFile(at('linked/credentials')), '');
    assert.deepEqual(await listFolder(at('linked')), []);
    assert.equal(await readTextFile(Uri.file(join(outside, 'credentials'))), '');
  });

  it('have no links on the way where the editor alone reads them, and does not say where these lead', async () => {
    const types: Record<string, FileType> = {
      '/': FileType.Directory,
      '/src': FileType.Directory,
      '/src/A.sol': FileType.File,
      '/.env': FileType.File | FileType.SymbolicLink,
      '/linked': FileType.Directory | FileType.SymbolicLink,
      '/linked/A.sol': FileType.File,
      '/odd': FileType.Unknown,
    };
    const read: string[] = [];
    const registration = workspace.registerFileSystemProvider('linked-nowhere', {
      onDidChangeFile: new EventEmitter<never>().event,
      watch: () => ({ dispose() {} }),
      stat({ path }) {
        const type = types[path];
        if (type === undefined) throw FileSystemError.FileNotFound();
        return { type, ctime: 0, mtime: 0, size: 3 };
      },
      readDirectory: ({ path }) =>
        Object.entries(types).flatMap(([name, type]) =>
          name !== path && name.startsWith(path) ? [[name.slice(path.length), type]] : [],
        ),
      readFile({ path }) {
        read.push(path);
        return new TextEncoder().encode('abc');
      },
      createDirectory() {},
      writeFile() {},
      delete() {},
      rename() {},
    });
    try {
      const files = getFolderFiles(Uri.from({ scheme: 'linked-nowhere', path: '/' }));
      assert.equal((await files.read('src/A.sol', 3))?.length, 3);
      assert.equal(await files.read('src/A.sol', 2), undefined);
      for (const path of ['.env', 'linked/A.sol', 'odd', 'src/../.env', 'none/A.sol'])
        assert.equal(await files.read(path, 9), undefined, path);
      assert.deepEqual(read, ['/src/A.sol']);
      assert.equal((await files.stat('.env'))?.kind, 'other');
      assert.equal(await files.stat('linked/A.sol'), undefined);
      assert.deepEqual(await files.list('linked'), []);
      assert.ok((await files.list('')).some(({ name, kind }) => name === 'linked' && kind === 'other'));
      // A folder that was missing before.
      types['/none'] = FileType.Directory;
      types['/none/A.sol'] = FileType.File;
      assert.equal((await files.read('none/A.sol', 9))?.length, 3);
    } finally {
      registration.dispose();
    }
  });

  it('are those of the folder that a link leads to which the user has opened', async () => {
    mkdirSync(join(outside, 'opened'));
    writeFileSync(join(outside, 'opened/A.sol'), 'contract A {}');
    const link = Uri.joinPath(folder, 'opened');
    symlinkSync(join(outside, 'opened'), link.fsPath);
    assert.equal((await getFolderFiles(link).read('A.sol', 100))?.length, 13);
  });
});
