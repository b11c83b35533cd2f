import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { createChainClient, parseLogFilter } from '../../../../../src/core/index.ts';
import { LogResults } from '../../../../../src/features/logs/results/logResults.ts';
import { createGrowingChain } from '../../../../support/chains.ts';
import { createManualClock, createTestClock } from '../../../../support/clocks.ts';
import { getLogKey } from '../../../../support/logReading.ts';
import { anyNetwork } from '../../../../support/stubs.ts';

const network = anyNetwork(5);
const filter = parseLogFilter({ address: `0x${'a1'.padStart(40, '0')}`, fromBlock: 0 });
const INTERVAL = 10_000;

let opened: LogResults | undefined;

/** An answer of a chain of 200 blocks, with so many rows in each. */
async function begin(rowsEach = 1) {
  let failure: Response | undefined;
  const chain = createGrowingChain({ failure: () => failure?.clone() });
  chain.mine(...Array.from({ length: 200 }, () => rowsEach));
  const client = createChainClient({ url: network.rpcUrl, fetch: chain.fetch, clock: createTestClock() });
  const clock = createManualClock();
  const gained: number[] = [];
  let looks = 0;
  const results = new LogResults({
    ...{ clock, onDidChange: () => undefined, loadAllLimit: () => 100_000 },
    schedule: {
      intervalMs: () => INTERVAL,
      head: async (_network, asked, options) => {
        looks++;
        return (await asked.fetchLatestBlock({ ...options, retries: 0 })).block;
      },
      onRows: (count) => gained.push(count),
    },
  });
  opened = results;
  await results.run(network, client, { filter });
  async function until(holds: () => boolean): Promise<void> {
    for (let left = 2000; !holds(); left--) {
      assert.ok(left > 0, 'It never comes about.');
      await turn();
    }
  }
  async function follow(): Promise<void> {
    results.follow();
    await until(() => results.following?.polledAt !== undefined);
  }
  const isWhole = () =>
    results.verdict?.toBlock === BigInt(chain.head) && results.verdict.state === 'complete';
  const keys = () => results.sequence.slice(0, 1_000_000).map(getLogKey).reverse();
  return {
    ...{ chain, clock, results, gained, until, follow, isWhole, keys },
    looks: () => looks,
    fail: (status: number | undefined) => {
      failure = status === undefined ? undefined : Response.json('No', { status });
    },
  };
}

describe('followed results', () => {
  afterEach(() => opened?.dispose());

  it('load what remains, and go on with the chain from there', async () => {
    const { chain, clock, results, gained, until, isWhole, keys } = await begin(10);
    assert.equal(results.hasMore, true);
    results.follow();
    assert.equal(results.isFollowed, true);
    await until(() => results.following?.isOn === true && isWhole());
    chain.mine(2, 1);
    await clock.pass(INTERVAL);
    await until(isWhole);
    assert.deepEqual(keys(), chain.keys());
    assert.deepEqual(gained, [3]);
    assert.equal(results.following?.freshFrom, 2000);
  });

  it('ask nothing once they are followed no more, and go on from there when they are again', async () => {
    const { chain, clock, results, looks, until, follow, isWhole, keys } = await begin();
    await follow();
    results.unfollow();
    const before = [looks(), chain.asked];
    chain.mine(1);
    await clock.pass(10 * INTERVAL);
    assert.deepEqual([looks(), chain.asked], before);
    assert.equal(results.verdict?.toBlock, BigInt(chain.head - 1));
    results.follow();
    await until(isWhole);
    assert.deepEqual(keys(), chain.keys());
  });

  it('strike rows of a reorg, which go when they are swept, and count those that stand', async () => {
    const { chain, clock, results, until, follow, isWhole, keys } = await begin();
    await follow();
    chain.reorganise(2, 0, 1, 1);
    await clock.pass(INTERVAL);
    await until(isWhole);
    assert.equal(results.sequence.struck.size, 2);
    assert.equal(results.sequence.count, chain.keys().length);
    results.following?.sweep();
    assert.deepEqual(keys(), chain.keys());
  });

  it('try again by themselves after a failure that may pass, and say what it was meanwhile', async () => {
    const { chain, clock, results, until, follow, isWhole, fail } = await begin();
    await follow();
    fail(503);
    chain.mine(1);
    await clock.pass(INTERVAL);
    await until(() => results.error !== undefined);
    assert.equal(results.isFollowed, true);
    fail(undefined);
    await clock.pass(INTERVAL);
    await until(isWhole);
    assert.equal(results.error, undefined);
  });

  it('stop at a failure that someone has to mend, and go on when asked to', async () => {
    const { chain, clock, results, until, follow, isWhole, fail } = await begin();
    await follow();
    fail(401);
    chain.mine(1);
    await clock.pass(INTERVAL);
    await until(() => results.error !== undefined && !results.isFollowed);
    fail(undefined);
    await results.tryAgain();
    assert.equal(results.isFollowed, true);
    await until(isWhole);
  });

  it('are followed no more once their network is not to be asked', async () => {
    const { results, follow } = await begin();
    await follow();
    results.freeze();
    assert.equal(results.isFollowed, false);
    results.follow();
    assert.equal(results.isFollowed, false);
  });
});
