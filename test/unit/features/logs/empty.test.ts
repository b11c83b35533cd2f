import assert from 'node:assert/strict';
import { attachEnums } from '../../../../src/core/abi/enums.ts';
import { parseAbiItem } from '../../../../src/core/abi/item.ts';
import {
  type AbiEvent,
  type Address,
  createMessage,
  createTimeSlices,
  emptyForm,
  foreign,
  loadStandardEvents,
  type QueryForm,
} from '../../../../src/core/index.ts';
import type { KnownAddresses } from '../../../../src/features/logs/form/readForm.ts';
import { validateQueryForm } from '../../../../src/features/logs/protocol/protocol.ts';
import {
  EmptyResultView,
  type EventFindings,
  explainEmptyResult,
} from '../../../../src/features/logs/results/emptyResult.ts';
import {
  findContractWithoutEvent,
  findNearestEvents,
} from '../../../../src/features/logs/results/nearestEvents.ts';
import { collectEvents, type KnownEvent } from '../../../../src/host/contracts/knownEvents.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { deploymentFacts } from '../../../support/projectFacts.ts';
import { english } from '../../../support/stubs.ts';

const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';
const HUSD: Address = `0x${'aa'.repeat(20)}`;
const ALICE: Address = `0x${'a1'.repeat(20)}`;

function known(declared: string): KnownEvent {
  const name = declared.slice(0, declared.indexOf('('));
  return { declared, name, contract: 'Husd', others: 0, from: 'src/Husd.sol', rank: 'own' };
}

describe('events that may be meant instead', () => {
  const own = [TRANSFER, 'Minted(uint256 amount)', 'Paid(address indexed by, uint256 amount)'].map(known);
  const near = async (typed: string, events: readonly KnownEvent[] = own) => {
    const found = await findNearestEvents(typed, events, createTimeSlices(createTestClock()));
    return found && [found.differ, ...found.declared];
  };

  it('are those whose name differs by a letter or two', async () => {
    assert.deepEqual(await near('Tansfer(address,address,uint256)'), ['name', TRANSFER]);
    assert.deepEqual(await near('transfer(address,address,uint256)'), ['name', TRANSFER]);
    assert.deepEqual(await near('event Payed(address by)'), [
      'name',
      'Paid(address indexed by, uint256 amount)',
    ]);
    assert.equal(await near('Withdrawn(uint256)'), undefined);
  });

  it('are those of the name with other types, the nearest first', async () => {
    const other = known('Paid(uint256 id)');
    assert.deepEqual(await near('Paid(address,uint128)', [other, ...own]), [
      'types',
      'Paid(address indexed by, uint256 amount)',
      'Paid(uint256 id)',
    ]);
  });

  it('are those of the signature with other parameters indexed, where the query says which', async () => {
    assert.deepEqual(await near('Paid(address by, uint256 indexed amount)'), [
      'indexed',
      'Paid(address indexed by, uint256 amount)',
    ]);
    assert.equal(await near('Paid(address,uint256)'), undefined);
    assert.equal(await near('Paid(address indexed who, uint256 wad)'), undefined);
  });

  it('are none for what is no event, or known as it stands', async () => {
    for (const typed of ['', `0x${'ab'.repeat(32)}`, 'Transfer(', TRANSFER]) {
      assert.equal(await near(typed), undefined, typed);
    }
  });

  it('are found in the bundled lists, and few', async () => {
    const slices = createTimeSlices(createTestClock());
    const all = await collectEvents([], await loadStandardEvents(), slices);
    const [differ, first, ...others] = (await near('Tansfer(address,address,uint256)', all)) ?? [];
    assert.deepEqual([differ, /^Transfer\(/.test(first ?? '')], ['name', true]);
    assert.ok(others.length < 3);
  });
});

describe('a contract without an event', () => {
  const of = (contract: string, ...declared: readonly string[]) =>
    declared.map((text): KnownEvent => ({ ...known(text), contract, rank: 'asked' }));

  it('is told where its ABI is known, and it stands before no other', () => {
    const events = [...of('Husd', TRANSFER, 'Minted(uint256 amount)'), known('Paused()')];
    assert.equal(findContractWithoutEvent('Paused()', events), 'Husd');
    assert.equal(findContractWithoutEvent('Minted(address)', events), 'Husd');
    assert.equal(findContractWithoutEvent('Transfer(address,address,uint256)', events), undefined);
    assert.equal(findContractWithoutEvent('Paused()', [known(TRANSFER)]), undefined);
    assert.equal(findContractWithoutEvent('Paused()', of('ERC1967Proxy', TRANSFER)), undefined);
    assert.equal(
      findContractWithoutEvent('Paused()', [...of('Husd', TRANSFER), ...of('Vault', TRANSFER)]),
      undefined,
    );
  });
});

const deployment = {
  ...deploymentFacts({ address: HUSD, contract: 'Husd', block: 120n }),
  file: 'broadcast/run-latest.json',
};
const knowledge: KnownAddresses = {
  findDeployment: (address) => (address === HUSD ? deployment : undefined),
  nameOf: (address) => (address === HUSD ? 'HUSD' : address === ALICE ? 'Treasury' : undefined),
  elsewhere: undefined,
};

describe('rows that there are none of', () => {
  function shown(
    typed: Partial<QueryForm>,
    {
      from = 0n,
      to = 598n,
      head = 598n,
      event = undefined as AbiEvent | undefined,
      ...over
    }: { from?: bigint; to?: bigint; head?: bigint; event?: AbiEvent } & Partial<
      KnownAddresses & EventFindings
    > = {},
  ) {
    const form = { ...emptyForm, ...typed };
    const { filter } = validateQueryForm(form);
    assert.ok(filter);
    const verdict = { fromBlock: from, toBlock: to, head };
    const result = { form, filter, event, verdict, network: 'Palm' };
    return explainEmptyResult(result, { ...knowledge, ...over }, english);
  }
  const offersOf = ({ reasons }: ReturnType<typeof shown>) =>
    reasons.map(({ text, offers }) => [text, ...offers.map(({ label }) => label)]);

  it('are told with their range, and no more where no more is known', () => {
    const { title, detail, reasons } = shown({});
    assert.deepEqual([title, detail, reasons], ['No logs match', 'Palm, blocks 0–598', []]);
  });

  it('are explained by a contract of the project that the node does not have', () => {
    const { reasons } = shown({ address: HUSD }, { isMissing: (address) => address === HUSD });
    assert.match(reasons[0]?.text ?? '', /is not on this node: Palm has no code at its address\.$/);
    assert.deepEqual(shown({ address: ALICE }, { isMissing: (address) => address === HUSD }).reasons, []);
  });

  it('are explained by an event that nobody knows, and the nearest is put in', () => {
    const typed = { address: ALICE, event: 'Tansfer(address,address,uint256)' };
    const empty = shown(typed, { near: { differ: 'name', declared: [TRANSFER] } });
    const [reason] = empty.reasons;
    assert.equal(reason?.text, 'Unknown event: Tansfer. Did you mean:');
    assert.deepEqual(reason?.offers, [
      { label: TRANSFER, form: { ...emptyForm, ...typed, event: TRANSFER } },
    ]);
  });

  it('are explained by each argument and topic, and run without it', () => {
    const typed = { event: TRANSFER, args: { to: ALICE, from: '' }, topic1: ALICE };
    const empty = shown(typed);
    assert.deepEqual(offersOf(empty), [
      [
        'Filtered by to = Treasury, topic 1 = Treasury',
        'Run Without to',
        'Run Without topic 1',
        'Run Without Any of These',
      ],
    ]);
    const forms = empty.reasons[0]?.offers.map(({ form }) => [form?.args.to, form?.topic1]);
    assert.deepEqual(forms, [
      ['', ALICE],
      [ALICE, ''],
      ['', ''],
    ]);
  });

  it('have addresses without a name in short, with their checksum', () => {
    const [alice, bob] = ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', ALICE] as const;
    const empty = shown({ address: alice, event: TRANSFER, args: { to: `${alice} ${bob}` } });
    assert.deepEqual(
      empty.reasons.map(({ text }) => text),
      [
        'Filtered by to = 0x7099…79C8, Treasury',
        'The query is limited to the event Transfer of 0x7099…79C8.',
      ],
    );
  });

  it('are explained by members of enums, by their names', () => {
    const declared = 'event Given(address indexed who, uint8 indexed role)';
    const given = parseAbiItem(declared);
    assert.ok(given?.kind === 'event');
    const places = [[{ path: '1', name: 'Payroll.Role', members: ['Employee', 'Manager', 'Auditor'] }]];
    const event = attachEnums(given, { places, find: () => undefined });
    const typed = { event: declared, args: { who: ALICE, role: '2, 1, 7' } };
    const text = (empty: ReturnType<typeof shown>) => empty.reasons[0]?.text;
    assert.equal(text(shown(typed, { event })), 'Filtered by who = Treasury, role = Auditor, Manager, 7');
    assert.equal(text(shown(typed)), 'Filtered by who = Treasury, role = 2, 1, 7');
  });

  it('are explained by a contract that is younger than the range, whose range is offered', () => {
    const empty = shown({ address: HUSD, fromBlock: '0', toBlock: '100' }, { to: 100n });
    assert.deepEqual(offersOf(empty), [
      ['HUSD was deployed in block 120, after this range.', 'Run from Block 120'],
    ]);
    const { form } = empty.reasons[0]?.offers[0] ?? {};
    assert.deepEqual([form?.fromBlock, form?.toBlock], ['120', '']);
    // One of which the block is not known may be older.
    assert.doesNotMatch(
      JSON.stringify(offersOf(shown({ address: `${HUSD} ${ALICE}` }, { to: 100n }))),
      /deployed/,
    );
  });

  it('are explained by the network, where another one has the address', () => {
    const elsewhere = { message: 'Deployed on Test, not on Palm', chainId: 5, chain: 'Test' };
    const { reasons } = shown({ address: ALICE }, { elsewhere });
    assert.deepEqual(reasons, [{ text: elsewhere.message, offers: [{ label: 'Run on Test', chainId: 5 }] }]);
  });

  it('are explained by the event of a contract, and by the range', () => {
    const empty = shown(
      { address: HUSD, event: TRANSFER, fromBlock: '200', toBlock: '300' },
      { from: 200n, to: 300n },
    );
    assert.deepEqual(offersOf(empty), [
      ['The query is limited to the event Transfer of HUSD.', 'Run for All Events'],
      ['The range does not include all blocks. Latest block: 598', 'Run for All Blocks'],
    ]);
  });

  it('are explained by a contract that has no such event, and hashes are told short', () => {
    const lacking = shown({ address: HUSD, event: 'Paused()' }, { contractWithoutEvent: 'Husd' });
    assert.equal(lacking.reasons[0]?.text, 'The ABI of Husd has no event Paused.');
    const hash = shown({ address: HUSD, event: `0x${'ab'.repeat(30)}cdef` });
    assert.equal(hash.reasons[0]?.text, 'The query is limited to the event 0xabab…cdef of HUSD.');
  });

  it('are said to be above the latest block, where they are', () => {
    const empty = shown({ fromBlock: '700', toBlock: '800' }, { from: 700n, to: 598n });
    assert.deepEqual([empty.title, empty.detail], ['Range not reached yet', 'Latest block of Palm: 598']);
    assert.deepEqual(offersOf(empty), [['The range starts at block 700.', 'Run for All Blocks']]);
  });
});

describe('what stands in the place of rows', () => {
  function panel(over: object, rows = { length: 0, filter: '', working: false }) {
    let changes = 0;
    const arrangement = { filter: rows.filter };
    const results = {
      ...{
        resultId: 'a',
        loading: undefined,
        error: undefined,
        sequence: { count: 0 },
        network: { name: 'Palm' },
      },
      verdict: { state: 'complete', fromBlock: 0n, toBlock: 9n, head: 9n },
      ...over,
    };
    const shown = new EmptyResultView({
      results,
      rows: { length: rows.length, isWorking: rows.working, shown: arrangement, requested: arrangement },
      help: {
        version: 1,
        listEvents: async () => [known(TRANSFER)],
        getKnownAddresses: () => knowledge,
        findVerifiedElsewhere: async () => undefined,
      },
      explainFilter: (filter: string) =>
        filter === 'amount>5'
          ? [createMessage('No field is called {0}. Fields: {1}', foreign('amount'), foreign('value'))]
          : [],
      clock: createTestClock(),
      onDidChange: () => changes++,
    } as unknown as ConstructorParameters<typeof EmptyResultView>[0]);
    const form = { ...emptyForm, event: 'Tansfer(address)' };
    const { filter } = validateQueryForm(form);
    assert.ok(filter);
    return { of: () => shown.describe({ form, filter, event: undefined }, english), changes: () => changes };
  }

  it('comes with the events that may be meant once they are found', async () => {
    const { of, changes } = panel({});
    assert.deepEqual([of()?.title, of()?.reasons.length], ['No logs match', 0]);
    while (changes() === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.match(of()?.reasons[0]?.text ?? '', /^Unknown event: Tansfer/);
    assert.equal(changes(), 1);
  });

  it('is nothing while it may still change, and where it is not certain', () => {
    for (const over of [
      { loading: 'first' },
      { error: new Error('no') },
      { verdict: undefined },
      { verdict: { state: 'more', fromBlock: 0n, toBlock: 9n, head: 9n } },
      { verdict: { state: 'uncertain', fromBlock: 0n, toBlock: 9n, head: 9n } },
      { sequence: { count: 5 } },
    ]) {
      assert.equal(panel(over).of(), undefined, JSON.stringify(Object.keys(over)));
    }
  });

  it('is a way back where the filter of rows lets none through', () => {
    const loaded = { sequence: { count: 1200 } };
    const filtered = panel(loaded, { length: 0, filter: 'x', working: false }).of();
    assert.deepEqual(filtered, {
      title: 'No rows match the filter',
      detail: '1,200 loaded',
      reasons: [{ text: '', offers: [{ label: 'Clear Filter' }] }],
    });
    assert.equal(panel(loaded, { length: 0, filter: 'x', working: true }).of(), undefined);
    assert.deepEqual(panel(loaded, { length: 0, filter: 'amount>5', working: false }).of()?.reasons, [
      { text: 'No field is called amount. Fields: value', offers: [{ label: 'Clear Filter' }] },
    ]);
    assert.equal(panel(loaded, { length: 3, filter: 'x', working: false }).of(), undefined);
  });
});
