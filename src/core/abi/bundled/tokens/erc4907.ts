/** ERC-4907, users of an NFT: https://eips.ethereum.org/EIPS/eip-4907. */
export const erc4907 = {
  name: 'ERC-4907',
  items: `
event UpdateUser(uint256 indexed tokenId, address indexed user, uint64 expires)
function setUser(uint256 tokenId, address user, uint64 expires)
function userOf(uint256 tokenId) returns (address)
function userExpires(uint256 tokenId) returns (uint256)
`,
};
