import assert from 'node:assert/strict';
import { formatMessage } from '../../../../src/core/base/text.ts';
import type { Address } from '../../../../src/core/index.ts';
import { type StateChain, startStateChain } from '../../../support/state/stateChain.ts';

const contracts = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// As Chainlink's ConfirmedOwner: no function returns who was asked to take over.
contract Requested {
  event OwnershipTransferRequested(address indexed from, address indexed to);
  event OwnershipTransferred(address indexed from, address indexed to);
  address public owner;
  address private next;
  constructor() { owner = msg.sender; emit OwnershipTransferred(address(0), owner); }
  function request(address to) external { next = to; emit OwnershipTransferRequested(owner, to); }
  function accept() external { emit OwnershipTransferred(owner, next); owner = next; next = address(0); }
}

/// As Synthetix' Owned.
contract Nominated {
  event OwnerNominated(address newOwner);
  event OwnerChanged(address oldOwner, address newOwner);
  address public owner;
  address public nominatedOwner;
  constructor() { owner = msg.sender; emit OwnerChanged(address(0), owner); }
  function nominate(address next) external { nominatedOwner = next; emit OwnerNominated(next); }
  function accept() external { emit OwnerChanged(owner, nominatedOwner); owner = nominatedOwner; nominatedOwner = address(0); }
}

contract Ruled is AccessControlDefaultAdminRules {
  constructor() AccessControlDefaultAdminRules(0, msg.sender) {}
}

/// Rights that no event records.
contract Guarded {
  event OwnershipTransferred(address indexed from, address indexed to);
  address public owner = msg.sender;
  address public minter = msg.sender;
  address public guardian;
  constructor(address guardian_) { guardian = guardian_; emit OwnershipTransferred(address(0), owner); }
}

/// Wrapped coins whose events index nothing.
contract Wrapped {
  event Deposit(address dst, uint256 wad);
  event Withdrawal(address src, uint256 wad);
  event Transfer(address indexed from, address indexed to, uint256 value);
  mapping(address => uint256) public balanceOf;
  uint256 public totalSupply;
  function deposit(uint256 wad) external { balanceOf[msg.sender] += wad; totalSupply += wad; emit Deposit(msg.sender, wad); }
  function withdraw(uint256 wad) external { balanceOf[msg.sender] -= wad; totalSupply -= wad; emit Withdrawal(msg.sender, wad); }
  function transfer(address to, uint256 wad) external { balanceOf[msg.sender] -= wad; balanceOf[to] += wad; emit Transfer(msg.sender, to, wad); }
}
`;

describe('rights that few contracts log, on a node', () => {
  let chain: StateChain;
  before(async () => {
    chain = await startStateChain({ 'Pending.sol': contracts });
  });
  after(() => chain.stop());

  const person = (index: number) => chain.accounts[index] ?? assert.fail();

  async function fetchRoles({ address }: { readonly address: Address }) {
    const { rows, verdict } = await chain.fetchState({ kind: 'roles', address, block: await chain.block() });
    return {
      members: rows.map((row) => (row.kind === 'role' ? [row.roleName ?? row.role, row.member] : row)),
      state: verdict.state,
      reasons: verdict.reasons.map(formatMessage).join(' '),
      restsOn: verdict.restsOn.map(formatMessage).join(' '),
    };
  }

  it('has the pending owner of a request, which no function returns', async () => {
    const requested = await chain.deploy('Requested');
    const first = await fetchRoles(requested);
    assert.deepEqual([first.members, first.reasons], [[['owner', person(0)]], '']);
    await chain.send(requested, 'request', [person(1)]);
    const asked = await fetchRoles(requested);
    assert.deepEqual(asked.members, [
      ['owner', person(0)],
      ['pendingOwner', person(1)],
    ]);
    assert.match(asked.restsOn, /was not compared: the contract has no function that returns it/);
    await chain.send(requested, 'accept', []);
    const taken = await fetchRoles(requested);
    assert.deepEqual([taken.members, taken.reasons], [[['owner', person(1)]], '']);
  });

  it('has the nominated owner', async () => {
    const nominated = await chain.deploy('Nominated');
    await chain.send(nominated, 'nominate', [person(1)]);
    const { members, reasons } = await fetchRoles(nominated);
    assert.deepEqual(
      [members, reasons],
      [
        [
          ['owner', person(0)],
          ['pendingOwner', person(1)],
        ],
        '',
      ],
    );
    await chain.send(nominated, 'accept', []);
    assert.deepEqual((await fetchRoles(nominated)).members, [['owner', person(1)]]);
  });

  it('knows that the owner of default admin rules is the default admin, and who is next', async () => {
    const ruled = await chain.deploy('Ruled');
    const admin = ['DEFAULT_ADMIN_ROLE', person(0)];
    const first = await fetchRoles(ruled);
    assert.deepEqual([first.members, first.state, first.reasons], [[admin], 'complete', '']);
    await chain.send(ruled, 'beginDefaultAdminTransfer', [person(1)]);
    const next = await fetchRoles(ruled);
    assert.deepEqual([next.members, next.reasons], [[['pendingDefaultAdmin', person(1)], admin], '']);
    await chain.send(ruled, 'cancelDefaultAdminTransfer', []);
    assert.deepEqual((await fetchRoles(ruled)).members, [admin]);
  });

  it('says whom the contract names without an event, unless it is the owner', async () => {
    const { members, state, reasons } = await fetchRoles(await chain.deploy('Guarded', [person(2)]));
    assert.deepEqual([members, state], [[['owner', person(0)]], 'uncertain']);
    assert.equal(
      reasons,
      `By its function guardian, the contract gives rights to ${person(2)}. No event recorded it.`,
    );
  });

  it('counts deposits that index nothing', async () => {
    const wrapped = await chain.deploy('Wrapped');
    await chain.send(wrapped, 'deposit', [10n]);
    await chain.send(wrapped, 'transfer', [person(1), 3n]);
    await chain.send(wrapped, 'withdraw', [2n]);
    const block = await chain.block();
    const { rows, verdict } = await chain.fetchState({ kind: 'holders', address: wrapped.address, block });
    assert.deepEqual(
      rows.map((row) => row.kind === 'balance' && [row.holder, row.balance]),
      [
        [person(0), 5n],
        [person(1), 3n],
      ],
    );
    assert.deepEqual([verdict.state, verdict.reasons], ['complete', []]);
  });
});
