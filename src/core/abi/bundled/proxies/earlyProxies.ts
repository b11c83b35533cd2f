/**
 * Proxies from before ERC-1967, as ZeppelinOS had them: the event without an indexed parameter.
 * https://github.com/OpenZeppelin/openzeppelin-sdk
 */
export const earlyProxies = {
  name: 'proxies before ERC-1967',
  items: `
event Upgraded(address implementation)
`,
};
