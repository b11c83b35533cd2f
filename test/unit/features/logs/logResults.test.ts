import assert from 'node:assert/strict';
import {
  AppError,
  type ChainClient,
  type Log,
  type LogFilter,
  type LogPage,
  type Network,
  type Verdict,
} from '../../../../src/core/index.ts';
import { LogResults } from '../../../../src/features/logs/logResults.ts';

const network: Network = {
  id: 'test',
  name: 'Test',
  chainId: 5,
  rpcUrl: 'http://127.0.0.1:1',
  symbol: 'ETH',
  decimals: 18,
};
const filter: LogFilter = { addresses: [], topics: [], fromBlock: 'earliest', toBlock: 'latest' };

function logAt(blockNumber: bigint): Log {
  const hash = `0x${'00'.repeat(32)}` as const;
  return {
    address: `0x${'00'.repeat(20)}`,
    blockHash: hash,
    blockNumber,
    data: '0x',
    logIndex: 0,
    topics: [],
    transactionHash: hash,
    transactionIndex: 0,
  };
}

/** One step of a scripted query: rows with the state after them, an error, or waiting until it is cancelled. */
type Step = { readonly rows: number; readonly state: Verdict['state'] } | AppError | 'hang';

/** A client whose queries take the steps one by one. */
function scriptedClient(steps: Step[]): ChainClient {
  return {
    openLogQuery: () => {
      let verdict: Verdict | undefined;
      return {
        get verdict() {
          return verdict;
        },
        async nextPage({ signal } = {}): Promise<LogPage> {
          const step = steps.shift() ?? assert.fail('It asked once too often.');
          if (step instanceof AppError) throw step;
          if (step === 'hang') {
            return new Promise((_, reject) => {
              signal?.addEventListener('abort', () => reject(new AppError('aborted', 'Cancelled.')));
            });
          }
          const rows = (verdict?.rows ?? 0) + step.rows;
          const logs = Array.from({ length: step.rows }, (_, index) => logAt(BigInt(rows + index)));
          const after: Verdict = {
            state: step.state,
            reasons: [],
            fromBlock: 0n,
            toBlock: 9n,
            head: 9n,
            readThrough: 9n,
            rows,
            requests: 1,
          };
          verdict = after;
          return { logs, verdict: after };
        },
        rest: () => assert.fail('It asked for all.'),
      };
    },
  } as Pick<ChainClient, 'openLogQuery'> as ChainClient;
}

function createResults() {
  const states: (string | undefined)[] = [];
  const results: LogResults = new LogResults(() => states.push(results.loading));
  return { results, states };
}

describe('log results', () => {
  it('loads the first page, then the next, then no more', async () => {
    const { results, states } = createResults();
    const client = scriptedClient([
      { rows: 3, state: 'more' },
      { rows: 2, state: 'complete' },
    ]);
    await results.run(network, client, filter);
    const { answer } = results;
    assert.deepEqual([results.rows.length, results.more, results.network], [3, true, network]);
    await results.nextPage();
    assert.deepEqual([results.rows.length, results.more, results.answer], [5, false, answer]);
    await results.nextPage();
    assert.deepEqual(states, ['first', undefined, 'next', undefined]);
  });

  it('keeps what is loaded through an error, and goes on behind it', async () => {
    const { results } = createResults();
    const failure = new AppError('server', 'failed');
    const client = scriptedClient([{ rows: 3, state: 'more' }, failure, { rows: 1, state: 'complete' }]);
    await results.run(network, client, filter);
    await results.nextPage();
    assert.deepEqual([results.rows.length, results.error, results.loading], [3, failure, undefined]);
    await results.nextPage();
    assert.deepEqual([results.rows.length, results.error], [4, undefined]);
  });

  it('tries the first page again after an error', async () => {
    const { results } = createResults();
    await results.run(
      network,
      scriptedClient([new AppError('network', 'no'), { rows: 2, state: 'complete' }]),
      filter,
    );
    assert.equal(results.more, false);
    await results.nextPage();
    assert.equal(results.rows.length, 2);
  });

  it('keeps what is loaded when it is cancelled, without calling that an error', async () => {
    const { results } = createResults();
    await results.run(network, scriptedClient([{ rows: 3, state: 'more' }, 'hang']), filter);
    const next = results.nextPage();
    assert.equal(results.loading, 'next');
    results.cancel();
    await next;
    assert.deepEqual(
      [results.rows.length, results.notice, results.error, results.more],
      [3, 'cancelled', undefined, true],
    );
  });

  it('asks one page at a time', async () => {
    const { results } = createResults();
    await results.run(
      network,
      scriptedClient([
        { rows: 1, state: 'more' },
        { rows: 1, state: 'more' },
      ]),
      filter,
    );
    await Promise.all([results.nextPage(), results.nextPage()]);
    assert.equal(results.rows.length, 2);
  });

  it('lets a newer run take over from one that is under way', async () => {
    const { results } = createResults();
    const first = results.run(network, scriptedClient(['hang']), filter);
    const { answer } = results;
    const second = results.run(network, scriptedClient([{ rows: 2, state: 'complete' }]), filter);
    await Promise.all([first, second]);
    assert.deepEqual([results.rows.length, results.notice, results.loading], [2, undefined, undefined]);
    assert.notEqual(results.answer, answer);
  });

  it('forgets everything when it is cleared, and what was under way', async () => {
    const { results } = createResults();
    await results.run(network, scriptedClient([{ rows: 3, state: 'more' }, 'hang']), filter);
    const next = results.nextPage();
    results.clear('networkChanged');
    await next;
    assert.deepEqual(
      [results.rows.length, results.notice, results.network, results.verdict, results.loading],
      [0, 'networkChanged', undefined, undefined, undefined],
    );
  });
});
