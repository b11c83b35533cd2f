import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import type { TimeSlices } from '../../base/timeSlices.ts';
import { chainIdField, listField, optionalField, readItems, textField } from './fields.ts';

/** A chain that the data API serves. */
export interface ServedChain {
  readonly chainId: number;
  /** The service's own name for it, such as `eth-mainnet`. */
  readonly name: string | undefined;
  readonly testnet: boolean | undefined;
}

const Data = z.object({ items: listField });
// Solana, Bitcoin and others without an EVM are in the list as well; they have ids of the service's making.
const Item = z.object({
  chain_id: chainIdField,
  name: optionalField(textField),
  is_testnet: optionalField(z.boolean()),
});

/** `data` of the answer to `/v1/chains/`. @throws AppError `badResponse` when it has no list. */
export async function readServedChains(data: unknown, slices: TimeSlices): Promise<readonly ServedChain[]> {
  const parsed = Data.safeParse(data);
  if (!parsed.success) {
    throw new AppError('badResponse', 'The data API sent no list of chains.', { cause: parsed.error });
  }
  const { read } = await readItems(Item, parsed.data.items, slices);
  return read.map((item) => ({
    chainId: item.chain_id,
    name: item.name,
    testnet: item.is_testnet,
  }));
}
