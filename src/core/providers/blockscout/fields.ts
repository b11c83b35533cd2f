import * as z from 'zod/mini';
import type { Address } from '../../eth/hex.ts';
import { addressField, optionalField, textField, uint256Field } from '../../http/fields.ts';
import type { TokenStandard } from '../../tokens/transferEvents.ts';

/** May be null; any other format makes the entry unreadable. */
export const amountField = z.nullish(uint256Field);

/** A number of any size: Blockscout returns prices as strings, later releases also as numbers. */
export const moneyField = optionalField(
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^-?\d{1,400}(?:\.\d{1,400})?(?:[Ee][+-]?\d{1,4})?$/))]),
    z.transform((raw) => Number(raw)),
  ),
);

export const decimalsField = optionalField(
  z
    .pipe(
      z.union([z.int(), z.string().check(z.regex(/^\d{1,3}$/))]),
      z.transform((raw) => Number(raw)),
    )
    .check(z.minimum(0), z.maximum(255)),
);

/** An integer that some releases return as a string. */
export const countField = z.pipe(
  z.union([z.int().check(z.nonnegative()), z.string().check(z.regex(/^\d{1,16}$/))]),
  z.transform((raw) => Number(raw)),
);

/** A change in wei; negative for outgoing. */
export const deltaField = z.pipe(
  z.string().check(z.regex(/^-?\d{1,78}$/)),
  z.transform((raw) => BigInt(raw)),
);

export const partyField = z.pipe(
  z.union([addressField, z.object({ hash: addressField })]),
  z.transform((party) => (typeof party === 'string' ? party : party.hash)),
);

/** A token in any response. Before v8, its contract is in `address`. */
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
  /** The explorer's own name for the standard, such as `ERC-20`. */
  readonly type: string | undefined;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  readonly supply: bigint | undefined;
  /** US dollars for a whole token, unchecked. */
  readonly rate: number | undefined;
  readonly spam: boolean | undefined;
}

export const tokenTypes = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

const standards = new Map(
  Object.entries(tokenTypes).map(([standard, type]) => [type as string, standard as TokenStandard]),
);

/** Undefined if the token has no contract address. */
export function toTokenFacts(token: z.infer<typeof tokenField>): TokenFacts | undefined {
  const contract = token.address_hash ?? token.address;
  if (!contract) return undefined;
  const { type = '', name, symbol, decimals, reputation, is_scam: isScam } = token;
  return {
    contract,
    name,
    symbol,
    decimals,
    type: token.type,
    standard: standards.get(type),
    supply: token.total_supply,
    rate: token.exchange_rate,
    spam: isScam ?? (reputation === undefined ? undefined : reputation === 'scam'),
  };
}
