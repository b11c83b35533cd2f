import { AbiFunction } from 'ox';

/** Functions of the contracts on the local chain, to encode calls with. */
export const calls = {
  transfer: AbiFunction.from('function transfer(address to, uint256 amount)'),
  approve: AbiFunction.from('function approve(address spender, uint256 amount)'),
  burn: AbiFunction.from('function burn(uint256 amountOrTokenId)'),
  disperse: AbiFunction.from('function disperse(address token, address[] receivers, uint256[] amounts)'),
  mintBadge: AbiFunction.from('function mint(address to, uint256 tokenId)'),
  transferBadge: AbiFunction.from('function transferFrom(address from, address to, uint256 tokenId)'),
  mintItems: AbiFunction.from('function mintBatch(address to, uint256[] ids, uint256[] amounts)'),
  burnItem: AbiFunction.from('function burn(address from, uint256 id, uint256 amount)'),
  transferItem: AbiFunction.from(
    'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  ),
  transferItems: AbiFunction.from(
    'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  ),
} as const;
