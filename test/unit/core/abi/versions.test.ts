import assert from 'node:assert/strict';
import {
  type CandidateTiers,
  sortByTrust,
  type VersionedCandidate,
  type VersionedLookup,
  type VersionReason,
} from '../../../../src/core/abi/candidates.ts';
import { describeUndecoded } from '../../../../src/core/abi/eventDecoder.ts';
import { formatMessage } from '../../../../src/core/base/text.ts';
import {
  createLogDecoder,
  decodedLogToJson,
  type Log,
  mergeAbiResolvers,
} from '../../../../src/core/index.ts';
import { findAlignedInput } from '../../../../src/core/logs/query/eventOfQuery.ts';
import { eventOf, logOfEvent } from '../../../support/eventLogs.ts';

const ADDRESS = `0x${'5f'.repeat(20)}` as const;
const CODE = { address: `0x${'c1'.repeat(20)}`, since: { block: 7, transaction: 1, log: 4 } } as const;
const ALICE = `0x${'a1'.repeat(20)}` as const;
const BOB = `0x${'b0'.repeat(20)}` as const;
const V1 = 'event Paid(address indexed by, address indexed to, uint256 amount)';
const V2 = 'event Paid(address indexed by, address to, uint256 indexed amount)';
const SWAPPED = 'event Paid(address indexed to, address indexed by, uint256 amount)';
const RENAMED = 'event Paid(address indexed payer, address indexed payee, uint256 amount)';

function candidate(text: string, code?: VersionedCandidate['code']): VersionedCandidate {
  const origin = { trust: 'deployment', from: 'src/Shop.sol', contract: 'Shop', line: undefined } as const;
  return { item: eventOf(text), origin, code };
}

/** What logs of one version are, whatever their topic. */
function readings(parts: Partial<CandidateTiers>): CandidateTiers {
  return { tiers: [], against: [], mustAgree: true, reason: undefined, code: undefined, ...parts };
}

/** A lookup whose versions are those of blocks. */
function decoderBy(byBlock: Readonly<Record<number, CandidateTiers>>) {
  const asked: number[] = [];
  const none = readings({});
  const lookup: VersionedLookup = {
    events: () => assert.fail('The versions count.'),
    errors: () => [],
    functions: () => [],
    versionsAt: () => ({
      isUnversioned: () => false,
      versionAt: (block) => block,
      allCandidates: -1,
      candidateTiers(topic0, version) {
        asked.push(version);
        return topic0 === undefined ? none : (byBlock[version] ?? none);
      },
      layouts: () => [],
    }),
  };
  return { decoder: createLogDecoder({ lookup, chainId: 1 }), asked };
}

const paid = logOfEvent(eventOf(V1), [ALICE, BOB, 5n], { address: ADDRESS, block: 1n });
const at = (block: bigint): Log => ({ ...paid, blockNumber: block });

function told(parts: Partial<CandidateTiers>): unknown {
  const decoded = decoderBy({ 1: readings(parts) }).decoder.decode(paid);
  if ('event' in decoded) return decoded.event.inputs.map(({ name }, index) => [name, decoded.values[index]]);
  return decoded.reason.code === 'version' ? decoded.reason.reason : decoded.reason.code;
}

const ofV1 = [
  ['by', ALICE],
  ['to', BOB],
  ['amount', 5n],
];

describe('logs of upgraded contracts', () => {
  it('are decoded by the version of their place, which is found out once', () => {
    const { decoder, asked } = decoderBy({
      1: readings({ tiers: [[candidate(V1, CODE)]] }),
      2: readings({ tiers: [[candidate(V2)]] }),
    });
    const first = decoder.decode(at(1n));
    assert.ok('event' in first && first.code === CODE);
    const second = decoder.decode(at(2n));
    assert.ok('event' in second && second.values[2] === BigInt(BOB));
    decoder.decode(at(1n));
    decoder.decode(at(2n));
    assert.deepEqual(asked, [1, 2]);
  });

  it('are of no version where their place is not known', () => {
    const { decoder, asked } = decoderBy({ [-1]: readings({ tiers: [[candidate(V1)]] }) });
    const { address, topics, data } = paid;
    assert.ok('event' in decoder.decode({ address, topics, data }));
    assert.deepEqual(asked, [-1]);
  });

  it('are decided by the first tier that has an event, whether it fits or not', () => {
    assert.deepEqual(told({ tiers: [[], [candidate(V1)], [candidate(V2)]] }), ofV1);
    const other = candidate('event Paid(address by, address to, uint256 amount)');
    assert.equal(told({ tiers: [[other], [candidate(V1)]] }), 'topicCount');
  });

  it('stay raw where several fit and say different things', () => {
    assert.equal(told({ tiers: [[candidate(V1), candidate(V2)]] }), 'several');
    assert.equal(told({ tiers: [[candidate(V1)]], against: [candidate(V2)] }), 'several');
    const unread = { reason: 'unread' } as const;
    assert.equal(told({ tiers: [[candidate(V1), candidate(SWAPPED)]], ...unread }), 'unread');
  });

  it('are decoded where all that fit say the same', () => {
    const uncertain = { doubt: 'uncertain' } as const;
    assert.deepEqual(told({ tiers: [[candidate(V1), candidate(RENAMED)]], ...uncertain }), ofV1);
    assert.deepEqual(told({ tiers: [[candidate(V1)]], against: [candidate(V1)], ...uncertain }), ofV1);
    const same = logOfEvent(eventOf(V1), [ALICE, BOB, BigInt(BOB)], { block: 1n });
    const both = decoderBy({ 1: readings({ tiers: [[candidate(V1), candidate(V2)]] }) });
    const decoded = both.decoder.decode(same);
    assert.ok('event' in decoded && decoded.values[1] === BOB);
  });

  it('stay raw where only another version has their event', () => {
    assert.equal(told({ against: [candidate(V1)] }), 'noAbi');
    assert.equal(told({ tiers: [[]], against: [candidate(V1)], reason: 'constructor' }), 'constructor');
    assert.equal(told({}), 'unknownEvent');
  });

  it('name their version as JSON', () => {
    const { decoder } = decoderBy({ 1: readings({ tiers: [[candidate(V1, CODE)]] }) });
    const json = decodedLogToJson(decoder.decode(paid));
    assert.ok('implementation' in json);
    assert.deepEqual(json.implementation, {
      ...{ address: CODE.address, contract: 'Shop' },
      since: { block: '7', logIndex: 4 },
    });
  });

  it('stay raw for reasons in whole sentences', () => {
    const doubts: readonly VersionReason[] = ['constructor', 'unread', 'uncertain', 'noAbi', 'several'];
    const texts = [CODE, undefined].flatMap((inForce) =>
      doubts.map((doubt) =>
        formatMessage(describeUndecoded({ code: 'version', reason: doubt, activeCode: inForce, events: [] })),
      ),
    );
    assert.equal(new Set(texts).size, 6);
    for (const text of texts) assert.match(text, /^[A-Z].*\.$/);
  });
});

describe('parameters in a column', () => {
  const v1 = eventOf(V1);
  for (const [what, declared, places] of [
    ['their names', V1, [0, 1, 2, undefined]],
    ['their names in another order', SWAPPED, [1, 0, 2]],
    ['their place where they have other names', RENAMED, [0, 1, 2]],
    ['their names first', 'event Paid(address indexed to, address other, uint256 amount)', [undefined, 0, 2]],
    ['no name of another type', 'event Paid(address amount, address to, uint256 by)', [undefined, 1]],
  ] as const) {
    it(`are found by ${what}`, () => {
      const found = [0, 1, 2, 3].map((index) => findAlignedInput(v1, eventOf(declared), index));
      assert.deepEqual(
        found,
        [0, 1, 2, 3].map((index) => places[index]),
      );
    });
  }
});

describe('what is known of an event', () => {
  it('has the same names in another order for another reading, and other names for the same', () => {
    const kept = sortByTrust([candidate(V1), candidate(RENAMED), candidate(SWAPPED), candidate(V2)]);
    const names = kept.map(({ item }) => item.inputs.map(({ name }) => name).join());
    assert.deepEqual(names, ['by,to,amount', 'to,by,amount', 'by,to,amount']);
  });
});

describe('what several know of code', () => {
  it('is what the first knows that has its ABI, else its name', () => {
    const items = [{ text: V1, origin: candidate(V1).origin }];
    const named = { abiAt: () => ({ id: 'named', items: undefined }) };
    const whole = { abiAt: () => ({ id: 'whole', items }) };
    const nothing = { abiAt: () => undefined };
    const place = { address: ADDRESS, chainId: 1 };
    assert.equal(mergeAbiResolvers(nothing, named, whole).abiAt(place)?.id, 'whole');
    assert.equal(mergeAbiResolvers(nothing, named).abiAt(place)?.id, 'named');
    assert.equal(mergeAbiResolvers(nothing).abiAt(place), undefined);
  });
});
