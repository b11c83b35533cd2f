import assert from 'node:assert/strict';
import {
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
const erc1155 = (from: Hex, to: Hex, moved: readonly (readonly [bigint, bigint])[]) => ({
  address: TOKEN,
  topics: [transferEvents.transferBatch.topic0, topic(carol), topic(from), topic(to)],
  data: encodeParameters(pairs?.inputs ?? [], [moved.map(([id]) => id), moved.map(([, amount]) => amount)]),
  logIndex: 0,
});

async function movementsOf(facts: Partial<Transaction>) {
  const slices = createTimeSlices(systemClock);
  const explaining = { lookup: mergeLookups(), chainId: 1, slices };
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
