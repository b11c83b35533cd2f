import assert from 'node:assert/strict';
import { createChainClient, parseLogFilter } from '../../../../../src/core/index.ts';
import { type ChainState, createGrowingChain, getRowKeys } from '../../../../support/chains.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import { isFullRun } from '../../../../support/fullRun.ts';
import { followQuery, getLogKey } from '../../../../support/logReading.ts';

const filter = parseLogFilter({ address: `0x${'a1'.padStart(40, '0')}`, fromBlock: 0 });
const none = (blocks: number) => Array.from({ length: blocks }, () => 0);

/** Follows a chain of 300 blocks, of which the first and those given by number have a row. */
async function begin(
  withRows: readonly number[],
  machines: Parameters<typeof createGrowingChain>[0] = {},
  times = 3,
) {
  /** The state of the machine that answers next, if it is not the one of the chain. */
  let answers: ((states: readonly ChainState[]) => ChainState | undefined) | undefined;
  const chain = createGrowingChain({ ...machines, stateOf: (states) => answers?.(states) });
  chain.mine(1, ...Array.from({ length: 298 }, (_, block) => (withRows.includes(block + 2) ? 1 : 0)));
  const client = createChainClient({ url: 'http://chain', fetch: chain.fetch, clock: createTestClock() });
  const followed = await followQuery(client, filter, { patience: { times, ms: 0 } });
  const look = (head = chain.head) => followed.advance(BigInt(head));
  await look();
  return {
    ...{ chain, look, verdict: () => followed.follower.verdict },
    answerBy: (next: typeof answers) => {
      answers = next;
    },
    assertHonest() {
      const { state, toBlock } = followed.follower.verdict;
      const keys = followed.rows.filter(({ blockNumber }) => blockNumber <= toBlock).map(getLogKey);
      const wasSo = chain.states.some(
        (blocks) => blocks.length > toBlock && getRowKeys(blocks, Number(toBlock)).join() === keys.join(),
      );
      if (state === 'complete') assert.ok(wasSo, `complete to block ${toBlock}`);
    },
    assertWhole() {
      assert.deepEqual(followed.rows.map(getLogKey), chain.keys());
      const { state, toBlock, rows } = followed.follower.verdict;
      assert.deepEqual([state, toBlock, rows], ['complete', BigInt(chain.head), followed.rows.length]);
    },
  };
}

describe('log follower after a reorg', () => {
  it('does not mix in rows that a lagging replica of the new chain has in known blocks', async () => {
    const { chain, look, answerBy, assertHonest, assertWhole } = await begin([290]);
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
    const { chain, look, verdict, assertHonest, assertWhole } = await begin([290, 296, 299], {}, 4);
    chain.reorganise(2);
    await look();
    await look();
    chain.reorganise(3);
    for (let again = 0; again < 6 && verdict().toBlock > chain.head; again++) {
      await look();
      assertHonest();
    }
    assertWhole();
  });

  for (const headers of [false, true])
    it(`reads a gap on one fork, ${headers ? 'by hashes' : 'by equal responses'}`, async () => {
      let request = 0;
      const { chain, look, answerBy, assertHonest, assertWhole } = await begin([290], {
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
        const { chain, look, assertHonest, assertWhole } = await begin([150, row], { mostBlocks, headers });
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
    const { chain, look, verdict } = await begin([10, 100, 290], {}, 1);
    chain.reorganise(280);
    await look();
    const { state, reasons } = verdict();
    assert.deepEqual([state, reasons.map(({ code }) => code)], ['uncertain', ['reorg']]);
  });

  it('does not join pieces of two forks, whenever the second takes the place of the first', async () => {
    for (let after = 1; after <= 70; after += isFullRun ? 3 : 9) {
      let left = Number.POSITIVE_INFINITY;
      const { chain, look, assertHonest, assertWhole } = await begin([150], {
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
    const { chain, look, answerBy, assertHonest, assertWhole } = await begin([150], {
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
    const { chain, look, assertWhole } = await begin([100], { mostBlocks: 10, headers: true });
    const before = chain.requests;
    for (let block = 0; block < 40; block++) {
      chain.mine(block === 20 ? 1 : 0);
      await look();
    }
    assertWhole();
    assert.equal(chain.requests - before, 40);
  });
});
