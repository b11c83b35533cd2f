/**
 * Safe 1.3.0 and 1.1.1, whose events had owners, modules and hashes unindexed; ChangedMasterCopy is of those before 1.3.
 * https://github.com/safe-global/safe-smart-account/tree/v1.3.0
 */
export const safeBefore14 = {
  name: 'Safe 1.3',
  items: `
event ExecutionFailure(bytes32 txHash, uint256 payment)
event ExecutionSuccess(bytes32 txHash, uint256 payment)
event AddedOwner(address owner)
event RemovedOwner(address owner)
event EnabledModule(address module)
event DisabledModule(address module)
event ChangedGuard(address guard)
event ChangedMasterCopy(address masterCopy)
event ChangedFallbackHandler(address handler)
event ProxyCreation(address proxy, address singleton)
event ProxyCreation(address proxy)
function requiredTxGas(address to, uint256 value, bytes data, uint8 operation) returns (uint256)
function createProxy(address singleton, bytes data) returns (address proxy)
function calculateCreateProxyWithNonceAddress(address _singleton, bytes initializer, uint256 saltNonce) returns (address proxy)
`,
};
