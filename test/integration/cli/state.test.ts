import assert from 'node:assert/strict';
import { parseLines, runCli } from '../../support/runCli.ts';
import { type StateChain, startStateChain, type TestContract } from '../../support/state/stateChain.ts';
import { stateTokensSource } from '../../support/state/stateTokens.ts';

describe('headless state', () => {
  let chain: StateChain;
  let token: TestContract;
  let vault: TestContract;

  before(async () => {
    chain = await startStateChain({ 'Tokens.sol': stateTokensSource });
    token = await chain.deploy('Plain', [1000n]);
    await chain.send(token, 'transfer', [chain.accounts[1], 300n]);
    await chain.send(token, 'approve', [chain.accounts[2], 50n]);
    vault = await chain.deploy('Vault', [chain.accounts[4]]);
  });
  after(() => chain.stop());

  async function state(...args: readonly string[]) {
    const { code, stdout, stderr } = await runCli(['state', ...args, '--rpc', chain.url]);
    const lines = parseLines(stdout);
    return { code, stderr, rows: lines.slice(0, -1), last: lines.at(-1) };
  }

  it('prints a row a line, then the verdict', async () => {
    const { code, rows, last, stderr } = await state('holders', token.address);
    assert.equal(code, 0);
    assert.deepEqual(rows, [
      { holder: chain.accounts[0], balance: '700' },
      { holder: chain.accounts[1], balance: '300' },
    ]);
    const { blockHash, ...verdict } = last.verdict;
    assert.match(blockHash, /^0x[0-9a-f]{64}$/);
    assert.deepEqual(verdict, {
      schema: 2,
      state: 'complete',
      confirmed: true,
      compared: { rows: 2, equal: 2, of: 2, totalSupply: true },
      reasons: [],
      restsOn: ['Balances outside of the total supply are not seen.'],
      block: '4',
    });
    assert.match(stderr, /^2 rows in block 4: 2 of 2 rows confirmed; the total supply is equal\./m);
    const before = await state('holders', token.address, '--block', '1');
    assert.deepEqual(before.rows, [{ holder: chain.accounts[0], balance: '1000' }]);
  });

  it('prints the rows that changed since another block, with both verdicts', async () => {
    const { code, rows, last, stderr } = await state('holders', token.address, '--compare', '1');
    const [first, second] = chain.accounts;
    assert.deepEqual(rows, [
      { before: { holder: first, balance: '1000' }, after: { holder: first, balance: '700' } },
      { before: null, after: { holder: second, balance: '300' } },
    ]);
    assert.deepEqual([code, last.verdict.block, last.compared.block, last.changes], [0, '4', '1', 2]);
    assert.match(stderr, /^2 rows changed from block 1 to 4\.$/m);
    const same = await state('holders', token.address, '--compare', 'latest-1');
    assert.deepEqual([same.rows, same.last.changes], [[], 0]);
  });

  it('exits with 3 if the chain has not reached the time of a block', async () => {
    for (const args of [
      ['--block', '2100-01-01'],
      ['--compare', '2100-01-01'],
    ]) {
      const { code, last, stderr } = await state('holders', token.address, ...args);
      assert.equal(code, 3, args.join(' '));
      assert.equal((last.compared ?? last.verdict).state, 'uncertain');
      assert.match(stderr, /The chain has not reached this time: its latest block is 4\./);
    }
  });

  it('exits with 3 so for agents, too', async () => {
    const input = JSON.stringify({ kind: 'holders', address: token.address, block: '2100-01-01' });
    const { code, stdout } = await runCli(['ask', 'get_state', input, '--rpc', chain.url]);
    assert.deepEqual([code, JSON.parse(stdout).isBlockCertain], [3, false]);
  });

  it('is for agents a page at a time, all of one block', async () => {
    const ask = async (input: object) => {
      const { stdout } = await runCli(['ask', 'get_state', JSON.stringify(input), '--rpc', chain.url]);
      return JSON.parse(stdout);
    };
    const first = await ask({ kind: 'holders', address: token.address, limit: 1 });
    assert.deepEqual([first.complete, first.count, first.rows.length], [false, '2', 1]);
    await chain.send(token, 'approve', [chain.accounts[2], 50n]);
    const next = first.next_call.arguments;
    const second = await ask(next);
    assert.deepEqual([second.complete, second.block, second.next_call], [true, first.block, undefined]);
    assert.deepEqual(second.rows, [{ holder: chain.accounts[1], balance: '300' }]);
    for (const wrong of [
      { ...next, cursor: 'x' },
      { ...next, block: '1' },
    ])
      assert.equal((await ask(wrong)).error.parameter, 'cursor');
  });

  it('prints roles, and allowances of a token, an owner and an account', async () => {
    const { rows, last } = await state('roles', vault.address);
    assert.deepEqual(
      rows.map(({ roleName, member }) => [roleName, member]),
      [
        [undefined, chain.accounts[4]],
        ['DEFAULT_ADMIN_ROLE', chain.accounts[0]],
      ],
    );
    assert.deepEqual([last.verdict.confirmed, last.verdict.compared.totalSupply], [true, null]);
    const [owner, spender] = [chain.accounts[0] ?? '', chain.accounts[2]];
    const allowance = { token: token.address, owner, spender, value: '50' };
    for (const args of [[token.address], [token.address, owner], [owner]])
      assert.deepEqual((await state('allowances', ...args)).rows, [allowance], args.join(' '));
  });

  it('says what is wrong with a call', async () => {
    for (const [args, kind, field] of [
      [['owners', token.address], 'badInput', 'kind'],
      [['holders'], 'badInput', 'address'],
      [['holders', token.address, chain.accounts[0] ?? ''], 'badInput', 'argument'],
      [['holders', 'Nobody'], 'badInput', 'address'],
      [['holders', token.address, '--block', '99'], 'blockNotSeen', 'block'],
      [['holders', chain.accounts[3] ?? ''], 'notAContract', undefined],
      [['roles', token.address, '--block', '0'], 'notAContract', undefined],
    ] as const) {
      const { code, last } = await state(...args);
      assert.deepEqual(
        [code, last.error.kind, last.error.field],
        [{ badInput: 2, blockNotSeen: 3, notAContract: 1 }[kind], kind, field],
        args.join(' '),
      );
    }
  });
});
