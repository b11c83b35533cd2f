import assert from 'node:assert/strict';
import { memoryProject } from '../../../support/memory.ts';
import { createImportFinder, nestedLibraries } from '../../../support/nestedLibraries.ts';

/** Where imports lead, each as `from imported`. */
async function findAll(texts: Readonly<Record<string, string>>, imports: readonly string[]) {
  const find = await createImportFinder(memoryProject(texts));
  const found: Record<string, string | undefined> = {};
  for (const each of imports) {
    const [from = '', imported = ''] = each.split(' ');
    found[each] = await find(from, imported);
  }
  return found;
}

describe('remappings of libraries', () => {
  it('count in the library, and in the project where it declares no such name', async () => {
    const expected = {
      'lib/x/src/X.sol @zed/Z.sol': 'lib/x/lib/zeta/code/Z.sol',
      'src/A.sol @zed/Z.sol': 'lib/x/lib/zeta/code/Z.sol',
      'lib/x/src/X.sol @wye/Y.sol': 'lib/x/lib/y/src/Y.sol',
      'lib/x/src/X.sol mine/M.sol': 'lib/mine/code/M.sol',
      'src/A.sol src/A.sol': 'src/A.sol',
      'src/A.sol src/M.sol': undefined,
      'lib/x/src/X.sol only/O.sol': 'lib/only/O.sol',
      'lib/x/src/X.sol @out/A.sol': undefined,
    };
    assert.deepEqual(await findAll(nestedLibraries, Object.keys(expected)), expected);
  });

  it('name libraries in libraries, those in fewer folders first', async () => {
    const expected = {
      'src/A.sol y/Y.sol': 'lib/y/src/Y.sol',
      'lib/x/src/X.sol y/Y.sol': 'lib/y/src/Y.sol',
      'src/A.sol v/V.sol': 'lib/w/dependencies/v/contracts/V.sol',
      'src/A.sol deep/D.sol': 'lib/w/dependencies/deep/src/D.sol',
      'lib/x/lib/y/src/Y.sol deep/D.sol': 'lib/w/dependencies/deep/src/D.sol',
    };
    assert.deepEqual(await findAll(nestedLibraries, Object.keys(expected)), expected);
  });

  it('differ between two libraries', async () => {
    const library = (name: string, version: string) => ({
      [`lib/${name}/remappings.txt`]: `@oz/=lib/oz${version}/\n`,
      [`lib/${name}/src/L.sol`]: 'contract L {}',
      [`lib/${name}/lib/oz${version}/O.sol`]: 'contract O {}',
    });
    const texts = { 'foundry.toml': '', 'src/A.sol': '', ...library('a', '4'), ...library('b', '5') };
    const expected = {
      'lib/a/src/L.sol @oz/O.sol': 'lib/a/lib/oz4/O.sol',
      'lib/b/src/L.sol @oz/O.sol': 'lib/b/lib/oz5/O.sol',
      'src/A.sol @oz/O.sol': 'lib/a/lib/oz4/O.sol',
    };
    assert.deepEqual(await findAll(texts, Object.keys(expected)), expected);
  });

  it('of Hardhat 3 are those of remappings.txt, whose targets may be packages of npm', async () => {
    const texts = {
      'hardhat.config.ts': '',
      'remappings.txt': '@sol/=node_modules/solady/src/\n',
      'contracts/A.sol': '',
      'node_modules/solady/src/S.sol': 'contract S {}',
      'lib/x/remappings.txt': 'dep/=lib/dep/code/\nsrc/:in/=lib/in/\n',
      'lib/x/src/X.sol': '',
      'lib/x/lib/dep/code/D.sol': 'contract D {}',
      'lib/x/lib/in/I.sol': 'contract I {}',
    };
    const expected = {
      'contracts/A.sol @sol/S.sol': 'node_modules/solady/src/S.sol',
      'lib/x/src/X.sol dep/D.sol': 'lib/x/lib/dep/code/D.sol',
      'lib/x/src/X.sol in/I.sol': 'lib/x/lib/in/I.sol',
    };
    assert.deepEqual(await findAll(texts, Object.keys(expected)), expected);
  });

  it('are read of 300 folders at most', async () => {
    const texts: Record<string, string> = { 'foundry.toml': '' };
    for (let number = 0; number < 1_000; number++) texts[`lib/x${number}/remappings.txt`] = `a${number}/=b/`;
    const files = memoryProject(texts);
    let listed = 0;
    const list = (folder: string) => {
      listed++;
      return files.list(folder);
    };
    await createImportFinder({ ...files, list });
    assert.ok(listed <= 302, `${listed}`);
  });
});
