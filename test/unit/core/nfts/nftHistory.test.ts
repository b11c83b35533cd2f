import assert from 'node:assert/strict';
import {
  AppError,
  type BackoffControl,
  type Clock,
  createBackoffControl,
  fetchNftHistory,
  fetchNftTransfersFromLogs,
  type Hex,
  type Log,
  type LogFilter,
  type LogPage,
  type LogQuery,
  MAX_TRANSFERS,
  type NftHistory,
  type NftProvider,
  systemClock,
  type Verdict,
  type VisibleBackoff,
} from '../../../../src/core/index.ts';
import {
  BATCH,
  badgeMoved,
  CONTRACT,
  chainOf,
  clock,
  collectAll,
  completeVerdict,
  itemMoved,
  log,
  moreVerdict,
  nftRequest,
  SINGLE,
  TRANSFER,
  topic,
  word,
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
    assert.deepEqual([first.verdict, first.noProviderReason], [undefined, { reason: 'noSource' }]);
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
    assert.deepEqual(first.noProviderReason, { reason: 'notServed', error: undefined });
  });

  it('turns to the logs where the route is not served, and nowhere else', async () => {
    for (const kind of ['notServed', 'notFound'] as const) {
      const error = new AppError(kind, 'no');
      const [first] = await collectAll(
        fetchNftHistory({ source: refusing(error), chain: chainOf() }, nftRequest, { clock }),
      );
      assert.ok(first?.from === 'logs');
      assert.deepEqual(first.noProviderReason, { reason: 'notServed', error });
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

describe('NFT transfers from logs', () => {
  it('ask by topic 3 for ERC-721 and for every transfer of ERC-1155, or for what is known', async () => {
    const asked = async (standard?: 'erc721' | 'erc1155') => {
      const chain = chainOf();
      await collectAll(
        fetchNftTransfersFromLogs(
          chain,
          { ...nftRequest, standard, fromBlock: 5n, toBlock: 'latest' },
          { clock },
        ),
      );
      return chain.filters;
    };
    const [single, multi, ...others] = await asked();
    assert.deepEqual(single?.topics, [[TRANSFER], null, null, [topic(17)]]);
    assert.deepEqual([multi?.topics.length, multi?.topics[0]?.length], [1, 2]);
    assert.deepEqual(
      [single?.addresses, single?.fromBlock, multi?.toBlock, others],
      [[CONTRACT], 5n, 'latest', []],
    );
    assert.deepEqual([await asked('erc721'), await asked('erc1155')], [[single], [multi]]);
  });

  it('keep the id asked for, and count what cannot be read', async () => {
    const logs = [itemMoved(5, 17), itemMoved(6, 18), log(7, [SINGLE, topic(9), topic(1), topic(2)], '0x12')];
    const chain = chainOf([{ logs, verdict: completeVerdict }]);
    const [page] = await collectAll(
      fetchNftTransfersFromLogs(chain, { ...nftRequest, standard: 'erc1155' }, { clock }),
    );
    assert.deepEqual(
      page?.transfers.map(({ blockNumber, amount, time }) => [blockNumber, amount, time]),
      [[5n, 5n, undefined]],
    );
    assert.deepEqual([page?.skipped, page?.verdict], [1, completeVerdict]);
  });

  it('are worth what the least of their queries is', async () => {
    const doubtful: Verdict = {
      ...{ ...completeVerdict, state: 'uncertain', toBlock: 95n, head: 95n, readThrough: 95n },
      reasons: [{ code: 'reorg', block: 90n }],
    };
    const pages = (first: Verdict, second: Verdict) =>
      collectAll(
        fetchNftTransfersFromLogs(
          chainOf(
            [
              { logs: [], verdict: moreVerdict },
              { logs: [], verdict: first },
            ],
            [{ logs: [], verdict: second }],
          ),
          nftRequest,
          { clock },
        ),
      );
    const steps = await pages(completeVerdict, doubtful);
    assert.deepEqual(
      steps.map(({ verdict }) => [verdict.state, verdict.readThrough, verdict.rows, verdict.requests]),
      [
        ['more', undefined, 4, 1],
        ['more', undefined, 10, 2],
        ['uncertain', 90n, 20, 4],
      ],
    );
    const last = steps.at(-1)?.verdict;
    assert.deepEqual([last?.reasons, last?.toBlock, last?.head], [doubtful.reasons, 90n, 90n]);
    assert.equal((await pages(doubtful, completeVerdict)).at(-1)?.verdict.state, 'uncertain');
    assert.deepEqual((await pages(completeVerdict, completeVerdict)).at(-1)?.verdict, {
      ...completeVerdict,
      rows: 20,
      requests: 4,
    });
  });

  it('end at the most that are kept, in the middle of a page too, and say so', async () => {
    const page = (first: number, count: number): LogPage => {
      const logs = Array.from({ length: count }, (_, index) => badgeMoved(first + index));
      return { logs, verdict: { ...completeVerdict, toBlock: 10n ** 6n, head: 10n ** 6n } };
    };
    const chain = chainOf([
      page(1, MAX_TRANSFERS - 2),
      page(MAX_TRANSFERS - 1, 5),
      page(MAX_TRANSFERS + 4, 1),
    ]);
    const steps = await collectAll(
      fetchNftTransfersFromLogs(chain, { ...nftRequest, standard: 'erc721' }, { clock }),
    );
    assert.deepEqual(
      steps.map(({ transfers, endsEarly, verdict }) => [transfers.length, endsEarly, verdict.state]),
      [
        [MAX_TRANSFERS - 2, false, 'complete'],
        [2, true, 'more'],
      ],
    );
    assert.equal(steps.at(-1)?.verdict.readThrough, BigInt(MAX_TRANSFERS));
  });

  it('end with nothing missing where there are just as many as are kept', async () => {
    const logs = Array.from({ length: MAX_TRANSFERS }, (_, block) => badgeMoved(block));
    const chain = chainOf([
      { logs, verdict: completeVerdict },
      { logs: [itemMoved(7, 18)], verdict: completeVerdict },
    ]);
    const steps = await collectAll(fetchNftTransfersFromLogs(chain, nftRequest, { clock }));
    assert.deepEqual(
      steps.map(({ transfers, endsEarly }) => [transfers.length, endsEarly]),
      [
        [MAX_TRANSFERS, false],
        [0, false],
      ],
    );
  });

  it('are no more than are kept, however many ids a log names', async () => {
    const ids = 8000;
    const list = `${word(ids)}${word(17).repeat(ids)}`;
    const data: Hex = `0x${word(64)}${word(64 + 32 + 32 * ids)}${list}${list}`;
    const batch = log(5, [BATCH, topic(9), topic(1), topic(2)], data);
    const chain = chainOf([{ logs: Array.from({ length: 16 }, () => batch), verdict: completeVerdict }]);
    const [page] = await collectAll(
      fetchNftTransfersFromLogs(chain, { ...nftRequest, standard: 'erc1155' }, { clock }),
    );
    assert.deepEqual([page?.transfers.length, page?.endsEarly], [MAX_TRANSFERS, true]);
  });

  it('are read in slices of time, between which a cancel is heard', async () => {
    let elapsed = 0;
    const cancel = new AbortController();
    const slowClock: Clock = {
      ...systemClock,
      elapsed: () => elapsed++,
      sleep: async () => cancel.abort(),
    };
    const logs = Array.from({ length: 100 }, (_, block) => itemMoved(block, 17));
    const chain = chainOf([{ logs, verdict: completeVerdict }]);
    const reading = collectAll(
      fetchNftTransfersFromLogs(
        chain,
        { ...nftRequest, standard: 'erc1155' },
        { clock: slowClock, signal: cancel.signal },
      ),
    );
    await assert.rejects(reading, { kind: 'aborted' });
    assert.ok(elapsed < 20, `${elapsed} looks at the clock`);
  });

  it('hand on what the queries wait for', async () => {
    const waits = createBackoffControl(systemClock);
    const told: (VisibleBackoff | undefined)[] = [];
    const chain = {
      openLogQuery: (
        _filter: LogFilter,
        { waits: through }: { waits?: BackoffControl | undefined } = {},
      ): LogQuery => ({
        verdict: completeVerdict,
        nextPage: () => Promise.reject(new Error('not asked for')),
        async *rest() {
          const waited = through?.wait({ ms: 60_000, byServer: true }, {});
          told.push(waits.visible);
          waits.skip();
          await waited;
          yield { logs: [], verdict: completeVerdict };
        },
      }),
    };
    await collectAll(
      fetchNftTransfersFromLogs(chain, { ...nftRequest, standard: 'erc721' }, { clock, waits }),
    );
    assert.equal(told[0]?.byServer, true);
  });

  it('tell how far both queries have come', async () => {
    const progress: [bigint, bigint][] = [];
    const page = { logs: [], verdict: completeVerdict };
    await collectAll(
      fetchNftTransfersFromLogs(chainOf([page], [page]), nftRequest, {
        clock,
        onProgress: ({ blocksDone, blocks }) => progress.push([blocksDone, blocks]),
      }),
    );
    assert.deepEqual(progress, [
      [91n, 182n],
      [182n, 182n],
    ]);
  });
});
