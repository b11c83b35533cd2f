/** Rollup and its challenges of Arbitrum: https://github.com/OffchainLabs/nitro-contracts. */
export const arbitrumRollup = {
  name: 'Arbitrum rollup',
  items: `
event RollupInitialized(bytes32 machineHash, uint256 chainId)
event AssertionCreated(bytes32 indexed assertionHash, bytes32 indexed parentAssertionHash, ((bytes32 prevPrevAssertionHash, bytes32 sequencerBatchAcc, (bytes32 wasmModuleRoot, uint256 requiredStake, address challengeManager, uint64 confirmPeriodBlocks, uint64 nextInboxPosition) configData) beforeStateData, ((bytes32[2] bytes32Vals, uint64[2] u64Vals) globalState, uint8 machineStatus, bytes32 endHistoryRoot) beforeState, ((bytes32[2] bytes32Vals, uint64[2] u64Vals) globalState, uint8 machineStatus, bytes32 endHistoryRoot) afterState) assertion, bytes32 afterInboxBatchAcc, uint256 inboxMaxCount, bytes32 wasmModuleRoot, uint256 requiredStake, address challengeManager, uint64 confirmPeriodBlocks)
event AssertionConfirmed(bytes32 indexed assertionHash, bytes32 blockHash, bytes32 sendRoot)
event RollupChallengeStarted(uint64 indexed challengeIndex, address asserter, address challenger, uint64 challengedAssertion)
event UserStakeUpdated(address indexed user, address indexed withdrawalAddress, uint256 initialBalance, uint256 finalBalance)
event UserWithdrawableFundsUpdated(address indexed user, uint256 initialBalance, uint256 finalBalance)
event OutboxSet(address outbox)
event OldOutboxRemoved(address outbox)
event DelayedInboxSet(address inbox, bool enabled)
event ValidatorsSet(address[] validators, bool[] enabled)
event MinimumAssertionPeriodSet(uint256 newPeriod)
event ValidatorAfkBlocksSet(uint256 newPeriod)
event ConfirmPeriodBlocksSet(uint64 newConfirmPeriod)
event BaseStakeSet(uint256 newBaseStake)
event StakersForceRefunded(address[] staker)
event AssertionForceCreated(bytes32 indexed assertionHash)
event AssertionForceConfirmed(bytes32 indexed assertionHash)
event LoserStakeEscrowSet(address newLoserStakerEscrow)
event WasmModuleRootSet(bytes32 newWasmModuleRoot)
event SequencerInboxSet(address newSequencerInbox)
event InboxSet(address inbox)
event ValidatorWhitelistDisabledSet(bool _validatorWhitelistDisabled)
event AnyTrustFastConfirmerSet(address anyTrustFastConfirmer)
event ChallengeManagerSet(address challengeManager)
`,
};
