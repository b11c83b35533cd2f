import { eachLimited } from '../base/eachLimited.ts';
import { asAppError, isAppError } from '../base/errors.ts';
import type { AskOptions } from '../base/source.ts';
import type { Address } from '../values/address.ts';
import type { AbiSource } from './firstVerified.ts';
import { MOST_IMPLEMENTATIONS, type ProxyFacts, type VerifiedContract } from './verifiedContract.ts';

/** Proxies behind proxies that are followed. */
const DEEPEST = 3;
/** Implementations that are asked at a time. */
const AT_ONCE = 4;

/** What was verified at an address, and behind it where a proxy stands there. */
export interface VerifiedAt {
  readonly address: Address;
  /** The contract at the address first, then what it leads to, each once; those that are not verified are missing. */
  readonly contracts: readonly VerifiedContract[];
  /** Where the proxy at the address leads. */
  readonly proxy: ProxyFacts | undefined;
  /** Whether something behind the proxy is left out: it failed, or is beyond the bounds (3 deep, 40 contracts). */
  readonly isPartial: boolean;
}

/**
 * Reads what is verified at `address` and follows proxies, so that events of the implementation and of the proxy itself
 * are there. A contract that was met is not followed again.
 *
 * @throws AppError as the question about the address itself does; what fails behind it makes the answer partial.
 * @example
 * const { contracts } = await readVerified(source, address, { signal });
 * contracts.flatMap(({ abi }) => abi);
 */
export async function readVerified(
  source: AbiSource,
  address: Address,
  options?: AskOptions,
): Promise<VerifiedAt> {
  const met = new Set<Address>([address]);
  const contracts: VerifiedContract[] = [];
  let isPartial = false;
  let first: ProxyFacts | undefined;
  let level: readonly Address[] = [address];
  for (let depth = 0; level.length > 0; depth++) {
    const found: (VerifiedContract | undefined)[] = [];
    const leads: (ProxyFacts | undefined)[] = [];
    const places = level.map((at, index) => ({ at, index }));
    await eachLimited(
      places,
      async ({ at, index }) => {
        try {
          found[index] = await source.verifiedContract(at, options);
          // Who has verified a contract has looked whether it is a proxy: nobody else needs to hear of it.
          leads[index] = found[index] ? found[index].proxy : await source.proxyAt(at, options);
        } catch (error) {
          if (depth === 0 || isAppError(error, 'aborted')) throw asAppError(error);
          isPartial = true;
        }
      },
      { limit: AT_ONCE },
    );
    contracts.push(...found.filter((contract) => contract !== undefined));
    if (depth === 0) first = leads[0];
    const next = leads.flatMap((proxy) => proxy?.implementations ?? []).map((one) => one.address);
    const unmet = [...new Set(next)].filter((one) => !met.has(one));
    const room = depth < DEEPEST ? MOST_IMPLEMENTATIONS + 1 - met.size : 0;
    if (unmet.length > room) isPartial = true;
    level = unmet.slice(0, Math.max(0, room));
    for (const one of level) met.add(one);
  }
  return { address, contracts, proxy: first, isPartial };
}
