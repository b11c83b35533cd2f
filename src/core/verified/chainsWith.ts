import { asAppError, isAppError } from '../base/errors.ts';
import type { AskOptions } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { VerifiedSource } from './verifiedContract.ts';

/**
 * The chains on which something is verified at an address, by all sources that know more than one.
 *
 * @throws AppError of a source that failed.
 * @example
 * await chainsWith([sourcify], address);
 */
export async function chainsWith(
  sources: readonly Pick<VerifiedSource, 'offers' | 'verifiedOn'>[],
  address: Address,
  options?: AskOptions,
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const source of sources) {
    if (source.offers.verifiedOn === undefined) continue;
    try {
      for (const chainId of (await source.verifiedOn(address, options)).chainIds) found.add(chainId);
    } catch (error) {
      if (!isAppError(error, 'notServed')) throw asAppError(error);
    }
  }
  return [...found];
}
