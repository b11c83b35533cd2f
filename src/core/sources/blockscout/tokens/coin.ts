import * as z from 'zod/mini';
import { holdingWorth } from '../../../holdings/holdingWorth.ts';
import { NATIVE_STAND_IN, type TokenBalance } from '../../../holdings/tokenBalances.ts';
import { uint256Field } from '../../../values/chainFields.ts';
import { optionalField } from '../../../values/outsideFields.ts';
import { moneyField } from '../rest/fields.ts';
import { EXPLORER_CURRENCY } from './balanceRows.ts';

const AddressFacts = z.object({ coin_balance: optionalField(uint256Field), exchange_rate: moneyField });

/** The explorer counts every coin in wei. */
const COIN_DECIMALS = 18;

/** The coins of `/addresses/{hash}`; undefined where the answer tells of none, as of an address that it has not met. */
export function readCoin(data: unknown): TokenBalance | undefined {
  const facts = AddressFacts.safeParse(data).data;
  const amount = facts?.coin_balance;
  if (amount === undefined) return undefined;
  const held = { amount, decimals: COIN_DECIMALS };
  return {
    ...{ contract: NATIVE_STAND_IN, native: true, standard: undefined, name: undefined, symbol: undefined },
    ...held,
    ...holdingWorth(facts?.exchange_rate, held, { currency: EXPLORER_CURRENCY }),
    ...{ category: undefined, spam: undefined, lastTransferAt: undefined, nfts: undefined },
  };
}
