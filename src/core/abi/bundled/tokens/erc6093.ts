/** ERC-6093, errors of tokens: https://eips.ethereum.org/EIPS/eip-6093. */
export const erc6093 = {
  name: 'ERC-6093',
  items: `
error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
error ERC20InvalidApprover(address approver)
error ERC20InvalidReceiver(address receiver)
error ERC20InvalidSender(address sender)
error ERC20InvalidSpender(address spender)
error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)
error ERC721InsufficientApproval(address operator, uint256 tokenId)
error ERC721InvalidApprover(address approver)
error ERC721InvalidOperator(address operator)
error ERC721InvalidOwner(address owner)
error ERC721InvalidReceiver(address receiver)
error ERC721InvalidSender(address sender)
error ERC721NonexistentToken(uint256 tokenId)
error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)
error ERC1155InvalidApprover(address approver)
error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)
error ERC1155InvalidOperator(address operator)
error ERC1155InvalidReceiver(address receiver)
error ERC1155InvalidSender(address sender)
error ERC1155MissingApprovalForAll(address operator, address owner)
`,
};
