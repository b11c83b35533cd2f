import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../../scripts/support/script.ts';
import { createFilesInside, type NodeFileReader } from '../../../../src/core/index.ts';
import { writeFiles } from '../../../support/writeFiles.ts';

const MOST = 1024 * 1024;

describe('files inside a folder', () => {
  let folder: string;
  let root: string;

  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'chainside-inside-'));
    root = join(folder, 'workspace');
    await writeFiles(folder, {
      'workspace/.env': 'KEY=own',
      'workspace/src/A.sol': 'contract A {}',
      'outside/secret': 'SECRET=1',
      'outside/src/Secret.sol': 'contract Secret {}',
    });
  });
  afterEach(() => removeFolder(folder));

  const files = (on: NodeFileReader = fs, at = root) => createFilesInside(on, at);
  async function read(path: string, on?: NodeFileReader): Promise<string | undefined> {
    const bytes = await files(on).read(path, MOST);
    return bytes && new TextDecoder().decode(bytes);
  }
  const namesIn = async (path: string, on?: NodeFileReader) =>
    (await files(on).list(path)).map(({ name }) => name).sort();
  const link = (target: string, name: string) => fs.symlink(target, join(root, name));

  it('are read and listed by their paths, also where the folder itself is a link', async () => {
    await fs.symlink(root, join(folder, 'link'));
    for (const at of [root, join(folder, 'link'), `${root}/`]) {
      const found = files(fs, at);
      assert.equal(
        String(await found.read('.env', MOST).then((bytes) => Buffer.from(bytes ?? []))),
        'KEY=own',
      );
      assert.deepEqual(await found.list('src'), [{ name: 'A.sol', kind: 'file' }]);
      assert.equal((await found.stat('src/A.sol'))?.size, 13);
      assert.equal((await found.stat(''))?.kind, 'folder');
    }
    assert.equal(await read('/src/./../src//A.sol'), 'contract A {}');
  });

  it('are those of the new place where the link to the folder leads elsewhere', async () => {
    const at = join(folder, 'current');
    await fs.symlink('workspace', at);
    const found = files(fs, at);
    assert.ok(await found.read('src/A.sol', MOST));
    await fs.rm(at);
    await fs.symlink('outside', at);
    assert.equal(await found.read('src/A.sol', MOST), undefined);
    assert.ok(await found.read('src/Secret.sol', MOST));
  });

  it('are none that a link to a file leads to, inside or outside', async () => {
    await link('../outside/secret', 'out');
    await link(join(folder, 'outside/secret'), 'absolute');
    await link('.env', 'inside');
    await link('out', 'hop');
    await link('self', 'self');
    await link('b', 'a');
    await link('a', 'b');
    await link('nowhere', 'dangling');
    for (const name of ['out', 'absolute', 'inside', 'hop', 'self', 'a', 'dangling']) {
      assert.equal(await read(name), undefined, name);
      assert.equal((await files().stat(name))?.kind, 'other', name);
      // As on Windows, which opens what a link leads to.
      assert.equal(await read(name, { ...fs, constants: {} }), undefined, name);
    }
  });

  it('are none behind a link to a folder outside, wherever it is on the way', async () => {
    await link('../outside', 'linked');
    await fs.mkdir(join(root, 'deep'));
    await link('../../outside/src', 'deep/linked');
    await link('linked', 'hop');
    for (const path of ['linked/secret', 'linked/src/Secret.sol', 'deep/linked/Secret.sol', 'hop/secret']) {
      assert.equal(await read(path), undefined, path);
      assert.equal(await files().stat(path), undefined, path);
    }
    for (const path of ['linked', 'linked/src', 'deep/linked', 'hop'])
      assert.deepEqual(await namesIn(path), [], path);
  });

  it('are those behind a link to a folder inside, as the packages of pnpm are', async () => {
    await writeFiles(root, { 'node_modules/.pnpm/p@1.0.0/node_modules/p/P.sol': 'contract P {}' });
    await link('.pnpm/p@1.0.0/node_modules/p', 'node_modules/p');
    await fs.mkdir(join(root, 'node_modules/@team'));
    await link('../../src', 'node_modules/@team/own');
    assert.equal(await read('node_modules/p/P.sol'), 'contract P {}');
    assert.deepEqual(await namesIn('node_modules/p'), ['P.sol']);
    assert.equal((await files().stat('node_modules/p/P.sol'))?.kind, 'file');
    assert.equal(await read('node_modules/@team/own/A.sol'), 'contract A {}');
    // A walk does not enter them.
    const kinds = (await files().list('node_modules')).map(({ name, kind }) => `${name} ${kind}`);
    assert.deepEqual(kinds.sort(), ['.pnpm folder', '@team folder', 'p other']);
  });

  it('are none that a name leads out to', async () => {
    for (const path of ['../outside/secret', 'src/../../outside/secret', `..${root}`, '..', 'src/../..']) {
      assert.equal(await read(path), undefined, path);
      assert.deepEqual(await namesIn(path), [], path);
      assert.equal(await files().stat(path), undefined, path);
    }
    assert.equal(await read(join(folder, 'outside/secret')), undefined);
    assert.equal(await read('a\0b'), undefined);
    // A sibling whose name begins as the folder's.
    await writeFiles(folder, { 'workspace-2/secret': 'SECRET=2' });
    await link('../workspace-2', 'sibling');
    assert.equal(await read('sibling/secret'), undefined);
  });

  it('have no backslash or colon in their names on Windows, where both lead elsewhere', async () => {
    await writeFiles(root, { 'a\\b': 'x', 'a:b': 'x' });
    for (const name of ['a\\b', 'a:b']) {
      assert.equal(await read(name), 'x');
      assert.equal(await read(name, { ...fs, constants: {} }), undefined, name);
    }
  });

  it('are hard links too', async () => {
    await fs.link(join(folder, 'outside/secret'), join(root, 'hard'));
    assert.equal(await read('hard'), 'SECRET=1');
  });

  it('are regular ones alone: a pipe without a writer does not keep anyone waiting', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    for (const name of ['pipe', 'socket', 'src']) assert.equal(await read(name), undefined, name);
    await new Promise((resolve) => server.close(resolve));
  });

  it('are read up to the size that they had when they were opened', async () => {
    const handle = await fs.open(join(root, 'sparse'), 'w');
    await handle.truncate(5 * 1024 ** 3);
    await handle.close();
    assert.equal(await files().read('sparse', 16 * MOST), undefined);
    assert.equal((await files().stat('sparse'))?.size, 5 * 1024 ** 3);
    assert.equal(await files().read('.env', 6), undefined);
    assert.equal((await files().read('.env', 7))?.length, 7);
    const growing = {
      ...fs,
      realpath: async (path: string) => {
        await fs.appendFile(join(root, '.env'), ' and more');
        return fs.realpath(path);
      },
    };
    assert.equal(await read('.env', growing), 'KEY=own');
  });

  it('are found in a folder that was made after it was missing', async () => {
    const all = files();
    assert.equal(await all.stat('new/a.txt'), undefined);
    await writeFiles(root, { 'new/a.txt': 'a' });
    assert.equal((await all.stat('new/a.txt'))?.kind, 'file');
  });

  it('are never what took the place of one while it was opened', async () => {
    const path = join(root, 'swapped');
    /** Opens a link, which is a file again by the time it is looked at. */
    const swapping: NodeFileReader = {
      ...fs,
      constants: {},
      async open(file, flags) {
        await fs.rm(path, { force: true });
        await fs.symlink('../outside/secret', path);
        const handle = await fs.open(file, flags);
        await fs.rm(path);
        await fs.writeFile(path, 'own');
        return handle;
      },
    };
    assert.equal(await read('swapped', swapping), undefined);
    /** The same with the folder. */
    const opened: string[] = [];
    const swappingFolder: NodeFileReader = {
      ...fs,
      async open(file, flags) {
        await fs.rename(join(root, 'src'), join(root, 'aside'));
        await link('../outside/src', 'src');
        const handle = await fs.open(file, flags);
        opened.push(file);
        await fs.rm(join(root, 'src'));
        await fs.rename(join(root, 'aside'), join(root, 'src'));
        return handle;
      },
    };
    await fs.writeFile(join(root, 'src/Secret.sol'), 'contract Own {}');
    assert.equal(await read('src/Secret.sol', swappingFolder), undefined);
    assert.ok(opened.length > 0);
  });

  it('are read where a program replaces them meanwhile, as compilers do', async () => {
    let isReplaced = false;
    const replacing: NodeFileReader = {
      ...fs,
      async open(file, flags) {
        const handle = await fs.open(file, flags);
        if (!isReplaced) await fs.writeFile(join(root, 'new'), 'KEY=new');
        if (!isReplaced) await fs.rename(join(root, 'new'), file);
        isReplaced = true;
        return handle;
      },
    };
    assert.equal(await read('.env', replacing), 'KEY=new');
  });
});
