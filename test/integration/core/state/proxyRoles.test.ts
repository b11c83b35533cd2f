import assert from 'node:assert/strict';
import { encodeFunctionData } from 'viem';
import { formatMessage } from '../../../../src/core/base/text.ts';
import type { Address } from '../../../../src/core/index.ts';
import { proxyRoleContracts } from '../../../support/state/proxyRoleContracts.ts';
import { type StateChain, startStateChain, type TestContract } from '../../../support/state/stateChain.ts';

/** Calls `value()`. */
const PLAIN_VALUE = '0x3fa4f245';
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';

describe('roles of proxies, on a node', () => {
  let chain: StateChain;
  let logic: TestContract;
  before(async () => {
    chain = await startStateChain({ 'Proxies.sol': proxyRoleContracts });
    logic = await chain.deploy('Logic');
  });
  after(() => chain.stop());

  const person = (index: number) => chain.accounts[index] ?? assert.fail();

  async function fetchRoles(address: Address, at?: bigint) {
    const { rows, verdict } = await chain.fetchState({
      kind: 'roles',
      address,
      block: at ?? (await chain.block()),
    });
    return {
      members: rows.map((row) =>
        row.kind === 'role' ? [row.roleName ?? row.role, row.member] : assert.fail(),
      ),
      confirmed: verdict.confirmed,
      state: verdict.state,
      compared: [verdict.compared.equal, verdict.compared.compared, verdict.compared.of],
      reasons: verdict.reasons.map(formatMessage).join(' '),
      details: (verdict.details ?? []).map(formatMessage).join(' '),
    };
  }
  const initialize = (owner: Address) =>
    encodeFunctionData({ abi: logic.abi, functionName: 'initialize', args: [owner] });
  const readWord = async (address: Address, slot: string, block: bigint) =>
    `0x${((await chain.node.call('eth_getStorageAt', [address, slot, `0x${block.toString(16)}`])) as string).slice(-40)}`;

  it('begin with the admin of a transparent proxy and its owner, also at a past block', async () => {
    const proxy = await chain.deploy('Transparent', [logic.address, person(1), initialize(person(2))]);
    const block = await chain.block();
    const admin = await readWord(proxy.address, ADMIN_SLOT, block);
    const then = await fetchRoles(proxy.address);
    const expected = (owner: Address) => [
      ['proxyAdmin', admin],
      ['proxyAdminOwner', owner],
      ['owner', person(2)],
      ['DEFAULT_ADMIN_ROLE', person(2)],
      ['MINTER_ROLE', person(2)],
    ];
    assert.deepEqual(then, {
      members: expected(person(1)),
      confirmed: true,
      state: 'complete',
      compared: [5, 5, 5],
      reasons: '',
      details: '',
    });
    const adminContract = { ...(await chain.deploy('Admin', [person(0)])), address: admin as Address };
    await chain.send(adminContract, 'transferOwnership', [person(3)], { from: person(1) });
    assert.deepEqual((await fetchRoles(proxy.address)).members, expected(person(3)));
    assert.deepEqual((await fetchRoles(proxy.address, block)).members, expected(person(1)));
    await chain.send(adminContract, 'renounceOwnership', [], { from: person(3) });
    const renounced = await fetchRoles(proxy.address);
    assert.deepEqual(renounced.members[1], ['owner', person(2)]);
    assert.match(renounced.details, /The proxy admin has no owner/);
  });

  it('have the admin in the slot, whatever the logs say of it', async () => {
    const silent = await chain.deploy('SilentAdmin', [logic.address, person(4)]);
    const { members, confirmed, details } = await fetchRoles(silent.address);
    assert.deepEqual([members, confirmed, details], [[['proxyAdmin', person(4)]], true, '']);
    await chain.send(silent, 'log', [person(5)]);
    const lied = await fetchRoles(silent.address);
    assert.deepEqual([lied.members, lied.confirmed, lied.state], [members, false, 'uncertain']);
    assert.match(lied.reasons, new RegExp(`By the logs, ${person(5)} .* Its admin slot has ${person(4)}`));
    await chain.send(silent, 'set', [person(5)]);
    const changed = await fetchRoles(silent.address);
    assert.deepEqual([changed.members, changed.confirmed], [[['proxyAdmin', person(5)]], true]);
    await chain.send(silent, 'log', [`0x${'0'.repeat(40)}`]);
    const removed = await fetchRoles(silent.address);
    assert.deepEqual([removed.members, removed.confirmed], [changed.members, false]);
    assert.match(removed.reasons, /By the logs, the proxy has no admin. Its admin slot has/);
  });

  it('say that the implementation decides for UUPS, and not that nobody does', async () => {
    const proxy = await chain.deploy('Uups', [logic.address, initialize(person(2))]);
    const { members, confirmed, details } = await fetchRoles(proxy.address);
    assert.deepEqual([members[0], confirmed], [['owner', person(2)], true]);
    assert.equal(details, `The implementation ${logic.address} decides who may upgrade the proxy (UUPS).`);
    const other = await chain.deploy('Uups', [(await chain.deploy('Plain')).address, PLAIN_VALUE]);
    assert.match((await fetchRoles(other.address)).details, /Its own code, or its implementation 0x/);
  });

  it('have the owner of a beacon', async () => {
    const beacon = await chain.deploy('Beacon', [logic.address, person(6)]);
    const proxy = await chain.deploy('OfBeacon', [beacon.address, initialize(person(2))]);
    const block = await chain.block();
    const found = await fetchRoles(proxy.address);
    assert.deepEqual(found.members.slice(0, 2), [
      ['beaconOwner', person(6)],
      ['owner', person(2)],
    ]);
    assert.deepEqual(
      [found.confirmed, found.details],
      [true, `The beacon ${beacon.address} decides which code runs.`],
    );
    await chain.send(beacon, 'transferOwnership', [person(7)], { from: person(6) });
    assert.deepEqual((await fetchRoles(proxy.address)).members[0], ['beaconOwner', person(7)]);
    assert.deepEqual((await fetchRoles(proxy.address, block)).members[0], ['beaconOwner', person(6)]);
  });

  it('have the owner of a diamond, and nobody for a clone', async () => {
    const diamond = await chain.deploy('Diamond', [logic.address, person(3)]);
    const owned = await fetchRoles(diamond.address);
    assert.deepEqual(owned.members, [['owner', person(3)]]);
    assert.equal(owned.details, 'The code of the diamond decides who may change its facets.');
    const factory = await chain.deploy('Factory');
    const clone = (await chain.read(factory, 'predict', [logic.address], await chain.block())) as Address;
    await chain.send(factory, 'make', [logic.address]);
    const cloned = await fetchRoles(clone.toLowerCase() as Address);
    assert.equal(cloned.details, `The implementation ${logic.address} is fixed in the code of the proxy.`);
  });

  it('have no admin where a contract that is no proxy logs one', async () => {
    const contract = await chain.deploy('NoProxy');
    await chain.send(contract, 'log', [person(5)]);
    const { members, confirmed, state, reasons } = await fetchRoles(contract.address);
    assert.deepEqual([members, confirmed, state], [[], false, 'uncertain']);
    assert.match(reasons, /also gives rights by AdminChanged\(address,address\), which is not read/);
  });
});
