import assert from 'node:assert/strict';
import {
  AppError,
  type BackoffControl,
  type ChainClient,
  type Clock,
  createBackoffControl,
  fetchNftHistory,
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
import { fetchNftTransfersFromLogs } from '../../../../src/core/nfts/nftTransferLogs.ts';
import type { NftHistoryRequest } from '../../../../src/core/nfts/nftTransferQueries.ts';
import type { TransferStandard } from '../../../../src/core/tokens/transferStandard.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import {
  BATCH,
  badgeMoved,
  batchesMoved,
  CONSECUTIVE,
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

/** Steps of a history that grows by one transfer a page. */
const PAGES = isFullRun ? MAX_TRANSFERS : 1000;

const historyOn = (chain: Parameters<typeof fetchNftHistory>[0]['chain'], source: NftSource = 'noSource') =>
  collectAll(fetchNftHistory({ source, chain }, nftRequest, { clock }));
type NftSource = Parameters<typeof fetchNftHistory>[0]['source'];
/** What is read from the logs alone. */
const transfersOn = (
  chain: Parameters<typeof fetchNftTransfersFromLogs>[0],
  request: Partial<NftHistoryRequest> = {},
  options: Partial<Parameters<typeof fetchNftTransfersFromLogs>[2]> = {},
) => collectAll(fetchNftTransfersFromLogs(chain, { ...nftRequest, ...request }, { clock, ...options }));

const addressOf = (value: number) => `0x${word(value).slice(24)}`;
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
    const steps = await historyOn(chain);
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
      Array.from({ length: PAGES / 2 }, (_, block) => ({
        logs: [logOf(block)],
        verdict: block === PAGES / 2 - 1 ? completeVerdict : moreVerdict,
      }));
    const chain = chainOf(
      pages(badgeMoved),
      pages((block) => itemMoved(block, 17)),
    );
    let last: NftHistory | undefined;
    for await (const step of fetchNftHistory({ source: 'noSource', chain }, nftRequest, { clock }))
      last = step;
    assert.equal(last?.count, PAGES);
    const shown = last.transfers.map(({ blockNumber }) => Number(blockNumber));
    const newest = PAGES / 2 - 1;
    assert.deepEqual(shown.slice(0, 4), [newest, newest, newest - 1, newest - 1]);
    assert.ok(shown.every((block, row) => row === 0 || block <= (shown[row - 1] ?? 0)));
  });

  it('is in each step what it was then, and the same list while nothing comes', async () => {
    const page = (...logs: readonly Log[]): LogPage => ({ logs, verdict: completeVerdict });
    const chain = chainOf([page(badgeMoved(5)), page(), page(badgeMoved(6))]);
    const steps = await historyOn(chain);
    assert.deepEqual(
      steps.map(({ count, transfers }) => `${count} ${transfers.length}`),
      ['0 0', '1 1', '1 1', '2 2'],
    );
    assert.equal(steps[2]?.transfers, steps[1]?.transfers);
  });

  it('ends at the most transfers that are kept, in the middle of a page too, and says so', async () => {
    const page = (logs: readonly Log[]): LogPage => ({ logs, verdict: completeVerdict });
    const chain = chainOf(
      [
        page(batchesMoved(1, MAX_TRANSFERS - 2)),
        page([2, 3, 4, 5, 6].map(badgeMoved)),
        page([badgeMoved(7)]),
      ],
      [page([itemMoved(8, 17)])],
    );
    const last = (await historyOn(chain)).at(-1);
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
    const [first] = await historyOn(chainOf(), source);
    assert.ok(first?.from === 'logs');
    assert.deepEqual(first.noProviderReason, { reason: 'notServed', error: undefined });
  });

  it('turns to the logs where the route is not served, and nowhere else', async () => {
    for (const kind of ['notServed', 'notFound'] as const) {
      const error = new AppError(kind, 'no');
      const [first] = await historyOn(chainOf(), refusing(error));
      assert.ok(first?.from === 'logs');
      assert.deepEqual(first.noProviderReason, { reason: 'notServed', error });
    }
    for (const kind of ['unauthorized', 'creditsUsedUp', 'rateLimited', 'tooHeavy', 'aborted'] as const) {
      const chain = chainOf();
      await assert.rejects(historyOn(chain, refusing(new AppError(kind, 'no'))), { kind });
      assert.equal(chain.filters.length, 0);
    }
  });
});

describe('NFT transfers from logs', () => {
  it('ask by topic 3 for ERC-721 and for every transfer of ERC-1155, or for what is known', async () => {
    const asked = async (standard?: 'erc721' | 'erc1155') => {
      const chain = chainOf();
      await transfersOn(chain, { standard, fromBlock: 5n, toBlock: 'latest' });
      return chain.filters;
    };
    const [single, multi, all, ...others] = await asked();
    assert.deepEqual(single?.topics, [[TRANSFER], null, null, [topic(17)]]);
    assert.deepEqual([multi?.topics, all?.topics], [[[SINGLE, BATCH, CONSECUTIVE]], [[TRANSFER]]]);
    assert.deepEqual(
      [single?.addresses, single?.fromBlock, multi?.toBlock, others],
      [[CONTRACT], 5n, 'latest', []],
    );
    const topicsOf = async (standard: 'erc721' | 'erc1155') =>
      (await asked(standard)).map(({ topics }) => topics);
    assert.deepEqual(await topicsOf('erc721'), [single?.topics, multi?.topics, all?.topics]);
    assert.deepEqual(await topicsOf('erc1155'), [[[SINGLE, BATCH]]]);
  });

  it('keep the id asked for, and count what cannot be read', async () => {
    const logs = [itemMoved(5, 17), itemMoved(6, 18), log(7, [SINGLE, topic(9), topic(1), topic(2)], '0x12')];
    const chain = chainOf([{ logs, verdict: completeVerdict }]);
    const [page] = await transfersOn(chain, { standard: 'erc1155' });
    assert.deepEqual(
      page?.transfers.map(({ blockNumber, amount, time }) => [blockNumber, amount, time]),
      [[5n, 5n, undefined]],
    );
    assert.deepEqual(
      [page?.skipped, page?.verdict],
      [1, { ...completeVerdict, state: 'uncertain', reasons: [{ code: 'unreadableTransfers', block: 7n }] }],
    );
  });

  it('are worth what the least of their queries is', async () => {
    const doubtful: Verdict = {
      ...{ ...completeVerdict, state: 'uncertain', toBlock: 95n, head: 95n, readThrough: 95n },
      reasons: [{ code: 'reorg', block: 90n }],
    };
    const pages = (first: Verdict, second: Verdict) =>
      transfersOn(
        chainOf(
          [
            { logs: [], verdict: moreVerdict },
            { logs: [minted(0)], verdict: first },
          ],
          [{ logs: [], verdict: second }],
          [{ logs: [badgeMoved(1)], verdict: moreVerdict }],
        ),
      );
    const steps = await pages(completeVerdict, doubtful);
    assert.deepEqual(
      steps.map(({ verdict: { state, readThrough = '-', rows, requests } }) =>
        [state, readThrough, rows, requests].join(' '),
      ),
      ['more - 4 1', 'more - 10 2', 'more - 20 4', 'uncertain 90 24 9'],
    );
    const last = steps.at(-1)?.verdict;
    assert.deepEqual([last?.reasons, last?.toBlock, last?.head], [doubtful.reasons, 90n, 90n]);
    assert.equal((await pages(doubtful, completeVerdict)).at(-1)?.verdict.state, 'uncertain');
    assert.deepEqual((await pages(completeVerdict, completeVerdict)).at(-1)?.verdict, {
      ...completeVerdict,
      rows: 24,
      requests: 9,
    });
  });

  it('are uncertain if a reorg falls between two of their queries', async () => {
    const moved = badgeMoved(85);
    const chain = chainOf(
      [{ logs: [moved], verdict: completeVerdict }],
      [{ logs: [], verdict: completeVerdict }],
    );
    let queries = 0;
    const reorganized = chainOf([{ logs: [{ ...moved, blockHash: topic(99) }], verdict: completeVerdict }]);
    const openLogQuery: typeof chain.openLogQuery = (...request) =>
      (queries++ < 2 ? chain : reorganized).openLogQuery(...request);
    const steps = await transfersOn({ openLogQuery });
    const { state, reasons } = steps.at(-1)?.verdict ?? {};
    assert.deepEqual([state, reasons?.at(-1)], ['uncertain', { code: 'reorg', block: 85n }]);
  });

  it('are read through to the block before the first that is not kept', async () => {
    const blocks = [2, 3, 4, 5].map((block) => itemMoved(block, 17));
    const logs = [...batchesMoved(1, MAX_TRANSFERS - 2), ...blocks];
    const steps = await transfersOn(chainOf([{ logs, verdict: completeVerdict }]), { standard: 'erc1155' });
    assert.deepEqual(
      steps.map(({ transfers, endsEarly, verdict }) => [transfers.length, endsEarly, verdict.readThrough]),
      [[MAX_TRANSFERS, true, 3n]],
    );
  });

  it('end with nothing missing where there are just as many as are kept', async () => {
    const chain = chainOf([
      { logs: batchesMoved(5, MAX_TRANSFERS), verdict: completeVerdict },
      { logs: [itemMoved(7, 18)], verdict: completeVerdict },
    ]);
    const steps = await transfersOn(chain);
    assert.deepEqual(
      steps.map(({ transfers, endsEarly }) => `${transfers.length} ${endsEarly}`),
      [`${MAX_TRANSFERS} false`, '0 false'],
    );
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
    const reading = transfersOn(chain, { standard: 'erc1155' }, { clock: slowClock, signal: cancel.signal });
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
    await transfersOn(chain, { standard: 'erc721' }, { waits });
    assert.equal(told[0]?.byServer, true);
  });

  it('tell how far all queries have come', async () => {
    const progress: string[] = [];
    const page = { logs: [minted(0)], verdict: completeVerdict };
    await transfersOn(
      chainOf([page], [page], [page]),
      {},
      {
        onProgress: ({ blocksDone, blocks }) => progress.push(`${blocksDone} of ${blocks}`),
      },
    );
    assert.deepEqual(progress, ['91 of 273', '182 of 273', '273 of 273']);
  });
});

/** The last step of a history of token 17 on a chain with these logs, as a node filters them. */
async function historyOf(
  logs: readonly Log[],
  { standard, told, ...request }: Partial<NftHistoryRequest> & { readonly told?: TransferStandard } = {},
) {
  const filters: LogFilter[] = [];
  const openLogQuery: ChainClient['openLogQuery'] = (filter) => {
    filters.push(filter);
    const found = logs.filter(({ topics }) =>
      filter.topics.every((slot, at) => slot === null || slot.includes(topics[at] ?? '0x')),
    );
    return {
      verdict: completeVerdict,
      nextPage: () => Promise.reject(new Error('not asked for')),
      async *rest() {
        yield { logs: found.slice(0, 1), verdict: moreVerdict };
        yield { logs: found.slice(1), verdict: completeVerdict };
      },
    };
  };
  const chain = { openLogQuery, fetchTransferStandard: async () => told };
  const steps = await collectAll(
    fetchNftHistory({ source: 'noSource', chain }, { ...nftRequest, standard, ...request }, { clock }),
  );
  const last = steps.at(-1);
  assert.ok(last?.from === 'logs');
  const { transfers, verdict } = last;
  return {
    blocks: transfers.map(({ blockNumber }) => Number(blockNumber)),
    transfers,
    state: verdict?.state,
    reasons: verdict?.reasons.map(({ code, block }) => `${code} ${block ?? ''}`.trim()),
    queries: filters.length,
  };
}

const sent = (block: number, from: number, to: number, id = 17) =>
  log(block, [TRANSFER, topic(from), topic(to), topic(id)]);
const minted = (block: number) => sent(block, 0, 1);
/** As CryptoKitties emits it. */
const sentInData = (block: number, from: number, to: number, id = 17) =>
  log(block, [TRANSFER], `0x${word(from)}${word(to)}${word(id)}`);
const sentWithIdInData = (block: number, from: number, to: number, id = 17) =>
  log(block, [TRANSFER, topic(from), topic(to)], `0x${word(id)}`);
const rangeSent = (block: number, [first, last]: readonly [number, number], from: number, to: number) =>
  log(block, [CONSECUTIVE, topic(first), topic(from), topic(to)], `0x${word(last)}`);

describe('NFT history of a contract that does not index its token IDs', () => {
  for (const [form, moved] of Object.entries({ sentInData, sentWithIdInData })) {
    it(`has the transfers out of the data (${form})`, async () => {
      const logs = [moved(5, 0, 1), moved(6, 0, 1, 18), moved(9, 1, 2)];
      for (const known of [{ told: 'erc721' }, { standard: 'erc721' }] as const) {
        const history = await historyOf(logs, known);
        assert.deepEqual(history.blocks, [9, 5]);
        assert.deepEqual([history.state, history.reasons], ['complete', []]);
        assert.deepEqual(
          history.transfers.map(({ from, to, tokenId, amount }) => [from, to, tokenId, amount].map(Number)),
          [
            [1, 2, 17, 1],
            [0, 1, 17, 1],
          ],
        );
      }
    });

    it(`is not certain where the contract does not tell what the number is (${form})`, async () => {
      const { blocks, state, reasons } = await historyOf([moved(5, 0, 1), moved(9, 1, 2)]);
      assert.deepEqual([blocks, state, reasons], [[9, 5], 'uncertain', ['unindexedTokenIds 5']]);
    });
  }

  it('has no amounts of an ERC-20 token, and does not read them all', async () => {
    const logs = [sentWithIdInData(5, 0, 1), sentWithIdInData(9, 1, 2)];
    const { blocks, state, reasons } = await historyOf(logs, { told: 'erc20' });
    assert.deepEqual([blocks, state, reasons], [[], 'uncertain', ['unindexedTokenIds 5']]);
  });

  it('is complete with none where another transfer shows that IDs are indexed', async () => {
    for (const others of [
      [sent(4, 0, 1, 18)],
      [itemMoved(4, 18)],
      [rangeSent(4, [0, 9], 0, 1)],
      // An ERC-404 token: amounts and IDs.
      [sentWithIdInData(3, 0, 1, 18), sent(4, 0, 1, 18)],
    ]) {
      const { blocks, state, reasons } = await historyOf(others, { told: 'byForm' });
      assert.deepEqual([blocks, state, reasons], [[], 'complete', []]);
    }
  });

  it('is not certain where a transfer has another form, or where there is no transfer event', async () => {
    const other = log(5, [TRANSFER, topic(1)], `0x${word(2)}${word(17)}`);
    const { state, reasons } = await historyOf([other]);
    assert.deepEqual([state, reasons?.[0]], ['uncertain', 'unreadableTransfers 5']);
    // Sender and ID are indexed, and the receiver is not.
    const receiver = `0x${'00'.repeat(12)}${'a1'.repeat(20)}` as const;
    const swapped = await historyOf([log(5, [TRANSFER, topic(0), topic(17)], receiver)], { told: 'erc721' });
    assert.deepEqual([swapped.state, swapped.reasons], ['uncertain', ['unreadableTransfers 5']]);
    assert.deepEqual((await historyOf([])).reasons, ['noTransferEvents']);
    assert.equal((await historyOf([], { standard: 'erc721' })).state, 'complete');
  });
});

describe('NFT history of tokens that move as a range', () => {
  it('has the mint of the range, and the transfer of the token', async () => {
    for (const standard of [undefined, 'erc721'] as const) {
      const logs = [rangeSent(3, [0, 4999], 0, 1), rangeSent(4, [5000, 9999], 0, 1), sent(9, 1, 2)];
      const { blocks, transfers, state } = await historyOf(logs, { standard });
      assert.deepEqual([blocks, state], [[9, 3], 'complete']);
      const [, mint] = transfers;
      assert.deepEqual(
        [mint?.from, mint?.to, mint?.tokenId, mint?.amount, mint?.lastTokenId],
        [addressOf(0), addressOf(1), 17n, 1n, undefined],
      );
    }
  });

  it('has both ends of a range, and later transfers of ranges', async () => {
    const logs = [rangeSent(3, [17, 17], 0, 1), rangeSent(5, [10, 17], 1, 2), rangeSent(7, [17, 20], 2, 3)];
    const { blocks, state } = await historyOf(logs);
    assert.deepEqual([blocks, state], [[7, 5, 3], 'complete']);
  });

  it('is not certain where a range cannot be read', async () => {
    const logs = [rangeSent(3, [18, 10], 0, 1), minted(4)];
    assert.deepEqual((await historyOf(logs)).reasons, ['unreadableTransfers 3']);
  });
});

describe('NFT history with a gap', () => {
  it('is not certain where a token is sent by an address that never received it', async () => {
    assert.deepEqual((await historyOf([sent(9, 1, 2)])).reasons, ['ownerUnknown 9']);
    const gap = await historyOf([minted(3), sent(5, 1, 2), sent(9, 3, 4)]);
    assert.deepEqual([gap.blocks, gap.state, gap.reasons], [[9, 5, 3], 'uncertain', ['ownerUnknown 9']]);
  });

  it('is not certain where a token is minted that has an owner', async () => {
    assert.deepEqual((await historyOf([minted(3), sent(6, 0, 2)])).reasons, ['ownerUnknown 6']);
  });

  it('has the transfers from before an upgrade to ERC-721', async () => {
    const { blocks } = await historyOf([itemMoved(4, 17), minted(9)], { standard: 'erc721' });
    assert.deepEqual(blocks, [9, 4]);
  });

  it('is complete from a mint on, also after a burn and a second mint', async () => {
    const logs = [minted(3), sent(5, 1, 0), sent(6, 0, 2), sent(7, 2, 2), sent(8, 2, 3)];
    assert.deepEqual((await historyOf(logs)).state, 'complete');
  });
});
