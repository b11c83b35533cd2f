/** Governor Bravo and Alpha of Compound: https://github.com/compound-finance/compound-protocol. */
export const governorBravo = {
  name: 'Governor Bravo',
  items: `
event NewImplementation(address oldImplementation, address newImplementation)
event NewPendingAdmin(address oldPendingAdmin, address newPendingAdmin)
event NewAdmin(address oldAdmin, address newAdmin)
event WhitelistAccountExpirationSet(address account, uint256 expiration)
event WhitelistGuardianSet(address oldGuardian, address newGuardian)
event VoteCast(address voter, uint256 proposalId, bool support, uint256 votes)
function quorumVotes() returns (uint256)
function proposalMaxOperations() returns (uint256)
function initialize(address timelock_, address comp_, uint256 votingPeriod_, uint256 votingDelay_, uint256 proposalThreshold_)
function propose(address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, string description) returns (uint256)
function getActions(uint256 proposalId) returns (address[] targets, uint256[] values, string[] signatures, bytes[] calldatas)
function getReceipt(uint256 proposalId, address voter) returns ((bool hasVoted, uint8 support, uint96 votes))
function castVoteBySig(uint256 proposalId, uint8 support, uint8 v, bytes32 r, bytes32 s)
function isWhitelisted(address account) returns (bool)
function _setVotingDelay(uint256 newVotingDelay)
function _setVotingPeriod(uint256 newVotingPeriod)
function _setProposalThreshold(uint256 newProposalThreshold)
function _setWhitelistAccountExpiration(address account, uint256 expiration)
function _setWhitelistGuardian(address account)
function _initiate(address governorAlpha)
function _setPendingAdmin(address newPendingAdmin)
function _acceptAdmin()
function castVote(uint256 proposalId, bool support)
function castVoteBySig(uint256 proposalId, bool support, uint8 v, bytes32 r, bytes32 s)
`,
};
