import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Address,
  type ComparableRun,
  compareLogs,
  compareRuns,
  createLogStore,
  type Hex,
  type Log,
} from '../../../../../src/core/index.ts';

const ADDRESS: Address = `0x${'5f'.repeat(20)}`;
const hash = (text: string): Hex => `0x${Buffer.from(text).toString('hex').padStart(64, '0')}`;

/** A row of a block of one of two branches of a chain: blocks from a reorganisation on have other hashes. */
function logAt(block: number, index: number, { branch = 'a', data = '0x01' } = {}): Log {
  return {
    ...{ address: ADDRESS, blockNumber: BigInt(block), blockHash: hash(`${branch}${block}`) },
    ...{ data: data as Hex, logIndex: index, topics: [hash('event')] },
    ...{ transactionHash: hash(`tx${branch}${block}`), transactionIndex: 0 },
  };
}

function runOf(logs: readonly Log[], verdict: Partial<ComparableRun['verdict']> = {}): ComparableRun {
  const { order = 'oldestFirst' } = verdict;
  const sorted = logs.toSorted(compareLogs);
  const rows = createLogStore();
  rows.append(order === 'oldestFirst' ? sorted : sorted.reverse());
  return {
    rows,
    verdict: { state: 'complete', reasons: [], fromBlock: 0n, toBlock: 100n, order, ...verdict },
  };
}

const places = (rows: readonly Log[]) =>
  rows.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`);

describe('runs of one query', () => {
  it('are the same where they give the same, in whichever order each was read', async () => {
    const logs = [logAt(3, 0), logAt(3, 1), logAt(9, 4)];
    const found = await compareRuns(runOf(logs, { order: 'newestFirst' }), runOf(logs));
    assert.deepEqual([found.state, found.alike, found.newer.count, found.replaced], ['same', 3, 0, 0]);
  });

  it('differ not by the rows of blocks that one of them did not ask for', async () => {
    const before = runOf([logAt(2, 0), logAt(20, 0), logAt(30, 0)], { fromBlock: 0n, toBlock: 30n });
    const now = runOf([logAt(20, 0), logAt(30, 0), logAt(31, 0), logAt(40, 2)], {
      fromBlock: 10n,
      toBlock: 50n,
    });
    const found = await compareRuns(now, before);
    assert.equal(found.state, 'same');
    assert.deepEqual([found.fromBlock, found.toBlock, found.alike], [10n, 30n, 2]);
    assert.deepEqual(places(found.newer.rows), ['31:0', '40:2']);
    assert.deepEqual(places(found.left.rows), ['2:0']);
    const back = await compareRuns(before, now);
    assert.deepEqual(places(back.older.rows), ['2:0']);
    assert.deepEqual(places(back.left.rows), ['31:0', '40:2']);
  });

  it('tell rows of replaced blocks from rows that the server gives otherwise, by the blocks of the others', async () => {
    const before = [logAt(5, 0), logAt(6, 0), logAt(7, 0), logAt(8, 0), logAt(9, 0)];
    // Row 5 is lost, as 6 is still there; from 8 on the blocks are others.
    const now = [logAt(6, 0), logAt(7, 0), logAt(8, 0, { branch: 'b' }), logAt(10, 0, { branch: 'b' })];
    const found = await compareRuns(runOf(now), runOf(before));
    assert.deepEqual([found.onlyHere, found.onlyThere, found.different], [1, 2, 1]);
    assert.deepEqual([found.replaced, found.unmoved], [3, 1]);
  });

  it('ask about the fewest blocks where the rows leave it open', async () => {
    const before = [5, 6, 7, 8, 9, 10, 11, 12].map((block) => logAt(block, 0));
    const asked: bigint[] = [];
    const hashNow = async (block: bigint) => {
      asked.push(block);
      return hash(`${block >= 9n ? 'b' : 'a'}${block}`);
    };
    const found = await compareRuns(runOf([]), runOf(before), { blockHash: hashNow });
    assert.deepEqual([found.onlyThere, found.replaced, found.unmoved], [8, 4, 4]);
    assert.ok(asked.length <= 4, String(asked));
    const untold = await compareRuns(runOf([]), runOf(before), { blockHash: async () => undefined });
    assert.deepEqual([untold.onlyThere, untold.replaced, untold.unmoved], [8, 0, 0]);
  });

  it('claim nothing of the cause where the hashes are those of no chain', async () => {
    const before = [logAt(5, 0), logAt(6, 0), logAt(7, 0)];
    const now = [logAt(5, 0, { branch: 'b' }), logAt(6, 0)];
    const found = await compareRuns(runOf(now), runOf(before));
    assert.deepEqual([found.state, found.replaced, found.unmoved], ['differ', 0, 0]);
  });

  for (const [side, reason] of [
    ['here', 'notWholeHere'],
    ['there', 'notWholeThere'],
  ] as const) {
    for (const state of ['more', 'uncertain'] as const) {
      it(`claim nothing where the one ${side} is ${state}`, async () => {
        const [whole, part] = [runOf([logAt(5, 0)]), runOf([], { state })];
        const found = await (side === 'here' ? compareRuns(part, whole) : compareRuns(whole, part));
        assert.deepEqual(
          [found.state, found.reason, found.rows, found.newer.count],
          ['unknown', reason, [], 0],
        );
      });
    }
  }

  it('claim nothing where they have no block in common', async () => {
    const found = await compareRuns(runOf([], { fromBlock: 60n }), runOf([], { toBlock: 59n }));
    assert.deepEqual([found.state, found.reason], ['unknown', 'nothingCommon']);
  });

  it('keep the first rows of each kind, and count all', async () => {
    const many = Array.from({ length: 250 }, (_, index) => logAt(50, index));
    const found = await compareRuns(runOf(many), runOf([]), { mostRows: 10 });
    assert.deepEqual([found.onlyHere, found.rows.length], [250, 10]);
    const newer = await compareRuns(runOf(many), runOf([], { toBlock: 49n }), { mostRows: 10 });
    assert.deepEqual([newer.state, newer.newer.count, newer.newer.rows.length], ['same', 250, 10]);
  });

  it('count every row once, whatever was lost, replaced and added, and never blame the wrong one', async () => {
    const chain = fc.record({
      blocks: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 }),
      /** First block that is replaced between the runs. */
      fork: fc.integer({ min: 0, max: 80 }),
      lost: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 5 }),
      grown: fc.integer({ min: 0, max: 20 }),
      from: fc.tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 10 })),
    });
    await fc.assert(
      fc.asyncProperty(chain, async ({ blocks, fork, lost, grown, from }) => {
        const [fromThen, fromNow] = from;
        const [toThen, toNow] = [50, 50 + grown];
        const branchOf = (block: number) => ({ branch: block >= fork ? 'b' : 'a' });
        const then = blocks
          .filter((block) => block >= fromThen && block <= toThen)
          .map((block) => logAt(block, 0));
        const now = blocks
          .filter((block) => block >= fromNow && block <= toNow && !lost.includes(block))
          .map((block) => logAt(block, 0, branchOf(block)));
        const found = await compareRuns(
          runOf(now, { fromBlock: BigInt(fromNow), toBlock: BigInt(toNow) }),
          runOf(then, { fromBlock: BigInt(fromThen), toBlock: BigInt(toThen), order: 'newestFirst' }),
          { blockHash: async (block) => hash(`${branchOf(Number(block)).branch}${block}`) },
        );
        const { alike, onlyHere, onlyThere, different, newer, older, left } = found;
        assert.equal(alike + onlyHere + different + newer.count + older.count, now.length);
        assert.equal(alike + onlyThere + different + left.count, then.length);
        const apart = onlyHere + onlyThere + different;
        assert.equal(found.state, apart === 0 ? 'same' : 'differ');
        const common = (block: number) => block >= Math.max(fromThen, fromNow) && block <= toThen;
        const gone = then.filter(
          (log) => common(Number(log.blockNumber)) && lost.includes(Number(log.blockNumber)),
        );
        const unmoved = gone.filter(({ blockNumber }) => Number(blockNumber) < fork);
        assert.equal(found.unmoved, unmoved.length);
        assert.equal(found.replaced, apart - unmoved.length);
      }),
    );
  });
});
