/** Habits of tokens, each a bit of the argument of the contract `Odd`. */
export const habits = {
  /** The fee has a log of its own. */
  loggedFee: 1n << 0n,
  /** The log has the amount before the fee. */
  silentFee: 1n << 1n,
  loggedBurnFee: 1n << 2n,
  silentBurnFee: 1n << 3n,
  /** Balances are shares of the supply, which `rebase` changes. */
  rebasing: 1n << 4n,
  /** The constructor mints without a log. */
  silentMint: 1n << 5n,
  silentBurn: 1n << 6n,
  /** `wipe` takes all from an address without a log. */
  wipe: 1n << 7n,
  /** As tokens were before events had indexed parameters by custom. */
  unindexed: 1n << 8n,
  indexedValue: 1n << 9n,
  /** Staking is a transfer to the token, with a `Deposit` log as that of WETH9. */
  stake: 1n << 10n,
  /** The zero address holds what it is sent. */
  zeroHolds: 1n << 11n,
  /** Mints are logged as transfers of the minter, as USDC once did. */
  minterLogged: 1n << 12n,
  noSupply: 1n << 13n,
  /** Each balance grows with the block. */
  interest: 1n << 14n,
  /** Logs transfers that did not take place. */
  spam: 1n << 15n,
  /** `balanceOf` reverts for the collector of fees. */
  brokenBalance: 1n << 16n,
  /** `deposit` and `withdraw` log no `Transfer`. */
  wrap: 1n << 17n,
  /** They log one beside. */
  loggedWrap: 1n << 18n,
  /** In a transaction, the log of what is paid back comes before that of the loan. */
  loanReversed: 1n << 19n,
} as const;

export type Habit = keyof typeof habits;

/** What fees go to. */
export const COLLECTOR = '0x00000000000000000000000000000000000fee00';

export const oddTokens = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Odd {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Deposit(address indexed dst, uint256 wad);
  event Withdrawal(address indexed src, uint256 wad);

  uint256 immutable flags;
  address constant collector = address(0xfee00);
  mapping(address => uint256) shares;
  uint256 all;
  uint256 factor = 1000;
  uint256 immutable born = block.number;

  constructor(uint256 flags_) {
    flags = flags_;
    if (has(5)) { shares[msg.sender] = 1000; all = 1000; }
  }

  function has(uint256 bit) internal view returns (bool) { return flags >> bit & 1 == 1; }
  function decimals() external pure returns (uint8) { return 18; }

  function balanceOf(address owner) external view returns (uint256) {
    require(!(has(16) && owner == collector));
    return scale(shares[owner]);
  }

  function totalSupply() external view returns (uint256) {
    require(!has(13));
    return scale(all);
  }

  function scale(uint256 amount) internal view returns (uint256) {
    if (has(14)) amount += amount * (block.number - born) / 100;
    return has(4) ? amount * factor / 1000 : amount;
  }

  function log(address from, address to, uint256 value) internal {
    bytes32 id = keccak256("Transfer(address,address,uint256)");
    bytes32 a = bytes32(uint256(uint160(from)));
    bytes32 b = bytes32(uint256(uint160(to)));
    if (has(8)) { bytes memory data = abi.encode(from, to, value); assembly { log1(add(data, 32), 96, id) } }
    else if (has(9)) assembly { log4(0, 0, id, a, b, value) }
    else emit Transfer(from, to, value);
  }

  function mint(address to, uint256 value) public {
    shares[to] += value;
    all += value;
    log(has(12) ? msg.sender : address(0), to, value);
  }

  function transfer(address to, uint256 value) external returns (bool) {
    uint256 fee = value / 10;
    shares[msg.sender] -= value;
    if (to == address(0) && !has(11)) { all -= value; log(msg.sender, to, value); return true; }
    if (has(0)) { shares[collector] += fee; shares[to] += value - fee; log(msg.sender, to, value - fee); log(msg.sender, collector, fee); }
    else if (has(1)) { shares[collector] += fee; shares[to] += value - fee; log(msg.sender, to, value); }
    else if (has(2)) { all -= fee; shares[to] += value - fee; log(msg.sender, to, value - fee); log(msg.sender, address(0), fee); }
    else if (has(3)) { all -= fee; shares[to] += value - fee; log(msg.sender, to, value); }
    else { shares[to] += value; log(msg.sender, to, value); }
    if (has(15)) log(to, address(0xdead), 3);
    return true;
  }

  function burn(uint256 value) external {
    shares[msg.sender] -= value;
    all -= value;
    if (!has(6)) log(msg.sender, address(0), value);
  }

  function wipe(address owner) external {
    if (!has(7)) return;
    all -= shares[owner];
    shares[owner] = 0;
  }

  function rebase() external { factor += 77; }

  function deposit() external payable {
    if (has(10)) {
      shares[msg.sender] -= msg.value; shares[address(this)] += msg.value;
      log(msg.sender, address(this), msg.value);
      emit Deposit(msg.sender, msg.value);
    } else if (has(17) || has(18)) {
      shares[msg.sender] += msg.value; all += msg.value;
      emit Deposit(msg.sender, msg.value);
      if (has(18)) log(address(0), msg.sender, msg.value);
    }
  }

  function withdraw(uint256 value) external {
    if (has(10)) {
      shares[msg.sender] += value; shares[address(this)] -= value;
      log(address(this), msg.sender, value);
      emit Withdrawal(msg.sender, value);
    } else if (has(17) || has(18)) {
      shares[msg.sender] -= value; all -= value;
      if (has(18)) log(msg.sender, address(0), value);
      emit Withdrawal(msg.sender, value);
    }
  }

  function loan(uint256 value) external {
    if (!has(19)) return;
    log(msg.sender, address(0), value);
    log(address(0), msg.sender, value);
  }
}
`;
