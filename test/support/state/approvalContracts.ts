/** Tokens with allowances of different kinds, and a manager of them as Permit2 is. */
export const approvalContracts = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Coin {
  event Approval(address indexed owner, address indexed spender, uint256 value);
  mapping(address => mapping(address => uint256)) internal left;
  function allowance(address owner, address spender) public view virtual returns (uint256) { return left[owner][spender]; }
  function approve(address spender, uint256 value) external { left[msg.sender][spender] = value; emit Approval(msg.sender, spender, value); }
  /// As transferFrom does since OpenZeppelin 5.
  function spend(address owner, uint256 value) external { left[owner][msg.sender] -= value; }
}

/// As tokens of Solady.
contract OpenCoin is Coin {
  function allowance(address owner, address spender) public view override returns (uint256) {
    return spender == 0x000000000022D473030F116dDEE9F6B43aC78BA3 ? type(uint256).max : left[owner][spender];
  }
}

/// Logs an approval of someone who made none, and does not tell what is left.
contract Spam {
  event Approval(address indexed owner, address indexed spender, uint256 value);
  function lie(address owner) external { emit Approval(owner, msg.sender, 1); }
  function allowance(address owner, address) external view returns (uint256) {
    if (owner != address(this)) while (true) {}
    return 0;
  }
}

contract Unindexed {
  event Approval(address owner, address spender, uint256 value);
  mapping(address => mapping(address => uint256)) public allowance;
  function approve(address spender, uint256 value) external { allowance[msg.sender][spender] = value; emit Approval(msg.sender, spender, value); }
}

contract Ledger {
  mapping(address => mapping(address => uint256)) public allowance;
  function set(address spender, uint256 value) internal { allowance[msg.sender][spender] = value; }
}

contract OwnerIndexed is Ledger {
  event Approval(address indexed owner, address spender, uint256 value);
  function approve(address spender, uint256 value) external { set(spender, value); emit Approval(msg.sender, spender, value); }
}

contract SpenderIndexed is Ledger {
  event Approval(address owner, address indexed spender, uint256 value);
  function approve(address spender, uint256 value) external { set(spender, value); emit Approval(msg.sender, spender, value); }
}

contract ValueIndexed is Ledger {
  event Approval(address indexed owner, address spender, uint256 indexed value);
  function approve(address spender, uint256 value) external { set(spender, value); emit Approval(msg.sender, spender, value); }
}

/// Logs the topic of an approval without its parameters.
contract Wordless is Ledger {
  function approve(address spender, uint256 value) external {
    set(spender, value);
    bytes32 id = keccak256("Approval(address,address,uint256)");
    assembly { log2(0, 0, id, caller()) }
  }
}

/// Nobody may ask for an allowance of the token itself.
contract Proud is Coin {
  function allowance(address owner, address spender) public view override returns (uint256) {
    require(owner != address(this));
    return left[owner][spender];
  }
}

/// A token of another kind, and an account that takes any call but returns nothing.
contract Kindless { uint256 public totalSupply = 1; }
contract Wallet { fallback() external {} }

contract Manager {
  struct Allowed { uint160 amount; uint48 expiration; uint48 nonce; }
  event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration);
  mapping(address => mapping(address => mapping(address => Allowed))) public allowance;
  function approve(address token, address spender, uint160 amount, uint48 expiration) external {
    allowance[msg.sender][token][spender] = Allowed(amount, expiration, 0);
    emit Approval(msg.sender, token, spender, amount, expiration);
  }
}
`;
