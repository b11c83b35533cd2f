/** ERC-2309, ERC-2981 and ERC-4906: https://eips.ethereum.org/EIPS/eip-2981. */
export const nftExtensions = {
  name: 'NFT extensions',
  items: `
event ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress, address indexed toAddress)
event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId)
event MetadataUpdate(uint256 _tokenId)
function royaltyInfo(uint256 tokenId, uint256 salePrice) returns (address receiver, uint256 royaltyAmount)
`,
};
