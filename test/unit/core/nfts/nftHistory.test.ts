import assert from 'node:assert/strict';
import {
  AppError,
  type ChainClient,
  type Clock,
  createWaits,
  type Hex,
  type Log,
  type LogFilter,
  type LogPage,
  type LogQuery,
  MOST_TRANSFERS,
  type NftHistory,
  type NftQuestion,
  type NftSource,
  nftHistory,
  nftTransfersFromLogs,
  systemClock,
  type ToldWait,
  type Verdict,
  type Waits,
} from '../../../../src/core/index.ts';

const CONTRACT = '0xc0de721000000000000000000000000000000721';
const [TRANSFER, SINGLE, BATCH] = [
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
] as const;
const word = (value: number) => value.toString(16).padStart(64, '0');
const topic = (value: number): Hex => `0x${word(value)}`;

function log(blockNumber: number, topics: readonly Hex[], data: Hex = '0x'): Log {
  return {
    ...{
      address: CONTRACT,
      blockHash: topic(blockNumber),
      blockNumber: BigInt(blockNumber),
      data,
      logIndex: 3,
    },
    ...{ topics, transactionHash: topic(blockNumber), transactionIndex: 0 },
  };
}
const badgeMoved = (block: number) => log(block, [TRANSFER, topic(1), topic(2), topic(17)]);
const itemMoved = (block: number, id: number) =>
  log(block, [SINGLE, topic(9), topic(1), topic(2)], `0x${word(id)}${word(5)}`);

const complete: Verdict = {
  ...{ state: 'complete', reasons: [], fromBlock: 0n, toBlock: 90n, head: 90n, readThrough: 90n },
  ...{ rows: 10, requests: 2 },
};
const more: Verdict = { ...complete, state: 'more', readThrough: 40n, rows: 4, requests: 1 };

/** A chain whose log queries give these pages, one list for each query in turn; an error ends the query it is in. */
function chainOf(...answers: readonly (readonly (LogPage | AppError)[])[]) {
  const filters: LogFilter[] = [];
  const openLogQuery: ChainClient['openLogQuery'] = (filter) => {
    const pages = answers[filters.push(filter) - 1] ?? [];
    let verdict: Verdict | undefined;
    return {
      get verdict() {
        return verdict;
      },
      nextPage: () => Promise.reject(new Error('not asked for')),
      async *rest({ onProgress } = {}) {
        for (const page of pages) {
          if (page instanceof AppError) throw page;
          verdict = page.verdict;
          onProgress?.({ blocksDone: 91n, blocks: 91n });
          yield page;
        }
      },
    };
  };
  return { openLogQuery, filters };
}

async function all<T>(steps: AsyncIterable<T>): Promise<readonly T[]> {
  const given: T[] = [];
  for await (const step of steps) given.push(step);
  return given;
}

const clock = systemClock;
const question: NftQuestion = { contract: CONTRACT, tokenId: 17n };
const refusing = (error: AppError) =>
  ({ offers: { nftTransfers: 'free' }, nftTransfers: () => Promise.reject(error) }) as unknown as NftSource;

describe('NFT transfers from logs', () => {
  it('ask by topic 3 for ERC-721 and for every transfer of ERC-1155, or for what is known', async () => {
    const asked = async (standard?: 'erc721' | 'erc1155') => {
      const chain = chainOf();
      await all(
        nftTransfersFromLogs(chain, { ...question, standard, fromBlock: 5n, toBlock: 'latest' }, { clock }),
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
    const chain = chainOf([{ logs, verdict: complete }]);
    const [page] = await all(nftTransfersFromLogs(chain, { ...question, standard: 'erc1155' }, { clock }));
    assert.deepEqual(
      page?.transfers.map(({ blockNumber, amount, time }) => [blockNumber, amount, time]),
      [[5n, 5n, undefined]],
    );
    assert.deepEqual([page?.skipped, page?.verdict], [1, complete]);
  });

  it('are worth what the least of their queries is', async () => {
    const doubtful: Verdict = {
      ...{ ...complete, state: 'uncertain', toBlock: 95n, head: 95n, readThrough: 95n },
      reasons: [{ code: 'reorg', block: 90n }],
    };
    const pages = (first: Verdict, second: Verdict) =>
      all(
        nftTransfersFromLogs(
          chainOf(
            [
              { logs: [], verdict: more },
              { logs: [], verdict: first },
            ],
            [{ logs: [], verdict: second }],
          ),
          question,
          { clock },
        ),
      );
    const steps = await pages(complete, doubtful);
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
    assert.equal((await pages(doubtful, complete)).at(-1)?.verdict.state, 'uncertain');
    assert.deepEqual((await pages(complete, complete)).at(-1)?.verdict, {
      ...complete,
      rows: 20,
      requests: 4,
    });
  });

  it('end at the most that are kept, in the middle of a page too, and say so', async () => {
    const page = (first: number, count: number): LogPage => {
      const logs = Array.from({ length: count }, (_, index) => badgeMoved(first + index));
      return { logs, verdict: { ...complete, toBlock: 10n ** 6n, head: 10n ** 6n } };
    };
    const chain = chainOf([
      page(1, MOST_TRANSFERS - 2),
      page(MOST_TRANSFERS - 1, 5),
      page(MOST_TRANSFERS + 4, 1),
    ]);
    const steps = await all(nftTransfersFromLogs(chain, { ...question, standard: 'erc721' }, { clock }));
    assert.deepEqual(
      steps.map(({ transfers, endsEarly, verdict }) => [transfers.length, endsEarly, verdict.state]),
      [
        [MOST_TRANSFERS - 2, false, 'complete'],
        [2, true, 'more'],
      ],
    );
    assert.equal(steps.at(-1)?.verdict.readThrough, BigInt(MOST_TRANSFERS));
  });

  it('end with nothing missing where there are just as many as are kept', async () => {
    const logs = Array.from({ length: MOST_TRANSFERS }, (_, block) => badgeMoved(block));
    const chain = chainOf([
      { logs, verdict: complete },
      { logs: [itemMoved(7, 18)], verdict: complete },
    ]);
    const steps = await all(nftTransfersFromLogs(chain, question, { clock }));
    assert.deepEqual(
      steps.map(({ transfers, endsEarly }) => [transfers.length, endsEarly]),
      [
        [MOST_TRANSFERS, false],
        [0, false],
      ],
    );
  });

  it('are no more than are kept, however many ids a log names', async () => {
    const ids = 8000;
    const list = `${word(ids)}${word(17).repeat(ids)}`;
    const data: Hex = `0x${word(64)}${word(64 + 32 + 32 * ids)}${list}${list}`;
    const batch = log(5, [BATCH, topic(9), topic(1), topic(2)], data);
    const chain = chainOf([{ logs: Array.from({ length: 16 }, () => batch), verdict: complete }]);
    const [page] = await all(nftTransfersFromLogs(chain, { ...question, standard: 'erc1155' }, { clock }));
    assert.deepEqual([page?.transfers.length, page?.endsEarly], [MOST_TRANSFERS, true]);
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
    const chain = chainOf([{ logs, verdict: complete }]);
    const reading = all(
      nftTransfersFromLogs(
        chain,
        { ...question, standard: 'erc1155' },
        { clock: slowClock, signal: cancel.signal },
      ),
    );
    await assert.rejects(reading, { kind: 'aborted' });
    assert.ok(elapsed < 20, `${elapsed} looks at the clock`);
  });

  it('hand on what the queries wait for', async () => {
    const waits = createWaits(systemClock);
    const told: (ToldWait | undefined)[] = [];
    const chain = {
      openLogQuery: (_filter: LogFilter, through?: Waits): LogQuery => ({
        verdict: complete,
        nextPage: () => Promise.reject(new Error('not asked for')),
        async *rest() {
          const waited = through?.wait({ ms: 60_000, byServer: true }, {});
          told.push(waits.told);
          waits.skip();
          await waited;
          yield { logs: [], verdict: complete };
        },
      }),
    };
    await all(nftTransfersFromLogs(chain, { ...question, standard: 'erc721' }, { clock, waits }));
    assert.equal(told[0]?.byServer, true);
  });

  it('tell how far both queries have come', async () => {
    const progress: [bigint, bigint][] = [];
    const page = { logs: [], verdict: complete };
    await all(
      nftTransfersFromLogs(chainOf([page], [page]), question, {
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

describe('NFT history', () => {
  it('names its source before it asks the chain, and grows newest first', async () => {
    const chain = chainOf(
      [
        { logs: [badgeMoved(5)], verdict: more },
        { logs: [], verdict: more },
        { logs: [badgeMoved(7)], verdict: complete },
      ],
      [{ logs: [itemMoved(6, 17)], verdict: complete }],
    );
    const steps = await all(nftHistory({ source: 'noSource', chain }, question, { clock }));
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
      Array.from({ length: MOST_TRANSFERS / 2 }, (_, block) => ({ logs: [logOf(block)], verdict: complete }));
    const chain = chainOf(
      pages(badgeMoved),
      pages((block) => itemMoved(block, 17)),
    );
    let last: NftHistory | undefined;
    for await (const step of nftHistory({ source: 'noSource', chain }, question, { clock })) last = step;
    assert.equal(last?.count, MOST_TRANSFERS);
    const shown = last.transfers.map(({ blockNumber }) => Number(blockNumber));
    const newest = MOST_TRANSFERS / 2 - 1;
    assert.deepEqual(shown.slice(0, 4), [newest, newest, newest - 1, newest - 1]);
    assert.ok(shown.every((block, row) => row === 0 || block <= (shown[row - 1] ?? 0)));
  });

  it('is in each step what it was then, and the same list while nothing comes', async () => {
    const page = (...logs: readonly Log[]): LogPage => ({ logs, verdict: complete });
    const chain = chainOf([page(badgeMoved(5)), page(), page(badgeMoved(6))]);
    const steps = await all(nftHistory({ source: 'noSource', chain }, question, { clock }));
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
    const logs = Array.from({ length: MOST_TRANSFERS + 1 }, (_, block) => badgeMoved(block));
    const chain = chainOf([{ logs, verdict: complete }], [{ logs: [itemMoved(7, 17)], verdict: complete }]);
    const last = (await all(nftHistory({ source: 'noSource', chain }, question, { clock }))).at(-1);
    assert.ok(last?.from === 'logs');
    assert.deepEqual([last.count, last.endsEarly, last.verdict?.state], [MOST_TRANSFERS, true, 'more']);
    assert.equal(chain.filters.length, 1, 'nothing is asked that there is no room for');
  });

  it('keeps what was given when the logs fail', async () => {
    const chain = chainOf([{ logs: [badgeMoved(5)], verdict: more }, new AppError('network', 'gone')]);
    const given: NftHistory[] = [];
    const reading = (async () => {
      for await (const step of nftHistory({ source: 'noKey', chain }, question, { clock })) given.push(step);
    })();
    await assert.rejects(reading, { kind: 'network' });
    assert.equal(given.at(-1)?.transfers.length, 1);
  });

  it('does not ask a source that tells no transfers', async () => {
    const source = { offers: { nftContract: 'free' } } as unknown as NftSource;
    const [first] = await all(nftHistory({ source, chain: chainOf() }, question, { clock }));
    assert.ok(first?.from === 'logs');
    assert.deepEqual(first.whyNoSource, { reason: 'notServed', error: undefined });
  });

  it('turns to the logs where the route is not served, and nowhere else', async () => {
    for (const kind of ['notServed', 'notFound'] as const) {
      const error = new AppError(kind, 'no');
      const [first] = await all(
        nftHistory({ source: refusing(error), chain: chainOf() }, question, { clock }),
      );
      assert.ok(first?.from === 'logs');
      assert.deepEqual(first.whyNoSource, { reason: 'notServed', error });
    }
    for (const kind of ['unauthorized', 'creditsUsedUp', 'rateLimited', 'tooHeavy', 'aborted'] as const) {
      const chain = chainOf();
      const reading = all(
        nftHistory({ source: refusing(new AppError(kind, 'no')), chain }, question, { clock }),
      );
      await assert.rejects(reading, { kind });
      assert.equal(chain.filters.length, 0);
    }
  });
});
