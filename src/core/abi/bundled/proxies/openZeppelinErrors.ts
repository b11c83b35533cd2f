/** Errors of the utilities of @openzeppelin/contracts 5. */
export const openZeppelinErrors = {
  name: 'OpenZeppelin utilities',
  items: `
event EIP712DomainChanged()
event ExecutedForwardRequest(address indexed signer, uint256 nonce, bool success)
error FailedDeployment()
error InsufficientBalance(uint256 balance, uint256 needed)
error MissingPrecompile(address)
error StringsInsufficientHexLength(uint256 value, uint256 length)
error StringsInvalidAddressFormat()
error StringsInvalidChar()
error InvalidShortString()
error StringTooLong(string str)
error SafeCastOverflowedIntDowncast(uint8 bits, int256 value)
error SafeCastOverflowedIntToUint(int256 value)
error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
error SafeCastOverflowedUintToInt(uint256 value)
error ECDSAInvalidSignature()
error ECDSAInvalidSignatureLength(uint256 length)
error ECDSAInvalidSignatureS(bytes32 s)
error CheckpointUnorderedInsertion()
error EnumerableMapNonexistentBytesKey(bytes key)
error EnumerableMapNonexistentKey(bytes32 key)
error MerkleProofInvalidMultiproof()
error ERC2771ForwarderExpiredRequest(uint48 deadline)
error ERC2771ForwarderInvalidSigner(address signer, address from)
error ERC2771ForwarderMismatchedValue(uint256 requestedValue, uint256 msgValue)
error ERC2771ForwarderNoRefundReceiver()
error ERC2771UntrustfulTarget(address target, address forwarder)
error InvalidAccountNonce(address account, uint256 currentNonce)
error InvalidBufferSize()
`,
};
