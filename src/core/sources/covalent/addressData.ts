import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import type { Address } from '../../values/address.ts';
import { addressField, timeField } from '../../values/chainFields.ts';
import { listField, optionalField } from '../../values/outsideFields.ts';
import { chainIdField } from './fields.ts';

/** The part of `data` that every answer about an address has, `items` unread. */
const AddressData = z.object({
  address: optionalField(addressField),
  updated_at: optionalField(timeField),
  quote_currency: optionalField(z.string().check(z.regex(/^[A-Za-z]{2,10}$/))),
  chain_id: optionalField(chainIdField),
  items: z.nullable(listField),
});

export interface Asked {
  readonly address: Address;
  readonly chainId: number;
}

/**
 * `data` of an answer about an address; null, or null for `items`, means that it holds nothing.
 *
 * @throws AppError `badResponse` when it is of another shape, or tells of another address or chain than was asked.
 */
export function readAddressData(data: unknown, asked: Asked) {
  const parsed = AddressData.safeParse(data ?? { items: null });
  if (!parsed.success) {
    throw new AppError('badResponse', 'The answer of the data API has no list of items.', {
      cause: parsed.error,
    });
  }
  const { address, chain_id: chainId, items, ...rest } = parsed.data;
  if ((address ?? asked.address) !== asked.address) {
    throw new AppError('badResponse', 'The data API answered for another address.');
  }
  if ((chainId ?? asked.chainId) !== asked.chainId) {
    throw new AppError('badResponse', 'The data API answered for another chain.');
  }
  return { updatedAt: rest.updated_at, quoteCurrency: rest.quote_currency, items: items ?? [] };
}
