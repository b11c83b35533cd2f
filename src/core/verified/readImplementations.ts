import * as z from 'zod/mini';
import { type Address, parseAddress, ZERO_ADDRESS } from '../values/address.ts';
import { optionalField, textField } from '../values/outsideFields.ts';
import { MOST_IMPLEMENTATIONS, type NamedImplementation } from './verifiedContract.ts';

/** Releases of Blockscout from 8.0 on say `address_hash`; all others, and Sourcify, `address`. */
const Entry = z.object({
  address: optionalField(z.string()),
  address_hash: optionalField(z.string()),
  name: optionalField(textField),
});

/**
 * The implementations in a list of an answer, each once: not the proxy itself, not zero, 40 at most unless `most` says
 * otherwise.
 *
 * @example readImplementations([{ address: '0x00000000000000000000000000000000000000AA' }], proxy)
 */
export function readImplementations(
  list: readonly unknown[] | undefined,
  proxy: Address,
  most = MOST_IMPLEMENTATIONS,
): readonly NamedImplementation[] {
  const found = new Map<Address, NamedImplementation>();
  for (const entry of list ?? []) {
    if (found.size >= most) break;
    const { data } = Entry.safeParse(entry);
    const address = parseAddress(data?.address_hash ?? data?.address);
    if (!address || address === proxy || address === ZERO_ADDRESS || found.has(address)) continue;
    found.set(address, { address, ...(data?.name !== undefined && { name: data.name }) });
  }
  return [...found.values()];
}
