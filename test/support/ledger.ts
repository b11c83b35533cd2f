/** Contracts with view functions of many forms: a ledger, a later version of it, and a proxy. */
export const ledgerSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Ledger {
  enum Side { Buy, Sell }
  struct Leg { address token; uint256 amount; }
  struct Order { Side side; Leg[] legs; string note; }
  error TooMany(uint256 asked, uint256 allowed);
  uint256 public count;
  address public owner = msg.sender;
  mapping(address => mapping(Side => uint256)) public amounts;
  Leg public first;
  function add(uint256 by) external { count += by; amounts[msg.sender][Side.Sell] = count; first = Leg(msg.sender, count); }
  function at(int256 index) external pure returns (int256 index_, bytes32 mark) { return (index, bytes32(uint256(7))); }
  function order(Side side, Leg[] calldata legs) external pure returns (Order memory made, Side) { return (Order(side, legs, "a\\u202eb"), side); }
  function echo(uint256[2][] memory rows, bytes memory data, bool flag) external pure returns (uint256[2][] memory, bytes memory, bool) { return (rows, data, flag); }
  function echo(string memory text) external pure returns (string memory) { return text; }
  function limited(uint256 asked) external pure returns (uint256) { if (asked > 5) revert TooMany(asked, 5); require(asked != 4, "four"); return 10 / asked; }
  function bare() external pure { revert(); }
  function unknown() external pure { assembly { mstore(0, shl(224, 0xdeadbeef)) revert(0, 4) } }
  function swapped() external pure returns (string memory, string memory) { assembly { mstore(0, 128) mstore(32, 64) mstore(64, 1) mstore(96, shl(248, 0x62)) mstore(128, 1) mstore(160, shl(248, 0x61)) return(0, 161) } }
  function nothing() external pure {}
  function sender() external view returns (address) { return msg.sender; }
}
contract NewLedger is Ledger { function version() external pure returns (uint256) { return 2; } }
contract Proxy {
  constructor(address implementation) { set(implementation); }
  function set(address implementation) public { assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, implementation) } }
  fallback() external payable {
    assembly {
      let target := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      if iszero(ok) { revert(0, returndatasize()) }
      return(0, returndatasize())
    }
  }
}`;
