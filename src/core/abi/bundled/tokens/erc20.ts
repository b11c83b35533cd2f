/** ERC-20, with its metadata: https://eips.ethereum.org/EIPS/eip-20. */
export const erc20 = {
  name: 'ERC-20',
  items: `
event Approval(address indexed owner, address indexed spender, uint256 value)
event Transfer(address indexed from, address indexed to, uint256 value)
function allowance(address owner, address spender) returns (uint256)
function approve(address spender, uint256 value) returns (bool)
function balanceOf(address account) returns (uint256)
function totalSupply() returns (uint256)
function transfer(address to, uint256 value) returns (bool)
function transferFrom(address from, address to, uint256 value) returns (bool)
function decimals() returns (uint8)
function name() returns (string)
function symbol() returns (string)
`,
};
