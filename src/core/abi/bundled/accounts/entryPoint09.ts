/** EntryPoint v0.9: https://github.com/eth-infinitism/account-abstraction/tree/v0.9.0; what it shares with v0.8 stands there. */
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
function getCurrentUserOpHash() returns (bytes32)
`,
};
