/** ERC-2535, diamonds: https://eips.ethereum.org/EIPS/eip-2535. */
export const erc2535 = {
  name: 'ERC-2535',
  items: `
event DiamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] _diamondCut, address _init, bytes _calldata)
function diamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] _diamondCut, address _init, bytes _calldata)
function facets() returns ((address facetAddress, bytes4[] functionSelectors)[] facets_)
function facetFunctionSelectors(address _facet) returns (bytes4[] facetFunctionSelectors_)
function facetAddresses() returns (address[] facetAddresses_)
function facetAddress(bytes4 _functionSelector) returns (address facetAddress_)
`,
};
