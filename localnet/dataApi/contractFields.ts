import type { Hex } from 'ox';
import type { ServedChain } from './servedChains.ts';

type Contract = {
  readonly address: Hex.Hex;
  readonly standard: string;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
};

/** What the calls of `tokens/…` say of an NFT contract. */
export function classicContractFields({ address, standard, name, symbol }: Contract, chain: ServedChain) {
  return {
    ...{ contract_decimals: 0, contract_name: name ?? null, contract_ticker_symbol: symbol ?? null },
    contract_address: address,
    supports_erc: ['erc20', standard],
    logo_url: logoUrl(chain, address),
    type: 'nft',
  };
}

/** What the calls of `nft/…` say of an NFT contract. */
export function newerContractFields({ address, name, symbol }: Contract) {
  return {
    ...{ contract_name: name ?? null, contract_ticker_symbol: symbol ?? null, contract_address: address },
    ...{ is_spam: false, type: 'nft' },
  };
}

export function logoUrl(chain: ServedChain, address: Hex.Hex): string {
  return `https://logos.example/${chain.id}/${address}.png`;
}
