/** ERC-1822, transparent and beacon proxies of @openzeppelin/contracts 4 and 5: https://eips.ethereum.org/EIPS/eip-1822. */
export const upgrades = {
  name: 'OpenZeppelin proxies',
  items: `
error UUPSUnauthorizedCallContext()
error UUPSUnsupportedProxiableUUID(bytes32 slot)
error ERC1967ProxyUninitialized()
error ProxyDeniedAdminAccess()
error BeaconInvalidImplementation(address implementation)
error CloneArgumentsTooLong()
error Create2EmptyBytecode()
function UPGRADE_INTERFACE_VERSION() returns (string)
function proxiableUUID() returns (bytes32)
function upgradeToAndCall(address newImplementation, bytes data)
function upgradeAndCall(address proxy, address implementation, bytes data)
function implementation() returns (address)
function upgradeTo(address newImplementation)
function changeAdmin(address newAdmin)
function admin() returns (address)
function upgrade(address proxy, address implementation)
function changeProxyAdmin(address proxy, address newAdmin)
function getProxyAdmin(address proxy) returns (address)
function getProxyImplementation(address proxy) returns (address)
`,
};
