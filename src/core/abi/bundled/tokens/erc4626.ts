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
function asset() returns (address assetTokenAddress)
function convertToAssets(uint256 shares) returns (uint256 assets)
function convertToShares(uint256 assets) returns (uint256 shares)
function deposit(uint256 assets, address receiver) returns (uint256 shares)
function maxDeposit(address receiver) returns (uint256 maxAssets)
function maxMint(address receiver) returns (uint256 maxShares)
function maxRedeem(address owner) returns (uint256 maxShares)
function maxWithdraw(address owner) returns (uint256 maxAssets)
function mint(uint256 shares, address receiver) returns (uint256 assets)
function previewDeposit(uint256 assets) returns (uint256 shares)
function previewMint(uint256 shares) returns (uint256 assets)
function previewRedeem(uint256 shares) returns (uint256 assets)
function previewWithdraw(uint256 assets) returns (uint256 shares)
function redeem(uint256 shares, address receiver, address owner) returns (uint256 assets)
function totalAssets() returns (uint256 totalManagedAssets)
function withdraw(uint256 assets, address receiver, address owner) returns (uint256 shares)
`,
};
