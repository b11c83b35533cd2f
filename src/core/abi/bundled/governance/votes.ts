/** ERC-5805 and ERC-6372, votes: https://eips.ethereum.org/EIPS/eip-5805; errors of @openzeppelin/contracts 5. */
export const votes = {
  name: 'Votes',
  items: `
function delegate(address delegatee)
function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)
function delegates(address account) returns (address)
function getPastTotalSupply(uint256 timepoint) returns (uint256)
function getPastVotes(address account, uint256 timepoint) returns (uint256)
function getVotes(address account) returns (uint256)
`,
};
