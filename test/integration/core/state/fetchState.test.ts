import assert from 'node:assert/strict';
import {
  type Address,
  createTimeSlices,
  formatMessage,
  joinStates,
  type StateKind,
  stateRowToJson,
  stateVerdictToJson,
  systemClock,
} from '../../../../src/core/index.ts';
import { type StateChain, startStateChain } from '../../../support/state/stateChain.ts';
import { stateTokensSource } from '../../../support/state/stateTokens.ts';

describe('fetchState', () => {
  let chain: StateChain;

  before(async () => {
    chain = await startStateChain({ 'Tokens.sol': stateTokensSource });
  });
  after(() => chain.stop());

  const account = (index: number) => chain.accounts[index] ?? assert.fail();

  /** Deploys a contract, whose functions then run by name, one block each. */
  async function deploy(name: string, ...args: readonly unknown[]) {
    const contract = await chain.deploy(name, args);
    return {
      address: contract.address,
      async run(functionName: string, inputs: readonly unknown[] = [], from?: Address) {
        assert.ok(await chain.send(contract, functionName, inputs, { ...(from && { from }) }), functionName);
      },
    };
  }

  async function fetchNow(kind: StateKind, address: Address, at?: bigint) {
    const state = await chain.fetchState({ kind, address, block: at ?? (await chain.block()) });
    const reasons = state.verdict.reasons.map(formatMessage);
    return { ...state, json: state.rows.map(stateRowToJson), reasons };
  }

  it('lists holders of a token, now and before, confirmed', async () => {
    const { address, run } = await deploy('Plain', 1000n);
    await run('transfer', [account(1), 300n]);
    const block = await chain.block();
    await run('transfer', [account(2), 300n], account(1));
    await run('burn', [100n]);
    const { json, verdict, units, rows } = await fetchNow('holders', address);
    assert.deepEqual(json, [
      { holder: account(0), balance: '600' },
      { holder: account(2), balance: '300' },
    ]);
    assert.equal(units?.symbol, 'PLN');
    const { blockHash, ...rest } = stateVerdictToJson(verdict);
    assert.match(blockHash ?? '', /^0x[0-9a-f]{64}$/);
    assert.deepEqual(rest, {
      schema: 2,
      state: 'complete',
      confirmed: true,
      compared: { rows: 2, equal: 2, of: 2, totalSupply: true },
      reasons: [],
      restsOn: ['Balances outside of the total supply are not seen.'],
      block: String(await chain.block()),
    });
    const before = await fetchNow('holders', address, block);
    assert.deepEqual([before.verdict.confirmed, before.json[1]?.balance], [true, '300']);
    const joined = await joinStates(before.rows, rows, { slices: createTimeSlices(systemClock) });
    assert.deepEqual(
      joined.map(({ isChanged }) => isChanged),
      [true, true, true],
    );
  });

  it('confirms NFTs and tokens of several ids', async () => {
    const badges = await deploy('Badges');
    for (const id of [7n, 2n ** 200n, 9n]) await badges.run('mint', [account(1), id]);
    await badges.run('burn', [9n]);
    const drop = await deploy('Drop', account(1), account(2));
    await drop.run('transferFrom', [account(1), account(3), 5n], account(1));
    const items = await deploy('Items');
    await items.run('mint', [account(1), [1n, 2n, 1n], [5n, 6n, 7n]]);
    await items.run('burn', [account(0), 1n, 0n]);
    for (const [{ address }, count, first] of [
      [badges, 2, { tokenId: '7', owner: account(1) }],
      [drop, 60, { tokenId: '0', owner: account(1) }],
      [items, 2, { id: '1', holder: account(1), balance: '12' }],
    ] as const) {
      const { verdict, json, reasons } = await fetchNow('holders', address);
      assert.deepEqual([json.length, json[0], verdict.confirmed, reasons], [count, first, true, []]);
    }
  });

  it('lists members of roles and owners', async () => {
    const vault = await deploy('Vault', account(4));
    const minter = '0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6';
    await vault.run('grantRole', [minter, account(1)]);
    await vault.run('grantRole', [minter, account(2)]);
    await vault.run('revokeRole', [minter, account(1)]);
    const { json, verdict } = await fetchNow('roles', vault.address);
    assert.equal(verdict.confirmed, true);
    assert.deepEqual(
      json.map(({ roleName, member }) => [roleName, member]),
      [
        [undefined, account(4)],
        ['DEFAULT_ADMIN_ROLE', account(0)],
        ['MINTER_ROLE', account(2)],
      ],
    );
    const owned = await deploy('Owned');
    await owned.run('transferOwnership', [account(1)]);
    assert.deepEqual((await fetchNow('roles', owned.address)).json, [
      { role: 'owner', member: account(0) },
      { role: 'pendingOwner', member: account(1) },
    ]);
    await owned.run('acceptOwnership', [], account(1));
    assert.deepEqual((await fetchNow('roles', owned.address)).json, [{ role: 'owner', member: account(1) }]);
  });
});
