import assert from 'node:assert/strict';
import { AppError, type Hex, isAppError } from '../../../../src/core/index.ts';
import {
  fetchBlock,
  fetchBlockHeader,
  MAX_BLOCK_TRANSACTIONS,
} from '../../../../src/core/transactions/block.ts';
import { addressOf, hashOf } from '../../../support/transactions.ts';

const HASH = hashOf(0xb10c);
const header = {
  ...{ number: '0x10', hash: HASH, parentHash: hashOf(0xb10b), timestamp: '0x65', miner: addressOf(9) },
  ...{ gasUsed: '0x5208', gasLimit: '0xa410', baseFeePerGas: '0x7', size: '0x220', withdrawals: [{}, {}] },
};
const transactionOf = (index: number) => ({
  ...{ hash: hashOf(index), from: addressOf(1), to: index === 2 ? null : addressOf(2), value: '0x5' },
  input: '0xa9059cbb',
});
const block = { ...header, transactions: [transactionOf(1), transactionOf(2)] };
const receiptOf = (index: number, status: string) => ({ transactionHash: hashOf(index), status });

/** A node that answers by method; a function may throw. */
function createNode(answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>>) {
  const asked: string[] = [];
  const call = async (method: string, params: readonly unknown[]) => {
    asked.push(`${method} ${JSON.stringify(params)}`);
    const answer = answers[method];
    if (!answer) throw new AppError('rpc', 'no', { code: -32601, serverMessage: 'no such method' });
    return answer(params);
  };
  return { asked, call };
}

describe('fetchBlock', () => {
  it('reads header, transactions and which of them failed', async () => {
    const { call, asked } = createNode({
      eth_getBlockByNumber: () => block,
      eth_getBlockReceipts: () => [receiptOf(1, '0x0'), receiptOf(2, '0x1')],
    });
    const found = await fetchBlock(call, 16n);
    assert.deepEqual(asked, ['eth_getBlockByNumber ["0x10",true]', 'eth_getBlockReceipts ["0x10"]']);
    assert.deepEqual(found?.transactions, [
      {
        hash: hashOf(1),
        call: { from: addressOf(1), to: addressOf(2), value: 5n, input: '0xa9059cbb' },
        isFailed: true,
      },
      {
        hash: hashOf(2),
        call: { from: addressOf(1), to: undefined, value: 5n, input: '0xa9059cbb' },
        isFailed: false,
      },
    ]);
    const { transactions: _, methods, ...facts } = found ?? assert.fail();
    assert.deepEqual(methods, ['eth_getBlockByNumber', 'eth_getBlockReceipts']);
    assert.deepEqual(facts, {
      ...{ number: 16n, hash: HASH, parentHash: hashOf(0xb10b), time: 101_000, miner: addressOf(9) },
      ...{ gasUsed: 21_000n, gasLimit: 42_000n, baseFee: 7n, size: 544n },
      ...{ transactionCount: 2, withdrawalCount: 2 },
    });
  });

  it('reads the receipts of the transactions that it lists, and no others', async () => {
    let read = 0;
    const count = MAX_BLOCK_TRANSACTIONS + 500;
    const { call } = createNode({
      eth_getBlockByNumber: () => ({
        ...block,
        transactions: Array.from({ length: count }, (_, at) => hashOf(at)),
      }),
      eth_getBlockReceipts: () =>
        Array.from({ length: count }, (_, at) => ({
          transactionHash: hashOf(at),
          get status() {
            read++;
            return at === 7 ? '0x0' : '0x1';
          },
        })),
    });
    const found = (await fetchBlock(call, 16n))?.transactions ?? assert.fail();
    assert.equal(found.length, MAX_BLOCK_TRANSACTIONS);
    assert.deepEqual(
      found.flatMap(({ isFailed }, at) => (isFailed === true ? [at] : [])),
      [7],
    );
    assert.equal(read, MAX_BLOCK_TRANSACTIONS);
  });

  it('does not say what failed without all receipts', async () => {
    for (const receipts of [[receiptOf(1, '0x0')], null, undefined]) {
      const node = createNode({
        eth_getBlockByNumber: () => block,
        ...(receipts !== undefined && { eth_getBlockReceipts: () => receipts }),
      });
      const found = await fetchBlock(node.call, 16n);
      assert.deepEqual(
        found?.transactions.map(({ isFailed }) => isFailed),
        [undefined, undefined],
      );
    }
  });

  it('reads a block by its hash, and only the hashes of the transactions of one that is too large', async () => {
    const { call, asked } = createNode({
      eth_getBlockByHash: ([, isWhole]) => {
        if (isWhole) throw new AppError('tooLarge', 'too large');
        return { ...header, transactions: [hashOf(1)] };
      },
    });
    const found = await fetchBlock(call, HASH);
    assert.deepEqual(found?.transactions, [{ hash: hashOf(1), call: undefined, isFailed: undefined }]);
    assert.equal(asked.length, 3);
  });

  it('keeps a bounded number of transactions, and counts all', async () => {
    const transactions = Array.from({ length: 1_500 }, (_, index) => transactionOf(index));
    const { call } = createNode({ eth_getBlockByNumber: () => ({ ...header, transactions }) });
    const found = await fetchBlock(call, 16n);
    assert.deepEqual([found?.transactions.length, found?.transactionCount], [1_000, 1_500]);
  });

  it('has none where the endpoint has none, however it says so', async () => {
    const missing = createNode({ eth_getBlockByNumber: () => null });
    assert.equal(await fetchBlock(missing.call, 16n), undefined);
    const refusing = createNode({
      eth_getBlockByNumber: () => {
        throw new AppError('rpc', '', { serverMessage: 'Block not found' });
      },
    });
    assert.equal(await fetchBlock(refusing.call, 16n), undefined);
  });

  it('refuses another block than the requested one, and an endpoint without blocks', async () => {
    const { call } = createNode({ eth_getBlockByNumber: () => ({ ...block, number: '0x11' }) });
    const isKind = (kind: 'badResponse' | 'notServed') => (error: unknown) => isAppError(error, kind);
    await assert.rejects(fetchBlock(call, 16n), isKind('badResponse'));
    await assert.rejects(fetchBlock(createNode({}).call, HASH), isKind('notServed'));
  });
});

describe('fetchBlockHeader', () => {
  it('asks for the hashes of transactions alone, and counts them', async () => {
    const transactions: readonly Hex[] = [hashOf(1), hashOf(2), hashOf(3)];
    const { call, asked } = createNode({ eth_getBlockByNumber: () => ({ ...header, transactions }) });
    assert.equal((await fetchBlockHeader(call, 16n))?.transactionCount, 3);
    assert.deepEqual(asked, ['eth_getBlockByNumber ["0x10",false]']);
  });
});
