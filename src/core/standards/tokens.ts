/** ERC-1155 with metadata and receiver: https://eips.ethereum.org/EIPS/eip-1155. */
export const erc1155 = {
  name: 'ERC-1155',
  items: `
event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)
event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)
event URI(string value, uint256 indexed id)
function balanceOf(address account, uint256 id) view returns (uint256)
function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])
function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)
function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)
function uri(uint256 id) view returns (string)
function onERC1155BatchReceived(address operator, address from, uint256[] ids, uint256[] values, bytes data) returns (bytes4)
function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes data) returns (bytes4)
`,
};

/** ERC-20, with its metadata: https://eips.ethereum.org/EIPS/eip-20. */
export const erc20 = {
  name: 'ERC-20',
  items: `
event Approval(address indexed owner, address indexed spender, uint256 value)
event Transfer(address indexed from, address indexed to, uint256 value)
function allowance(address owner, address spender) view returns (uint256)
function approve(address spender, uint256 value) returns (bool)
function balanceOf(address account) view returns (uint256)
function totalSupply() view returns (uint256)
function transfer(address to, uint256 value) returns (bool)
function transferFrom(address from, address to, uint256 value) returns (bool)
function decimals() view returns (uint8)
function name() view returns (string)
function symbol() view returns (string)
`,
};

/** ERC-2612, permits, with the domain of EIP-5267: https://eips.ethereum.org/EIPS/eip-2612; errors of @openzeppelin/contracts 5. */
export const erc2612 = {
  name: 'ERC-2612',
  items: `
error ERC2612ExpiredSignature(uint256 deadline)
error ERC2612InvalidSigner(address signer, address owner)
function DOMAIN_SEPARATOR() view returns (bytes32)
function nonces(address owner) view returns (uint256)
function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
`,
};

/** ERC-3009, transfers by signature: https://eips.ethereum.org/EIPS/eip-3009; errors of @openzeppelin/contracts 5. */
export const erc3009 = {
  name: 'ERC-3009',
  items: `
event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)
event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)
error ERC3009InvalidAuthorizationTime(uint256 validAfter, uint256 validBefore)
error ERC3009InvalidSignature()
error ERC3009UsedAuthorization(address authorizer, bytes32 nonce)
function authorizationState(address authorizer, bytes32 nonce) view returns (bool)
function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
`,
};

/** ERC-4626, vaults: https://eips.ethereum.org/EIPS/eip-4626; errors of @openzeppelin/contracts 5. */
export const erc4626 = {
  name: 'ERC-4626',
  items: `
event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)
event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)
error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)
error ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)
error ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)
error ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)
function asset() view returns (address assetTokenAddress)
function convertToAssets(uint256 shares) view returns (uint256 assets)
function convertToShares(uint256 assets) view returns (uint256 shares)
function deposit(uint256 assets, address receiver) returns (uint256 shares)
function maxDeposit(address receiver) view returns (uint256 maxAssets)
function maxMint(address receiver) view returns (uint256 maxShares)
function maxRedeem(address owner) view returns (uint256 maxShares)
function maxWithdraw(address owner) view returns (uint256 maxAssets)
function mint(uint256 shares, address receiver) returns (uint256 assets)
function previewDeposit(uint256 assets) view returns (uint256 shares)
function previewMint(uint256 shares) view returns (uint256 assets)
function previewRedeem(uint256 shares) view returns (uint256 assets)
function previewWithdraw(uint256 assets) view returns (uint256 shares)
function redeem(uint256 shares, address receiver, address owner) returns (uint256 assets)
function totalAssets() view returns (uint256 totalManagedAssets)
function withdraw(uint256 assets, address receiver, address owner) returns (uint256 shares)
`,
};

/** ERC-4907, users of an NFT: https://eips.ethereum.org/EIPS/eip-4907. */
export const erc4907 = {
  name: 'ERC-4907',
  items: `
event UpdateUser(uint256 indexed tokenId, address indexed user, uint64 expires)
function setUser(uint256 tokenId, address user, uint64 expires)
function userOf(uint256 tokenId) view returns (address)
function userExpires(uint256 tokenId) view returns (uint256)
`,
};

/** ERC-5192, tokens bound to their holder: https://eips.ethereum.org/EIPS/eip-5192. */
export const erc5192 = {
  name: 'ERC-5192',
  items: `
event Locked(uint256 tokenId)
event Unlocked(uint256 tokenId)
function locked(uint256 tokenId) view returns (bool)
`,
};

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

/** ERC-6909, many tokens of one contract: https://eips.ethereum.org/EIPS/eip-6909; errors of @openzeppelin/contracts 5. */
export const erc6909 = {
  name: 'ERC-6909',
  items: `
event Approval(address indexed owner, address indexed spender, uint256 indexed id, uint256 amount)
event OperatorSet(address indexed owner, address indexed spender, bool approved)
event Transfer(address caller, address indexed sender, address indexed receiver, uint256 indexed id, uint256 amount)
event ContractURIUpdated()
event ERC6909DecimalsUpdated(uint256 indexed id, uint8 newDecimals)
event ERC6909NameUpdated(uint256 indexed id, string newName)
event ERC6909SymbolUpdated(uint256 indexed id, string newSymbol)
error ERC6909InsufficientAllowance(address spender, uint256 allowance, uint256 needed, uint256 id)
error ERC6909InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 id)
error ERC6909InvalidApprover(address approver)
error ERC6909InvalidReceiver(address receiver)
error ERC6909InvalidSender(address sender)
error ERC6909InvalidSpender(address spender)
function allowance(address owner, address spender, uint256 id) view returns (uint256)
function approve(address spender, uint256 id, uint256 amount) returns (bool)
function isOperator(address owner, address spender) view returns (bool)
function setOperator(address spender, bool approved) returns (bool)
function transfer(address receiver, uint256 id, uint256 amount) returns (bool)
function transferFrom(address sender, address receiver, uint256 id, uint256 amount) returns (bool)
function decimals(uint256 id) view returns (uint8)
function name(uint256 id) view returns (string)
function symbol(uint256 id) view returns (string)
function contractURI() view returns (string)
function totalSupply(uint256 id) view returns (uint256)
`,
};

/** ERC-721 with metadata, enumeration and receiver: https://eips.ethereum.org/EIPS/eip-721. */
export const erc721 = {
  name: 'ERC-721',
  items: `
event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)
event ApprovalForAll(address indexed owner, address indexed operator, bool approved)
event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)
function getApproved(uint256 tokenId) view returns (address operator)
function isApprovedForAll(address owner, address operator) view returns (bool)
function ownerOf(uint256 tokenId) view returns (address owner)
function safeTransferFrom(address from, address to, uint256 tokenId)
function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)
function setApprovalForAll(address operator, bool approved)
function tokenURI(uint256 tokenId) view returns (string)
function tokenByIndex(uint256 index) view returns (uint256)
function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)
function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)
`,
};

/** ERC-777: https://eips.ethereum.org/EIPS/eip-777, with the registry of ERC-1820. */
export const erc777 = {
  name: 'ERC-777',
  items: `
event AuthorizedOperator(address indexed operator, address indexed tokenHolder)
event Burned(address indexed operator, address indexed from, uint256 amount, bytes data, bytes operatorData)
event Minted(address indexed operator, address indexed to, uint256 amount, bytes data, bytes operatorData)
event RevokedOperator(address indexed operator, address indexed tokenHolder)
event Sent(address indexed operator, address indexed from, address indexed to, uint256 amount, bytes data, bytes operatorData)
event InterfaceImplementerSet(address indexed account, bytes32 indexed interfaceHash, address indexed implementer)
event ManagerChanged(address indexed account, address indexed newManager)
function authorizeOperator(address operator)
function burn(uint256 amount, bytes data)
function defaultOperators() view returns (address[])
function granularity() view returns (uint256)
function isOperatorFor(address operator, address tokenHolder) view returns (bool)
function operatorBurn(address account, uint256 amount, bytes data, bytes operatorData)
function operatorSend(address sender, address recipient, uint256 amount, bytes data, bytes operatorData)
function revokeOperator(address operator)
function send(address recipient, uint256 amount, bytes data)
function tokensToSend(address operator, address from, address to, uint256 amount, bytes userData, bytes operatorData)
function tokensReceived(address operator, address from, address to, uint256 amount, bytes userData, bytes operatorData)
function getInterfaceImplementer(address account, bytes32 _interfaceHash) view returns (address)
function getManager(address account) view returns (address)
function implementsERC165Interface(address account, bytes4 interfaceId) view returns (bool)
function implementsERC165InterfaceNoCache(address account, bytes4 interfaceId) view returns (bool)
function interfaceHash(string interfaceName) view returns (bytes32)
function setInterfaceImplementer(address account, bytes32 _interfaceHash, address implementer)
function setManager(address account, address newManager)
function updateERC165Cache(address account, bytes4 interfaceId)
`,
};

/** ERC-2309, ERC-2981 and ERC-4906: https://eips.ethereum.org/EIPS/eip-2981. */
export const nftExtensions = {
  name: 'NFT extensions',
  items: `
event ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress, address indexed toAddress)
event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId)
event MetadataUpdate(uint256 _tokenId)
function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 royaltyAmount)
`,
};

/** Additions of @openzeppelin/contracts 4 and 5 to the token standards: https://github.com/OpenZeppelin/openzeppelin-contracts. */
export const openZeppelinTokens = {
  name: 'OpenZeppelin tokens',
  items: `
error ERC20ExceededCap(uint256 increasedSupply, uint256 cap)
error ERC20InvalidCap(uint256 cap)
error ERC20InvalidUnderlying(address token)
error SafeERC20FailedOperation(address token)
error ERC721UnsupportedToken(address token)
error ERC3156ExceededMaxLoan(uint256 maxLoan)
error ERC3156InvalidReceiver(address receiver)
error ERC3156UnsupportedToken(address token)
error ERC721ExceededMaxBatchMint(uint256 batchSize, uint256 maxBatch)
error ERC721ForbiddenBatchBurn()
error ERC721ForbiddenBatchMint()
error ERC721ForbiddenMint()
error ERC721EnumerableForbiddenBatchMint()
error ERC721OutOfBoundsIndex(address owner, uint256 index)
error ERC2981InvalidDefaultRoyalty(uint256 numerator, uint256 denominator)
error ERC2981InvalidDefaultRoyaltyReceiver(address receiver)
error ERC2981InvalidTokenRoyalty(uint256 tokenId, uint256 numerator, uint256 denominator)
error ERC2981InvalidTokenRoyaltyReceiver(uint256 tokenId, address receiver)
error ERC1363ApproveFailed(address spender, uint256 value)
error ERC1363InvalidReceiver(address receiver)
error ERC1363InvalidSpender(address spender)
error ERC1363TransferFailed(address receiver, uint256 value)
error ERC1363TransferFromFailed(address sender, address receiver, uint256 value)
error SafeERC20FailedDecreaseAllowance(address spender, uint256 currentAllowance, uint256 requestedDecrease)
error ERC20ExceededSafeSupply(uint256 increasedSupply, uint256 cap)
function mint(address to, uint256 amount)
function burn(uint256 value)
function burnFrom(address account, uint256 value)
function increaseAllowance(address spender, uint256 addedValue) returns (bool)
function decreaseAllowance(address spender, uint256 subtractedValue) returns (bool)
function safeMint(address to, uint256 tokenId)
function burn(address account, uint256 id, uint256 value)
function burnBatch(address account, uint256[] ids, uint256[] values)
function exists(uint256 id) view returns (bool)
function cap() view returns (uint256)
function depositFor(address account, uint256 value) returns (bool)
function underlying() view returns (address)
function withdrawTo(address account, uint256 value) returns (bool)
function depositFor(address account, uint256[] tokenIds) returns (bool)
function withdrawTo(address account, uint256[] tokenIds) returns (bool)
`,
};

/** Permit2: https://github.com/Uniswap/permit2. */
export const permit2 = {
  name: 'Permit2',
  items: `
event NonceInvalidation(address indexed owner, address indexed token, address indexed spender, uint48 newNonce, uint48 oldNonce)
event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)
event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)
event Lockdown(address indexed owner, address token, address spender)
event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask)
error AllowanceExpired(uint256 deadline)
error InsufficientAllowance(uint256 amount)
error ExcessiveInvalidation()
error InvalidAmount(uint256 maxAmount)
error LengthMismatch()
error SignatureExpired(uint256 signatureDeadline)
error InvalidNonce()
error InvalidSignatureLength()
error InvalidSignature()
error InvalidSigner()
error InvalidContractSignature()
function allowance(address user, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)
function approve(address token, address spender, uint160 amount, uint48 expiration)
function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)
function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)
function transferFrom(address from, address to, uint160 amount, address token)
function transferFrom((address from, address to, uint160 amount, address token)[] transferDetails)
function lockdown((address token, address spender)[] approvals)
function invalidateNonces(address token, address spender, uint48 newNonce)
function nonceBitmap(address, uint256) view returns (uint256)
function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)
function permitWitnessTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)
function permitTransferFrom(((address token, uint256 amount)[] permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount)[] transferDetails, address owner, bytes signature)
function permitWitnessTransferFrom(((address token, uint256 amount)[] permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount)[] transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)
function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)
`,
};

/** ERC-1363, ERC-3156, ERC-7674 and ERC-7802: https://eips.ethereum.org/EIPS/eip-3156. */
export const tokenExtensions = {
  name: 'ERC-20 extensions',
  items: `
event CrosschainBurn(address indexed from, uint256 amount, address indexed sender)
event CrosschainMint(address indexed to, uint256 amount, address indexed sender)
function approveAndCall(address spender, uint256 value) returns (bool)
function approveAndCall(address spender, uint256 value, bytes data) returns (bool)
function transferAndCall(address to, uint256 value) returns (bool)
function transferAndCall(address to, uint256 value, bytes data) returns (bool)
function transferFromAndCall(address from, address to, uint256 value, bytes data) returns (bool)
function transferFromAndCall(address from, address to, uint256 value) returns (bool)
function onTransferReceived(address operator, address from, uint256 value, bytes data) returns (bytes4)
function onApprovalReceived(address owner, uint256 value, bytes data) returns (bytes4)
function flashFee(address token, uint256 amount) view returns (uint256)
function flashLoan(address receiver, address token, uint256 amount, bytes data) returns (bool)
function maxFlashLoan(address token) view returns (uint256)
function onFlashLoan(address initiator, address token, uint256 amount, uint256 fee, bytes data) returns (bytes32)
function temporaryApprove(address spender, uint256 value) returns (bool success)
function crosschainBurn(address _from, uint256 _amount)
function crosschainMint(address _to, uint256 _amount)
`,
};

/** WETH9, wrapped ether: https://github.com/gnosis/canonical-weth. */
export const weth9 = {
  name: 'WETH9',
  items: `
event Deposit(address indexed dst, uint256 wad)
event Withdrawal(address indexed src, uint256 wad)
function deposit()
function withdraw(uint256 wad)
`,
};
