/** ERC-1271, ERC-7579 and ERC-7821: https://eips.ethereum.org/EIPS/eip-7579. */
export const smartAccounts = {
  name: 'Smart accounts',
  items: `
event ModuleInstalled(uint256 moduleTypeId, address module)
event ModuleUninstalled(uint256 moduleTypeId, address module)
function isValidSignature(bytes32 hash, bytes signature) returns (bytes4 magicValue)
function isModuleType(uint256 moduleTypeId) returns (bool)
function onInstall(bytes data)
function onUninstall(bytes data)
function isValidSignatureWithSender(address sender, bytes32 hash, bytes signature) returns (bytes4)
function validateUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash) returns (uint256)
function postCheck(bytes hookData)
function preCheck(address msgSender, uint256 value, bytes msgData) returns (bytes hookData)
function execute(bytes32 mode, bytes executionCalldata)
function executeFromExecutor(bytes32 mode, bytes executionCalldata) returns (bytes[] returnData)
function accountId() returns (string accountImplementationId)
function supportsExecutionMode(bytes32 encodedMode) returns (bool)
function supportsModule(uint256 moduleTypeId) returns (bool)
function installModule(uint256 moduleTypeId, address module, bytes initData)
function isModuleInstalled(uint256 moduleTypeId, address module, bytes additionalContext) returns (bool)
function uninstallModule(uint256 moduleTypeId, address module, bytes deInitData)
`,
};
