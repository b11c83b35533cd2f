/** ERC-165: https://eips.ethereum.org/EIPS/eip-165. */
export const erc165 = {
  name: 'ERC-165',
  items: `
function supportsInterface(bytes4 interfaceId) returns (bool)
`,
};
