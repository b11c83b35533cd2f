import assert from 'node:assert/strict';
import { type ConfirmationPolicy, createChainClient, parseLogFilter } from '../../../../../src/core/index.ts';
import { type ChainState, createGrowingChain, getRowKeys } from '../../../../support/chains.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { isFullRun } from '../../../../support/fullRun.ts';
import { followQuery, getLogKey } from '../../../../support/logReading.ts';

const filter = parseLogFilter({ address: `0x${'a1'.padStart(40, '0')}`, fromBlock: 0 });
const none = (blocks: number) => Array.from({ length: blocks }, () => 0);

interface Beginning extends NonNullable<Parameters<typeof createGrowingChain>[0]> {
  /** The numbers of the blocks with a row, besides the first; by default every third. */
  readonly rows?: readonly number[];
  readonly patience?: ConfirmationPolicy;
}

/** Follows a chain of 300 blocks. */
async function begin({ rows, patience = { times: 3, ms: 0 }, ...machines }: Beginning = {}) {
  /** The state of the machine that answers next, if it is not the one of the chain. */
  let answers: ((states: readonly ChainState[]) => ChainState | undefined) | undefined;
  const chain = createGrowingChain({ ...machines, stateOf: (states) => answers?.(states) });
  const hasRow = (block: number) => block === 1 || (rows ? rows.includes(block) : block % 3 === 1);
  chain.mine(...Array.from({ length: 299 }, (_, at) => (hasRow(at + 1) ? 1 : 0)));
  const clock = createTestClock();
  const client = createChainClient({ url: 'http://chain', fetch: chain.fetch, clock });
  const followed = await followQuery(client, filter, { patience });
  const { follower } = followed;
  const look = (head = chain.head) => followed.advance(BigInt(head));
  await look();
  return {
    ...{ chain, clock, follower, look, rows: () => followed.rows.map(getLogKey) },
    answerBy: (next: typeof answers) => {
      answers = next;
    },
    assertDoubtsReorg() {
      const { state, reasons } = follower.verdict;
      assert.deepEqual([state, reasons.map(({ code }) => code)], ['uncertain', ['reorg']]);
    },
    assertHonest() {
      const { state, toBlock } = follower.verdict;
      const keys = followed.rows.filter(({ blockNumber }) => blockNumber <= toBlock).map(getLogKey);
      const wasSo = chain.states.some(
        (blocks) => blocks.length > toBlock && getRowKeys(blocks, Number(toBlock)).join() === keys.join(),
      );
      if (state === 'complete') assert.ok(wasSo, `complete to block ${toBlock}`);
    },
    assertWhole() {
      assert.deepEqual(followed.rows.map(getLogKey), chain.keys());
      const { state, toBlock, rows } = follower.verdict;
      assert.deepEqual([state, toBlock, rows], ['complete', BigInt(chain.head), followed.rows.length]);
    },
  };
}

describe('followed query', () => {
  it('asks for logs once a block, and not at all while there is no new one', async () => {
    const { chain, look, assertWhole } = await begin();
    await look();
    const before = chain.asked;
    for (let block = 0; block < 40; block++) {
      chain.mine(block % 2);
      await look();
      await look();
      assertWhole();
    }
    assert.equal(chain.asked - before, 40);
  });

  it('asks once a block also where the last blocks hold many rows', async () => {
    const { chain, look, assertWhole } = await begin();
    for (let block = 0; block < 30; block++) chain.mine(40);
    await look();
    const before = chain.asked;
    for (let block = 0; block < 20; block++) {
      chain.mine(20);
      await look();
    }
    assertWhole();
    assert.equal(chain.asked - before, 20);
  });

  it('takes a reorg in with the next block, whatever it takes back', async () => {
    const { chain, look, assertWhole } = await begin();
    chain.reorganise(4, 2, 0, 0, 0, 1);
    await look();
    assertWhole();
    chain.reorganise(60, ...Array.from({ length: 61 }, () => 0));
    await look();
    assertWhole();
  });

  it('fills a gap of thousands of blocks before it says complete of them', async () => {
    const { chain, look, assertWhole } = await begin({ mostBlocks: 500 });
    chain.mine(...Array.from({ length: 4000 }, (_, block) => block % 2));
    await look();
    assertWhole();
  });

  it('neither lacks nor loses rows by a machine that is behind', async () => {
    let behind = 0;
    const { chain, follower, look, assertWhole } = await begin({ behind: () => behind });
    chain.mine(1, 1, 1);
    await look();
    behind = 2;
    chain.mine(1);
    assert.deepEqual(await look(), []);
    assert.equal(follower.verdict.toBlock, BigInt(chain.head - 1));
    assert.equal(follower.behind, true);
    assert.deepEqual(await look(chain.head - 2), []);
    behind = 0;
    await look();
    assertWhole();
  });

  it('believes that the chain is shorter when nothing else was told for a while', async () => {
    const { chain, clock, follower, look, rows } = await begin({ patience: { times: 3, ms: 20_000 } });
    chain.mine(1, 1);
    await look();
    chain.reorganise(2);
    await look();
    await look();
    assert.equal(follower.verdict.toBlock, BigInt(chain.head + 2));
    await clock.sleep(20_000);
    await look();
    assert.deepEqual(rows(), chain.keys());
    assert.equal(follower.verdict.toBlock, BigInt(chain.head));
  });

  it('gives rows of machines that tell no heads when three looks are alike', async () => {
    const { chain, follower, look, assertWhole } = await begin({ oneCall: true });
    const { toBlock } = follower.verdict;
    chain.mine(1, 0);
    await look();
    assert.equal(follower.verdict.toBlock, toBlock);
    await look();
    await look();
    assertWhole();
  });

  it('reads deeper where nothing that it has looked at again stands as it was', async () => {
    const { chain, look, assertWhole } = await begin();
    chain.reorganise(200, ...Array.from({ length: 201 }, (_, block) => (block % 5 === 0 ? 1 : 0)));
    await look();
    assertWhole();
  });

  it('doubts what has changed below the blocks that are looked at again', async () => {
    const { chain, look, assertDoubtsReorg } = await begin();
    chain.reorganise(280, ...Array.from({ length: 281 }, (_, block) => (block % 5 === 0 ? 1 : 0)));
    await look();
    assertDoubtsReorg();
  });

  it('keeps what it has when a look fails, and goes on with the next', async () => {
    let fails = false;
    const { chain, look, assertWhole } = await begin({
      failure: () => (fails ? Response.json('Bad gateway', { status: 502 }) : undefined),
    });
    fails = true;
    chain.mine(1);
    await assert.rejects(look(), { kind: 'server' });
    fails = false;
    await look();
    assertWhole();
  });
});

describe('log follower after a reorg', () => {
  it('does not mix in rows that a lagging replica of the new chain has in known blocks', async () => {
    const { chain, look, answerBy, assertHonest, assertWhole } = await begin({ rows: [290] });
    chain.reorganise(5, 0, 1, 0, 1, 0, 1);
    answerBy((states) => states.at(-1)?.slice(0, -4));
    for (let again = 0; again < 5; again++) {
      await look();
      assertHonest();
    }
    answerBy(undefined);
    await look();
    assertWhole();
  });

  it('ends at the lower of two heads if the chain becomes shorter twice', async () => {
    const { chain, look, follower, assertHonest, assertWhole } = await begin({
      rows: [290, 296, 299],
      patience: { times: 4, ms: 0 },
    });
    chain.reorganise(2);
    await look();
    await look();
    chain.reorganise(3);
    for (let again = 0; again < 6 && follower.verdict.toBlock > chain.head; again++) {
      await look();
      assertHonest();
    }
    assertWhole();
  });

  for (const headers of [false, true])
    it(`reads a gap on one fork, ${headers ? 'by hashes' : 'by equal responses'}`, async () => {
      let request = 0;
      const { chain, look, answerBy, assertHonest, assertWhole } = await begin({
        rows: [290],
        mostBlocks: 50,
        headers,
      });
      chain.mine(...Array.from({ length: 100 }, (_, block) => (block % 30 === 7 ? 1 : 0)));
      const old = chain.states.at(-1);
      chain.reorganise(95, ...none(60), 1, ...none(38), 1);
      answerBy(() => (++request % 2 === 0 ? old : undefined));
      for (let again = 0; again < 4; again++) {
        await look();
        assertHonest();
      }
      answerBy(undefined);
      chain.mine(0);
      await look();
      assertWhole();
    });

  for (const headers of [false, true])
    for (const [mostBlocks, depth] of [
      [10, 30],
      [50, 60],
      [100, 101],
    ] as const)
      it(`sees one of ${depth} blocks on a server of ${mostBlocks}${headers ? ' with hashes' : ''}`, async () => {
        const row = 304 - depth;
        const { chain, look, assertHonest, assertWhole } = await begin({
          rows: [150, row],
          mostBlocks,
          headers,
        });
        for (let block = 0; block < 3; block++) {
          chain.mine(0);
          await look();
        }
        chain.reorganise(depth, ...none(depth + 1));
        await look();
        assertHonest();
        assertWhole();
      });

  it('is not certain any more when the chain was set back below the blocks that are followed', async () => {
    const { chain, look, assertDoubtsReorg } = await begin({
      rows: [10, 100, 290],
      patience: { times: 1, ms: 0 },
    });
    chain.reorganise(280);
    await look();
    assertDoubtsReorg();
  });

  it('does not join pieces of two forks, whenever the second takes the place of the first', async () => {
    for (let after = 1; after <= 70; after += isFullRun ? 3 : 18) {
      let left = Number.POSITIVE_INFINITY;
      const { chain, look, assertHonest, assertWhole } = await begin({
        rows: [150],
        ...{ oneCall: true, mostBlocks: 10, refusesBeyond: true },
        onRequest() {
          if (left-- === 0) chain.reorganise(26, ...none(26));
        },
      });
      // A fork with a row in the covered blocks, and one in a new block.
      chain.reorganise(25, 1, ...none(24), 1);
      left = after;
      await look();
      assertHonest();
      left = Number.POSITIVE_INFINITY;
      for (let block = 0; block < 8; block++) {
        chain.mine(0);
        await look();
        assertHonest();
      }
      assertWhole();
    }
  });

  it('does not believe one replica of a longer fork, which is abandoned, as the others lack its blocks', async () => {
    const { chain, look, answerBy, assertHonest, assertWhole } = await begin({
      rows: [150],
      ...{ oneCall: true, mostBlocks: 10, refusesBeyond: true },
    });
    chain.mine(...none(70));
    const abandoned = chain.states.at(-1) ?? [];
    chain.reorganise(72, 1, 0, 0, 1, 0);
    await look();
    assertWhole();
    chain.mine(0);
    let requests = 0;
    answerBy(() => (++requests % 4 === 0 ? abandoned : undefined));
    for (let again = 0; again < 4; again++) {
      await look(abandoned.length - 1);
      assertHonest();
    }
    answerBy(undefined);
    chain.mine(...none(80));
    await look();
    assertWhole();
  });

  it('takes one request a block on a server of 10 blocks with hashes, however few rows there are', async () => {
    const { chain, look, assertWhole } = await begin({ rows: [100], mostBlocks: 10, headers: true });
    const before = chain.requests;
    for (let block = 0; block < 40; block++) {
      chain.mine(block === 20 ? 1 : 0);
      await look();
    }
    assertWhole();
    assert.equal(chain.requests - before, 40);
  });
});
