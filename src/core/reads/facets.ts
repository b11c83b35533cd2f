import { decodeResult, isDecodeError } from '../abi/decode.ts';
import type { AbiFunction } from '../abi/item.ts';
import { parseAbiItem } from '../abi/item.ts';
import type { Abortable } from '../base/concurrency.ts';
import { isAppError } from '../base/errors.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';

/** The selectors of the functions that a diamond takes from each of its facets. */
export type FacetSelectors = ReadonlyMap<Address, ReadonlySet<Hex>>;

/** Of the loupe: https://eips.ethereum.org/EIPS/eip-2535 */
const FACETS = parseAbiItem(
  'function facets() view returns ((address facetAddress, bytes4[] functionSelectors)[])',
) as AbiFunction;

/**
 * Fetches which functions a diamond takes from its facets, whose ABIs may have others. Other proxies with several
 * implementations run one behind another.
 *
 * @returns undefined if the contract does not return them.
 * @throws AppError of any network kind but `rpc`.
 */
export async function fetchFacetSelectors(
  client: Pick<ChainClient, 'callAtBlock'>,
  { address, block }: { readonly address: Address; readonly block: bigint },
  options: Abortable = {},
): Promise<FacetSelectors | undefined> {
  try {
    const data = await client.callAtBlock({ to: address, data: FACETS.selector, block }, options);
    const decoded = decodeResult(FACETS.outputs, data);
    if (isDecodeError(decoded)) return undefined;
    const [facets = []] = decoded as readonly [(readonly [Address, readonly Hex[]])[]];
    return new Map(facets.map(([facet, selectors]) => [facet, new Set(selectors)]));
  } catch (error) {
    if (isAppError(error, 'reverted', 'badResponse', 'notAContract')) return undefined;
    throw error;
  }
}
