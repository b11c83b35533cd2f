/** ERC-1967, proxies: https://eips.ethereum.org/EIPS/eip-1967. */
export const erc1967 = {
  name: 'ERC-1967',
  items: `
event AdminChanged(address previousAdmin, address newAdmin)
event BeaconUpgraded(address indexed beacon)
event Upgraded(address indexed implementation)
error ERC1967InvalidAdmin(address admin)
error ERC1967InvalidBeacon(address beacon)
error ERC1967InvalidImplementation(address implementation)
error ERC1967NonPayable()
`,
};
