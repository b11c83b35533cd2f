import * as z from 'zod/mini';

/** A chain id: an integer in `balances_v2`, a decimal string in the list of chains. */
export const chainIdField = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^\d{1,16}$/))]),
  z.transform((id) => Number(id)),
);
