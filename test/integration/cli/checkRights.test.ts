import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toEventSelector, toFunctionSelector, toHex } from 'viem';
import type { Address } from '../../../src/core/index.ts';
import { fileChecks } from '../../support/fileChecks.ts';
import type { LoopbackServer } from '../../support/loopbackServer.ts';
import { parseLines, runCli } from '../../support/runCli.ts';
import { roleContracts } from '../../support/state/roleContracts.ts';
import { type StateChain, startStateChain } from '../../support/state/stateChain.ts';
import { dropLogs, startTamperedNode, type Tamper } from '../../support/state/tamperedNode.ts';

const contracts = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

contract Ruled is AccessControlDefaultAdminRules { constructor() AccessControlDefaultAdminRules(0, msg.sender) {} }
contract Stepped is Ownable2Step, AccessControl {
  constructor(address minter) Ownable(msg.sender) { _grantRole(keccak256("MINTER_ROLE"), minter); }
}
/// Rights that no event records.
contract Silent {
  address public getOwner = msg.sender;
  address public guardian;
  constructor(address guardian_) { guardian = guardian_; }
  function owner() external view returns (address) { return getOwner; }
}
/// A proxy whose admin no event records.
contract Administered {
  constructor(address logic, address admin) {
    assembly {
      sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, logic)
      sstore(0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103, admin)
    }
  }
  fallback() external {
    assembly {
      if iszero(delegatecall(gas(), sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc), 0, 0, 0, 0)) {
        revert(0, 0)
      }
    }
  }
}
contract Logging {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
  event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
  event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
  function mint(address to) external { emit Transfer(address(0), to, 1); }
  function mintItem(address to) external { emit TransferSingle(to, address(0), to, 7, 1); }
  function approve(address to) external { emit Approval(msg.sender, to, 1); }
  function own(address to) external { emit OwnershipTransferred(address(0), to); }
  function grant(address to) external { emit RoleGranted(bytes32(0), to, to); }
}
/// Returns 1 for any call.
contract Answering is Logging {
  fallback(bytes calldata) external returns (bytes memory) { return abi.encode(1); }
}
/// Everyone has a role, a balance and tokens of it; no log names the default admin.
contract Everyone is Logging {
  function totalSupply() external pure returns (uint256) { return 1; }
  function balanceOf(address) external pure returns (uint256) { return 1; }
  function balanceOf(address, uint256) external pure returns (uint256) { return 1; }
  function hasRole(bytes32, address) external pure returns (bool) { return true; }
  function isApprovedForAll(address, address) external pure returns (bool) { return true; }
}
/// Two roles with one member each, of which the default admin is in no log.
contract Counted {
  event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
  constructor() { emit RoleGranted(bytes32(uint256(1)), msg.sender, msg.sender); }
  address immutable first = msg.sender;
  function hasRole(bytes32 role, address account) external view returns (bool) { return uint256(role) == 1 && account == first; }
  function getRoleMemberCount(bytes32) external pure returns (uint256) { return 1; }
}
contract Items is ERC1155 {
  constructor() ERC1155("") {}
  function mint(address to, uint256 id) external { _mint(to, id, 5, ""); }
}
`;

describe('check of rights that calls return', () => {
  let chain: StateChain;
  let server: LoopbackServer;
  let folder: string;
  let tamper: Tamper = (result) => result;
  before(async () => {
    chain = await startStateChain({ 'Rights.sol': contracts, 'Roles.sol': roleContracts });
    server = await startTamperedNode(chain.url, () => tamper);
    folder = await mkdtemp(join(tmpdir(), 'chainside-rights-'));
  });
  afterEach(() => {
    tamper = (result) => result;
  });
  after(async () => {
    await server.close();
    await chain.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const files = fileChecks(() => ({ folder, url: server.url }));
  const person = (index: number): Address => chain.accounts[index] ?? assert.fail();
  const ofEvent = (signature: string) => (log: Readonly<Record<string, unknown>>) =>
    (log.topics as readonly string[])[0] === toEventSelector(signature);
  const ofSecond = (log: Readonly<Record<string, unknown>>) =>
    JSON.stringify(log.topics).includes(person(2).slice(2));

  async function check(query: object, ...options: readonly string[]) {
    const file = await files.write('one.chainlog.json', { chainId: 31337, ...query });
    const { code, lines } = await files.check(file, ...options);
    return [code, lines[0].state, lines[0].reasons.join(' ')];
  }
  const checkMembers = (contract: Address, members: object) =>
    check({ state: { kind: 'roles', contract }, expect: { members } }, '--strict');

  it('has the owner of default admin rules, as the rows have it', async () => {
    const { address } = await chain.deploy('Ruled');
    assert.deepEqual(await checkMembers(address, { owner: [person(0)] }), [0, 'ok', '']);
    const [code, state, reasons] = await checkMembers(address, { owner: [], pendingDefaultAdmin: [] });
    assert.deepEqual([code, state], [1, 'differs']);
    assert.match(String(reasons), /^owner: .* also has it\.$/);
    const both = { owner: [person(0)], DEFAULT_ADMIN_ROLE: [person(0)] };
    const confirmed = { state: { kind: 'roles', contract: address }, expect: { members: both } };
    let reads = 0;
    tamper = (result, { params: [call] }) => {
      if (JSON.stringify(call)?.includes(toFunctionSelector('owner()'))) reads++;
      return result;
    };
    assert.equal((await check(confirmed))[1], 'ok');
    // One reading, so that both roles are of one block.
    assert.equal(reads, 1);
    const nobody = { ...confirmed, expect: { members: { ...both, owner: [] } } };
    assert.equal((await check(nobody))[1], 'differs');
  });

  it('needs no log, whatever other rights the contract names', async () => {
    const { address } = await chain.deploy('Silent', [person(3)]);
    tamper = (result, { method }) => {
      if (method === 'eth_getLogs') assert.fail();
      return result;
    };
    assert.deepEqual(await checkMembers(address, { owner: [person(0)], proxyAdmin: [] }), [0, 'ok', '']);
    assert.deepEqual((await checkMembers(address, { owner: [person(3)] })).slice(0, 2), [1, 'differs']);
  });

  it('does not know the admin of a slot that the endpoint returns empty', async () => {
    const logic = await chain.deploy('Silent', [person(3)]);
    const { address } = await chain.deploy('Administered', [logic.address, person(1)]);
    tamper = (result, { method }) => (method === 'eth_getStorageAt' ? '0x' : result);
    const expect = { proxyAdmin: [] };
    const [code, state, reasons] = await checkMembers(address, expect);
    assert.deepEqual([code, state], [3, 'incomplete']);
    assert.match(String(reasons), /did not return the slot of a proxy admin/);
    // Nethermind leaves out leading zeros.
    tamper = (result, { method }) =>
      method === 'eth_getStorageAt' ? toHex(BigInt(result as string)) : result;
    assert.deepEqual((await checkMembers(address, expect)).slice(0, 2), [1, 'differs']);
    assert.deepEqual(await checkMembers(address, { proxyAdmin: [person(1)] }), [0, 'ok', '']);
    assert.deepEqual(await checkMembers(logic.address, expect), [0, 'ok', '']);
  });

  it('is not ok by a contract that returns a value for any call', async () => {
    const one: Address = `0x${'1'.padStart(40, '0')}`;
    for (const [logged, kind, expect] of [
      ['mint', 'holders', { holders: [one] }],
      ['mintItem', 'holders', { holders: [one] }],
      ['approve', 'allowances', { spenders: [one] }],
      ['own', 'roles', { members: { owner: [one] } }],
      ['grant', 'roles', { members: { DEFAULT_ADMIN_ROLE: [one] } }],
    ] as const) {
      const contract = await chain.deploy('Answering');
      await chain.send(contract, logged, [one]);
      const { address } = contract;
      const [code, state, reasons] = await check({
        ...{ state: { kind, contract: address }, expect, needs: 'confirmed' },
      });
      assert.deepEqual([code, state], [3, 'incomplete'], logged);
      assert.match(String(reasons), new RegExp(`^${address} returns a value for any call`));
      const { stdout } = await runCli(['state', kind, address, '--rpc', server.url]);
      const { verdict } = parseLines(stdout).at(-1);
      assert.deepEqual([verdict.state, verdict.confirmed], ['uncertain', false], logged);
    }
  });

  it('is not ok by a contract that says the same of everyone, nor of approvals of NFTs', async () => {
    const one: Address = `0x${'1'.padStart(40, '0')}`;
    for (const [logged, kind, expect, reason] of [
      ['mint', 'holders', { holders: [one] }, /balance of 0x5e/],
      ['mintItem', 'holders', { holders: [one] }, /balance of 0x5e/],
      ['grant', 'roles', { members: { DEFAULT_ADMIN_ROLE: [one] } }, /0x5e\w+ has the role/],
      ['approve', 'allowances', { spenders: [] }, /is an NFT contract, whose approvals are not listed/],
    ] as const) {
      const contract = await chain.deploy('Everyone');
      await chain.send(contract, logged, [one]);
      const [code, state, reasons] = await check({
        ...{ state: { kind, contract: contract.address }, expect, needs: 'confirmed' },
      });
      assert.deepEqual([code, state], [3, 'incomplete'], logged);
      assert.match(String(reasons), reason);
    }
  });

  it('knows of a default admin without a log by the count of the contract', async () => {
    const { address } = await chain.deploy('Counted');
    const [code, state, reasons] = await check({
      ...{ state: { kind: 'roles', contract: address }, needs: 'confirmed' },
      expect: { members: { DEFAULT_ADMIN_ROLE: [] } },
    });
    assert.deepEqual([code, state], [3, 'incomplete']);
    assert.match(String(reasons), /has 0 members. The contract says 1/);
  });

  it('needs a proof where no function returns the owner', async () => {
    const { address } = await chain.deploy('Backdoor', [person(1)]);
    const [code, state, reasons] = await checkMembers(address, { owner: [] });
    assert.deepEqual([code, state], [3, 'incomplete']);
    assert.match(String(reasons), /Rights that a contract gives without a log are not seen/);
  });

  it('has who is next, though the endpoint leaves out the log, and the account has another role', async () => {
    const ruled = await chain.deploy('Ruled');
    await chain.send(ruled, 'grantRole', [toHex(1n, { size: 32 }), person(2)]);
    await chain.send(ruled, 'beginDefaultAdminTransfer', [person(2)]);
    const stepped = await chain.deploy('Stepped', [person(2)]);
    await chain.send(stepped, 'transferOwnership', [person(2)]);
    for (const [{ address }, role, signature] of [
      [ruled, 'pendingDefaultAdmin', 'DefaultAdminTransferScheduled(address,uint48)'],
      [stepped, 'pendingOwner', 'OwnershipTransferStarted(address,address)'],
    ] as const) {
      tamper = dropLogs(ofEvent(signature));
      assert.deepEqual((await checkMembers(address, { [role]: [] })).slice(0, 2), [1, 'differs']);
      assert.deepEqual(await checkMembers(address, { [role]: [person(2)] }), [0, 'ok', '']);
      const { stdout } = await runCli(['state', 'roles', address, '--rpc', server.url]);
      const lines = parseLines(stdout);
      assert.ok(lines.some((row) => row.role === role && row.member === person(2)));
      const { state, reasons } = lines.at(-1).verdict;
      assert.deepEqual(
        [state, reasons],
        [
          'uncertain',
          [`By its function ${role}, the contract gives rights to ${person(2)}. No event recorded it.`],
        ],
      );
    }
  });

  it('asks for an expected member as the contract stores its roles', async () => {
    const wards = await chain.deploy('Wards');
    await chain.send(wards, 'rely', [person(2)]);
    const manager = await chain.deploy('Manager', [person(0)]);
    await chain.send(manager, 'grantRole', [0n, person(2), 0]);
    const bitmaps = await chain.deploy('Bitmaps');
    for (const each of [0, 2].map(person)) await chain.send(bitmaps, 'set', [each, 4n]);
    const items = await chain.deploy('Items');
    for (const each of [0, 2].map(person)) await chain.send(items, 'mint', [each, 7n]);
    tamper = dropLogs(ofSecond);
    const toMembers = (role: string) => (people: readonly Address[]) => ({ members: { [role]: people } });
    for (const [kind, { address }, expect] of [
      ['roles', wards, toMembers('ward')],
      ['roles', manager, toMembers(toHex(0n, { size: 32 }))],
      ['roles', bitmaps, toMembers(toHex(4n, { size: 32 }))],
      ['holders', items, (holders: readonly Address[]) => ({ holders })],
    ] as const) {
      const checkPeople = (...people: readonly Address[]) =>
        check({ state: { kind, contract: address }, expect: expect(people), needs: 'confirmed' });
      const [code, state, reasons] = await checkPeople(person(0), person(2));
      assert.deepEqual([code, state], [3, 'incomplete']);
      assert.match(String(reasons), new RegExp(person(2)));
      assert.deepEqual((await checkPeople(person(0), person(3))).slice(0, 2), [1, 'differs']);
    }
  });
});
