import assert from 'node:assert/strict';
import { createTimeSlices } from '../../../../src/core/base/timeSlices.ts';
import { createProjectIndexer, parseLayout, systemClock } from '../../../../src/core/index.ts';
import { createImportFinder } from '../../../../src/core/project/importFinder.ts';
import { createImportSearch } from '../../../../src/core/project/source/importResolver.ts';
import { memoryProject } from '../../../support/memory.ts';

const manyLibs = (count: number, start = 'l') =>
  Array.from({ length: count }, (_, at) => `"${start}${at}"`).join(', ');

/** Indexes these files, and notes which folders are listed. */
async function index(texts: Readonly<Record<string, string>>) {
  const files = memoryProject(texts);
  const listed: string[] = [];
  const made = createProjectIndexer({
    files: {
      ...files,
      list(folder) {
        listed.push(folder);
        return files.list(folder);
      },
    },
    roots: [''],
    clock: systemClock,
  });
  await made.update('all');
  const reasons = new Map(made.skipped.map(({ path, reason }) => [path, reason]));
  return { made, files, listed, reasons };
}

describe('The imports of an index', () => {
  const deep = Array.from({ length: 12 }, (_, at) => `d${at}`).join('/');

  it('cost no listing of a folder that does not exist, however many libraries are named', async () => {
    const imports = Array.from({ length: 5 }, (_, at) => `import "x${at}/Y.sol";`).join('\n');
    const { listed, reasons } = await index({
      'foundry.toml': `[profile.default]\nlibs = [${manyLibs(1_000)}]`,
      [`src/${deep}/A.sol`]: `${imports}\ncontract A { event Paid(); }`,
    });
    assert.ok(listed.length < 40, `${listed.length}`);
    assert.match(
      reasons.get('foundry.toml') ?? '',
      /^It names more than 50 folders for libs\. .* Name fewer\.$/,
    );
    assert.match(reasons.get(`src/${deep}/A.sol`) ?? '', /^Import not found: x0\/Y\.sol, /);
  });

  it('list each folder once, whatever is imported from it', async () => {
    const source = (at: number) =>
      `import "lib${at}/Base.sol";\nimport "lib0/None${at}.sol";\ncontract A${at} is Base${at} {}`;
    const sources = Array.from({ length: 10 }, (_, at) => [`src/A${at}.sol`, source(at)]);
    const bases = Array.from({ length: 10 }, (_, at) => [
      `lib/lib${at}/src/Base.sol`,
      `contract Base${at} { event Paid${at}(); }`,
    ]);
    const { listed, made } = await index(Object.fromEntries([['foundry.toml', ''], ...sources, ...bases]));
    const ofImports = listed.slice(listed.lastIndexOf('') + 1).filter((folder) => folder.endsWith('/src'));
    assert.deepEqual([ofImports.length, new Set(ofImports).size], [10, 10]);
    assert.equal(made.skippedCount, 10);
    assert.equal(made.index.counts.contracts, 10);
  });

  it('are looked for again once the file of one is gone', async () => {
    const { made, files } = await index({
      'foundry.toml': '',
      'src/A.sol': 'import "x/Base.sol";\ncontract A is Base {}',
      'lib/x/src/Base.sol': 'contract Base { event Before(); }',
    });
    const items = () => JSON.stringify(made.index.contracts.find(({ name }) => name === 'A'));
    const before = items();
    files.write('lib/x/src/Base.sol', undefined);
    files.write('node_modules/x/Base.sol', 'contract Base { event After(); }');
    await made.update(['lib/x/src/Base.sol']);
    assert.notEqual(items(), before);
    assert.match(items() ?? '', /After/);
  });

  it('end where they import one another, and are looked for once each in a file', async () => {
    const circle = (at: number) => `import "./F${(at + 1) % 50}.sol";\n`.repeat(40);
    const files = Array.from({ length: 50 }, (_, at) => [
      `src/F${at}.sol`,
      `${circle(at)}contract C${at} {}`,
    ]);
    const { made } = await index(Object.fromEntries([['foundry.toml', ''], ...files]));
    assert.deepEqual([made.index.counts.contracts, made.skippedCount], [50, 0]);
  });

  it('are followed from a source as far as 20,000 of them lead, and what is left out is said', async () => {
    const circle = Array.from({ length: 142 }, (_, at) => `import "./F${at}.sol";`).join('');
    const files = Array.from({ length: 142 }, (_, at) => [
      `lib/x/src/F${at}.sol`,
      `${circle}contract C${at} { event E${at}(); }`,
    ]);
    const source = 'import "x/F0.sol";\nimport "x/F141.sol";\ncontract A is C0, C141 {}';
    const { made, reasons } = await index(
      Object.fromEntries([['foundry.toml', ''], ...files, ['src/A.sol', source]]),
    );
    assert.match(reasons.get('') ?? '', /^Some sources import too much\./);
    assert.match(JSON.stringify(made.index.contracts.find(({ name }) => name === 'A')), /E141/);
  });

  it('are looked for until what an update may search is used up', async () => {
    const projects = new Map([['', { folder: '', layout: parseLayout({}) }]]);
    const files = memoryProject({ 'src/B.sol': '', 'lib/x/src/Y.sol': '' });
    const options = { files, roots: [''], projects, slices: createTimeSlices(systemClock) };
    const finder = createImportFinder({ ...options, maxPlaceChars: 600 });
    const find = (imported: string) => finder.find('src/A.sol', imported, () => false);
    assert.deepEqual(
      [await find('./B.sol'), await find('x/Y.sol'), finder.isCut],
      ['src/B.sol', 'lib/x/src/Y.sol', false],
    );
    assert.deepEqual([await find('lost/Y.sol'), finder.isCut], [undefined, true]);
    assert.equal(await find('x/Y.sol'), undefined);
  });
});

describe('The places of an import', () => {
  it('are 500 at most, each once, the best first', () => {
    const libs = Array.from({ length: 1_000 }, (_, at) => `lib${at}`);
    const search = createImportSearch({
      remappings: [{ context: undefined, prefix: '@x/', target: 'first' }],
      libs,
    });
    const places = [...search(`${'d/'.repeat(14)}A.sol`, '@x/y/Z.sol')];
    assert.ok(places.length > 100 && places.length <= 500, `${places.length}`);
    assert.deepEqual([places[0], new Set(places).size], ['first/y/Z.sol', places.length]);
    for (const imported of ['a/../../../x', '..', '', '/', `${'../'.repeat(300)}x`])
      assert.ok(
        [...search('A.sol', imported)].every((place) => !/(?:^|\/)\.{0,2}(?:\/|$)/.test(place)),
        imported,
      );
  });
});

describe('The folders of a layout', () => {
  it('are 50 of a kind at most, with those of the tools, and what is left out is said', () => {
    const profile = (at: number) =>
      `[profile.p${at}]\nlibs = [${manyLibs(1_000, `p${at}x`)}]\nsrc = [${manyLibs(20, `s${at}x`)}]`;
    const foundryToml = Array.from({ length: 15 }, (_, at) => profile(at)).join('\n');
    const { libs, src, out, limit } = parseLayout({ foundryToml, hardhat: true });
    assert.deepEqual([libs.length, src.length, out], [50, 50, ['out', 'artifacts']]);
    assert.ok(['lib', 'node_modules'].every((folder) => libs.includes(folder)));
    assert.ok(src.includes('src') && src.includes('contracts'));
    assert.match(limit ?? '', /more than 50 folders for src, libs\./);
    assert.equal(parseLayout({ foundryToml: '' }).limit, undefined);
  });
});
