/** ERC-3009, transfers by signature: https://eips.ethereum.org/EIPS/eip-3009; errors of @openzeppelin/contracts 5. */
export const erc3009 = {
  name: 'ERC-3009',
  items: `
event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)
event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)
error ERC3009InvalidAuthorizationTime(uint256 validAfter, uint256 validBefore)
error ERC3009InvalidSignature()
error ERC3009UsedAuthorization(address authorizer, bytes32 nonce)
function authorizationState(address authorizer, bytes32 nonce) returns (bool)
function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
`,
};
