import assert from 'node:assert/strict';
import {
  AppError,
  createTimeSlices,
  encodeParameters,
  explainTransaction,
  type Hex,
  mergeLookups,
  parseAbiItem,
  systemClock,
  type Transaction,
  transactionToJson,
  transferEvents,
  ZERO_ADDRESS,
} from '../../../../src/core/index.ts';
import type { TransferStandard } from '../../../../src/core/tokens/transferStandard.ts';
import { addressOf, transactionOf } from '../../../support/transactions.ts';

const [alice, bob, carol] = [addressOf(1), addressOf(2), addressOf(3)];
const TOKEN = addressOf(0xe20);
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const topic = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const pairs = parseAbiItem('function batch(uint256[] ids, uint256[] values)');

const erc20 = (from: Hex, to: Hex, amount: bigint, address = TOKEN) => ({
  ...{
    address,
    topics: [transferEvents.transfer.topic0, topic(from), topic(to)],
    data: word(amount),
    logIndex: 0,
  },
});
const erc721 = (from: Hex, to: Hex, id: bigint) => ({
  ...{ address: TOKEN, topics: [transferEvents.transfer.topic0, topic(from), topic(to), word(id)] },
  ...{ data: '0x' as const, logIndex: 0 },
});
type StandardOf = (contract: Hex, value: bigint) => TransferStandard | undefined;
/** An ERC-20 whose value is indexed. */
const indexedAmount = (from: Hex, to: Hex, amount: bigint) => erc721(from, to, amount);
/** ERC-721 without an indexed ID, and without any indexed argument. */
const unindexedId = (from: Hex, to: Hex, id: bigint) => erc20(from, to, id);
const nothingIndexed = (from: Hex, to: Hex, value: bigint) => ({
  ...{ address: TOKEN, topics: [transferEvents.transfer.topic0], logIndex: 0 },
  data: `${topic(from)}${topic(to).slice(2)}${word(value).slice(2)}` as Hex,
});
const erc1155 = (from: Hex, to: Hex, moved: readonly (readonly [bigint, bigint])[]) => ({
  address: TOKEN,
  topics: [transferEvents.transferBatch.topic0, topic(carol), topic(from), topic(to)],
  data: encodeParameters(pairs?.inputs ?? [], [moved.map(([id]) => id), moved.map(([, amount]) => amount)]),
  logIndex: 0,
});

/** With `standardOf`, contracts are asked what the value of their `Transfer` is. */
async function movementsOf(facts: Partial<Transaction>, standardOf?: StandardOf) {
  const slices = createTimeSlices(systemClock);
  const fetchTransferStandard = standardOf && (async (...of: Parameters<StandardOf>) => standardOf(...of));
  const explaining = { lookup: mergeLookups(), chainId: 1, slices, fetchTransferStandard };
  return transactionToJson(await explainTransaction(transactionOf(facts), explaining));
}

/** Address and net amount, by token id where there is one. */
const nets = async (facts: Partial<Transaction>) =>
  (await movementsOf(facts)).movements.map(({ address, net, tokenId }) => [
    address,
    net,
    ...(tokenId ? [tokenId] : []),
  ]);

describe('movements of a transaction', () => {
  it('are summed by token and address: what came less what went', async () => {
    const logs = [erc20(alice, bob, 10n), erc20(bob, carol, 4n), erc20(alice, bob, 1n, addressOf(9))];
    assert.deepEqual(await nets({ logs }), [
      [alice, '-10'],
      [bob, '6'],
      [carol, '4'],
      [alice, '-1'],
      [bob, '1'],
    ]);
    const [, second] = (await movementsOf({ logs })).movements;
    assert.deepEqual([second?.in, second?.out, second?.standard, second?.token], ['10', '4', 'erc20', TOKEN]);
  });

  it('tell token ids apart, also in a batch that names one twice', async () => {
    assert.deepEqual(await nets({ logs: [erc721(ZERO_ADDRESS, alice, 7n), erc721(alice, bob, 8n)] }), [
      [ZERO_ADDRESS, '-1', '7'],
      [alice, '1', '7'],
      [alice, '-1', '8'],
      [bob, '1', '8'],
    ]);
    const batch = erc1155(alice, bob, [
      [1n, 5n],
      [2n, 6n],
      [1n, 7n],
    ]);
    assert.deepEqual(await nets({ logs: [batch] }), [
      [alice, '-12', '1'],
      [bob, '12', '1'],
      [alice, '-6', '2'],
      [bob, '6', '2'],
    ]);
  });

  it('are amounts or token ids as the contract tells, whichever arguments it indexes', async () => {
    const told = async (log: ReturnType<typeof erc20>, standard: TransferStandard) =>
      (await movementsOf({ logs: [log] }, () => standard)).movements.map(({ standard: kind, net, tokenId }) =>
        [kind, net, tokenId].filter(Boolean).join(' '),
      );
    const amount = ['erc20 -4217', 'erc20 4217'];
    const id = ['erc721 -1 4217', 'erc721 1 4217'];
    for (const form of [indexedAmount, unindexedId, nothingIndexed]) {
      assert.deepEqual(await told(form(alice, bob, 4217n), 'erc20'), amount);
      assert.deepEqual(await told(form(alice, bob, 4217n), 'erc721'), id);
    }
    assert.deepEqual(await told(erc20(alice, bob, 4217n), 'byForm'), amount);
    assert.deepEqual(await told(erc721(alice, bob, 4217n), 'byForm'), id);
  });

  it('are in no sum where the contract does not tell or cannot be asked: both readings are listed', async () => {
    const logs = [erc721(alice, bob, 7n), erc20(alice, bob, 5n), erc1155(alice, bob, [[1n, 2n]])];
    const failing = () => {
      throw new AppError('network', 'gone');
    };
    for (const standardOf of [() => undefined, failing]) {
      const { movements, unclearTransfers } = await movementsOf({ logs }, standardOf);
      assert.deepEqual(
        movements.map(({ standard }) => standard),
        ['erc1155', 'erc1155'],
      );
      const readings = (number: string) => [
        { standard: 'erc20', amount: number },
        { standard: 'erc721', tokenId: number },
      ];
      assert.deepEqual(unclearTransfers, [
        { token: TOKEN, from: alice, to: bob, readings: readings('7') },
        { token: TOKEN, from: alice, to: bob, readings: readings('5') },
      ]);
    }
  });

  it('ask each contract once, with a value of its own', async () => {
    const asked: unknown[] = [];
    const logs = [erc20(alice, bob, 10n), erc20(bob, carol, 4n), erc20(alice, bob, 1n, addressOf(9))];
    const { movements, unclearTransfers } = await movementsOf({ logs }, (...of) => {
      asked.push(of.slice(0, 2));
      return 'erc20';
    });
    assert.deepEqual(asked, [
      [TOKEN, 10n],
      [addressOf(9), 1n],
    ]);
    assert.deepEqual([movements.length, unclearTransfers], [5, undefined]);
  });

  it('have a range of token ids as one movement', async () => {
    const range = {
      ...{ address: TOKEN, logIndex: 0, data: word(4999n) },
      topics: [transferEvents.consecutiveTransfer.topic0, word(0n), topic(ZERO_ADDRESS), topic(alice)],
    };
    const { movements } = await movementsOf({ logs: [range] });
    assert.deepEqual(
      movements.map(({ address, net, tokenId, lastTokenId }) => [address, net, tokenId, lastTokenId]),
      [
        [ZERO_ADDRESS, '-5000', '0', '4999'],
        [alice, '5000', '0', '4999'],
      ],
    );
  });

  it('have the coin of a transaction that succeeded, and of no other', async () => {
    assert.deepEqual(await nets({ value: 5n, from: alice, to: bob }), [
      [alice, '-5'],
      [bob, '5'],
    ]);
    const creation = { value: 5n, from: alice, to: undefined, created: carol };
    assert.deepEqual(await nets(creation), [
      [alice, '-5'],
      [carol, '5'],
    ]);
    assert.deepEqual((await movementsOf(creation)).created, [carol]);
    assert.deepEqual((await movementsOf({ ...creation, status: 'failed' })).created, []);
    for (const status of ['failed', 'pending', 'unknown'] as const) {
      assert.deepEqual(await nets({ value: 5n, status }), [], status);
    }
    assert.deepEqual(await nets({ value: 5n, from: alice, to: alice }), [[alice, '0']]);
  });

  it('are none of what only looks like a transfer', async () => {
    const short = { ...erc20(alice, bob, 1n), data: '0x01' as const };
    const long = { ...erc20(alice, bob, 1n), data: `${word(1n)}00` as const };
    const broken = { ...erc1155(alice, bob, [[1n, 1n]]), data: '0x1234' as const };
    const unknown = { ...erc20(alice, bob, 1n), topics: [word(1n), topic(alice), topic(bob)] };
    assert.deepEqual(await nets({ logs: [short, long, broken, unknown] }), []);
  });

  it('are bounded, and say so', async () => {
    const logs = Array.from({ length: 4_000 }, (_, place) =>
      erc20(addressOf(place * 2), addressOf(place * 2 + 1), 1n),
    );
    const { movements, isCut } = await movementsOf({ logs });
    assert.deepEqual([movements.length, isCut], [5_000, true]);
    assert.equal((await movementsOf({ logs: logs.slice(0, 10) })).isCut, undefined);
  });
});
