/** ERC-777: https://eips.ethereum.org/EIPS/eip-777, with the registry of ERC-1820. */
export const erc777 = {
  name: 'ERC-777',
  items: `
event AuthorizedOperator(address indexed operator, address indexed tokenHolder)
event Burned(address indexed operator, address indexed from, uint256 amount, bytes data, bytes operatorData)
event Minted(address indexed operator, address indexed to, uint256 amount, bytes data, bytes operatorData)
event RevokedOperator(address indexed operator, address indexed tokenHolder)
event Sent(address indexed operator, address indexed from, address indexed to, uint256 amount, bytes data, bytes operatorData)
event InterfaceImplementerSet(address indexed account, bytes32 indexed interfaceHash, address indexed implementer)
event ManagerChanged(address indexed account, address indexed newManager)
function authorizeOperator(address operator)
function burn(uint256 amount, bytes data)
function defaultOperators() returns (address[])
function granularity() returns (uint256)
function isOperatorFor(address operator, address tokenHolder) returns (bool)
function operatorBurn(address account, uint256 amount, bytes data, bytes operatorData)
function operatorSend(address sender, address recipient, uint256 amount, bytes data, bytes operatorData)
function revokeOperator(address operator)
function send(address recipient, uint256 amount, bytes data)
function tokensToSend(address operator, address from, address to, uint256 amount, bytes userData, bytes operatorData)
function tokensReceived(address operator, address from, address to, uint256 amount, bytes userData, bytes operatorData)
function getInterfaceImplementer(address account, bytes32 _interfaceHash) returns (address)
function getManager(address account) returns (address)
function implementsERC165Interface(address account, bytes4 interfaceId) returns (bool)
function implementsERC165InterfaceNoCache(address account, bytes4 interfaceId) returns (bool)
function interfaceHash(string interfaceName) returns (bytes32)
function setInterfaceImplementer(address account, bytes32 _interfaceHash, address implementer)
function setManager(address account, address newManager)
function updateERC165Cache(address account, bytes4 interfaceId)
`,
};
