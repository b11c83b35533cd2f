/** What a token contract is written to. */
export type TokenStandard = 'erc20' | 'erc721' | 'erc1155';
