/** ERC-1155 with metadata and receiver: https://eips.ethereum.org/EIPS/eip-1155. */
export const erc1155 = {
  name: 'ERC-1155',
  items: `
event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)
event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)
event URI(string value, uint256 indexed id)
function balanceOf(address account, uint256 id) returns (uint256)
function balanceOfBatch(address[] accounts, uint256[] ids) returns (uint256[])
function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)
function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)
function uri(uint256 id) returns (string)
function onERC1155BatchReceived(address operator, address from, uint256[] ids, uint256[] values, bytes data) returns (bytes4)
function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes data) returns (bytes4)
`,
};
