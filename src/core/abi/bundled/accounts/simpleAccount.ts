/** SimpleAccount with its factory: https://github.com/eth-infinitism/account-abstraction. */
export const simpleAccount = {
  name: 'SimpleAccount',
  items: `
event SimpleAccountInitialized(address indexed entryPoint, address indexed owner)
error ExecuteError(uint256 index, bytes error)
function execute(address dest, uint256 value, bytes func)
function executeBatch(address[] dest, uint256[] value, bytes[] func)
function addDeposit()
function withdrawDepositTo(address withdrawAddress, uint256 amount)
function createAccount(address owner, uint256 salt) returns (address ret)
function getAddress(address owner, uint256 salt) returns (address)
function executeBatch(address[] dest, bytes[] func)
function executeBatch((address target, uint256 value, bytes data)[] calls)
`,
};
