import assert from 'node:assert/strict';
import { type Block, toChecksumAddress } from '../../../../src/core/index.ts';
import { createBlockDocument } from '../../../../src/features/decode/formatBlock.ts';
import { createWording, lookupOf } from '../../../support/decodingStubs.ts';
import { anyNetwork } from '../../../support/stubs.ts';
import { addressOf, hashOf } from '../../../support/transactions.ts';

const TREASURY = addressOf(1);
const network = anyNetwork(5, { name: 'Harbor', symbol: 'HBR' });
const lookup = lookupOf('function pay(uint256 price)');
const PAY = '0xc290d691';
const from = addressOf(2);

const block: Block = {
  ...{ number: 21_345_678n, hash: hashOf(0xb1), parentHash: hashOf(0xb0), time: 1_700_000_000_000 },
  ...{ miner: TREASURY, gasUsed: 12_345_678n, gasLimit: 30_000_000n, baseFee: 1_500_000_000n, size: 2_048n },
  ...{ transactionCount: 4, withdrawalCount: 16, methods: ['eth_getBlockByNumber'] },
  transactions: [
    { hash: hashOf(1), call: { from, to: TREASURY, value: 10n ** 18n, input: PAY }, isFailed: true },
    { hash: hashOf(2), call: { from, to: TREASURY, value: 0n, input: '0xdeadbeef' }, isFailed: false },
    { hash: hashOf(3), call: { from, to: undefined, value: 0n, input: '0x6080604052' }, isFailed: undefined },
    { hash: hashOf(4), call: { from, to: TREASURY, value: 5n, input: '0x' }, isFailed: false },
  ],
};

const createLines = (shown: Block) =>
  createBlockDocument({
    ...{ block: shown, network, lookup, format: createWording(TREASURY), origin: 'http://node.example' },
    readAt: 1_700_000_300_000,
  });
const createDocument = (shown: Block) =>
  createLines(shown)
    .map(({ level, text }) => `${'  '.repeat(level)}${text}`)
    .join('\n');

describe('document of a block', () => {
  it('has the header, and the transactions with names, functions and amounts', () => {
    const named = `Treasury (${toChecksumAddress(TREASURY)})`;
    const sender = toChecksumAddress(from);
    assert.equal(
      createDocument(block),
      `Block 21,345,678 on Harbor

Hash: ${hashOf(0xb1)}
Time: 2023-11-14T22:13:20Z (5 min ago)
Parent: 21,345,677, ${hashOf(0xb0)}
Miner or fee recipient: ${named}
Gas: 12,345,678 of 30,000,000 (41.1 %)
Base fee: 1.5 gwei
Size: 2,048 bytes
Transactions: 4
Withdrawals: 16
Source: http://node.example at 2023-11-14T22:18:20Z, by eth_getBlockByNumber

Transactions
  0: transaction ${hashOf(1)} · Failed
    ${sender} → ${named} · pay(uint256) · 1 HBR
  1: transaction ${hashOf(2)}
    ${sender} → ${named} · 0xdeadbeef
  2: transaction ${hashOf(3)}
    ${sender} → a new contract
  3: transaction ${hashOf(4)}
    ${sender} → ${named} · 0.000000000000000005 HBR`,
    );
  });

  it('links to the block before', () => {
    const line = createLines(block).find(({ label }) => label === 'Parent:');
    assert.equal(line?.command?.argument, '21345677');
    assert.doesNotMatch(createDocument({ ...block, number: 0n }), /Parent/);
  });

  it('says what it does not list, and omits what the endpoint does not send', () => {
    const short = { ...block, transactionCount: 1_500, transactions: block.transactions.slice(0, 2) };
    assert.match(createDocument(short), /\n {2}The first 2 of 1,500\.\n {2}0: /);
    const bare = {
      ...block,
      ...{ gasLimit: undefined, baseFee: undefined, size: undefined, withdrawalCount: undefined },
      transactions: [{ hash: hashOf(1), call: undefined, isFailed: undefined }],
    };
    const text = createDocument(bare);
    assert.doesNotMatch(text, /Gas|Base fee|Size|Withdrawals|undefined/);
    assert.match(text, /The block is too large to load what its transactions call/);
  });
});
