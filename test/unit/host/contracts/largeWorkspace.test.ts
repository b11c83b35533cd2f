import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { type Clock, createProjectIndexer, systemClock } from '../../../../src/core/index.ts';
import {
  createWorkspaceProjectFiles,
  createWorkspaceRoots,
} from '../../../../src/host/contracts/indexedWorkspace.ts';
import { isFullRun } from '../../../support/fullRun.ts';

/** So many times fewer files are in each folder that is not over the limit. */
const FEWER = isFullRun ? 1 : 50;
/** Folders in one another that are listed. */
const MAX_DEPTH = 32;
/** Turns between two of the others; a slice is eight milliseconds, and the clock of these tests one a look. */
const MAX_LOOKUPS = 24;

const paid = JSON.stringify([{ type: 'event', name: 'Paid', inputs: [], anonymous: false }]);

describe('a workspace of many files and of links in circles', () => {
  let folder: string;
  let written = 0;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'chainside-large-'));
    writeFileSync(join(folder, 'foundry.toml'), '[profile.default]\n');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** So many files with one content, in folders of 500: links to one file, which are made quickly. */
  function fill(path: string, count: number, { extension, text }: { extension: string; text: string }): void {
    const first = join(folder, `first${written}${extension}.seed`);
    writeFileSync(first, text);
    for (let nth = 0; nth < count; nth++) {
      const place = join(folder, path, `part${Math.floor(nth / 500)}`);
      if (nth % 500 === 0) mkdirSync(place, { recursive: true });
      linkSync(first, join(place, `File${nth}${extension}`));
    }
    written += count + 1;
  }

  async function indexed() {
    const folders = [{ uri: Uri.file(folder), name: 'large', index: 0 }];
    const { clock, longest } = countingClock();
    let looked = 0;
    const indexer = createProjectIndexer({
      files: createWorkspaceProjectFiles(createWorkspaceRoots(folders)),
      ...{ roots: [''], clock },
      onProgress: (count) => (looked = count),
    });
    const others = otherWork(clock.turn);
    await indexer.update('all');
    const turns = others.end();
    return { indexer, looked, turns, longest: longest() };
  }

  it('has its artifact found, while others have their turns, and says what it leaves out', async () => {
    fill('node_modules/package', 12_000 / FEWER, { extension: '.json', text: paid });
    fill('web', 11_000 / FEWER, { extension: '.md', text: '# Nothing\n' });
    fill('data', 4_000 / FEWER, { extension: '.json', text: '{"rows":[1,2,3]}\n' });
    fill('src', 3_000 / FEWER, { extension: '.sol', text: '// nothing yet\n' });
    mkdirSync(join(folder, 'out', 'Shop.sol'), { recursive: true });
    const settings = { compilationTarget: { 'src/Shop.sol': 'Shop' } };
    const artifact = { abi: JSON.parse(paid), metadata: { settings } };
    writeFileSync(join(folder, 'out', 'Shop.sol', 'Shop.json'), JSON.stringify(artifact));
    mkdirSync(join(folder, ...Array.from({ length: MAX_DEPTH + 3 }, () => 'deep')), { recursive: true });
    circle();
    assert.ok(written >= 30_000 / FEWER);

    const { indexer, looked, turns, longest } = await indexed();
    assert.deepEqual(
      indexer.index.contracts.map(({ name, abi }) => [name, ...abi]),
      [['Shop', 'event Paid()']],
    );
    assert.deepEqual(
      indexer.skipped.map(({ path, reason }) => [path, reason.replace(/\d+/, 'N')]),
      [
        [Array(MAX_DEPTH).fill('deep').join('/'), 'It is more than N folders deep.'],
        ['out/Link.json', 'It is a symbolic link or no ordinary file. Links are not followed.'],
      ],
    );
    assert.ok(looked >= 7_000 / FEWER && looked < 8_000 / FEWER, `${looked} files looked at`);
    assert.ok(turns > looked / MAX_LOOKUPS, `${turns} turns of others`);
    assert.ok(longest <= MAX_LOOKUPS, `${longest} looks at the clock without a turn of others`);
  });

  it('has links that the index does not follow', async () => {
    const { indexer } = await indexed();
    assert.deepEqual(
      indexer.index.contracts.map(({ artifact }) => artifact),
      ['out/Shop.sol/Shop.json'],
    );
  });

  /** Links that lead to themselves, to each other, to what they are in, and out. */
  function circle(): void {
    symlinkSync('self', join(folder, 'self'));
    symlinkSync('pong', join(folder, 'ping'));
    symlinkSync('ping', join(folder, 'pong'));
    for (const name of ['up', 'again', 'more']) symlinkSync(folder, join(folder, 'src', name), 'dir');
    symlinkSync(join(folder, 'out'), join(folder, 'out', 'Shop.sol', 'loop'), 'dir');
    symlinkSync(join(folder, 'out', 'Shop.sol', 'Shop.json'), join(folder, 'out', 'Link.json'));
    symlinkSync(tmpdir(), join(folder, 'outside'), 'dir');
  }
});

/** Of which each look takes a millisecond: how much is done in one piece does not depend on the machine. */
function countingClock() {
  let time = 0;
  let lastTurn = 0;
  let longest = 0;
  const clock: Clock & { turn(): void } = {
    ...systemClock,
    elapsed() {
      time++;
      longest = Math.max(longest, time - lastTurn);
      return time;
    },
    turn: () => (lastTurn = time),
  };
  return { clock, longest: () => longest };
}

/** Work beside the index, which wants to go on as soon as it may. */
function otherWork(turn: () => void) {
  let turns = 0;
  let isOver = false;
  const next = () => {
    turns++;
    turn();
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  return {
    end() {
      isOver = true;
      return turns;
    },
  };
}
