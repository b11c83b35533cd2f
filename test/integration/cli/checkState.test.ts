import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { encodeFunctionData, keccak256, parseAbi, toHex } from 'viem';
import { type CodeChain, startCodeChain } from '../../support/codeChain.ts';
import { fileChecks } from '../../support/fileChecks.ts';

const abi = parseAbi([
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function steal(address from, address to, uint256 value)',
]);
const MINTER = keccak256(toHex('MINTER_ROLE'));

describe('check of state in files', () => {
  let chain: CodeChain;
  before(async () => {
    chain = await startCodeChain();
    const [deployer = '0x', safe = '0x', other = '0x'] = chain.accounts;
    const call = (functionName: string, ...args: readonly unknown[]) =>
      chain.call(encodeFunctionData({ abi, functionName, args } as never));
    await call('grantRole', MINTER, safe);
    await call('grantRole', MINTER, other);
    await call('revokeRole', MINTER, other);
    await call('mint', deployer, 5n * 10n ** 18n);
    await call('mint', safe, 10n ** 18n);
    await call('approve', other, 7n);
  });
  after(() => chain.stop());

  const files = fileChecks(() => chain);
  const { write, check } = files;
  const checkEach = (cases: readonly (readonly [object, object | undefined, ...unknown[]])[]) =>
    files.checkEach(cases.map(([state, expect]) => ({ state, ...(expect && { expect }) })));

  it('holds that only these have a role, hold a token, or may spend it', async () => {
    const roles = { kind: 'roles', contract: 'Token' };
    const holders = { kind: 'holders', contract: 'Token' };
    const allowances = { kind: 'allowances', contract: 'Token', owner: 'Deployer' };
    const [deployer = '', safe = '', other = ''] = chain.accounts;
    const cases: readonly (readonly [object, object | undefined, string, ...RegExp[]])[] = [
      [roles, { members: { MINTER_ROLE: ['Safe', 'Deployer'], DEFAULT_ADMIN_ROLE: [deployer] } }, 'ok'],
      [
        roles,
        { members: { [MINTER.toUpperCase().replace('0X', '0x')]: [safe, deployer], PAUSER_ROLE: [] } },
        'ok',
      ],
      [roles, { count: 3, members: { owner: [] } }, 'ok'],
      [roles, { count: 2 }, 'differs', /The count is 3\. Expected: 2\./],
      [
        roles,
        { members: { MINTER_ROLE: ['Safe', other] } },
        'differs',
        /MINTER_ROLE: Deployer \(0xf39F…2266\) also has it\./,
        /MINTER_ROLE: anvil #2 \(0x3C44…93BC\) does not have it\./,
      ],
      [roles, { members: { MINTER_ROLE: [] } }, 'differs', /also has it.*also has it/],
      [holders, { holders: ['Safe', 'Deployer'], count: 2 }, 'ok'],
      [holders, { holders: ['Safe'] }, 'differs', /Deployer \(0xf39F…2266\) is a holder too\./],
      [{ ...holders, block: 9 }, { holders: [] }, 'differs', /is a holder too/],
      [{ ...holders, block: 8 }, { holders: [] }, 'ok'],
      [allowances, { spenders: [other] }, 'ok'],
      [allowances, { spenders: ['Safe'] }, 'differs', /is a spender too.*Safe \(.*\) is not a spender/],
      [roles, undefined, 'ok'],
    ];
    const lines = await checkEach(cases);
    for (const [index, [, , state, ...reasons]] of cases.entries()) {
      assert.equal(lines[index].state, state, JSON.stringify(lines[index]));
      for (const reason of reasons) assert.match(lines[index].reasons.join(' '), reason);
    }
    const { contractState } = lines[0];
    assert.deepEqual(
      [contractState.kind, contractState.address, contractState.count, contractState.verdict.confirmed],
      ['roles', chain.contracts.token, 3, true],
    );
  });

  it('says what is wrong with a check, by its field', async () => {
    const roles = { kind: 'roles', contract: 'Token' };
    const cases: readonly (readonly [object, object | undefined, string, RegExp?])[] = [
      [{ ...roles, kind: 'owners' }, undefined, 'state.kind', /Enter holders, roles or allowances/],
      [{ kind: 'roles' }, undefined, 'state.contract'],
      [{ ...roles, contract: 'Tokn' }, undefined, 'state.contract'],
      [{ ...roles, block: 'soon' }, undefined, 'state.block'],
      [{ ...roles, owner: 'Safe' }, undefined, 'state.owner', /Only allowances have an owner/],
      [{ ...roles, onwer: 'Safe' }, undefined, 'state.onwer', /Use kind, contract, owner, block/],
      [roles, { holders: [] }, 'expect.holders', /roles have no holders\. Use members and count\./],
      [roles, { members: { MINTER_ROLE: ['Safe', 'Saef'] } }, 'expect.members.MINTER_ROLE.1'],
      [roles, { members: { 'a b': [] } }, 'expect.members.a b', /a b is not a role/],
      [roles, { members: { MINTR_ROLE: [] } }, 'expect.members.MINTR_ROLE', /No role MINTR_ROLE is known/],
      [roles, { members: { owner: 'Safe' } }, 'expect.members.owner'],
      [roles, { count: -1 }, 'expect.count', /Enter a whole number/],
      [roles, { value: 1 }, 'expect.value', /Use count, members, holders, spenders/],
      [roles, [] as never, 'expect', /Enter \{"members"/],
      [{ kind: 'holders', contract: 'Token' }, { holders: Array(5001).fill('Safe') }, 'expect.holders'],
    ];
    const lines = await checkEach(cases);
    for (const [index, [, , field, reason]] of cases.entries()) {
      const { state, error } = lines[index];
      assert.deepEqual([state, error?.field], ['invalid', field], JSON.stringify(lines[index]));
      if (reason) assert.match(lines[index].reasons.join(' '), reason);
    }
  });

  it('writes members of roles, or a count, and never over another form', async () => {
    const at = (name: string, state: object, expect?: object) =>
      write(`${name}.chainlog.json`, { chainId: 31337, state, ...(expect && { expect }) });
    const expectOf = async (file: string) => JSON.parse(await readFile(file, 'utf8')).expect;
    const roles = { kind: 'roles', contract: 'Token' };
    const holders = { kind: 'holders', contract: 'Token' };
    const files = [
      await at('all', roles),
      await at('some', roles, { members: { PAUSER_ROLE: ['Safe'] } }),
      await at('count', holders),
      await at('counted', holders, { count: 7 }),
      await at('listed', holders, { holders: ['Safe'] }),
      await at('both', roles, { count: 1, members: {} }),
    ];
    const strict = await check(...files, '--strict');
    assert.deepEqual(
      strict.lines.map(({ state }) => state),
      ['nothingExpected', 'differs', 'nothingExpected', 'differs', 'differs', 'differs'],
    );
    const { lines } = await check(...files, '--update');
    assert.deepEqual(
      lines.map(({ state, updated }) => [state, updated]),
      [...Array(4).fill(['ok', true]), ...Array(2).fill(['differs', undefined])],
    );
    const [, safe] = chain.accounts;
    const { members } = await expectOf(files[0] ?? '');
    assert.deepEqual(Object.keys(members).sort(), ['DEFAULT_ADMIN_ROLE', 'MINTER_ROLE']);
    assert.equal(members.MINTER_ROLE.length, 2);
    assert.ok(members.MINTER_ROLE.some((one: string) => one.toLowerCase() === safe));
    assert.deepEqual(await expectOf(files[1] ?? ''), { members: { PAUSER_ROLE: [] } });
    assert.deepEqual(await expectOf(files[2] ?? ''), { count: 2 });
    assert.deepEqual(await expectOf(files[3] ?? ''), { count: 2 });
    assert.equal((await check(...files.slice(0, 4))).code, 0);
  });

  it('is never ok with state that calls do not confirm', async () => {
    const file = await write('holders.chainlog.json', {
      chainId: 31337,
      state: { kind: 'holders', contract: 'Token' },
      expect: { holders: ['Safe', 'Deployer'] },
    });
    const [deployer = '0x', safe = '0x'] = chain.accounts;
    await chain.call(encodeFunctionData({ abi, functionName: 'steal', args: [deployer, safe, 5n] }));
    const { code, lines, stderr } = await check(file);
    assert.deepEqual([code, lines[0].state], [3, 'incomplete']);
    assert.ok(lines[0].reasons.length > 0);
    assert.match(stderr, /incomplete, 2 rows in block 12, not confirmed/);
    assert.equal(lines[0].contractState.verdict.confirmed, false);
  });
});
