/** Contracts that give roles in different ways. */
export const roleContracts = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccessManager} from "@openzeppelin/contracts/access/manager/AccessManager.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {AccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/AccessControlEnumerable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract Manager is AccessManager { constructor(address admin) AccessManager(admin) {} }

/// As Solady's OwnableRoles does it.
contract Bitmaps {
  event RolesUpdated(address indexed user, uint256 indexed roles);
  event OwnershipTransferred(address indexed oldOwner, address indexed newOwner);
  mapping(address => uint256) public rolesOf;
  address public owner = msg.sender;
  constructor() { emit OwnershipTransferred(address(0), msg.sender); }
  function set(address user, uint256 roles) external { rolesOf[user] = roles; emit RolesUpdated(user, roles); }
}

/// As contracts of Maker do it.
contract Wards {
  event Rely(address indexed usr);
  event Deny(address indexed usr);
  mapping(address => uint256) public wards;
  constructor() { wards[msg.sender] = 1; emit Rely(msg.sender); }
  function rely(address usr) external { wards[usr] = 1; emit Rely(usr); }
  function deny(address usr) external { wards[usr] = 0; emit Deny(usr); }
}

/// The owner is in no log, as of contracts that set it in an initializer of their own.
contract SilentOwner { address public owner = msg.sender; }

/// Old contracts that index nothing, and give up ownership by an event of its own.
contract OldOwner {
  event OwnershipTransferred(address previousOwner, address newOwner);
  event OwnershipRenounced(address indexed previousOwner);
  address public owner;
  function transferOwnership(address next) external { emit OwnershipTransferred(owner, next); owner = next; }
  function renounceOwnership() external { emit OwnershipRenounced(owner); owner = address(0); }
}

contract Listed is AccessControlEnumerable {
  bytes32 public constant KEEPER = keccak256("not its name");
  bytes32 public constant roleOfBots = keccak256("bots");
  constructor() { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); _grantRole(roleOfBots, msg.sender); }
}

/// Gives roles without a log to one whom it already knows, or takes them.
contract Backdoor is AccessControl {
  bytes32 constant HIDDEN = keccak256("HIDDEN");
  address friend;
  constructor(address friend_) {
    _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
    _grantRole(HIDDEN, msg.sender);
    _grantRole(HIDDEN, friend_);
    _revokeRole(HIDDEN, friend_);
  }
  function open(address friend_) external { friend = friend_; }
  function hasRole(bytes32 role, address account) public view override returns (bool) {
    return (account == friend) != super.hasRole(role, account);
  }
}

contract Minters is Ownable {
  event MinterAdded(address indexed account);
  constructor() Ownable(msg.sender) {}
  function addMinter(address account) external { emit MinterAdded(account); }
}

/// As Solady's Ownable: anyone may ask to become the owner.
contract Handed is Ownable {
  event OwnershipHandoverRequested(address indexed pendingOwner);
  constructor() Ownable(msg.sender) {}
  function requestOwnershipHandover() external { emit OwnershipHandoverRequested(msg.sender); }
}

/// Logs the topics of events with other parameters than theirs.
contract Malformed {
  function log0(bytes32 id) external { assembly { log1(0, 0, id) } }
  function log2(bytes32 id) external { assembly { log3(0, 31, id, 1, 2) } }
}
`;
