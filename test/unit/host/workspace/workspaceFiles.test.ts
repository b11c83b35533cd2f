import assert from 'node:assert/strict';
import { type Changes, createChangeBatcher, mayHaveChanged } from '../../../../src/host/timing.ts';
import {
  buildOutput,
  dependencies,
  type FileInterest,
  isOfInterest,
} from '../../../../src/host/workspace/fileInterest.ts';
import {
  type Entry,
  MAX_ENTRIES,
  MAX_FILES,
  walkFolders,
} from '../../../../src/host/workspace/walkFolders.ts';
import { createTestClock } from '../../../support/clocks.ts';

const sources: FileInterest = { names: /\.sol$/, skippedFolders: new Set([...buildOutput, ...dependencies]) };
const artifacts: FileInterest = { names: /\.json$/, skippedFolders: new Set(dependencies) };

/** A file system out of the paths of its files. */
function listOf(paths: readonly string[]) {
  return async (folder: string): Promise<readonly Entry<string>[]> => {
    const below = paths
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1));
    const names = new Map(below.map((rest) => [rest.split('/')[0] ?? '', rest.includes('/')]));
    return [...names].map(([name, isFolder]) => ({
      ...{ name, kind: isFolder ? 'folder' : 'file' },
      at: `${folder}/${name}`,
    }));
  };
}

async function walked(
  paths: readonly string[],
  interest: FileInterest,
  signal = new AbortController().signal,
) {
  const walk = walkFolders(['w'], { interest, signal, list: listOf(paths) });
  const files: string[] = [];
  for await (const file of walk) files.push(file);
  return { files, cut: walk.cut };
}

describe('The files of the workspace', () => {
  const paths = [
    ...['w/src/deep/B.sol', 'w/src/A.sol', 'w/Top.sol', 'w/lib/forge/L.sol', 'w/node_modules/p/N.sol'],
    ...['w/out/A.sol/A.json', 'w/artifacts/A.json', 'w/.git/G.sol', 'w/.git/G.json', 'w/Cache/C.sol'],
  ];

  it('are listed breadth first, each user with folders of their own that are left out', async () => {
    assert.deepEqual(await walked(paths, sources), {
      files: ['w/Top.sol', 'w/src/A.sol', 'w/src/deep/B.sol'],
      cut: false,
    });
    assert.deepEqual((await walked(paths, artifacts)).files, ['w/artifacts/A.json', 'w/out/A.sol/A.json']);
  });

  it('are listed 32 folders deep', async () => {
    const deep = (folders: number) => `w/${'d/'.repeat(folders)}A.sol`;
    assert.deepEqual(await walked([deep(31), deep(32)], sources), { files: [deep(31)], cut: true });
  });

  it('are bounded in number, and the cut is told', async () => {
    const many = Array.from({ length: MAX_FILES + 1 }, (_, index) => `w/${index}.sol`);
    const { files, cut } = await walked(many, sources);
    assert.deepEqual([files.length, cut], [MAX_FILES, true]);
    assert.equal((await walked(many.slice(1), sources)).cut, false);
    const crowd = Array.from({ length: MAX_ENTRIES + 1 }, (_, index) => `w/${index}.txt`);
    assert.deepEqual(await walked(crowd, sources), { files: [], cut: true });
  });

  it('are listed no further after an abort', async () => {
    assert.deepEqual((await walked(paths, sources, AbortSignal.abort())).files, []);
  });
});

describe('Changes in the workspace', () => {
  it('concern whoever lists such files, and a folder that comes or goes may hold some', () => {
    assert.ok(isOfInterest(['src', 'A.sol'], 'changed', sources));
    assert.ok(!isOfInterest(['src', 'A.txt'], 'changed', sources));
    assert.ok(!isOfInterest(['lib', 'forge', 'L.sol'], 'changed', sources));
    assert.ok(!isOfInterest(['.git', 'index.lock'], 'created', sources));
    assert.ok(!isOfInterest(['out', 'A.json'], 'created', sources));
    assert.ok(isOfInterest(['out', 'A.json'], 'created', artifacts));
    assert.ok(isOfInterest(['src'], 'deleted', sources));
    assert.ok(!isOfInterest(['node_modules'], 'deleted', sources));
  });

  it('are told together, once those have come that come at once', async () => {
    const clock = createTestClock();
    const told: Changes[] = [];
    const batches = createChangeBatcher(clock, (changes) => told.push(changes));
    for (const name of ['f/a', 'f/b', 'f/a']) batches.add(name);
    assert.deepEqual(told, []);
    await new Promise(setImmediate);
    assert.deepEqual(told, [{ names: new Set(['f/a', 'f/b']), cut: false }]);
    batches.add('f/c');
    await new Promise(setImmediate);
    assert.deepEqual(told[1], { names: new Set(['f/c']), cut: false });
    assert.equal(clock.waits.length, 2);
  });

  it('are told as of everything where there are too many, and not at all after the end', async () => {
    const told: Changes[] = [];
    const batches = createChangeBatcher(createTestClock(), (changes) => told.push(changes));
    for (let index = 0; index < 5_000; index++) batches.add(`f/${index}`);
    await new Promise(setImmediate);
    assert.deepEqual([told[0]?.names.size, told[0]?.cut], [1_000, true]);
    batches.add();
    await new Promise(setImmediate);
    assert.deepEqual(told[1], { names: new Set(), cut: true });
    batches.add('f/a');
    batches.dispose();
    await new Promise(setImmediate);
    assert.equal(told.length, 2);
  });

  it('of a folder are changes of all that is in it', () => {
    const changes = { names: new Set(['file:///w/src', 'file:///w/A.sol']), cut: false };
    assert.ok(mayHaveChanged('file:///w/src/deep/B.sol', changes));
    assert.ok(mayHaveChanged('file:///w/A.sol', changes));
    assert.ok(!mayHaveChanged('file:///w/srcs/B.sol', changes));
    assert.ok(mayHaveChanged('file:///x', { ...changes, cut: true }));
  });
});
