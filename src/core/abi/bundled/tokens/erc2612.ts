/** ERC-2612, permits, with the domain of EIP-5267: https://eips.ethereum.org/EIPS/eip-2612; errors of @openzeppelin/contracts 5. */
export const erc2612 = {
  name: 'ERC-2612',
  items: `
error ERC2612ExpiredSignature(uint256 deadline)
error ERC2612InvalidSigner(address signer, address owner)
function DOMAIN_SEPARATOR() returns (bytes32)
function nonces(address owner) returns (uint256)
function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
function eip712Domain() returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
`,
};
