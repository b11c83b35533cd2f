/** EntryPoint v0.6: https://github.com/eth-infinitism/account-abstraction/tree/v0.6.0, and the ERC-4337 interfaces of its accounts. */
export const entryPoint06 = {
  name: 'ERC-4337 v0.6',
  items: `
event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)
event AccountDeployed(bytes32 indexed userOpHash, address indexed sender, address factory, address paymaster)
event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)
event BeforeExecution()
event SignatureAggregatorChanged(address indexed aggregator)
event Deposited(address indexed account, uint256 totalDeposit)
event Withdrawn(address indexed account, address withdrawAddress, uint256 amount)
event StakeLocked(address indexed account, uint256 totalStaked, uint256 unstakeDelaySec)
event StakeUnlocked(address indexed account, uint256 withdrawTime)
event StakeWithdrawn(address indexed account, address withdrawAddress, uint256 amount)
error FailedOp(uint256 opIndex, string reason)
error SignatureValidationFailed(address aggregator)
error ValidationResult((uint256 preOpGas, uint256 prefund, bool sigFailed, uint48 validAfter, uint48 validUntil, bytes paymasterContext) returnInfo, (uint256 stake, uint256 unstakeDelaySec) senderInfo, (uint256 stake, uint256 unstakeDelaySec) factoryInfo, (uint256 stake, uint256 unstakeDelaySec) paymasterInfo)
error ValidationResultWithAggregation((uint256 preOpGas, uint256 prefund, bool sigFailed, uint48 validAfter, uint48 validUntil, bytes paymasterContext) returnInfo, (uint256 stake, uint256 unstakeDelaySec) senderInfo, (uint256 stake, uint256 unstakeDelaySec) factoryInfo, (uint256 stake, uint256 unstakeDelaySec) paymasterInfo, (address aggregator, (uint256 stake, uint256 unstakeDelaySec) stakeInfo) aggregatorInfo)
error SenderAddressResult(address sender)
error ExecutionResult(uint256 preOpGas, uint256 paid, uint48 validAfter, uint48 validUntil, bool targetSuccess, bytes targetResult)
function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)
function handleAggregatedOps(((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] userOps, address aggregator, bytes signature)[] opsPerAggregator, address beneficiary)
function getUserOpHash((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature) userOp) view returns (bytes32)
function simulateValidation((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature) userOp)
function getSenderAddress(bytes initCode)
function simulateHandleOp((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature) op, address target, bytes targetCallData)
function getDepositInfo(address account) view returns ((uint112 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime) info)
function depositTo(address account)
function addStake(uint32 _unstakeDelaySec)
function unlockStake()
function withdrawStake(address withdrawAddress)
function getNonce(address sender, uint192 key) view returns (uint256 nonce)
function incrementNonce(uint192 key)
function validateUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256 validationData)
function validatePaymasterUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash, uint256 maxCost) returns (bytes context, uint256 validationData)
function postOp(uint8 mode, bytes context, uint256 actualGasCost)
function validateSignatures((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] userOps, bytes signature)
function validateUserOpSignature((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature) userOp) returns (bytes sigForUserOp)
function aggregateSignatures((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] userOps) view returns (bytes aggregatedSignature)
function SIG_VALIDATION_FAILED() view returns (uint256)
function _validateSenderAndPaymaster(bytes initCode, address sender, bytes paymasterAndData)
function deposits(address) view returns (uint112 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)
function innerHandleOp(bytes callData, ((address sender, uint256 nonce, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, address paymaster, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas) mUserOp, bytes32 userOpHash, uint256 prefund, uint256 contextOffset, uint256 preOpGas) opInfo, bytes context) returns (uint256 actualGasCost)
function nonceSequenceNumber(address, uint192) view returns (uint256)
`,
};

/** EntryPoint v0.7: https://github.com/eth-infinitism/account-abstraction/tree/v0.7.0, and the ERC-4337 interfaces of its accounts. */
export const entryPoint07 = {
  name: 'ERC-4337 v0.7',
  items: `
event PostOpRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)
event UserOperationPrefundTooLow(bytes32 indexed userOpHash, address indexed sender, uint256 nonce)
error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)
error PostOpReverted(bytes returnData)
error DelegateAndRevert(bool success, bytes ret)
function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)
function handleAggregatedOps(((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] userOps, address aggregator, bytes signature)[] opsPerAggregator, address beneficiary)
function getUserOpHash((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp) view returns (bytes32)
function delegateAndRevert(address target, bytes data)
function validateUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256 validationData)
function executeUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash)
function validatePaymasterUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash, uint256 maxCost) returns (bytes context, uint256 validationData)
function postOp(uint8 mode, bytes context, uint256 actualGasCost, uint256 actualUserOpFeePerGas)
function validateSignatures((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] userOps, bytes signature)
function validateUserOpSignature((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp) returns (bytes sigForUserOp)
function aggregateSignatures((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] userOps) view returns (bytes aggregatedSignature)
function innerHandleOp(bytes callData, ((address sender, uint256 nonce, uint256 verificationGasLimit, uint256 callGasLimit, uint256 paymasterVerificationGasLimit, uint256 paymasterPostOpGasLimit, uint256 preVerificationGas, address paymaster, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas) mUserOp, bytes32 userOpHash, uint256 prefund, uint256 contextOffset, uint256 preOpGas) opInfo, bytes context) returns (uint256 actualGasCost)
`,
};

/** EntryPoint v0.8: https://github.com/eth-infinitism/account-abstraction/tree/v0.8.0; items shared with v0.7 are listed there. */
export const entryPoint08 = {
  name: 'ERC-4337 v0.8',
  items: `
function getDomainSeparatorV4() view returns (bytes32)
function getPackedUserOpTypeHash() view returns (bytes32)
function senderCreator() view returns (address)
`,
};

/** EntryPoint v0.9: https://github.com/eth-infinitism/account-abstraction/tree/v0.9.0; items shared with v0.8 are listed there. */
export const entryPoint09 = {
  name: 'ERC-4337 v0.9',
  items: `
event EIP7702AccountInitialized(bytes32 indexed userOpHash, address indexed sender, address indexed delegate)
event IgnoredInitCode(bytes32 indexed userOpHash, address indexed sender, address unusedFactory)
error DepositWithdrawalFailed(address account, address withdrawAddress, uint256 amount, bytes revertReason)
error Eip7702SenderNotDelegate(address sender)
error Eip7702SenderWithoutCode(address sender)
error FailedSendToBeneficiary(address beneficiary, uint256 amount, bytes revertData)
error InsufficientDeposit(uint256 currentDeposit, uint256 withdrawAmount)
error InternalFunction()
error InvalidBeneficiary(address beneficiary)
error InvalidPaymaster(address paymaster)
error InvalidPaymasterData(uint256 paymasterAndDataLength)
error InvalidPaymasterSignatureLength(uint256 dataLength, uint256 pmSignatureLength)
error InvalidStake(uint256 msgValue, uint256 currentStake)
error InvalidUnstakeDelay(uint256 newUnstakeDelaySec, uint256 currentUnstakeDelaySec)
error NotStaked(uint256 currentStake, uint256 unstakeDelaySec, bool staked)
error Reentrancy()
error StakeNotUnlocked(uint256 withdrawTime, uint256 blockTimestamp)
error StakeWithdrawalFailed(address account, address withdrawAddress, uint256 amount, bytes revertReason)
error WithdrawalNotDue(uint256 withdrawTime, uint256 blockTimestamp)
function getCurrentUserOpHash() view returns (bytes32)
`,
};

/** Safe 1.4.1 and 1.5.0: https://github.com/safe-global/safe-smart-account. */
export const safe = {
  name: 'Safe',
  items: `
event SafeSetup(address indexed initiator, address[] owners, uint256 threshold, address initializer, address fallbackHandler)
event ApproveHash(bytes32 indexed approvedHash, address indexed owner)
event SignMsg(bytes32 indexed msgHash)
event ExecutionFailure(bytes32 indexed txHash, uint256 payment)
event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)
event SafeMultiSigTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, bytes additionalInfo)
event SafeModuleTransaction(address module, address to, uint256 value, bytes data, uint8 operation)
event AddedOwner(address indexed owner)
event RemovedOwner(address indexed owner)
event ChangedThreshold(uint256 threshold)
event EnabledModule(address indexed module)
event DisabledModule(address indexed module)
event ExecutionFromModuleSuccess(address indexed module)
event ExecutionFromModuleFailure(address indexed module)
event ChangedGuard(address indexed guard)
event ChangedFallbackHandler(address indexed handler)
event ProxyCreation(address indexed proxy, address singleton)
event ContractCreation(address indexed newContract)
event ChangedModuleGuard(address indexed moduleGuard)
event ProxyCreationL2(address indexed proxy, address singleton, bytes initializer, uint256 saltNonce)
event ChainSpecificProxyCreationL2(address indexed proxy, address singleton, bytes initializer, uint256 saltNonce, uint256 chainId)
function signedMessages(bytes32) view returns (uint256)
function approvedHashes(address, bytes32) view returns (uint256)
function setup(address[] _owners, uint256 _threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)
function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) returns (bool success)
function checkSignatures(bytes32 dataHash, bytes data, bytes signatures)
function checkNSignatures(bytes32 dataHash, bytes data, bytes signatures, uint256 requiredSignatures)
function approveHash(bytes32 hashToApprove)
function encodeTransactionData(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 _nonce) view returns (bytes)
function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 _nonce) view returns (bytes32)
function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool success)
function addOwnerWithThreshold(address owner, uint256 _threshold)
function removeOwner(address prevOwner, address owner, uint256 _threshold)
function swapOwner(address prevOwner, address oldOwner, address newOwner)
function changeThreshold(uint256 _threshold)
function isOwner(address owner) view returns (bool)
function enableModule(address module)
function disableModule(address prevModule, address module)
function execTransactionFromModuleReturnData(address to, uint256 value, bytes data, uint8 operation) returns (bool success, bytes returnData)
function isModuleEnabled(address module) view returns (bool)
function getModulesPaginated(address start, uint256 pageSize) view returns (address[] array, address next)
function setGuard(address guard)
function setFallbackHandler(address handler)
function getStorageAt(uint256 offset, uint256 length) view returns (bytes)
function simulateAndRevert(address targetContract, bytes calldataPayload)
function createProxyWithNonce(address _singleton, bytes initializer, uint256 saltNonce) returns (address proxy)
function createChainSpecificProxyWithNonce(address _singleton, bytes initializer, uint256 saltNonce) returns (address proxy)
function createProxyWithCallback(address _singleton, bytes initializer, uint256 saltNonce, address callback) returns (address proxy)
function multiSend(bytes transactions)
function performCreate2(uint256 value, bytes deploymentData, bytes32 salt) returns (address newContract)
function performCreate(uint256 value, bytes deploymentData) returns (address newContract)
function signMessage(bytes _data)
function getMessageHash(bytes message) view returns (bytes32)
function isValidSignature(bytes _data, bytes _signature) view returns (bytes4)
function encodeMessageDataForSafe(address safe, bytes message) view returns (bytes)
function getMessageHashForSafe(address safe, bytes message) view returns (bytes32)
function simulate(address targetContract, bytes calldataPayload) returns (bytes response)
function simulate(address to, uint256 value, bytes data, uint8 operation) returns (uint256 estimate, bool success, bytes returnData)
function checkSignatures(address executor, bytes32 dataHash, bytes signatures)
function checkNSignatures(address executor, bytes32 dataHash, bytes signatures, uint256 requiredSignatures)
function setModuleGuard(address moduleGuard)
function createProxyWithNonceL2(address _singleton, bytes initializer, uint256 saltNonce) returns (address proxy)
function createChainSpecificProxyWithNonceL2(address _singleton, bytes initializer, uint256 saltNonce) returns (address proxy)
function checkTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, address msgSender)
function checkAfterExecution(bytes32 hash, bool success)
function checkModuleTransaction(address to, uint256 value, bytes data, uint8 operation, address module) returns (bytes32 moduleTxHash)
function checkAfterModuleExecution(bytes32 txHash, bool success)
`,
};

/**
 * Safe 1.3.0 and 1.1.1: owners, modules and hashes in events are not indexed. ChangedMasterCopy was removed in 1.3.
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
function calculateCreateProxyWithNonceAddress(address _singleton, bytes initializer, uint256 saltNonce) view returns (address proxy)
`,
};

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
function getAddress(address owner, uint256 salt) view returns (address)
function executeBatch(address[] dest, bytes[] func)
function executeBatch((address target, uint256 value, bytes data)[] calls)
`,
};

/** ERC-1271, ERC-7579 and ERC-7821: https://eips.ethereum.org/EIPS/eip-7579. */
export const smartAccounts = {
  name: 'Smart accounts',
  items: `
event ModuleInstalled(uint256 moduleTypeId, address module)
event ModuleUninstalled(uint256 moduleTypeId, address module)
function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4 magicValue)
function isModuleType(uint256 moduleTypeId) view returns (bool)
function onInstall(bytes data)
function onUninstall(bytes data)
function isValidSignatureWithSender(address sender, bytes32 hash, bytes signature) view returns (bytes4)
function validateUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash) returns (uint256)
function postCheck(bytes hookData)
function preCheck(address msgSender, uint256 value, bytes msgData) returns (bytes hookData)
function execute(bytes32 mode, bytes executionCalldata)
function executeFromExecutor(bytes32 mode, bytes executionCalldata) returns (bytes[] returnData)
function accountId() view returns (string accountImplementationId)
function supportsExecutionMode(bytes32 encodedMode) view returns (bool)
function supportsModule(uint256 moduleTypeId) view returns (bool)
function installModule(uint256 moduleTypeId, address module, bytes initData)
function isModuleInstalled(uint256 moduleTypeId, address module, bytes additionalContext) view returns (bool)
function uninstallModule(uint256 moduleTypeId, address module, bytes deInitData)
`,
};
