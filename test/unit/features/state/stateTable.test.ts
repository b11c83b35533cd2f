import assert from 'node:assert/strict';
import { createMessage } from '../../../../src/core/base/text.ts';
import {
  type Address,
  type ContractState,
  judge,
  type StateRow,
  type StateVerdict,
  systemClock,
} from '../../../../src/core/index.ts';
import { formatStateVerdict, listDoubts } from '../../../../src/features/state/formatVerdict.ts';
import { noArrangement, StateTable } from '../../../../src/features/state/stateTable.ts';
import { formatTable, joinText } from '../../../../src/host/tableText.ts';
import { isFullRun } from '../../../support/fullRun.ts';
import { l10n as english } from '../../../support/stubs.ts';

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as Address;
const [alice, bob, carol] = [address(0xa11ce), address(0xb0b), address(0xca401)];
const role = `0x${'9f'.repeat(32)}` as const;

const confirmed: StateVerdict = {
  ...judge({ state: 'complete', otherwise: 'uncertain', reasons: [] }),
  confirmed: true,
  compared: { equal: 2, compared: 2, of: 2, totalSupply: true },
  isClosed: true,
  restsOn: [],
  block: 1234n,
  blockHash: undefined,
};

function stateOf(rows: readonly StateRow[], verdict: Partial<StateVerdict> = {}): ContractState {
  const kind = rows[0]?.kind === 'role' ? 'roles' : rows[0]?.kind === 'allowance' ? 'allowances' : 'holders';
  const query = { kind, address: address(1), owner: undefined, block: verdict.block ?? 1234n } as const;
  const units = kind === 'holders' ? { symbol: 'HUSD', decimals: 6 } : undefined;
  return { query, rows, units, verdict: { ...confirmed, ...verdict } as StateVerdict };
}

const balance = (holder: Address, amount: bigint): StateRow => ({ kind: 'balance', holder, balance: amount });
const member = (
  of: Extract<StateRow, { kind: 'role' }>['role'],
  who: Address,
  roleName?: string,
): StateRow => ({
  ...{ kind: 'role', role: of, roleName, member: who },
});

const knowledge = {
  nameOf: (named: Address) => (named === alice ? 'Treasury' : undefined),
  unitsOf: () => undefined,
  l10n: english,
};
const options = () => ({ clock: systemClock, signal: new AbortController().signal });

function tableOf(state: ContractState, compared?: ContractState): Promise<StateTable> {
  return StateTable.create(state, compared, { ...knowledge, ...options() });
}

function cellsOf(table: StateTable): readonly (readonly string[])[] {
  const ids = table.columns.map(({ id }) => id);
  return table.window(0, 100).map(({ cells }) => ids.map((id) => cells[id] ?? ''));
}

describe('table of a state', () => {
  const holders = stateOf([balance(bob, 3_000_000n), balance(alice, 1_000_000n)]);

  it('has names, amounts in units and shares, with exact values beside them', async () => {
    const table = await tableOf(holders);
    assert.deepEqual(
      table.columns.map(({ name }) => name),
      ['Holder', 'Balance', 'Share'],
    );
    assert.deepEqual(cellsOf(table)[1], ['Treasury', '1.00 HUSD', '25.00%']);
    const [, row] = table.window(0, 2);
    assert.equal(row?.exact.value, '1000000');
    assert.match(row?.exact.key0 ?? '', /^0x0+A11cE$/i);
    assert.match(row?.hints.key0 ?? '', /^Treasury\n0x0+a11ce$/i);
    assert.equal(row?.addresses.key0, alice);
  });

  it('never rounds a share up, nor to nothing', async () => {
    const table = await tableOf(stateOf([balance(bob, 99_999_999n), balance(alice, 1n)]));
    assert.deepEqual(
      cellsOf(table).map(([, , share]) => share),
      ['99.99%', '<0.0001%'],
    );
  });

  it('sorts by any column and filters by names, addresses and values', async () => {
    const table = await tableOf(stateOf([balance(bob, 3n), balance(alice, 10n), balance(carol, 2n)]));
    await table.arrange({ ...noArrangement, sort: { column: 'value', descending: false } }, options());
    assert.deepEqual(
      table.window(0, 3).map(({ exact }) => exact.value),
      ['2', '3', '10'],
    );
    for (const [filter, count] of [
      ['treas', 1],
      ['CA401', 1],
      ['0.00001', 1],
      ['0x 0.00', 3],
      ['nobody', 0],
      ['holder : treas', 1],
      ['Balance > 0.000002', 2],
      ['balance>=0.00001', 1],
      ['share >= 50', 1],
      ['!treas balance > 0.000002', 1],
      ['balance >', 3],
    ] as const) {
      await table.arrange({ ...noArrangement, filter }, options());
      assert.equal(table.length, count, filter);
    }
  });

  it('keeps its rows where the user has chosen others since', async () => {
    const table = await tableOf(holders);
    const aborted = { clock: systemClock, signal: AbortSignal.abort() };
    await assert.rejects(table.arrange({ ...noArrangement, filter: 'nobody' }, aborted));
    assert.equal(table.length, 2);
  });

  it('says what was added, removed and changed from the older block to the newer, in either order', async () => {
    const older = stateOf([balance(bob, 3_000_000n), balance(carol, 5n)], { block: 1000n });
    const newer = stateOf([balance(alice, 1_000_000n), balance(bob, 2_000_000n)]);
    for (const table of [await tableOf(newer, older), await tableOf(older, newer)]) {
      assert.deepEqual(
        table.columns.map(({ name }) => name),
        ['Change', 'Holder', 'Block 1,000', 'Block 1,234', 'Difference'],
      );
      assert.deepEqual(table.changes, { added: 1, removed: 1, changed: 1 });
      assert.deepEqual(
        cellsOf(table).map(([change, , ...values]) => [change, ...values]),
        [
          ['Added', '', '1.00 HUSD', '+1.00 HUSD'],
          ['Changed', '3.00 HUSD', '2.00 HUSD', '-1.00 HUSD'],
          ['Removed', '0.000005 HUSD', '', '-0.000005 HUSD'],
        ],
      );
      await table.arrange({ ...noArrangement, sort: { column: 'difference', descending: true } }, options());
      assert.deepEqual(
        table.window(0, 3).map(({ exact }) => exact.difference),
        ['1000000', '-5', '-1000000'],
      );
      await table.arrange({ ...noArrangement, filter: 'difference < -0.5' }, options());
      assert.deepEqual([table.length, cellsOf(table)[0]?.at(-1)], [1, '-1.00 HUSD']);
      await table.arrange({ ...noArrangement, filter: 'difference > 0.5' }, options());
      assert.deepEqual([table.length, cellsOf(table)[0]?.at(-1)], [1, '+1.00 HUSD']);
    }
    const same = await tableOf(newer, stateOf(newer.rows, { block: 1n }));
    await same.arrange({ ...noArrangement, onlyChanges: true }, options());
    assert.equal(same.length, 0);
    await same.arrange(noArrangement, options());
    assert.deepEqual(cellsOf(same)[0]?.at(-1), '0.00 HUSD');
  });

  it('has the differences of amounts only, and none in words from or to no limit', async () => {
    const allowance = (owner: Address, value: bigint): StateRow => ({
      ...{ kind: 'allowance', token: address(7), owner, spender: carol, value },
    });
    const noLimit = 2n ** 256n - 1n;
    const allowances = await tableOf(
      stateOf([allowance(alice, noLimit), allowance(bob, 5n)]),
      stateOf([allowance(alice, 3n), allowance(bob, 1_500n)], { block: 1n }),
    );
    assert.deepEqual(
      allowances.window(0, 2).map(({ cells, exact }) => [cells.difference, exact.difference]),
      [
        ['', String(noLimit - 3n)],
        ['-1,495', '-1495'],
      ],
    );
    for (const row of [member(role, bob), { kind: 'token', tokenId: 1n, owner: bob } as const]) {
      const { columns } = await tableOf(stateOf([row]), stateOf([row], { block: 1n }));
      assert.ok(!columns.some(({ id }) => id === 'difference'), row.kind);
    }
  });

  it('groups members by role and allowances by token', async () => {
    const roles = await tableOf(
      stateOf([member(role, bob, 'MINTER_ROLE'), member('owner', alice), member(role, alice, 'MINTER_ROLE')]),
    );
    assert.deepEqual(
      cellsOf(roles).map(([name]) => name),
      ['MINTER_ROLE', 'MINTER_ROLE', 'owner'],
    );
    const allowance = (token: Address, value: bigint): StateRow => ({
      ...{ kind: 'allowance', token, owner: alice, spender: bob, value },
    });
    const allowances = await tableOf(
      stateOf([allowance(address(7), 1n), allowance(address(8), 2n ** 256n - 1n), allowance(address(7), 9n)]),
    );
    assert.deepEqual(
      cellsOf(allowances).map((cells) => cells.at(-1)),
      ['1', '9', 'Unlimited'],
    );
  });

  it('names who may upgrade a proxy, and adds to the verdict who else decides', async () => {
    const rows = [member('proxyAdmin', bob), member('proxyAdminOwner', alice), member('beaconOwner', bob)];
    const details = [createMessage('The beacon {0} decides which code runs.', bob)];
    const state = stateOf(rows, { details, isClosed: false });
    assert.deepEqual(
      cellsOf(await tableOf(state)).map(([name]) => name),
      ['proxy admin', 'owner of the proxy admin', 'owner of the beacon'],
    );
    assert.match(
      formatStateVerdict(state, english),
      /2 of 2 rows confirmed; that there are no others rests on the endpoint\. The beacon 0x0+B0b decides which code runs\.$/,
    );
  });

  it('is copied with exact values, and in JSON in the form of the command line', async () => {
    const older = stateOf([balance(bob, 3_000_000n)], { block: 1000n });
    const newer = stateOf([balance(bob, 2_000_000n)]);
    const text = (table: StateTable, format: 'csv' | 'json' | 'markdown') =>
      joinText(formatTable(format, table.toTextTable([[0, 1]]), options()));
    assert.match((await text(await tableOf(newer), 'csv')) ?? '', /^Holder,Balance\r\n0x0+b0b,2000000\r\n$/i);
    assert.match((await text(await tableOf(newer), 'markdown')) ?? '', /\| 2\.00 HUSD \| 100\.00% \|/);
    const json = JSON.parse((await text(await tableOf(newer, older), 'json')) ?? '');
    assert.deepEqual([json.balance, json.change, json.before], ['2000000', 'changed', '3000000']);
    assert.equal(json.difference, '-1000000');
    assert.match((await text(await tableOf(newer, older), 'csv')) ?? '', /,3000000,2000000,-1000000\r\n$/);
  });

  it('escapes names of roles and symbols that a contract made up', async () => {
    const hostile = await tableOf(stateOf([member(role, bob, 'ADMIN\u202eROLE')]));
    assert.equal(cellsOf(hostile)[0]?.[0], 'ADMIN<U+202E>ROLE');
  });

  const ROWS = isFullRun ? 100_000 : 20_000;
  it('arranges many rows, and reads a window of them', async () => {
    const rows = Array.from({ length: ROWS }, (_, index) => balance(address(index + 1), BigInt(index)));
    const table = await tableOf(stateOf(rows));
    await table.arrange(
      { filter: '0x', onlyChanges: false, sort: { column: 'value', descending: true } },
      options(),
    );
    assert.equal(table.length, ROWS);
    assert.equal(table.window(0, 1)[0]?.exact.value, String(ROWS - 1));
  });
});

describe('verdict of a state in words', () => {
  const two = [balance(bob, 3n), balance(alice, 1n)];

  it('says how many rows there are, and what confirms them', () => {
    assert.equal(
      formatStateVerdict(stateOf(two), english),
      '2 holders in block 1,234. 2 of 2 rows confirmed; the total supply is equal.',
    );
    const none = { equal: 0, compared: 0, of: 0, totalSupply: true };
    assert.equal(
      formatStateVerdict(stateOf([], { compared: none }), english),
      '0 holders in block 1,234. 0 of 0 rows confirmed; the total supply is equal.',
    );
    const restsOn = [createMessage('Rights that a contract gives without a log are not seen.')];
    assert.equal(
      formatStateVerdict(
        stateOf([member(role, bob), member('owner', bob)], { isClosed: false, restsOn }),
        english,
      ),
      '2 members of 2 roles in block 1,234. 2 of 2 rows confirmed; that there are no others rests on the endpoint. Rights that a contract gives without a log are not seen.',
    );
  });

  it('says that a sample is one, without a warning', () => {
    const sample = {
      confirmed: false,
      compared: { equal: 500, compared: 500, of: 1200, totalSupply: true },
      isClosed: false,
      restsOn: [createMessage('Only {0} of {1} rows were compared with calls.', 500, 1200)],
    };
    assert.equal(
      formatStateVerdict(stateOf(two, sample), english),
      '2 holders in block 1,234. 500 of 1200 rows confirmed; that there are no others rests on the endpoint. Only 500 of 1200 rows were compared with calls.',
    );
    assert.equal(listDoubts({ ...confirmed, ...sample }, english), undefined);
  });

  it('lists why they are not complete', () => {
    const reasons = [createMessage('The token rebases.')];
    const rebasing: StateVerdict = {
      ...confirmed,
      ...judge({ state: 'complete', otherwise: 'uncertain', reasons }),
      confirmed: false,
      isClosed: false,
      compared: { equal: 1, compared: 2, of: 2, totalSupply: false },
    };
    assert.equal(
      formatStateVerdict(stateOf(two, rebasing), english),
      '2 holders found in block 1,234. 1 of 2 rows confirmed; the total supply differs.',
    );
    assert.deepEqual(listDoubts(rebasing, english), ['The token rebases.']);
    assert.equal(listDoubts(confirmed, english), undefined);
  });

  it('shows addresses with their checksums', () => {
    const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
    const reasons = [createMessage('{0} has {1} rows.', token, 2)];
    const doubted: StateVerdict = {
      ...confirmed,
      ...judge({ state: 'complete', otherwise: 'uncertain', reasons }),
    };
    assert.deepEqual(listDoubts(doubted, english), [
      '0x5FbDB2315678afecb367f032d93F642f64180aa3 has 2 rows.',
    ]);
    assert.match(
      formatStateVerdict(stateOf(two, { details: [createMessage('See {0}.', token)] }), english),
      /See 0x5FbDB2315678afecb367f032d93F642f64180aa3\.$/,
    );
  });
});
