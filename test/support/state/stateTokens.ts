/** Tokens as OpenZeppelin makes them, and contracts with roles. */
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
  function burn(uint256 amount) external { _burn(msg.sender, amount); }
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

contract Owned is Ownable2Step { constructor() Ownable(msg.sender) {} }
`;
