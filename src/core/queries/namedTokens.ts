import type { Abortable } from '../base/concurrency.ts';
import { forEachLimited } from '../base/concurrency.ts';
import { createMessage, foreign, type Message, sanitizeText } from '../base/text.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { type Address, parseAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import type { TokenUnits, UnitsOf } from '../tokens/amounts.ts';
import { findAddressesByName, listNameEntries, type NameEntry } from './namedAddresses.ts';

/** Where tokens are named and read. */
export interface TokenPlace {
  readonly client: Pick<ChainClient, 'fetchTokenUnits'>;
  /** 0 if unknown. */
  readonly chainId: number;
  /** Of the project; without it only addresses are tokens. */
  readonly index: ContractIndex | undefined;
}

/** The token that a unit means on a chain, or the reason why it means no token. */
export type NamedToken =
  | { readonly address: Address; readonly units: TokenUnits; readonly reason?: undefined }
  | { readonly units?: undefined; readonly reason: Message };

/** Deployments whose symbol is read, for a name that no address has. */
const MAX_SYMBOLS = 64;
const MAX_CONCURRENT_READS = 4;
const MAX_LISTED = 4;

/**
 * Finds a token by its address, by the name that the project has for it, or else by its symbol among the deployments of the
 * project. If several runs deployed the same contract, the newest counts.
 *
 * @throws AppError of any network kind.
 * @example const { units } = await findNamedToken('PBL', { client, chainId: 31337, index }); // { symbol: 'PBL', decimals: 18 }
 */
export async function findNamedToken(
  name: string,
  place: TokenPlace,
  options: Abortable = {},
): Promise<NamedToken> {
  const own = parseAddress(name);
  if (own) return readToken(name, own, place, options);
  const { index, chainId } = place;
  const entries = index ? listNameEntries(index, chainId) : [];
  const named = findAddressesByName(name, entries);
  const found = named.length > 0 ? named : await findBySymbol(name, entries, place, options);
  const [address, ...others] = found;
  const shown = sanitizeText(name, 64);
  if (address === undefined)
    return { reason: createMessage('No token on this chain is called {0}.', foreign(shown)) };
  if (others.length === 0) return readToken(name, address, place, options);
  const listed = found.slice(0, MAX_LISTED).map(toChecksumAddress).join(', ');
  const more = found.length > MAX_LISTED ? ', …' : '';
  return {
    reason: createMessage(
      '{0} addresses are called {1}: {2}. Enter the address of the token.',
      found.length,
      foreign(shown),
      foreign(listed + more),
    ),
  };
}

async function readToken(
  name: string,
  address: Address,
  { client }: TokenPlace,
  options: Abortable,
): Promise<NamedToken> {
  const units = await client.fetchTokenUnits(address, options);
  if (units) return { address, units };
  const reason = createMessage(
    '{0} at {1} is not a token: it returns no decimals.',
    foreign(name, 64),
    toChecksumAddress(address),
  );
  return { reason };
}

async function findBySymbol(
  symbol: string,
  entries: readonly NameEntry[],
  { index, chainId, client }: TokenPlace,
  options: Abortable,
): Promise<readonly Address[]> {
  const mayBeTokens = new Set(
    (index?.deployments ?? [])
      .filter((deployment) => deployment.chainId === String(chainId))
      .filter((deployment) => {
        const abi = deployment.runs ? undefined : index?.contractOf(deployment)?.abi;
        return abi === undefined || abi.some((text) => text.startsWith('function symbol()'));
      })
      .map(({ address }) => address),
  );
  const called = new Set<Address>();
  const readOne = async (address: Address) => {
    const units = await client.fetchTokenUnits(address, options);
    if (units?.symbol === symbol) called.add(address);
  };
  await forEachLimited([...mayBeTokens].slice(0, MAX_SYMBOLS), readOne, { limit: MAX_CONCURRENT_READS });
  const deployed = entries.filter(({ address, deployment }) => deployment && called.has(address));
  const [first] = deployed;
  const isOneContract = first !== undefined && deployed.every(({ name }) => name === first.name);
  return isOneContract ? findAddressesByName(first.name, deployed) : [...called];
}

const unitsByClient = new WeakMap<TokenPlace['client'], Map<string, TokenUnits>>();
/** For one client. */
const MAX_CACHED = 1_000;

/**
 * Fetches the symbols and decimals of tokens by name or address. It leaves out those that it does not find.
 *
 * @throws AppError of any network kind.
 * @example const unitsOf = await fetchNamedUnits(['PBL'], { client, chainId: 31337, index });
 */
export async function fetchNamedUnits(
  tokens: readonly string[],
  place: TokenPlace,
  options: Abortable = {},
): Promise<UnitsOf> {
  const units = new Map<string, TokenUnits>();
  const cache = unitsByClient.get(place.client) ?? new Map<string, TokenUnits>();
  unitsByClient.set(place.client, cache);
  if (cache.size > MAX_CACHED) cache.clear();
  const readOne = async (token: string) => {
    // Another version of the index may give the name to another address.
    const key = `${place.chainId} ${place.index?.version} ${token}`;
    const known = cache.get(key) ?? (await findNamedToken(token, place, options)).units;
    if (known) {
      cache.set(key, known);
      units.set(token, known);
    }
  };
  await forEachLimited([...new Set(tokens)], readOne, { limit: MAX_CONCURRENT_READS });
  return (token) => units.get(token);
}
