/** ERC-5805 and ERC-6372, votes: https://eips.ethereum.org/EIPS/eip-5805; errors of @openzeppelin/contracts 5. */
export const votes = {
  name: 'Votes',
  items: `
event DelegateChanged(address indexed delegator, address indexed fromDelegate, address indexed toDelegate)
event DelegateVotesChanged(address indexed delegate, uint256 previousVotes, uint256 newVotes)
error VotesExpiredSignature(uint256 expiry)
error ERC5805FutureLookup(uint256 timepoint, uint48 clock)
error ERC6372InconsistentClock()
function CLOCK_MODE() returns (string)
function clock() returns (uint48)
function delegate(address delegatee)
function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)
function delegates(address account) returns (address)
function getPastTotalSupply(uint256 timepoint) returns (uint256)
function getPastVotes(address account, uint256 timepoint) returns (uint256)
function getVotes(address account) returns (uint256)
`,
};
