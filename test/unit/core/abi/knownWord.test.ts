import assert from 'node:assert/strict';
import { findWordPreimage } from '../../../../src/core/index.ts';

describe('Words that are known', () => {
  it('are roles, types of EIP-712 and slots, by the hashes that their standards publish', () => {
    const published = {
      '0x65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a': 'keccak256("PAUSER_ROLE")',
      '0xb09aa5aeb3702cfd50b6b62bc4532604938f21248a27a1d5ca736082b6819cc1': 'keccak256("PROPOSER_ROLE")',
      '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9':
        'keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)")',
      '0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f':
        'keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)")',
      '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc':
        'keccak256("eip1967.proxy.implementation") - 1',
      '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103':
        'keccak256("eip1967.proxy.admin") - 1',
      '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50':
        'keccak256("eip1967.proxy.beacon") - 1',
      '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7': 'keccak256("PROXIABLE")',
      '0xc8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c':
        'keccak256("diamond.standard.diamond.storage")',
      '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3':
        'keccak256("org.zeppelinos.proxy.implementation")',
      '0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00':
        'erc7201("openzeppelin.storage.ERC20")',
      '0x9016d09d72d40fdae2fd8ceac6b6234c7706214fd39c1cd1e609a0528c199300':
        'erc7201("openzeppelin.storage.Ownable")',
    } as const;
    for (const [word, text] of Object.entries(published))
      assert.equal(findWordPreimage(word as `0x${string}`), text);
  });

  it('are no others', () => {
    for (const word of [`0x${'0'.repeat(64)}`, `0x${'ab'.repeat(32)}`, '0x'] as const) {
      assert.equal(findWordPreimage(word), undefined);
    }
  });
});
