import assert from 'node:assert/strict';
import {
  createProjectIndexer,
  createTimeSlices,
  type FolderEntry,
  type ProjectFiles,
  systemClock,
} from '../../../../../src/core/index.ts';
import { decodeIndex } from '../../../../../src/core/project/indexStore.ts';
import { memoryProject, memoryTextStore } from '../../../../support/memory.ts';
import { readFactsOf } from '../../../../support/projectFacts.ts';

const file = (name: string): FolderEntry => ({ name, kind: 'file' });
const folder = (name: string): FolderEntry => ({ name, kind: 'folder' });

/** A workspace of which every folder has what `entries` says, and every file an event of its own. */
function endless(entries: (folder: string) => readonly FolderEntry[]) {
  const counts = { listed: 0, looks: 0 };
  const files: ProjectFiles = {
    async list(at) {
      counts.listed++;
      return entries(at);
    },
    async stat() {
      counts.looks++;
      return { kind: 'file', size: 10, modified: 1 };
    },
    read: async () => new TextEncoder().encode('event E();'),
  };
  return { files, counts };
}

const addressOf = (nth: number) => `0x${(nth + 1).toString(16).padStart(40, '0')}`;

async function indexed(files: ProjectFiles) {
  const indexer = createProjectIndexer({ files, roots: [''], clock: systemClock });
  await indexer.update('all');
  return indexer;
}

describe('The bounds of the index', () => {
  it('end a folder that has itself in it, and tell it', async () => {
    const { files } = endless(() => [folder('deep'), file('A.sol')]);
    const { index, skipped } = await indexed(files);
    assert.equal(index.contracts.length, 32);
    assert.deepEqual(skipped, [
      { path: Array(32).fill('deep').join('/'), reason: 'It is more than 32 folders deep.' },
    ]);
  });

  it('end folders that branch without end, and tell it', async () => {
    const { files, counts } = endless(() => [folder('a'), folder('b'), folder('c')]);
    const { skipped } = await indexed(files);
    assert.equal(counts.listed, 20_000);
    assert.match(skipped[0]?.reason ?? '', /^Only the first 20,?000 folders are read\.$/);
  });

  it('leave out what is over the entries of a folder, and tell it', async () => {
    const many = Array.from({ length: 20_001 }, (_, nth) => file(`${nth}.png`));
    const { files } = endless((at) => (at === '' ? [...many, file('A.sol')] : []));
    const { index, skipped } = await indexed(files);
    assert.deepEqual([index.contracts, skipped.length, skipped[0]?.path], [[], 1, '']);
  });

  it('look at few of many files that tell nothing', async () => {
    const names = Array.from({ length: 500 }, (_, nth) => file(`${nth}.txt`));
    const folders = Array.from({ length: 99 }, (_, nth) => folder(`f${nth}`));
    const { files, counts } = endless((at) => (at === '' ? [...folders, file('A.sol')] : names));
    const { index } = await indexed(files);
    assert.deepEqual([index.contracts.length, counts], [1, { listed: 100, looks: 1 }]);
  });

  it('are told where a part of a file is left out, in the next session too', async () => {
    const files = memoryProject({
      'foundry.toml': '',
      'broadcast/Deploy.s.sol/1/run-latest.json': broadcastOf(5_001),
      'src/Large.sol': 'event E();\n'.repeat(2_001),
    });
    const kept = { store: memoryTextStore(), version: '1' };
    for (const session of ['first', 'second']) {
      const indexer = createProjectIndexer({ files, roots: [''], clock: systemClock, store: kept });
      await indexer.update('all');
      await indexer.save();
      assert.equal(indexer.index.deployments.length, 5_000, session);
      assert.deepEqual(indexer.skipped, [
        {
          path: 'broadcast/Deploy.s.sol/1/run-latest.json',
          reason: 'Only the first 5000 receipts and 5000 transactions are read.',
        },
        { path: 'src/Large.sol', reason: 'It is too large. Some of it is not read.' },
      ]);
    }
  });

  describe('leave out whole files once the workspace has so much, and tell it', () => {
    const many = (count: number, each: (nth: number) => string) =>
      Array.from({ length: count }, (_, nth) => each(nth)).join();
    const files = (count: number, each: (nth: number) => readonly [path: string, text: string]) =>
      Object.fromEntries(Array.from({ length: count }, (_, nth) => each(nth)));
    const abi = '"abi":[{"type":"event","name":"E","inputs":[]}]';
    const inputs = (nth: number) =>
      many(200, (at) => `{"type":"uint256","name":"${'n'.repeat(60)}${nth}_${at}"}`);
    const full: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
      'The index is full: it has 30000 contracts.': () =>
        files(4, (nth) => [
          `out/${nth}.json`,
          `{"contracts":{"a.sol":{${many(10_000, (each) => `"C${nth}_${each}":{${abi}}`)}}}}`,
        ]),
      'The index is full: it has 100000 deployments.': () =>
        files(11, (nth) => [
          `book${nth}/addresses.json`,
          `{"${nth + 1}":{${many(10_000, (each) => `"n${each}":"${addressOf(100_000 + each)}"`)}}}`,
        ]),
      'The index is full: its text has reached the size limit.': () =>
        files(15, (nth) => [
          `out/${nth}.json`,
          `{"abi":[${many(180, (each) => `{"type":"event","name":"E${nth}_${each}","inputs":[${inputs(each)}]}`)}]}`,
        ]),
      'There are too many imported sources. Some are not read.': () => ({
        ...files(6, (nth) => [
          `src/A${nth}.sol`,
          many(900, (each) => `import "../lib/other/C${nth * 900 + each}.sol";`).replaceAll(',', '\n'),
        ]),
        ...files(5_400, (nth) => [`lib/other/C${nth}.sol`, `event E${nth}();`]),
      }),
    };
    for (const [reason, texts] of Object.entries(full)) {
      it(reason, async () => {
        const { skipped } = await indexed(memoryProject({ 'foundry.toml': '', ...texts() }));
        assert.deepEqual([...new Set(skipped.map((each) => each.reason))], [reason]);
      });
    }
  });

  it('load no index that is larger than what is stored', async () => {
    const kept = { store: memoryTextStore(), version: '1' };
    const options = { files: memoryProject({ 'src/A.sol': 'event E();' }), roots: [''], clock: systemClock };
    const first = createProjectIndexer({ ...options, store: kept });
    await first.update('all');
    await first.save();
    const slices = createTimeSlices(systemClock);
    const read = async () => (await decodeIndex(kept.store.text ?? '', '1', { slices })).size;
    assert.equal(await read(), 1);
    const [head = '', ...lines] = (kept.store.text ?? '').split('\n');
    kept.store.text = [head, ...lines.map((line) => line.padEnd(64 * 1024 * 1024))].join('\n');
    assert.equal(await read(), 0);
  });

  it('leave out a part of the other files too', () => {
    const many = (count: number, each: (nth: number) => unknown) =>
      Array.from({ length: count }, (_, nth) => each(nth));
    const tokens = { tokens: many(20_001, (nth) => ({ chainId: 1, address: addressOf(nth), symbol: 'T' })) };
    const map = {
      1: Object.fromEntries(many(20_001, (nth) => [`Name${nth}`, addressOf(nth)]) as [string, string][]),
    };
    const lines = many(15_001, () => '{}').join('\n');
    for (const [path, content, leftOut] of [
      ['tokens.json', tokens, 'Only the first 20000 tokens are read.'],
      ['deployments/addresses.json', map, 'Only the first 10000 deployments are read.'],
      ['ignition/deployments/chain-1/journal.jsonl', lines, 'Only the first 15000 lines are read.'],
      [
        'addresses.json',
        ' '.repeat(2 * 1024 * 1024) + JSON.stringify(map),
        'It is larger than 2 MiB, the limit of a map of addresses.',
      ],
      ['src/wagmi.ts', ' '.repeat(3 * 1024 * 1024 + 1), 'It is larger than 3 MiB.'],
    ] as const) {
      assert.equal(readFactsOf(path, content).truncation, leftOut, path);
    }
    assert.equal(readFactsOf('tokens.json', { tokens: tokens.tokens.slice(1) }).truncation, undefined);
    assert.equal(
      readFactsOf('data/drop.json', ' '.repeat(2 * 1024 * 1024) + JSON.stringify(map)).truncation,
      undefined,
    );
  });
});

function broadcastOf(count: number): string {
  const each = Array.from({ length: count }, (_, nth) => nth.toString(16).padStart(64, '0'));
  const at = (digits: string) => `0x1${digits.slice(-39)}`;
  return JSON.stringify({
    transactions: each.map((digits) => ({
      hash: `0x${digits}`,
      transactionType: 'CREATE',
      contractAddress: at(digits),
    })),
    receipts: each.map((digits) => ({ transactionHash: `0x${digits}`, status: '0x1', blockNumber: '0x1' })),
  });
}
