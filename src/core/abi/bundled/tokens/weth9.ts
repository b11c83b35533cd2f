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
