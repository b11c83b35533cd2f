import assert from 'node:assert/strict';
import {
  type Address,
  createContractIndex,
  createLogDecoder,
  createLogStore,
  emptyLogView,
  extendLogView,
  systemClock,
} from '../../../../../src/core/index.ts';
import { createLogFilter } from '../../../../../src/core/logs/query/filter.ts';
import { createUnitTarget } from '../../../../../src/features/logs/decoded/cells.ts';
import { RowReader } from '../../../../../src/features/logs/decoded/rowReader.ts';
import { createSumUnit } from '../../../../../src/features/logs/groups/groupReader.ts';
import { createOfflineDecoding } from '../../../../support/decodingStubs.ts';
import { eventOf, logOfEvent } from '../../../../support/eventLogs.ts';
import { contractFacts, deploymentFacts, fileFacts, toAddress } from '../../../../support/projectFacts.ts';
import { anyNetwork, l10n, rowTimes } from '../../../../support/stubs.ts';

const DEPOSITED =
  'event Deposited(address indexed from, uint256 amount, uint256 fee, (address token, uint256 value) order)';
const deposited = eventOf(DEPOSITED);
const VAULT = toAddress('a');
const BANK = toAddress('b');

/** A vault and a bank declare the same event, and only the amounts of the vault are tokens. */
function read(addresses: readonly Address[]) {
  const index = createContractIndex();
  const add = (contract: string, address: Address) => {
    const facts = contractFacts(contract, { source: `src/${contract}.sol`, abi: [DEPOSITED] });
    index.put(`src/${contract}.sol`, fileFacts({ contracts: [facts] }));
    const deployment = deploymentFacts({ address, chainId: '1', contract });
    index.put(`broadcast/${contract}.json`, fileFacts({ deployments: [deployment] }));
  };
  add('Vault', VAULT);
  add('Bank', BANK);
  const units = [
    { field: 'Vault.Deposited.amount', unit: 'PBL' },
    { field: 'Vault.Deposited.fee', unit: 'percent of 10000' },
    { field: 'Vault.Deposited.order.value', unit: 'ether' },
  ];
  index.put('.chainside/labels.json', { ...fileFacts({}), units });
  const wanted: string[] = [];
  const meaning = {
    ...createOfflineDecoding(index.lookup),
    decoder: () => createLogDecoder({ lookup: index.lookup, chainId: 1 }),
    unitsOf: (token: string) => (token === 'PBL' ? { symbol: 'PBL', decimals: 6 } : undefined),
    fetchUnits: async (tokens: Iterable<string>) => void wanted.push(...tokens),
  };
  const reader = new RowReader(meaning, l10n, rowTimes());
  const filter = createLogFilter({
    addresses,
    topics: [[deposited.topic0]],
    fromBlock: 0n,
    toBlock: 'latest',
  });
  const nothing = () => assert.fail('Nothing is requested.');
  reader.queried = {
    filter,
    network: anyNetwork(1),
    client: { fetchTokenUnits: nothing, openLogQuery: nothing },
  };
  const store = createLogStore();
  const logs = [
    [VAULT, 1_250_000_000n],
    [VAULT, 3_000_500_000n],
    [BANK, 1_250_000_000n],
  ] as const;
  store.append(
    logs.map(([address, amount], at) =>
      logOfEvent(deposited, [toAddress('c'), amount, 50n, [toAddress('d'), 10n ** 18n]], {
        address,
        block: BigInt(at),
      }),
    ),
  );
  async function find(text: string): Promise<readonly number[]> {
    const knowledge = reader.createKnowledge(store);
    const arrangement = { filter: text };
    const view = await extendLogView(emptyLogView, store, {
      ...{ arrangement, through: store.length, clock: systemClock, knowledge },
    });
    return [...(view.rows ?? [])];
  }
  const rowAt = (row: number) => reader.read(store.get(row), store);
  return { reader, store, wanted, find, rowAt };
}

describe('rows with units of one’s own', () => {
  it('show amounts in them, with the integer as a hint, for the contract that has them', () => {
    const { reader, store, wanted } = read([VAULT, BANK]);
    const rows = reader.toWireRows(
      [0, 1, 2].map((number) => ({ number, log: store.get(number) })),
      store,
    );
    assert.deepEqual(
      rows.map(({ cells, hints }) => [cells.argument1, hints.argument1, cells.argument2]),
      [
        ['1,250.00 PBL', '1250000000', '0.50 %'],
        ['3,000.50 PBL', '3000500000', '0.50 %'],
        ['1,250,000,000', undefined, '50'],
      ],
    );
    assert.match(rows[0]?.cells.argument3 ?? '', /value: 1\.00 ether\}$/);
    assert.match(rows[0]?.hints.argument3 ?? '', /value: 1,000,000,000,000,000,000\}$/);
    assert.deepEqual([...new Set(wanted)], ['PBL']);
    const [, amount, , order] = (
      reader.toWireLog({ number: 0, log: store.get(0) }).meaning as {
        values: readonly { text: string; copy: string; parts?: readonly { text: string; note: string }[] }[];
      }
    ).values;
    assert.deepEqual([amount?.text, amount?.copy], ['1,250.00 PBL', '1250000000']);
    assert.deepEqual(
      [order?.parts?.[1]?.text, order?.parts?.[1]?.note],
      ['1.00 ether', '1000000000000000000'],
    );
  });

  it('are filtered by them, as amounts of tokens are', async () => {
    const { find, reader, store } = read([VAULT, BANK]);
    assert.deepEqual(await find('amount > 3000'), [1, 2]);
    assert.deepEqual(await find('amount=1,250'), [0]);
    assert.deepEqual(await find('amount > 1,000 PBL'), [0, 1]);
    assert.deepEqual(await find('fee=0.5'), [0, 1]);
    assert.deepEqual(await find('3,000.5'), [1]);
    assert.deepEqual(await find('1250000000'), [0, 2]);
    assert.equal(reader.createFilterTerm(store.get(0), 'argument1', store), 'amount:1250');
    assert.equal(reader.createFilterTerm(store.get(2), 'argument1', store), 'amount:1250000000');
  });

  it('have sums in a unit if all contracts of the result have it', () => {
    const { reader, store } = read([VAULT, BANK]);
    const amounts = reader.createKnowledge(store)?.findArgumentsByName('amount') ?? [];
    const { at, common } = createSumUnit(amounts, store);
    assert.deepEqual([at(VAULT), at(BANK), common], [{ kind: 'token', token: 'PBL' }, undefined, undefined]);
    const onlyVault = createLogStore();
    onlyVault.append([store.get(0), store.get(1)]);
    assert.deepEqual(createSumUnit(amounts, onlyVault).common, { kind: 'token', token: 'PBL' });
  });

  it('are exported with them beside the integer', () => {
    const { reader, store } = read([VAULT]);
    const { columns } = reader.createTable(store);
    assert.ok(columns.some(({ name }) => name === 'amount'));
    assert.equal(reader.formatToCopy(store.get(0), 'argument1', store), '1250000000');
  });

  it('offer the integer of a cell, or all of a log, and none of a contract that is not of the workspace', () => {
    const { rowAt } = read([VAULT]);
    const all = ['amount', 'fee', 'order.value'];
    const target = { contract: 'Vault', item: 'Deposited' };
    assert.deepEqual(createUnitTarget(rowAt(0), 'argument1'), { ...target, fields: ['amount'] });
    assert.deepEqual(createUnitTarget(rowAt(0), 'argument3'), { ...target, fields: ['order.value'] });
    for (const column of ['argument0', 'event', 'block'] as const)
      assert.deepEqual(createUnitTarget(rowAt(0), column), { ...target, fields: all });
    assert.equal(
      createUnitTarget({ ...rowAt(0), decoded: { reason: { code: 'noTopics' } } }, 'event'),
      undefined,
    );
  });
});
