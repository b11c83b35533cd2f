import assert from 'node:assert/strict';
import { judgeReading, readRange } from '../../../src/cli/commands/failedTransactions.ts';
import { AppError, type Hex } from '../../../src/core/index.ts';
import { answerOf, transactionOf } from '../../support/transactions.ts';

type Opened = Parameters<typeof readRange>[0];

const FIRST = 100n;

/** A range up to the head of which each block has some failed transactions; reading fails at a block. */
function open({
  head = FIRST,
  inBlock = 0,
  failsAt,
  error = new AppError('network', 'No.'),
}: Partial<Range>) {
  const printed: Hex[] = [];
  let isOver = false;
  async function* read() {
    for (let block = FIRST; block <= head; block++) {
      if (block === failsAt) {
        isOver = error.kind === 'aborted';
        throw error;
      }
      const failed = Array.from({ length: inBlock }, (_, index) => ({
        hash: `0x${(block * 10_000n + BigInt(index)).toString(16).padStart(64, '0')}` as const,
        target: undefined,
      }));
      yield { block, failed, gap: undefined };
    }
  }
  const range = { fromBlock: FIRST, toBlock: head, head, found: undefined, read };
  const found = answerOf(transactionOf({ status: 'failed' }));
  const opened: Opened = {
    range,
    transactions: {
      async *lookUp(hashes) {
        for (const hash of hashes) yield [hash, found];
      },
      print: async (hash) => {
        printed.push(hash);
        return true;
      },
    },
    deadline: { signal: new AbortController().signal, isOver: () => isOver },
    timeoutMs: 2000,
    sentTo: undefined,
  };
  return { opened, range, printed };
}

interface Range {
  readonly head: bigint;
  readonly inBlock: number;
  readonly failsAt: bigint;
  readonly error: AppError;
}

async function read(range: Partial<Range>) {
  const { opened, range: found, printed } = open(range);
  const reading = await readRange(opened);
  const { state, reasons } = judgeReading(found, reading);
  return { state, reasons, readThrough: reading.readThrough, printed: new Set(printed).size };
}

describe('limits of transaction --failed', () => {
  it('are 10,000 blocks', async () => {
    assert.deepEqual(await read({ head: 20_000n }), {
      state: 'more',
      reasons: ['At most 10000 blocks are read. Continue with --from 10100.'],
      ...{ readThrough: 10_099n, printed: 0 },
    });
    const { state, readThrough } = await read({ head: 10_099n });
    assert.deepEqual([state, readThrough], ['complete', 10_099n]);
  });

  it('are 1,000 transactions, with all of the last block', async () => {
    assert.deepEqual(await read({ head: 200n, inBlock: 501 }), {
      state: 'more',
      reasons: ['Reading stopped at 1002 transactions. Continue with --from 102.'],
      ...{ readThrough: 101n, printed: 1002 },
    });
    assert.equal((await read({ head: 101n, inBlock: 501 })).state, 'complete');
  });

  it('are a time, after which transactions that are not printed count as not read', async () => {
    const error = new AppError('aborted', 'Cancelled.');
    assert.deepEqual(await read({ head: 200n, failsAt: 150n, error }), {
      state: 'more',
      reasons: ['Reading stopped after 2 s, the limit of --timeout. Continue with --from 150.'],
      ...{ readThrough: 149n, printed: 0 },
    });
    const { readThrough, printed } = await read({ head: 200n, failsAt: 117n, inBlock: 1, error });
    assert.deepEqual([readThrough, printed], [109n, 10]);
  });

  it('are errors of the endpoint', async () => {
    const { state, reasons, readThrough } = await read({ head: 200n, failsAt: 150n });
    assert.deepEqual([state, reasons, readThrough], ['uncertain', ['Reading ended at block 150. No.'], 149n]);
  });
});
