import assert from 'node:assert/strict';
import {
  AppError,
  fetchNftHistory,
  type Log,
  type LogPage,
  MAX_TRANSFERS,
  type NftHistory,
  type NftProvider,
} from '../../../../src/core/index.ts';
import {
  badgeMoved,
  chainOf,
  clock,
  collectAll,
  completeVerdict,
  itemMoved,
  moreVerdict,
  nftRequest,
} from '../../../support/nftLogs.ts';

const refusing = (error: AppError) =>
  ({ offers: { nftTransfers: 'free' }, nftTransfers: () => Promise.reject(error) }) as unknown as NftProvider;

describe('NFT history', () => {
  it('names its source before it asks the chain, and grows newest first', async () => {
    const chain = chainOf(
      [
        { logs: [badgeMoved(5)], verdict: moreVerdict },
        { logs: [], verdict: moreVerdict },
        { logs: [badgeMoved(7)], verdict: completeVerdict },
      ],
      [{ logs: [itemMoved(6, 17)], verdict: completeVerdict }],
    );
    const steps = await collectAll(fetchNftHistory({ source: 'noSource', chain }, nftRequest, { clock }));
    assert.deepEqual(
      steps.map(({ transfers }) => transfers.map(({ blockNumber }) => blockNumber)),
      [[], [5n], [5n], [7n, 5n], [7n, 6n, 5n]],
    );
    const [first] = steps;
    assert.ok(first?.from === 'logs');
    assert.deepEqual([first.verdict, first.whyNoSource], [undefined, { reason: 'noSource' }]);
  });

  it('grows by one transfer a page as fast at its end as at its beginning', async () => {
    const pages = (logOf: (block: number) => Log) =>
      Array.from({ length: MAX_TRANSFERS / 2 }, (_, block) => ({
        logs: [logOf(block)],
        verdict: completeVerdict,
      }));
    const chain = chainOf(
      pages(badgeMoved),
      pages((block) => itemMoved(block, 17)),
    );
    let last: NftHistory | undefined;
    for await (const step of fetchNftHistory({ source: 'noSource', chain }, nftRequest, { clock }))
      last = step;
    assert.equal(last?.count, MAX_TRANSFERS);
    const shown = last.transfers.map(({ blockNumber }) => Number(blockNumber));
    const newest = MAX_TRANSFERS / 2 - 1;
    assert.deepEqual(shown.slice(0, 4), [newest, newest, newest - 1, newest - 1]);
    assert.ok(shown.every((block, row) => row === 0 || block <= (shown[row - 1] ?? 0)));
  });

  it('is in each step what it was then, and the same list while nothing comes', async () => {
    const page = (...logs: readonly Log[]): LogPage => ({ logs, verdict: completeVerdict });
    const chain = chainOf([page(badgeMoved(5)), page(), page(badgeMoved(6))]);
    const steps = await collectAll(fetchNftHistory({ source: 'noSource', chain }, nftRequest, { clock }));
    assert.deepEqual(
      steps.map(({ count, transfers }) => [count, transfers.length]),
      [
        [0, 0],
        [1, 1],
        [1, 1],
        [2, 2],
      ],
    );
    assert.equal(steps[2]?.transfers, steps[1]?.transfers);
  });

  it('says that it ends early', async () => {
    const logs = Array.from({ length: MAX_TRANSFERS + 1 }, (_, block) => badgeMoved(block));
    const chain = chainOf(
      [{ logs, verdict: completeVerdict }],
      [{ logs: [itemMoved(7, 17)], verdict: completeVerdict }],
    );
    const last = (await collectAll(fetchNftHistory({ source: 'noSource', chain }, nftRequest, { clock }))).at(
      -1,
    );
    assert.ok(last?.from === 'logs');
    assert.deepEqual([last.count, last.endsEarly, last.verdict?.state], [MAX_TRANSFERS, true, 'more']);
    assert.equal(chain.filters.length, 1, 'nothing is asked that there is no room for');
  });

  it('keeps what was given when the logs fail', async () => {
    const chain = chainOf([{ logs: [badgeMoved(5)], verdict: moreVerdict }, new AppError('network', 'gone')]);
    const given: NftHistory[] = [];
    const reading = (async () => {
      for await (const step of fetchNftHistory({ source: 'noKey', chain }, nftRequest, { clock }))
        given.push(step);
    })();
    await assert.rejects(reading, { kind: 'network' });
    assert.equal(given.at(-1)?.transfers.length, 1);
  });

  it('does not ask a source that tells no transfers', async () => {
    const source = { offers: { nftContract: 'free' } } as unknown as NftProvider;
    const [first] = await collectAll(fetchNftHistory({ source, chain: chainOf() }, nftRequest, { clock }));
    assert.ok(first?.from === 'logs');
    assert.deepEqual(first.whyNoSource, { reason: 'notServed', error: undefined });
  });

  it('turns to the logs where the route is not served, and nowhere else', async () => {
    for (const kind of ['notServed', 'notFound'] as const) {
      const error = new AppError(kind, 'no');
      const [first] = await collectAll(
        fetchNftHistory({ source: refusing(error), chain: chainOf() }, nftRequest, { clock }),
      );
      assert.ok(first?.from === 'logs');
      assert.deepEqual(first.whyNoSource, { reason: 'notServed', error });
    }
    for (const kind of ['unauthorized', 'creditsUsedUp', 'rateLimited', 'tooHeavy', 'aborted'] as const) {
      const chain = chainOf();
      const reading = collectAll(
        fetchNftHistory({ source: refusing(new AppError(kind, 'no')), chain }, nftRequest, { clock }),
      );
      await assert.rejects(reading, { kind });
      assert.equal(chain.filters.length, 0);
    }
  });
});
