import assert from 'node:assert/strict';
import {
  type Address,
  compareStates,
  formatMessage,
  type StateKind,
  stateRowToJson,
  stateVerdictToJson,
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
      async run(
        functionName: string,
        inputs: readonly unknown[] = [],
        options: { readonly from?: Address; readonly value?: bigint } = {},
      ) {
        assert.ok(await chain.send(contract, functionName, inputs, options), functionName);
      },
    };
  }

  async function fetchNow(
    kind: StateKind,
    address: Address,
    options: { owner?: Address; block?: bigint } = {},
  ) {
    const block = options.block ?? (await chain.block());
    const { owner } = options;
    const state = await chain.fetchState({ kind, address, block, ...(owner && { owner }) });
    return {
      ...state,
      json: state.rows.map(stateRowToJson),
      reasons: state.verdict.reasons.map(formatMessage),
    };
  }

  it('lists holders of a token, now and before, proven', async () => {
    const { address, run } = await deploy('Plain', 1000n);
    await run('transfer', [account(1), 300n]);
    const block = await chain.block();
    await run('transfer', [account(2), 300n], { from: account(1) });
    await run('burn', [100n]);
    const { json, verdict, units } = await fetchNow('holders', address);
    assert.deepEqual(json, [
      { holder: account(0), balance: '600' },
      { holder: account(2), balance: '300' },
    ]);
    assert.equal(units?.symbol, 'PLN');
    const { blockHash, ...rest } = stateVerdictToJson(verdict);
    assert.match(blockHash ?? '', /^0x[0-9a-f]{64}$/);
    assert.deepEqual(rest, {
      state: 'complete',
      proven: true,
      proof: { balances: '2 of 2', totalSupply: true },
      reasons: [],
      block: String(await chain.block()),
    });
    const before = await fetchNow('holders', address, { block });
    assert.deepEqual([before.verdict.proven, before.json[1]?.balance], [true, '300']);
    const changes = compareStates(before.rows, (await fetchNow('holders', address)).rows);
    assert.equal(changes.length, 3);
  });

  it('proves tokens that log all that they do', async () => {
    const fee = await deploy('HonestFee');
    await fee.run('transfer', [account(1), 5000n]);
    const wrapped = await deploy('Wrapped');
    await wrapped.run('depositTo', [account(1)], { value: 70n });
    await wrapped.run('deposit', [], { value: 30n });
    await wrapped.run('withdraw', [10n]);
    const badges = await deploy('Badges');
    for (const id of [7n, 2n ** 200n, 9n]) await badges.run('mint', [account(1), id]);
    await badges.run('burn', [9n]);
    const drop = await deploy('Drop', account(1), account(2));
    await drop.run('transferFrom', [account(1), account(3), 5n], { from: account(1) });
    const items = await deploy('Items');
    await items.run('mint', [account(1), [1n, 2n, 1n], [5n, 6n, 7n]]);
    await items.run('burn', [account(0), 1n, 0n]);
    const wanted = { fee: 2, wrapped: 2, badges: 2, drop: 60, items: 2 };
    for (const [name, count] of Object.entries(wanted)) {
      const { address } = { fee, wrapped, badges, drop, items }[name] ?? assert.fail();
      const { verdict, json, reasons } = await fetchNow('holders', address);
      assert.deepEqual([name, json.length, verdict.proven, reasons], [name, count, true, []]);
    }
    assert.deepEqual((await fetchNow('holders', items.address)).json[0], {
      id: '1',
      holder: account(1),
      balance: '12',
    });
    assert.deepEqual((await fetchNow('holders', badges.address)).json[0], {
      tokenId: '7',
      owner: account(1),
    });
  });

  it('says of tokens that change balances without logs that they do', async () => {
    const habits: readonly (readonly [
      string,
      RegExp,
      (odd: Awaited<ReturnType<typeof deploy>>) => Promise<void>,
    ])[] = [
      ['mint', /total supply/, (odd) => odd.run('mintSilently', [account(5), 5n])],
      [
        'spend',
        /below zero/,
        async (odd) => {
          await odd.run('mintSilently', [account(5), 5n]);
          await odd.run('transfer', [account(6), 5n], { from: account(5) });
        },
      ],
      ['rebase', /The contract says 2000/, (odd) => odd.run('rebase', [2n])],
      ['wipe', /The contract says 0/, (odd) => odd.run('wipe', [account(0)])],
      ['tax', /The contract says 9/, (odd) => odd.run('transferTaxed', [account(1), 10n])],
    ];
    for (const [name, reason, misbehave] of habits) {
      const odd = await deploy('Odd');
      await odd.run('mint', [account(0), 1000n]);
      await misbehave(odd);
      const { verdict, reasons } = await fetchNow('holders', odd.address);
      assert.deepEqual([name, verdict.state, verdict.proven], [name, 'uncertain', false]);
      assert.match(reasons.join(), reason, name);
    }
  });

  it('lists members of roles and owners', async () => {
    const vault = await deploy('Vault', account(4));
    const minter = '0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6';
    await vault.run('grantRole', [minter, account(1)]);
    await vault.run('grantRole', [minter, account(2)]);
    await vault.run('revokeRole', [minter, account(1)]);
    const { json, verdict } = await fetchNow('roles', vault.address);
    assert.equal(verdict.proven, true);
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
    await owned.run('acceptOwnership', [], { from: account(1) });
    assert.deepEqual((await fetchNow('roles', owned.address)).json, [{ role: 'owner', member: account(1) }]);
    const silent = await deploy('SilentVault');
    await silent.run('grantRole', [minter, account(1)]);
    await silent.run('flip', [minter, account(1)]);
    const odd = await fetchNow('roles', silent.address);
    assert.deepEqual([odd.verdict.proven, odd.verdict.state], [false, 'uncertain']);
  });

  it('lists allowances of a token, of an owner, and of an account in all tokens', async () => {
    const [one, other] = [await deploy('Plain', 1000n), await deploy('Plain', 1000n)];
    await one.run('approve', [account(1), 50n]);
    await one.run('approve', [account(2), 60n]);
    await one.run('approve', [account(2), 0n]);
    await one.run('approve', [account(3), 7n], { from: account(4) });
    await one.run('transferFrom', [account(0), account(5), 20n], { from: account(1) });
    await other.run('approve', [account(1), 2n ** 256n - 1n]);
    const left = { token: one.address, owner: account(0), spender: account(1), value: '30' };
    const third = { token: one.address, owner: account(4), spender: account(3), value: '7' };
    const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
    assert.deepEqual(sorted((await fetchNow('allowances', one.address)).json), sorted([left, third]));
    assert.deepEqual((await fetchNow('allowances', one.address, { owner: account(4) })).json, [third]);
    const { json, verdict } = await fetchNow('allowances', account(0));
    assert.deepEqual(
      [json.length, json.some(({ token }) => token === other.address), verdict.proven],
      [2, true, true],
    );
  });
});
