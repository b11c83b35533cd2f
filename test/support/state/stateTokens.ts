/** Tokens with plain and odd habits, and contracts with roles. */
export const stateTokensSource = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import "@openzeppelin/contracts/token/ERC721/extensions/ERC721Consecutive.sol";
import "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155Supply.sol";
import "@openzeppelin/contracts/access/AccessControl.sol";
import "@openzeppelin/contracts/access/Ownable2Step.sol";

contract Plain is ERC20 {
  constructor(uint256 amount) ERC20("Plain", "PLN") { _mint(msg.sender, amount); }
  function mint(address to, uint256 amount) external { _mint(to, amount); }
  function burn(uint256 amount) external { _burn(msg.sender, amount); }
}

/** Some of each transfer goes to the deployer, with a log of its own. */
contract HonestFee is ERC20 {
  address immutable collector = msg.sender;
  constructor() ERC20("Fee", "FEE") { _mint(msg.sender, 1000000); }
  function transfer(address to, uint256 amount) public override returns (bool) {
    _transfer(msg.sender, collector, amount / 100);
    _transfer(msg.sender, to, amount - amount / 100);
    return true;
  }
}

/** A token of its own making, whose logs may say something else than its balances. */
contract Odd {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  mapping(address => uint256) internal parts;
  mapping(address => mapping(address => uint256)) public allowance;
  uint256 public supply;
  uint256 public factor = 1;
  string public constant symbol = "ODD";
  uint8 public constant decimals = 18;
  function totalSupply() external view returns (uint256) { return supply * factor; }
  function balanceOf(address who) external view returns (uint256) { return parts[who] * factor; }
  function mint(address to, uint256 amount) external { parts[to] += amount; supply += amount; emit Transfer(address(0), to, amount); }
  function mintSilently(address to, uint256 amount) external { parts[to] += amount; supply += amount; }
  function wipe(address who) external { supply -= parts[who]; parts[who] = 0; }
  function rebase(uint256 by) external { factor = by; }
  function transfer(address to, uint256 amount) external returns (bool) { return move(msg.sender, to, amount); }
  function transferTaxed(address to, uint256 amount) external { parts[msg.sender] -= amount; parts[to] += amount - 1; supply -= 1; emit Transfer(msg.sender, to, amount); }
  function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; emit Approval(msg.sender, spender, amount); return true; }
  function transferFrom(address from, address to, uint256 amount) external returns (bool) { allowance[from][msg.sender] -= amount; return move(from, to, amount); }
  function move(address from, address to, uint256 amount) internal returns (bool) { parts[from] -= amount; parts[to] += amount; emit Transfer(from, to, amount); return true; }
}

contract Wrapped {
  event Deposit(address indexed dst, uint256 wad);
  event Withdrawal(address indexed src, uint256 wad);
  event Transfer(address indexed src, address indexed dst, uint256 wad);
  mapping(address => uint256) public balanceOf;
  uint8 public constant decimals = 18;
  function deposit() public payable { balanceOf[msg.sender] += msg.value; emit Deposit(msg.sender, msg.value); }
  function depositTo(address to) external payable { deposit(); transfer(to, msg.value); }
  function withdraw(uint256 wad) external { balanceOf[msg.sender] -= wad; payable(msg.sender).transfer(wad); emit Withdrawal(msg.sender, wad); }
  function totalSupply() external view returns (uint256) { return address(this).balance; }
  function transfer(address dst, uint256 wad) public returns (bool) { balanceOf[msg.sender] -= wad; balanceOf[dst] += wad; emit Transfer(msg.sender, dst, wad); return true; }
}

contract Badges is ERC721 {
  constructor() ERC721("Badges", "BDG") {}
  function mint(address to, uint256 id) external { _mint(to, id); }
  function burn(uint256 id) external { _burn(id); }
}

contract Drop is ERC721Consecutive {
  constructor(address first, address second) ERC721("Drop", "DRP") { _mintConsecutive(first, 40); _mintConsecutive(second, 20); }
}

contract Items is ERC1155Supply {
  constructor() ERC1155("") {}
  function mint(address to, uint256[] calldata ids, uint256[] calldata values) external { _mintBatch(to, ids, values, ""); }
  function burn(address from, uint256 id, uint256 value) external { _burn(from, id, value); }
}

contract Vault is AccessControl {
  bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
  bytes32 internal constant RESCUER = keccak256("vault.rescuer");
  constructor(address rescuer) { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); _grantRole(RESCUER, rescuer); }
}

/** Its members change without a log. */
contract SilentVault is AccessControl {
  mapping(bytes32 => mapping(address => bool)) internal extra;
  constructor() { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); }
  function hasRole(bytes32 role, address account) public view override returns (bool) { return extra[role][account] != super.hasRole(role, account); }
  function flip(bytes32 role, address account) external { extra[role][account] = !extra[role][account]; }
}

contract Owned is Ownable2Step { constructor() Ownable(msg.sender) {} }
`;
