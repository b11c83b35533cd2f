/**
 * Proxies before ERC-1967, as in ZeppelinOS: the event has no indexed parameter.
 * https://github.com/OpenZeppelin/openzeppelin-sdk
 */
export const earlyProxies = {
  name: 'proxies before ERC-1967',
  items: `
event Upgraded(address implementation)
`,
};

/** ERC-165: https://eips.ethereum.org/EIPS/eip-165. */
export const erc165 = {
  name: 'ERC-165',
  items: `
function supportsInterface(bytes4 interfaceId) view returns (bool)
`,
};

/** ERC-3668, data off chain: https://eips.ethereum.org/EIPS/eip-3668. */
export const erc3668 = {
  name: 'ERC-3668',
  items: `
error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)
`,
};

/** ERC-1967, proxies: https://eips.ethereum.org/EIPS/eip-1967. */
export const erc1967 = {
  name: 'ERC-1967',
  items: `
event AdminChanged(address previousAdmin, address newAdmin)
event BeaconUpgraded(address indexed beacon)
event Upgraded(address indexed implementation)
error ERC1967InvalidAdmin(address admin)
error ERC1967InvalidBeacon(address beacon)
error ERC1967InvalidImplementation(address implementation)
error ERC1967NonPayable()
`,
};

/** ERC-2535, diamonds: https://eips.ethereum.org/EIPS/eip-2535. */
export const erc2535 = {
  name: 'ERC-2535',
  items: `
event DiamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] _diamondCut, address _init, bytes _calldata)
function diamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] _diamondCut, address _init, bytes _calldata)
function facets() view returns ((address facetAddress, bytes4[] functionSelectors)[] facets_)
function facetFunctionSelectors(address _facet) view returns (bytes4[] facetFunctionSelectors_)
function facetAddresses() view returns (address[] facetAddresses_)
function facetAddress(bytes4 _functionSelector) view returns (address facetAddress_)
`,
};

/** Initializable of @openzeppelin/contracts 5; in version 4 the event had a uint8. */
export const initializable = {
  name: 'Initializable',
  items: `
event Initialized(uint64 version)
event Initialized(uint8 version)
error InvalidInitialization()
error NotInitializing()
function initialize()
function initialize(address owner)
`,
};

/** Multicall3: https://github.com/mds1/multicall, and Multicall of @openzeppelin/contracts. */
export const multicall = {
  name: 'Multicall',
  items: `
error AddressEmptyCode(address target)
error FailedCall()
function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)
function getEthBalance(address addr) view returns (uint256 balance)
function getCurrentBlockTimestamp() view returns (uint256 timestamp)
function aggregate((address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes[] returnData)
function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)
function tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes32 blockHash, (bool success, bytes returnData)[] returnData)
function blockAndAggregate((address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes32 blockHash, (bool success, bytes returnData)[] returnData)
function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)
function getBlockHash(uint256 blockNumber) view returns (bytes32 blockHash)
function getBlockNumber() view returns (uint256 blockNumber)
function getCurrentBlockCoinbase() view returns (address coinbase)
function getCurrentBlockDifficulty() view returns (uint256 difficulty)
function getCurrentBlockGasLimit() view returns (uint256 gaslimit)
function getLastBlockHash() view returns (bytes32 blockHash)
function getBasefee() view returns (uint256 basefee)
function getChainId() view returns (uint256 chainid)
function multicall(bytes[] data) returns (bytes[] results)
`,
};

/** Errors of the utilities of @openzeppelin/contracts 5. */
export const openZeppelinErrors = {
  name: 'OpenZeppelin utilities',
  items: `
event EIP712DomainChanged()
event ExecutedForwardRequest(address indexed signer, uint256 nonce, bool success)
error FailedDeployment()
error InsufficientBalance(uint256 balance, uint256 needed)
error MissingPrecompile(address)
error StringsInsufficientHexLength(uint256 value, uint256 length)
error StringsInvalidAddressFormat()
error StringsInvalidChar()
error InvalidShortString()
error StringTooLong(string str)
error SafeCastOverflowedIntDowncast(uint8 bits, int256 value)
error SafeCastOverflowedIntToUint(int256 value)
error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
error SafeCastOverflowedUintToInt(uint256 value)
error ECDSAInvalidSignature()
error ECDSAInvalidSignatureLength(uint256 length)
error ECDSAInvalidSignatureS(bytes32 s)
error CheckpointUnorderedInsertion()
error EnumerableMapNonexistentBytesKey(bytes key)
error EnumerableMapNonexistentKey(bytes32 key)
error MerkleProofInvalidMultiproof()
error ERC2771ForwarderExpiredRequest(uint48 deadline)
error ERC2771ForwarderInvalidSigner(address signer, address from)
error ERC2771ForwarderMismatchedValue(uint256 requestedValue, uint256 msgValue)
error ERC2771ForwarderNoRefundReceiver()
error ERC2771UntrustfulTarget(address target, address forwarder)
error InvalidAccountNonce(address account, uint256 currentNonce)
error InvalidBufferSize()
`,
};

/** ERC-1822, transparent and beacon proxies of @openzeppelin/contracts 4 and 5: https://eips.ethereum.org/EIPS/eip-1822. */
export const upgrades = {
  name: 'OpenZeppelin proxies',
  items: `
error UUPSUnauthorizedCallContext()
error UUPSUnsupportedProxiableUUID(bytes32 slot)
error ERC1967ProxyUninitialized()
error ProxyDeniedAdminAccess()
error BeaconInvalidImplementation(address implementation)
error CloneArgumentsTooLong()
error Create2EmptyBytecode()
function UPGRADE_INTERFACE_VERSION() view returns (string)
function proxiableUUID() view returns (bytes32)
function upgradeToAndCall(address newImplementation, bytes data)
function upgradeAndCall(address proxy, address implementation, bytes data)
function implementation() view returns (address)
function upgradeTo(address newImplementation)
function changeAdmin(address newAdmin)
function admin() view returns (address)
function upgrade(address proxy, address implementation)
function changeProxyAdmin(address proxy, address newAdmin)
function getProxyAdmin(address proxy) view returns (address)
function getProxyImplementation(address proxy) view returns (address)
`,
};
