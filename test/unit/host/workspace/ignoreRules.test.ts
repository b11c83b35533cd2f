import assert from 'node:assert/strict';
import {
  compileGlob,
  type FolderFiles,
  readFolderRules,
} from '../../../../src/host/workspace/ignoreRules.ts';

type Folder = Readonly<Record<string, string>>;

/** What is left out of these paths; a folder ends with a slash, and files with rules are in `texts` by their paths. */
async function leftOut(
  paths: readonly string[],
  texts: Folder,
  { excluded = [], useIgnoreFiles = true }: { excluded?: readonly string[]; useIgnoreFiles?: boolean } = {},
): Promise<readonly string[]> {
  const filesOf = (folder: string): FolderFiles => ({
    has: (name) => `${folder}${name}` in texts,
    read: async (name) => texts[`${folder}${name}`] ?? assert.fail(name),
  });
  const tests = excluded.flatMap((pattern) => compileGlob(pattern) ?? []);
  const options = { excluded: (path: readonly string[]) => tests.some((test) => test(path)), useIgnoreFiles };
  const found: string[] = [];
  for (const path of paths) {
    let rules = await readFolderRules(filesOf(''), options);
    const names = path.split('/').filter(Boolean);
    for (const [index, name] of names.entries()) {
      const isFolder = index < names.length - 1 || path.endsWith('/');
      if (rules.ignores(name, isFolder)) {
        found.push(path);
        break;
      }
      if (isFolder) rules = await rules.within(name, filesOf(`${names.slice(0, index + 1).join('/')}/`));
    }
  }
  return found;
}

describe('what is left out of the workspace', () => {
  const paths = ['a.sol', 'gen/b.sol', 'src/gen/c.sol', 'src/keep.sol', 'src/d.tmp', 'vendor/v.sol'];

  it('is what .gitignore says, at any depth or from its folder on', async () => {
    assert.deepEqual(await leftOut(paths, { '.gitignore': 'gen\n*.tmp  \n# vendor\n' }), [
      'gen/b.sol',
      'src/gen/c.sol',
      'src/d.tmp',
    ]);
    assert.deepEqual(await leftOut(paths, { '.gitignore': '/gen/\r\nsrc/*.tmp\r\n' }), [
      'gen/b.sol',
      'src/d.tmp',
    ]);
    assert.deepEqual(await leftOut(['gen', 'x/gen/'], { '.gitignore': 'gen/' }), ['x/gen/']);
  });

  it('is taken in again by a later line, or by a .gitignore further down', async () => {
    const texts = { '.gitignore': '*.sol\n!keep.sol\n', 'vendor/.gitignore': '!v.sol\n' };
    assert.deepEqual(await leftOut(paths, texts), ['a.sol', 'gen/b.sol', 'src/gen/c.sol']);
    // Not out of a folder that is left out itself.
    const folder = { '.gitignore': 'src/\n!src/keep.sol\n' };
    assert.deepEqual(await leftOut(['src/keep.sol'], folder), ['src/keep.sol']);
    assert.deepEqual(await leftOut(['src/keep.sol', 'src/x'], { '.gitignore': 'src/**\n!src/keep.sol\n' }), [
      'src/x',
    ]);
  });

  it('is not what .gitignore says where the editor does not look at it', async () => {
    assert.deepEqual(await leftOut(paths, { '.gitignore': '*' }, { useIgnoreFiles: false }), []);
  });

  it('is what settings exclude', async () => {
    const excluded = ['**/gen', 'src/{d,e}.tmp'];
    assert.deepEqual(await leftOut(paths, {}, { excluded }), ['gen/b.sol', 'src/gen/c.sol', 'src/d.tmp']);
  });

  it('is the libraries that foundry.toml names, from its folder on', async () => {
    const toml = '[profile.default]\nlibs = ["vendor", "deps/forge"]\n';
    const all = [
      'vendor/v.sol',
      'deps/forge/a.sol',
      'deps/own.sol',
      'packages/p/vendor/x.sol',
      'packages/vendor/y.sol',
    ];
    assert.deepEqual(await leftOut(all, { 'foundry.toml': toml }), ['vendor/v.sol', 'deps/forge/a.sol']);
    assert.deepEqual(await leftOut(all, { 'packages/p/foundry.toml': toml }), ['packages/p/vendor/x.sol']);
    assert.deepEqual(await leftOut(['lib/a.sol', 'sub/lib/b.sol'], { 'foundry.toml': '' }), ['lib/a.sol']);
  });

  it('is nothing that a broken file could ask for', async () => {
    assert.deepEqual(await leftOut(paths, { '.gitignore': '[\n\\\n!\n/\n**\\', 'foundry.toml': '[[[' }), []);
  });
});

function meant(pattern: string, paths: readonly string[]): readonly string[] {
  const test = compileGlob(pattern) ?? assert.fail(pattern);
  return paths.filter((path) => test(path.split('/')));
}

describe('globs of paths', () => {
  const paths = ['a', 'a/b', 'a/b/c.sol', 'x/a/b', 'ab', 'a.json', 'é.json'];
  for (const [pattern, expected] of [
    ['a', ['a']],
    ['a/*', ['a/b']],
    ['a/**', ['a', 'a/b', 'a/b/c.sol']],
    ['**/b', ['a/b', 'x/a/b']],
    ['**/*.sol', ['a/b/c.sol']],
    ['a?', ['ab']],
    ['?.json', ['a.json', 'é.json']],
    ['[!a].json', ['é.json']],
    ['[a-c]*', ['a', 'ab', 'a.json']],
    ['{a,x/**}/b', ['a/b', 'x/a/b']],
    ['{a{b,c},**/c}.{sol,json}', ['a/b/c.sol']],
    ['a\\*', []],
    ['{a', []],
    ['*/*/*/**/*/**', []],
    ['**/**/b/**', ['a/b', 'a/b/c.sol', 'x/a/b']],
  ] as const) {
    it(`as ${pattern}`, () => assert.deepEqual(meant(pattern, paths), expected));
  }

  it('are left out where matching them could take long', () => {
    const name = 'a'.repeat(255);
    for (const pattern of ['[a', '*a'.repeat(400), '{*a,b}'.repeat(9), '{{{a}}}', 'a'.repeat(1001)]) {
      assert.equal(compileGlob(`${pattern}b`), undefined, pattern.slice(0, 20));
    }
    // No regular expression in disguise.
    for (const pattern of ['(a+)+b', '+(a|a)b', '(a|a)*b', '@(a|aa)+b', '!(a)b']) {
      assert.equal(compileGlob(pattern)?.([name]), false, pattern);
      assert.equal(compileGlob(pattern)?.([pattern]), true, pattern);
    }
  });

  it('are left out of a .gitignore likewise, and its other lines hold', async () => {
    const texts = { '.gitignore': `${'*a'.repeat(400)}b\n(a+)+b\n*.tmp\n` };
    assert.deepEqual(await leftOut(['a'.repeat(255), '(a+)+b', 'x.tmp'], texts), ['(a+)+b', 'x.tmp']);
  });

  it('read each name of a path at most once for each name of the pattern', () => {
    for (const pattern of ['a/**/a/**/a/**/b', '**/a/**/b', '**/*a*/**/b', `${'**/a/'.repeat(90)}b`]) {
      let reads = 0;
      const path = new Proxy(
        Array.from({ length: 150 }, () => 'a'),
        {
          get: (names, name) => {
            if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
            return Reflect.get(names, name);
          },
        },
      );
      assert.equal(compileGlob(pattern)?.(path), false);
      assert.ok(reads <= pattern.split('/').length * path.length, `${pattern}: ${reads} reads`);
    }
  });

  it('have up to a hundred alternatives in braces', () => {
    const list = Array.from({ length: 100 }, (_, index) => index);
    assert.equal(compileGlob(`{${list}}`)?.(['99']), true);
    assert.equal(compileGlob(`{${list},100}`), undefined);
    assert.equal(compileGlob('{a,b}'.repeat(7)), undefined);
    assert.equal(compileGlob('{'.repeat(499) + '}'.repeat(499)), undefined);
  });

  it('count in all .gitignore files that apply to a folder', async () => {
    const line = `${'x'.repeat(999)}\n`;
    const texts = {
      '.gitignore': line.repeat(60),
      'a/.gitignore': line.repeat(10),
      'a/b/.gitignore': '*.tmp\n',
    };
    assert.deepEqual(await leftOut(['a/b/c.tmp'], texts), []);
    assert.deepEqual(await leftOut(['a/b/c.tmp'], { ...texts, '.gitignore': '' }), ['a/b/c.tmp']);
  });
});
