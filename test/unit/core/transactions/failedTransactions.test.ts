import assert from 'node:assert/strict';
import { AppError, type Hex } from '../../../../src/core/index.ts';
import {
  type BlockFailures,
  openFailedTransactions,
} from '../../../../src/core/transactions/failedTransactions.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { addressOf } from '../../../support/transactions.ts';

const HEAD = 1_000n;
const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const blockHash = (block: bigint) => hashOf(0xb0000 + Number(block));
const transactionHash = (block: bigint, index: number) => hashOf(0xa0000 + Number(block) * 10 + index);
const receiptOf = (block: bigint, index: number, more: object = {}) => ({
  ...{ transactionHash: transactionHash(block, index), blockHash: blockHash(block), to: addressOf(index) },
  ...{ transactionIndex: `0x${index}`, status: index === 1 ? '0x0' : '0x1', ...more },
});
/** Two transactions in each block; the second fails. */
const receiptsOf = (block: bigint): unknown => [receiptOf(block, 0), receiptOf(block, 1)];
const headerOf = (block: bigint): object | null => ({
  ...{ number: `0x${block.toString(16)}`, hash: blockHash(block), parentHash: blockHash(block - 1n) },
  transactions: [transactionHash(block, 0), transactionHash(block, 1)],
});

interface Node {
  readonly header?: (block: bigint, attempt: number) => object | null;
  readonly receipts?: ((block: bigint) => unknown) | undefined;
  readonly single?: (hash: unknown) => unknown;
}

function open(range: readonly [string, string], { header = headerOf, receipts, single }: Node = {}) {
  const attempts = new Map<bigint, number>();
  const asked: string[] = [];
  const call = async (method: string, [first]: readonly unknown[]) => {
    asked.push(method);
    const number = String(first).length < 20 ? BigInt(String(first)) : 0n;
    if (method === 'eth_getBlockByNumber') {
      attempts.set(number, (attempts.get(number) ?? 0) + 1);
      return header(number, attempts.get(number) ?? 0);
    }
    if (method === 'eth_getBlockReceipts' && !single) return (receipts ?? receiptsOf)(number);
    if (method === 'eth_getBlockByHash' && single)
      return headerOf(BigInt(String(first)) - BigInt(hashOf(0xb0000)));
    if (method === 'eth_getTransactionReceipt' && single) return single(first);
    throw new AppError('rpc', 'no', { code: -32601, serverMessage: 'no such method' });
  };
  const deps = { call, clock: createTestClock(), head: HEAD, blockAt: () => assert.fail() };
  const opened = openFailedTransactions({ fromBlock: range[0], toBlock: range[1] }, deps);
  return { asked, opened };
}

async function read(...args: Parameters<typeof open>): Promise<readonly BlockFailures[]> {
  return readAll(open(...args));
}

async function readAll({ opened }: ReturnType<typeof open>): Promise<readonly BlockFailures[]> {
  const blocks: BlockFailures[] = [];
  for await (const block of (await opened).read()) blocks.push(block);
  return blocks;
}

const failedOf = (block: bigint) => [{ hash: transactionHash(block, 1), target: addressOf(1) }];

describe('failed transactions of a range', () => {
  it('are those whose receipts say so, of each block in order', async () => {
    const blocks = await read(['-120', 'latest']);
    assert.deepEqual(
      blocks,
      Array.from({ length: 120 }, (_, place) => {
        const block = 881n + BigInt(place);
        return { block, failed: failedOf(block), gap: undefined };
      }),
    );
  });

  it('come from each receipt where the endpoint does not send those of a block at once', async () => {
    const single = (hash: unknown) => {
      const place = Number(BigInt(String(hash)) - BigInt(hashOf(0xa0000)));
      return receiptOf(BigInt(Math.floor(place / 10)), place % 10);
    };
    const node = open(['5', '6'], { single });
    const blocks = await readAll(node);
    assert.deepEqual(
      blocks.map(({ failed, gap }) => [failed, gap]),
      [
        [failedOf(5n), undefined],
        [failedOf(6n), undefined],
      ],
    );
    assert.equal(node.asked.filter((method) => method === 'eth_getTransactionReceipt').length, 4);
  });

  it('have a gap where the endpoint may leave some out', async () => {
    const cases: readonly (readonly [BlockFailures['gap'], unknown])[] = [
      ['noReceipts', null],
      ['otherReceipts', []],
      ['otherReceipts', [receiptOf(7n, 1)]],
      ['otherReceipts', [receiptOf(7n, 1), receiptOf(7n, 1)]],
      ['otherReceipts', [receiptOf(7n, 1), receiptOf(7n, 0, { blockHash: blockHash(8n) })]],
      ['otherReceipts', [receiptOf(7n, 1), null]],
      ['otherReceipts', [receiptOf(7n, 1), receiptOf(7n, 0, { transactionIndex: '0x2' })]],
      ['noStatus', [receiptOf(7n, 1), receiptOf(7n, 0, { status: undefined, root: hashOf(3) })]],
    ];
    for (const [gap, receipts] of cases) {
      const [block] = await read(['7', '7'], { receipts: () => receipts });
      assert.equal(block?.gap, gap, JSON.stringify(receipts));
    }
  });

  it('have a gap where a block used gas, and the endpoint lists none of its transactions', async () => {
    for (const [gap, header] of [
      ['otherReceipts', { transactions: [], gasUsed: '0x5208' }],
      ['otherReceipts', { transactions: undefined, gasUsed: '0x5208' }],
      [undefined, { transactions: [], gasUsed: '0x0' }],
    ] as const) {
      const [block] = await read(['7', '7'], { header: (number) => ({ ...headerOf(number), ...header }) });
      assert.equal(block?.gap, gap);
    }
  });

  it('have a gap where a block is missing or replaced, and wait for a lagging replica', async () => {
    const late = await read(['7', '9'], { header: (block, at) => (at < 3 ? null : headerOf(block)) });
    assert.deepEqual(
      late.map(({ gap }) => gap),
      [undefined, undefined, undefined],
    );
    const missing = await read(['7', '9'], { header: (block) => (block === 8n ? null : headerOf(block)) });
    assert.deepEqual(
      missing.map(({ gap }) => gap),
      [undefined, 'noBlock', undefined],
    );
    const replaced = await read(['7', '9'], {
      header: (block) => ({ ...headerOf(block), ...(block === 8n && { parentHash: hashOf(1) }) }),
    });
    assert.deepEqual(
      replaced.map(({ gap }) => gap),
      [undefined, 'replaced', undefined],
    );
    const last = await read(['7', '9'], {
      header: (block, at) => ({ ...headerOf(block), ...(at > 1 && { hash: hashOf(1) }) }),
    });
    assert.deepEqual(
      last.map(({ gap }) => gap),
      [undefined, undefined, 'replaced'],
    );
  });

  it('refuse a range that goes backwards or has no blocks', async () => {
    for (const [range, message] of [
      [['9', '7'], /^The first block \(9\) is after/],
      [['earlier', '7'], /^Enter a block number/],
      [['7', '-5'], /^The last block cannot be negative/],
    ] as const)
      await assert.rejects(open(range).opened, { message });
  });
});
