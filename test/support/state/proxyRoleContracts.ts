/** Proxies of each kind, and contracts that say something else about their admin. */
export const proxyRoleContracts = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ProxyAdmin} from "@openzeppelin/contracts/proxy/transparent/ProxyAdmin.sol";
import {TransparentUpgradeableProxy} from "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

contract Logic is AccessControl, UUPSUpgradeable {
  bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
  event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
  address public owner;
  function initialize(address first) external {
    emit OwnershipTransferred(owner, first);
    owner = first;
    _grantRole(DEFAULT_ADMIN_ROLE, first);
    _grantRole(MINTER_ROLE, first);
  }
  function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); }
}

contract Plain { uint256 public value; }
contract Admin is ProxyAdmin { constructor(address first) ProxyAdmin(first) {} }
contract Transparent is TransparentUpgradeableProxy {
  constructor(address logic, address first, bytes memory data) TransparentUpgradeableProxy(logic, first, data) {}
}
contract Uups is ERC1967Proxy { constructor(address logic, bytes memory data) ERC1967Proxy(logic, data) {} }
contract Beacon is UpgradeableBeacon { constructor(address logic, address first) UpgradeableBeacon(logic, first) {} }
contract OfBeacon is BeaconProxy { constructor(address beacon, bytes memory data) BeaconProxy(beacon, data) {} }

contract Factory {
  function make(address logic) external returns (address) { return Clones.cloneDeterministic(logic, 0); }
  function predict(address logic) external view returns (address) {
    return Clones.predictDeterministicAddress(logic, 0);
  }
}

contract NoProxy {
  event AdminChanged(address previousAdmin, address newAdmin);
  function log(address admin) external { emit AdminChanged(address(0), admin); }
}

/// Stores its admin without a log, and logs one without storing it.
contract SilentAdmin {
  event AdminChanged(address previousAdmin, address newAdmin);
  bytes32 constant LOGIC = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
  bytes32 constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;
  constructor(address logic, address admin) { assembly { sstore(LOGIC, logic) } set(admin); }
  function set(address admin) public { assembly { sstore(ADMIN, admin) } }
  function log(address admin) external { emit AdminChanged(address(0), admin); }
  fallback() external {
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), sload(LOGIC), 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      if iszero(ok) { revert(0, returndatasize()) }
      return(0, returndatasize())
    }
  }
}

contract Diamond {
  event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
  address public owner;
  address facet;
  constructor(address facet_, address first) { facet = facet_; owner = first; emit OwnershipTransferred(address(0), first); }
  function facetAddresses() external view returns (address[] memory found) { found = new address[](1); found[0] = facet; }
  fallback() external { (bool ok, ) = facet.delegatecall(msg.data); require(ok); }
}
`;
