/** EntryPoint v0.8: https://github.com/eth-infinitism/account-abstraction/tree/v0.8.0; what it shares with v0.7 stands there. */
export const entryPoint08 = {
  name: 'ERC-4337 v0.8',
  items: `
function getDomainSeparatorV4() returns (bytes32)
function getPackedUserOpTypeHash() returns (bytes32)
function senderCreator() returns (address)
`,
};
