import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeAbiParameters, encodeEventTopics, parseAbi, parseAbiItem } from 'viem';
import { type Hex, toAbiWord } from '../../../../src/core/index.ts';
import {
  decodeImplementationChange,
  getUpgradeTopics,
  isUpgradeEvent,
} from '../../../../src/core/upgrades/upgradeEvents.ts';

const V1 = `0x${'a1'.repeat(20)}` as const;
const V2 = `0x${'b2'.repeat(20)}` as const;
const ZERO = `0x${'0'.repeat(40)}` as const;
const abi = parseAbi([
  'event Upgraded(address indexed implementation)',
  'event BeaconUpgraded(address indexed beacon)',
  'event ChangedMasterCopy(address masterCopy)',
  'event AdminChanged(address previousAdmin, address newAdmin)',
  'event TargetUpdated(address newTarget)',
  'event NewImplementation(address oldImplementation, address newImplementation)',
  'event ProxyUpdated(address indexed newImplementation, address indexed oldImplementation)',
]);
const cutEvent = parseAbiItem(
  'event DiamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] cut, address init, bytes data)',
);
const topicOf = (eventName: (typeof abi)[number]['name']) => encodeEventTopics({ abi, eventName })[0] as Hex;
const [cutTopic] = encodeEventTopics({ abi: [cutEvent] }) as [Hex];

type Cut = readonly [facet: Hex, action: number, selectors: readonly Hex[]];

function diamondCut(cuts: readonly Cut[], init: Hex): { topics: Hex[]; data: Hex } {
  const list = cuts.map(([facetAddress, action, functionSelectors]) => ({
    facetAddress,
    action,
    functionSelectors,
  }));
  return { topics: [cutTopic], data: encodeAbiParameters(cutEvent.inputs, [list, init, '0x']) };
}

describe('logs of upgrades', () => {
  it('have these names in an ABI, of all proxies that are read', () => {
    const names = ['Upgraded', 'BeaconUpgraded', 'ChangedMasterCopy', 'DiamondCut', 'TargetUpdated'];
    for (const name of [...names, 'NewImplementation', 'ProxyUpdated'])
      assert.equal(isUpgradeEvent(`event ${name}(address a)`), true, name);
    for (const item of ['event UpgradedBy(address a)', 'function Upgraded()', 'error Upgraded()'])
      assert.equal(isUpgradeEvent(item), false, item);
  });

  it('are asked for by the hashes of their events', () => {
    const named = [...abi.flatMap(({ name }) => (name === 'AdminChanged' ? [] : [topicOf(name)])), cutTopic];
    assert.equal(
      topicOf('TargetUpdated'),
      '0x814250a3b8c79fcbe2ead2c131c952a278491c8f4322a79fe84b5040a810373e',
    );
    assert.deepEqual([...getUpgradeTopics()].sort(), named.sort());
  });

  for (const [eventName, kind] of [
    ['Upgraded', 'implementation'],
    ['ChangedMasterCopy', 'implementation'],
    // Synthetix' proxy CALLs its target.
    ['TargetUpdated', 'implementation'],
    ['BeaconUpgraded', 'beacon'],
  ] as const) {
    it(`name the ${kind} in a topic, or in the data as older proxies do: ${eventName}`, () => {
      const [topic0, word] = [topicOf(eventName), toAbiWord(V1)];
      for (const log of [
        { topics: [topic0, word], data: '0x' as const },
        { topics: [topic0], data: word },
      ])
        assert.deepEqual(decodeImplementationChange(log), { kind, address: V1 });
    });
  }

  it('name the implementation of Unitroller of Compound, and of Polygon’s proxy, beside the one before', () => {
    const [before, after] = [toAbiWord(`0x${'b2'.repeat(20)}`), toAbiWord(V1)];
    const expected = { kind: 'implementation', address: V1 };
    const data: Hex = `${before}${after.slice(2)}`;
    assert.deepEqual(decodeImplementationChange({ topics: [topicOf('NewImplementation')], data }), expected);
    const topics = [topicOf('ProxyUpdated'), after, before];
    assert.deepEqual(decodeImplementationChange({ topics, data: '0x' }), expected);
  });

  it('tell of functions that come, move and go', () => {
    const log = diamondCut(
      [
        [V1, 0, ['0x01020304']],
        [V2, 1, ['0x0a0b0c0d']],
        [ZERO, 2, ['0xffffffff']],
      ],
      V2,
    );
    assert.deepEqual(decodeImplementationChange(log), {
      kind: 'facets',
      cuts: [
        { facet: V1, selectors: ['0x01020304'] },
        { facet: V2, selectors: ['0x0a0b0c0d'] },
        { facet: undefined, selectors: ['0xffffffff'] },
      ],
      init: V2,
    });
    assert.deepEqual(decodeImplementationChange(diamondCut([], ZERO)), {
      kind: 'facets',
      cuts: [],
      init: undefined,
    });
  });

  it('are none of another event', () => {
    assert.equal(decodeImplementationChange({ topics: [], data: '0x' }), undefined);
    assert.equal(decodeImplementationChange({ topics: [topicOf('AdminChanged')], data: '0x' }), undefined);
  });

  it('are unreadable where something else stands under their topic', () => {
    const topics = [topicOf('Upgraded')];
    for (const log of [
      ...(['0x', `0x${'f'.repeat(64)}`, toAbiWord(0n)] as const).map((data) => ({ topics, data })),
      { topics: [...topics, ...topics, ...topics], data: '0x' as const },
      { topics: [cutTopic], data: '0x1234' as const },
    ])
      assert.deepEqual(decodeImplementationChange(log), { kind: 'unreadable' });
  });

  it('never throw, whatever their data are', () => {
    const hex = fc
      .uint8Array({ maxLength: 300 })
      .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Hex);
    const topics = fc.constantFrom(...getUpgradeTopics()).map((topic0) => [topic0]);
    const property = fc.property(topics, hex, (of, data) => {
      const change = decodeImplementationChange({ topics: of, data });
      assert.ok(change);
    });
    fc.assert(property);
  });
});
