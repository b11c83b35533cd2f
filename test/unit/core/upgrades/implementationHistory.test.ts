import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Address, encodeParameters, type Hex, toAbiWord } from '../../../../src/core/index.ts';
import {
  createImplementationHistory,
  type FetchedUpgrades,
  type UpgradeLog,
} from '../../../../src/core/upgrades/implementationHistory.ts';
import { getUpgradeTopics } from '../../../../src/core/upgrades/upgradeEvents.ts';
import { eventOf } from '../../../support/eventLogs.ts';
import { pick } from '../../../support/pick.ts';

const DIAMOND_CUT =
  'event DiamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] cut, address init, bytes data)';
const PROXY = addressOf(1);
const OTHER = addressOf(2);
const BEACON = addressOf(3);
const [upgraded, beaconUpgraded] = getUpgradeTopics() as [Hex, Hex];

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

interface At {
  readonly block: number;
  readonly transaction?: number;
  readonly log?: number;
}

function logAt(
  { block, transaction = 0, log = 0 }: At,
  to: Address,
  by: Address = PROXY,
  topic0 = upgraded,
): UpgradeLog {
  return {
    ...{ address: by, topics: [topic0, toAbiWord(to)], data: '0x' },
    ...{ blockNumber: BigInt(block), transactionIndex: transaction, logIndex: log },
  };
}

const read = (logs: readonly UpgradeLog[], facts: Partial<FetchedUpgrades> = {}) =>
  createImplementationHistory({ address: PROXY, logs, from: 0, through: 1000, isUncertain: false, ...facts });

/** What is in force at a place: addresses, or why that is not known. */
function codeAt(history: ReturnType<typeof read>, { block, transaction = 0, log = 0 }: At) {
  const stretch = history.periods[history.periodAt(block, transaction, log)] ?? assert.fail('no stretch');
  return stretch.code?.map(({ address }) => address) ?? stretch.reason;
}

const V1 = addressOf(0x101);
const V2 = addressOf(0x102);
const V3 = addressOf(0x103);

describe('the history of a contract', () => {
  it('tells apart what is before and behind an upgrade in one transaction', () => {
    const history = read([logAt({ block: 3 }, V1), logAt({ block: 10, transaction: 4, log: 7 }, V2)]);
    const at = (transaction: number, log: number) => codeAt(history, { block: 10, transaction, log });
    assert.deepEqual([at(3, 6), at(4, 6), at(4, 7), at(4, 8), at(5, 9)], [[V1], [V1], [V1], [V2], [V2]]);
    const stretch = history.periods[history.periodAt(10, 4, 8)];
    assert.deepEqual(pick(stretch?.earlier, 'address'), [V1]);
    assert.deepEqual(history.periods[history.periodAt(10, 5, 9)]?.earlier, []);
    assert.deepEqual(pick(history.periods[history.periodAt(10, 4, 6)]?.later, 'address'), [V2]);
  });

  it('follows the beacon that the proxy names, from the block on in which it does', () => {
    const history = read([
      logAt({ block: 5 }, V1, BEACON),
      logAt({ block: 8 }, BEACON, PROXY, beaconUpgraded),
      logAt({ block: 12 }, V2, BEACON),
      logAt({ block: 13 }, V3, OTHER),
    ]);
    const at = (block: number) => codeAt(history, { block, log: 1 });
    assert.deepEqual([at(6), at(8), at(11), at(12), at(20)], ['constructor', [V1], [V1], [V2], [V2]]);
  });

  it('does not know what a beacon has named that was never upgraded', () => {
    assert.equal(
      codeAt(read([logAt({ block: 8 }, BEACON, PROXY, beaconUpgraded)]), { block: 9 }),
      'constructor',
    );
  });

  it('is not known outside of the blocks that were read', () => {
    const history = read([logAt({ block: 10 }, V1)], { from: 5, through: 20 });
    const at = (block: number) => codeAt(history, { block, log: 1 });
    assert.deepEqual([at(4), at(5), at(20), at(21)], ['unread', 'constructor', [V1], 'unread']);
  });

  it('is uncertain where an upgrade is told in two ways', () => {
    const logs = [V1, V2].map((to) => logAt({ block: 10 }, to));
    assert.equal(codeAt(read(logs), { block: 11 }), 'uncertain');
  });

  it('is not known behind a log that says nothing', () => {
    const torn = { ...logAt({ block: 11 }, V1), topics: [upgraded] };
    const history = read([logAt({ block: 10 }, V1), torn, logAt({ block: 12 }, V2)]);
    const at = (block: number) => codeAt(history, { block, log: 1 });
    assert.deepEqual([at(10), at(11), at(12)], [[V1], 'constructor', [V2]]);
  });

  it('ends where there are more upgrades than are followed', () => {
    const logs = Array.from({ length: 3000 }, (_, index) =>
      logAt({ block: 1 + index }, addressOf(0x1000 + index)),
    );
    const history = read(logs, { through: 5000 });
    assert.deepEqual(codeAt(history, { block: 2000, log: 1 }), [addressOf(0x1000 + 1999)]);
    assert.equal(codeAt(history, { block: 2001 }), 'unread');
    assert.ok(history.periods.length < 7000);
  });

  it('is uncertain from a diamond on that has more facets than are followed', () => {
    const cutTopic = getUpgradeTopics()[3] as Hex;
    const cutOf = (block: number, facets: readonly number[]): UpgradeLog => {
      const cuts = facets.map((facet) => [
        addressOf(0x5000 + facet),
        0n,
        [`0x${facet.toString(16).padStart(8, '0')}`],
      ]);
      const data = encodeParameters(eventOf(DIAMOND_CUT).inputs, [cuts, addressOf(0), '0x']);
      return { ...logAt({ block }, V1), topics: [cutTopic], data };
    };
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
    const history = read([cutOf(5, range(0, 200)), cutOf(6, range(200, 400)), cutOf(7, [1])]);
    const at = (block: number) => codeAt(history, { block, log: 1 });
    assert.equal(at(5)?.length, 200);
    assert.deepEqual([at(6), at(7)], ['uncertain', 'uncertain']);
  });

  it('is not known from a transaction on that upgrades without end', () => {
    const logs = Array.from({ length: 500 }, (_, log) => logAt({ block: 9, log }, addressOf(0x1000 + log)));
    const history = read([logAt({ block: 5 }, V1), ...logs]);
    assert.deepEqual(codeAt(history, { block: 8 }), [V1]);
    assert.equal(codeAt(history, { block: 9 }), 'unread');
    assert.ok(history.periods.length < 10);
  });

  const place = fc.record({ block: fc.nat(6), transaction: fc.nat(2), log: fc.nat(2) });
  const upgrades = fc
    .uniqueArray(fc.record({ at: place, to: fc.nat(3) }), {
      maxLength: 12,
      selector: ({ at }) => `${at.block} ${3 * at.transaction + at.log}`,
    })
    // The position of a log in its block goes up with that of its transaction.
    .map((list) => list.map(({ at, to }) => ({ at: { ...at, log: 3 * at.transaction + at.log }, to })));

  it('is what the last upgrade before a place has set, however the logs come', () => {
    const property = fc.property(upgrades, place, fc.infiniteStream(fc.nat()), (list, asked, order) => {
      const at = { ...asked, log: 3 * asked.transaction + asked.log };
      const logs = list.map((one) => logAt(one.at, addressOf(0x100 + one.to)));
      const keys = new Map([...logs, ...logs].map((_, index) => [index, order.next().value]));
      const mixed = [...logs, ...logs, logAt({ block: 1 }, V1, OTHER)]
        .map((log, index) => ({ log, key: keys.get(index) ?? 0 }))
        .sort((a, b) => a.key - b.key)
        .map(({ log }) => log);
      const before = (one: At & { readonly log: number }) =>
        one.block < at.block || (one.block === at.block && one.log < at.log);
      const last = list
        .filter((one) => before(one.at))
        .sort((a, b) => a.at.block - b.at.block || a.at.log - b.at.log)
        .at(-1);
      // No log tells what the constructor has set.
      const none = list.length === 0 ? [] : 'constructor';
      const history = read(mixed);
      assert.equal(history.isEmpty, list.length === 0);
      assert.deepEqual(codeAt(history, at), last ? [addressOf(0x100 + last.to)] : none);
    });
    fc.assert(property);
  });

  it('claims nothing where it was read without some of its upgrades', () => {
    const property = fc.property(upgrades, place, fc.nat(), (list, asked, without) => {
      const logs = list.map((one) => logAt(one.at, addressOf(0x100 + one.to)));
      const told = logs.filter((_, index) => index !== without % Math.max(1, logs.length));
      assert.equal(codeAt(read(told, { isUncertain: true }), asked), 'uncertain');
    });
    fc.assert(property);
  });
});
