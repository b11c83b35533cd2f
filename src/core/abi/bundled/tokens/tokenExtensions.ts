/** ERC-1363, ERC-3156, ERC-7674 and ERC-7802: https://eips.ethereum.org/EIPS/eip-3156. */
export const tokenExtensions = {
  name: 'ERC-20 extensions',
  items: `
event CrosschainBurn(address indexed from, uint256 amount, address indexed sender)
event CrosschainMint(address indexed to, uint256 amount, address indexed sender)
function approveAndCall(address spender, uint256 value) returns (bool)
function approveAndCall(address spender, uint256 value, bytes data) returns (bool)
function transferAndCall(address to, uint256 value) returns (bool)
function transferAndCall(address to, uint256 value, bytes data) returns (bool)
function transferFromAndCall(address from, address to, uint256 value, bytes data) returns (bool)
function transferFromAndCall(address from, address to, uint256 value) returns (bool)
function onTransferReceived(address operator, address from, uint256 value, bytes data) returns (bytes4)
function onApprovalReceived(address owner, uint256 value, bytes data) returns (bytes4)
function flashFee(address token, uint256 amount) returns (uint256)
function flashLoan(address receiver, address token, uint256 amount, bytes data) returns (bool)
function maxFlashLoan(address token) returns (uint256)
function onFlashLoan(address initiator, address token, uint256 amount, uint256 fee, bytes data) returns (bytes32)
function temporaryApprove(address spender, uint256 value) returns (bool success)
function crosschainBurn(address _from, uint256 _amount)
function crosschainMint(address _to, uint256 _amount)
`,
};
