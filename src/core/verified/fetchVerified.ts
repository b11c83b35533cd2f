import type { Origin, Trust } from '../abi/candidates.ts';
import type { LocatedItem } from '../abi/lookup.ts';
import { forEachLimited } from '../base/concurrency.ts';
import { type AppError, asAppError, isAppError } from '../base/errors.ts';
import type { FetchOptions } from '../base/provenance.ts';
import type { Address } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import {
  MAX_IMPLEMENTATIONS,
  type ProxyFacts,
  type VerifiedContract,
  type VerifiedProvider,
} from './verifiedContract.ts';

/** The part of a {@link VerifiedProvider} that an ABI is made of. */
export type AbiProvider = Pick<VerifiedProvider, 'verifiedContract' | 'proxyAt'>;

/**
 * Several sources as one, asked one after the other: the first that has the contract itself verified tells, else the
 * first that knows a twin. One that fails is passed over.
 *
 * @throws AppError, each question, of a source that failed where no other knows: unknown is not unverified.
 * @example
 * const source = chainAbiProviders([explorer, sourcifyProvider]);
 */
export function chainAbiProviders(sources: readonly AbiProvider[]): AbiProvider {
  return {
    async verifiedContract(address, options) {
      let twin: VerifiedContract | undefined;
      const ask = async (source: AbiProvider) => {
        const contract = await source.verifiedContract(address, options);
        if (contract?.match !== 'twin') return contract;
        twin ??= contract;
        return undefined;
      };
      try {
        return (await firstOf(sources, ask, options)) ?? twin;
      } catch (error) {
        if (twin && !isAppError(error, 'aborted')) return twin;
        throw error;
      }
    },
    proxyAt: (address: Address, options?: FetchOptions) =>
      firstOf<ProxyFacts>(sources, (source) => source.proxyAt(address, options), options),
  };
}

async function firstOf<T>(
  sources: readonly AbiProvider[],
  ask: (source: AbiProvider) => Promise<T | undefined>,
  { signal }: FetchOptions = {},
): Promise<T | undefined> {
  let failure: AppError | undefined;
  for (const source of sources) {
    try {
      const answer = await ask(source);
      if (answer) return answer;
    } catch (error) {
      if (signal?.aborted) throw error;
      // A chain that a service does not have is no failure of it.
      if (!isAppError(error, 'notServed')) failure ??= asAppError(error);
    }
  }
  if (failure) throw failure;
  return undefined;
}

/** Proxies behind proxies that are followed. */
const MAX_PROXY_DEPTH = 3;
/** Implementations that are asked at a time. */
const MAX_CONCURRENT_FETCHES = 4;

/** What was verified at an address, and behind it where a proxy stands there. */
export interface VerifiedAddress {
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
 * const { contracts } = await fetchVerified(source, address, { signal });
 * contracts.flatMap(({ abi }) => abi);
 */
export async function fetchVerified(
  source: AbiProvider,
  address: Address,
  options?: FetchOptions,
): Promise<VerifiedAddress> {
  const met = new Set<Address>([address]);
  const contracts: VerifiedContract[] = [];
  let isPartial = false;
  let first: ProxyFacts | undefined;
  let level: readonly Address[] = [address];
  for (let depth = 0; level.length > 0; depth++) {
    const found: (VerifiedContract | undefined)[] = [];
    const leads: (ProxyFacts | undefined)[] = [];
    const places = level.map((at, index) => ({ at, index }));
    await forEachLimited(
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
      { limit: MAX_CONCURRENT_FETCHES },
    );
    contracts.push(...found.filter((contract) => contract !== undefined));
    if (depth === 0) first = leads[0];
    const next = leads.flatMap((proxy) => proxy?.implementations ?? []).map((one) => one.address);
    const unmet = [...new Set(next)].filter((one) => !met.has(one));
    const room = depth < MAX_PROXY_DEPTH ? MAX_IMPLEMENTATIONS + 1 - met.size : 0;
    if (unmet.length > room) isPartial = true;
    level = unmet.slice(0, Math.max(0, room));
    for (const one of level) met.add(one);
  }
  return { address, contracts, proxy: first, isPartial };
}

/**
 * The chains on which something is verified at an address, by all sources that know more than one.
 *
 * @throws AppError of a source that failed.
 * @example
 * await fetchVerifiedChains([sourcifyProvider], address);
 */
export async function fetchVerifiedChains(
  sources: readonly Pick<VerifiedProvider, 'offers' | 'verifiedOn'>[],
  address: Address,
  options?: FetchOptions,
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

/** Items of one address with all that it leads to. */
const MAX_ITEMS_PER_ADDRESS = 10_000;

/**
 * The items of verified contracts with where each is from. What one contract has is told once, by the first that has
 * it.
 *
 * @example
 * createAbiLookup(listVerifiedItems(await fetchVerified(source, address), 1));
 */
export function listVerifiedItems(
  { contracts }: Pick<VerifiedAddress, 'contracts'>,
  chainId: number,
): readonly LocatedItem[] {
  const items = new Map<string, LocatedItem>();
  for (const contract of contracts) {
    const origin = toVerifiedOrigin(contract, chainId);
    for (const text of contract.abi) {
      const known = items.get(text);
      if (items.size < MAX_ITEMS_PER_ADDRESS && !known) items.set(text, { text, origin });
    }
  }
  return [...items.values()];
}

/**
 * What is said of the items of a verified contract.
 *
 * @example
 * toVerifiedOrigin(contract, 1).trust; // 'verified'
 */
export function toVerifiedOrigin(
  { address, name, source, twin, changedBytecode, ...rest }: VerifiedContract,
  chainId: number,
): Origin {
  return {
    trust: trustOf(rest.match, changedBytecode),
    from: `${formatHost(source.origin)} ${toChecksumAddress(address)}`,
    contract: name,
    line: undefined,
    verified: {
      chainId,
      address,
      source,
      ...(twin !== undefined && { twin }),
      ...(changedBytecode && { changedBytecode }),
    },
  };
}

/** What was verified of other code than is there now is not exactly what is there. */
function trustOf(match: VerifiedContract['match'], changed: boolean | undefined): Trust {
  if (match === 'twin') return 'twin';
  return match === 'exact' && !changed ? 'verified' : 'partlyVerified';
}

/** `sourcify.dev`, `127.0.0.1:8545`. */
export function formatHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}
