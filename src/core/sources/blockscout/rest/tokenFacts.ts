import * as z from 'zod/mini';
import type { TokenStandard } from '../../../nfts/tokenStandard.ts';
import type { Address } from '../../../values/address.ts';
import { addressField, uint256Field } from '../../../values/chainFields.ts';
import { optionalField, textField } from '../../../values/outsideFields.ts';
import { decimalsField, moneyField } from './fields.ts';

/** A token as it stands in every answer. Before v8 its contract is in `address`. */
export const tokenField = z.object({
  address: optionalField(addressField),
  address_hash: optionalField(addressField),
  name: optionalField(textField),
  symbol: optionalField(textField),
  decimals: decimalsField,
  type: optionalField(textField),
  exchange_rate: moneyField,
  total_supply: optionalField(uint256Field),
  reputation: optionalField(textField),
  is_scam: optionalField(z.boolean()),
});

export interface TokenFacts {
  readonly contract: Address;
  readonly standard: TokenStandard | undefined;
  /** The explorer's word for what it is, such as `ERC-20`. */
  readonly type: string | undefined;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  readonly supply: bigint | undefined;
  /** Dollars for a whole token, as told. */
  readonly rate: number | undefined;
  readonly spam: boolean | undefined;
}

/** What the explorer calls the standards. */
export const tokenTypes = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

const standards = new Map(
  Object.entries(tokenTypes).map(([standard, type]) => [type as string, standard as TokenStandard]),
);

/** Undefined for a token without its contract. */
export function tokenFacts(token: z.infer<typeof tokenField>): TokenFacts | undefined {
  const contract = token.address_hash ?? token.address;
  if (!contract) return undefined;
  const { type = '', name, symbol, decimals, reputation, is_scam: isScam } = token;
  return {
    ...{ contract, name, symbol, decimals, type: token.type },
    standard: standards.get(type),
    supply: token.total_supply,
    rate: token.exchange_rate,
    spam: isScam ?? (reputation === undefined ? undefined : reputation === 'scam'),
  };
}
