/** ERC-173 as Ownable and Ownable2Step of @openzeppelin/contracts 5 have it: https://eips.ethereum.org/EIPS/eip-173. */
export const ownable = {
  name: 'Ownable',
  items: `
event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)
error OwnableInvalidOwner(address owner)
error OwnableUnauthorizedAccount(address account)
function owner() returns (address)
function renounceOwnership()
function transferOwnership(address newOwner)
function acceptOwnership()
function pendingOwner() returns (address)
`,
};
