import assert from 'node:assert/strict';
import { createChainClient, parseLogFilter } from '../../../../src/core/index.ts';
import { createGrowingChain } from '../../../support/chains.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { followQuery, getLogKey } from '../../../support/logReading.ts';

const PATIENCE = { times: 3, ms: 20_000 };
const filter = parseLogFilter({ address: `0x${'a1'.padStart(40, '0')}`, fromBlock: 0 });

/** Follows a chain of 300 blocks, with a row in every third. */
async function begin(machines: Parameters<typeof createGrowingChain>[0] = {}) {
  const chain = createGrowingChain(machines);
  chain.mine(...Array.from({ length: 300 }, (_, block) => (block % 3 === 0 ? 1 : 0)));
  const clock = createTestClock();
  const client = createChainClient({ url: 'http://chain', fetch: chain.fetch, clock });
  const answer = await followQuery(client, filter, { patience: PATIENCE });
  const look = () => answer.advance(BigInt(chain.head));
  const assertWhole = () => {
    assert.deepEqual(answer.rows.map(getLogKey), chain.keys());
    const { state, toBlock, rows } = answer.follower.verdict;
    assert.deepEqual([state, toBlock, rows], ['complete', BigInt(chain.head), answer.rows.length]);
  };
  return { chain, clock, answer, look, assertWhole };
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
    const { chain, answer, look, assertWhole } = await begin({ behind: () => behind });
    chain.mine(1, 1, 1);
    await look();
    behind = 2;
    chain.mine(1);
    assert.deepEqual(await look(), []);
    assert.equal(answer.follower.verdict.toBlock, BigInt(chain.head - 1));
    assert.equal(answer.follower.behind, true);
    assert.deepEqual(await answer.advance(BigInt(chain.head - 2)), []);
    behind = 0;
    await look();
    assertWhole();
  });

  it('believes that the chain is shorter when nothing else was told for a while', async () => {
    const { chain, clock, answer, look } = await begin();
    chain.mine(1, 1);
    await look();
    chain.reorganise(2);
    await look();
    await look();
    assert.equal(answer.follower.verdict.toBlock, BigInt(chain.head + 2));
    await clock.sleep(20_000);
    await look();
    assert.deepEqual(answer.rows.map(getLogKey), chain.keys());
    assert.equal(answer.follower.verdict.toBlock, BigInt(chain.head));
  });

  it('gives rows of machines that tell no heads when three looks are alike', async () => {
    const { chain, answer, look, assertWhole } = await begin({ oneCall: true });
    const { toBlock } = answer.follower.verdict;
    chain.mine(1, 0);
    await look();
    assert.equal(answer.follower.verdict.toBlock, toBlock);
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
    const { chain, answer, look } = await begin();
    chain.reorganise(280, ...Array.from({ length: 281 }, (_, block) => (block % 5 === 0 ? 1 : 0)));
    await look();
    const { state, reasons } = answer.follower.verdict;
    assert.deepEqual([state, reasons.map(({ code }) => code)], ['uncertain', ['reorg']]);
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
