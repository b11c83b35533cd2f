/** ERC-5192, tokens bound to their holder: https://eips.ethereum.org/EIPS/eip-5192. */
export const erc5192 = {
  name: 'ERC-5192',
  items: `
event Locked(uint256 tokenId)
event Unlocked(uint256 tokenId)
function locked(uint256 tokenId) returns (bool)
`,
};
