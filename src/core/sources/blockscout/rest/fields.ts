import * as z from 'zod/mini';
import { addressField, uint256Field } from '../../../values/chainFields.ts';
import { optionalField } from '../../../values/outsideFields.ts';

/** An amount that may be null; one that is written otherwise makes the entry unreadable. */
export const amountField = z.nullish(uint256Field);

/** A number of any size, as the explorer writes prices: in a string, by later releases as a number too. */
export const moneyField = optionalField(
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^-?\d{1,400}(?:\.\d{1,400})?(?:[Ee][+-]?\d{1,4})?$/))]),
    z.transform((written) => Number(written)),
  ),
);

/** Decimals of a token. */
export const decimalsField = optionalField(
  z
    .pipe(
      z.union([z.int(), z.string().check(z.regex(/^\d{1,3}$/))]),
      z.transform((written) => Number(written)),
    )
    .check(z.minimum(0), z.maximum(255)),
);

/** A whole number that is a string in some releases. */
export const countField = z.pipe(
  z.union([z.int().check(z.nonnegative()), z.string().check(z.regex(/^\d{1,16}$/))]),
  z.transform((written) => Number(written)),
);

/** Wei as they change: below zero for what went out. */
export const deltaField = z.pipe(
  z.string().check(z.regex(/^-?\d{1,78}$/)),
  z.transform((written) => BigInt(written)),
);

/** An address inside of an answer, alone or with what is known of it. */
export const partyField = z.pipe(
  z.union([addressField, z.object({ hash: addressField })]),
  z.transform((party) => (typeof party === 'string' ? party : party.hash)),
);
