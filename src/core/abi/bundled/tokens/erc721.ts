/** ERC-721 with metadata, enumeration and receiver: https://eips.ethereum.org/EIPS/eip-721. */
export const erc721 = {
  name: 'ERC-721',
  items: `
event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)
event ApprovalForAll(address indexed owner, address indexed operator, bool approved)
event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)
function getApproved(uint256 tokenId) returns (address operator)
function isApprovedForAll(address owner, address operator) returns (bool)
function ownerOf(uint256 tokenId) returns (address owner)
function safeTransferFrom(address from, address to, uint256 tokenId)
function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)
function setApprovalForAll(address operator, bool approved)
function tokenURI(uint256 tokenId) returns (string)
function tokenByIndex(uint256 index) returns (uint256)
function tokenOfOwnerByIndex(address owner, uint256 index) returns (uint256)
function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)
`,
};
