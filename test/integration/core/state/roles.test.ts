import assert from 'node:assert/strict';
import { toEventSelector } from 'viem';
import { formatMessage } from '../../../../src/core/base/text.ts';
import type { Address } from '../../../../src/core/index.ts';
import { roleContracts } from '../../../support/state/roleContracts.ts';
import { type StateChain, startStateChain } from '../../../support/state/stateChain.ts';

describe('roles of contracts, on a node', () => {
  let chain: StateChain;
  before(async () => {
    chain = await startStateChain({ 'Roles.sol': roleContracts });
  });
  after(() => chain.stop());

  const person = (index: number) => chain.accounts[index] ?? assert.fail();

  async function fetchRoles({ address }: { readonly address: Address }, at?: bigint) {
    const { rows, verdict } = await chain.fetchState({
      kind: 'roles',
      address,
      block: at ?? (await chain.block()),
    });
    return {
      members: rows.map((row) =>
        row.kind === 'role' ? [row.roleName ?? shortenRole(row.role), row.member] : assert.fail(),
      ),
      confirmed: verdict.confirmed,
      compared: [verdict.compared.equal, verdict.compared.of],
      reasons: verdict.reasons.map(formatMessage),
    };
  }
  const shortenRole = (role: string) => (role.startsWith('0x') ? BigInt(role) : role);

  it('are those of an AccessManager, but for who gets one later', async () => {
    const manager = await chain.deploy('Manager', [person(0)]);
    await chain.send(manager, 'grantRole', [7n, person(1), 0]);
    await chain.send(manager, 'grantRole', [7n, person(2), 0]);
    await chain.send(manager, 'revokeRole', [7n, person(1)]);
    const { members, confirmed, reasons } = await fetchRoles(manager);
    assert.deepEqual(
      [members, confirmed, reasons],
      [
        [
          [0n, person(0)],
          [7n, person(2)],
        ],
        true,
        [],
      ],
    );
    await chain.send(manager, 'setGrantDelay', [7n, 1000]);
    await chain.node.call('evm_increaseTime', [6 * 24 * 3600]);
    await chain.send(manager, 'grantRole', [7n, person(3), 0]);
    const later = await fetchRoles(manager);
    assert.deepEqual([later.members, later.confirmed, later.compared], [members, false, [2, 2]]);
    assert.match(later.reasons.join(), /becomes active after this block/);
    await chain.node.call('evm_increaseTime', [1001]);
    await chain.node.call('evm_mine', []);
    const active = await fetchRoles(manager);
    assert.deepEqual([active.members.length, active.confirmed], [3, true]);
  });

  it('are those of bitmaps and of wards', async () => {
    const bitmaps = await chain.deploy('Bitmaps');
    await chain.send(bitmaps, 'set', [person(1), 0b101n]);
    const block = await chain.block();
    await chain.send(bitmaps, 'set', [person(1), (1n << 255n) | 4n]);
    const now = await fetchRoles(bitmaps);
    assert.deepEqual(now.members, [
      ['owner', person(0)],
      [4n, person(1)],
      [1n << 255n, person(1)],
    ]);
    assert.deepEqual([now.confirmed, now.reasons], [true, []]);
    const before = await fetchRoles(bitmaps, block);
    assert.deepEqual(before.members.slice(1), [
      [1n, person(1)],
      [4n, person(1)],
    ]);
    assert.equal(before.confirmed, true);

    const wards = await chain.deploy('Wards');
    await chain.send(wards, 'rely', [person(2)]);
    await chain.send(wards, 'deny', [person(0)]);
    const { members, confirmed } = await fetchRoles(wards);
    assert.deepEqual([members, confirmed], [[['ward', person(2)]], true]);
  });

  it('are owners of old contracts, and of those that log none', async () => {
    const old = await chain.deploy('OldOwner');
    await chain.send(old, 'transferOwnership', [person(1)]);
    const first = await fetchRoles(old);
    assert.deepEqual([first.members, first.confirmed], [[['owner', person(1)]], true]);
    await chain.send(old, 'renounceOwnership', []);
    const renounced = await fetchRoles(old);
    assert.deepEqual([renounced.members, renounced.confirmed, renounced.reasons], [[], true, []]);
    const silent = await fetchRoles(await chain.deploy('SilentOwner'));
    assert.deepEqual([silent.members, silent.confirmed], [[['owner', person(0)]], false]);
    assert.match(silent.reasons.join(), /its owner is 0x[0-9a-f]{40}, but no event recorded it/);
  });

  it('are not confirmed without any log, nor where other events give rights, too', async () => {
    await assert.rejects(fetchRoles({ address: person(5) }), { kind: 'notAContract' });
    const minters = await chain.deploy('Minters');
    assert.equal((await fetchRoles(minters)).confirmed, true);
    await chain.send(minters, 'addMinter', [person(1)]);
    const { confirmed, reasons, members } = await fetchRoles(minters);
    assert.deepEqual([confirmed, members.length], [false, 1]);
    assert.match(reasons.join(), /also gives rights by MinterAdded\(address\)/);
    const handed = await chain.deploy('Handed');
    await chain.send(handed, 'requestOwnershipHandover', []);
    const asked = await fetchRoles(handed);
    assert.match(asked.reasons.join(), /also gives rights by OwnershipHandoverRequested\(address\)/);
  });

  it('are compared with the counts of the contract, and for everyone of the logs', async () => {
    const listed = await chain.deploy('Listed');
    const fine = await fetchRoles(listed);
    assert.deepEqual([fine.members.length, fine.confirmed, fine.reasons], [2, true, []]);
    const backdoor = await chain.deploy('Backdoor', [person(3)]);
    assert.equal((await fetchRoles(backdoor)).confirmed, true);
    await chain.send(backdoor, 'open', [person(3)]);
    const { confirmed, reasons } = await fetchRoles(backdoor);
    assert.equal(confirmed, false);
    assert.match(
      reasons.join(),
      new RegExp(`The contract says that ${person(3)} has the role 0x0{64}, but no event recorded it`),
    );
    await chain.send(backdoor, 'open', [person(0)]);
    const unconfirmed = (await fetchRoles(backdoor)).reasons.join();
    assert.match(unconfirmed, new RegExp(`${person(0)} has the role .* The contract does not confirm it`));
  });

  it('do not fail with logs of other parameters', async () => {
    const malformed = await chain.deploy('Malformed');
    for (const signature of [
      'OwnershipTransferred(address,address)',
      'OwnershipTransferStarted(address,address)',
      'RoleGranted(bytes32,address,address)',
      'RolesUpdated(address,uint256)',
      'Rely(address)',
    ]) {
      await chain.send(malformed, 'log0', [toEventSelector(signature)]);
      await chain.send(malformed, 'log2', [toEventSelector(signature)]);
    }
    const { members, confirmed, reasons } = await fetchRoles(malformed);
    assert.deepEqual([members, confirmed], [[], false]);
    assert.match(reasons.join(), /could not be decoded/);
  });
});
