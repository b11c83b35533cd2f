/** Timelock of Compound: https://github.com/compound-finance/compound-protocol. */
export const compoundTimelock = {
  name: 'Compound Timelock',
  items: `
event NewAdmin(address indexed newAdmin)
event NewPendingAdmin(address indexed newPendingAdmin)
event NewDelay(uint256 indexed newDelay)
event CancelTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)
event ExecuteTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)
event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)
function queuedTransactions(bytes32) returns (bool)
function setDelay(uint256 delay_)
function acceptAdmin()
function setPendingAdmin(address pendingAdmin_)
function queueTransaction(address target, uint256 value, string signature, bytes data, uint256 eta) returns (bytes32)
function cancelTransaction(address target, uint256 value, string signature, bytes data, uint256 eta)
function executeTransaction(address target, uint256 value, string signature, bytes data, uint256 eta) returns (bytes)
`,
};
