/** ERC-6909, many tokens of one contract: https://eips.ethereum.org/EIPS/eip-6909; errors of @openzeppelin/contracts 5. */
export const erc6909 = {
  name: 'ERC-6909',
  items: `
event Approval(address indexed owner, address indexed spender, uint256 indexed id, uint256 amount)
event OperatorSet(address indexed owner, address indexed spender, bool approved)
event Transfer(address caller, address indexed sender, address indexed receiver, uint256 indexed id, uint256 amount)
event ContractURIUpdated()
event ERC6909DecimalsUpdated(uint256 indexed id, uint8 newDecimals)
event ERC6909NameUpdated(uint256 indexed id, string newName)
event ERC6909SymbolUpdated(uint256 indexed id, string newSymbol)
error ERC6909InsufficientAllowance(address spender, uint256 allowance, uint256 needed, uint256 id)
error ERC6909InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 id)
error ERC6909InvalidApprover(address approver)
error ERC6909InvalidReceiver(address receiver)
error ERC6909InvalidSender(address sender)
error ERC6909InvalidSpender(address spender)
function allowance(address owner, address spender, uint256 id) returns (uint256)
function approve(address spender, uint256 id, uint256 amount) returns (bool)
function isOperator(address owner, address spender) returns (bool)
function setOperator(address spender, bool approved) returns (bool)
function transfer(address receiver, uint256 id, uint256 amount) returns (bool)
function transferFrom(address sender, address receiver, uint256 id, uint256 amount) returns (bool)
function decimals(uint256 id) returns (uint8)
function name(uint256 id) returns (string)
function symbol(uint256 id) returns (string)
function contractURI() returns (string)
function totalSupply(uint256 id) returns (uint256)
`,
};
