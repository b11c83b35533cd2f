/** Multicall3: https://github.com/mds1/multicall, and Multicall of @openzeppelin/contracts. */
export const multicall = {
  name: 'Multicall',
  items: `
error AddressEmptyCode(address target)
error FailedCall()
function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)
function getEthBalance(address addr) returns (uint256 balance)
function getCurrentBlockTimestamp() returns (uint256 timestamp)
function aggregate((address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes[] returnData)
function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)
function tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes32 blockHash, (bool success, bytes returnData)[] returnData)
function blockAndAggregate((address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes32 blockHash, (bool success, bytes returnData)[] returnData)
function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)
function getBlockHash(uint256 blockNumber) returns (bytes32 blockHash)
function getBlockNumber() returns (uint256 blockNumber)
function getCurrentBlockCoinbase() returns (address coinbase)
function getCurrentBlockDifficulty() returns (uint256 difficulty)
function getCurrentBlockGasLimit() returns (uint256 gaslimit)
function getLastBlockHash() returns (bytes32 blockHash)
function getBasefee() returns (uint256 basefee)
function getChainId() returns (uint256 chainid)
function multicall(bytes[] data) returns (bytes[] results)
`,
};
