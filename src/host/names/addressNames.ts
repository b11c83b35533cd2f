import type * as vscode from 'vscode';
import {
  type Address,
  type IndexedDeployment,
  type IndexedLabel,
  knownAddresses,
  listDevelopmentAccounts,
  teamLabelsPath,
} from '../../core/index.ts';
import { createDeploymentComparator } from '../contracts/knownEvents.ts';
import type { Occurrence } from '../places/workspaceAddresses.ts';
import {
  type AddressName,
  getFuzzyScore,
  isWellKnown,
  type NamedAddress,
  type NameProviderId,
  nameProviderIds,
  type ProvidedName,
  parseChainId,
  toAddressName,
} from './addressName.ts';
import type { TeamLabel } from './labelsFile.ts';

/** The names of addresses from all providers: plain text of at most 64 characters. */
export interface AddressNames {
  nameOf(address: Address, chainId: number): AddressName | undefined;
  /** All names on a chain; the first is shown. */
  namesOf(address: Address, chainId: number): readonly AddressName[];
  /** Finds addresses by their best-matching name, the best match first; of deployments with one name the newest. */
  find(text: string, chainId: number): readonly NamedAddress[];
  /** Every address with a name, sorted by name, the newest deployment first; standard addresses come last. */
  all(chainId: number): readonly NamedAddress[];
  /** Deployments at `address` on other chains, unless it has one on this chain. */
  elsewhere(address: Address, chainId: number): readonly IndexedDeployment[];
  readonly onDidChange: vscode.Event<void>;
}

/** Provides names of one kind, and an event when they change. */
export interface NameProvider {
  /** The names on all chains; a provider of user labels may return those of `chainId` only. */
  names(chainId: number): readonly ProvidedName[];
  readonly onDidChange: vscode.Event<unknown>;
}

/**
 * Merges the names of all providers. The user's labels come first; then deployments, the team's labels, labels of
 * `foundry.toml`, and constants in code; standard addresses and accounts of
 * development nodes come last.
 */
export function createAddressNames({
  providers,
  deploymentsAt,
}: AddressNamesDeps): AddressNames & vscode.Disposable {
  const listeners = new Set<() => void>();
  const byChain = new Map<number, ReadonlyMap<Address, readonly AddressName[]>>();
  const subscriptions = providers.map((provider) =>
    provider.onDidChange(() => {
      byChain.clear();
      for (const listener of listeners) listener();
    }),
  );

  function namesOn(chainId: number): ReadonlyMap<Address, readonly AddressName[]> {
    const cached = byChain.get(chainId);
    if (cached) return cached;
    if (byChain.size >= MAX_CACHED_CHAINS) byChain.clear();
    const names = mergeNames(providers, chainId);
    byChain.set(chainId, names);
    return names;
  }
  const namesOf = (address: Address, chainId: number) => namesOn(chainId).get(address) ?? [];

  function all(chainId: number): readonly NamedAddress[] {
    return [...namesOn(chainId)]
      .flatMap(([address, [first]]) => (first ? [{ address, ...first }] : []))
      .sort(compareNames);
  }

  return {
    namesOf,
    all,
    nameOf: (address, chainId) => namesOf(address, chainId)[0],
    find(text, chainId) {
      const scored = [...namesOn(chainId)].flatMap(([address, names]) => {
        const matches = names.flatMap((name) => {
          const score = getFuzzyScore(text.trim(), name.name);
          return score === undefined ? [] : [{ named: { address, ...name }, score }];
        });
        return matches.sort((a, b) => b.score - a.score).slice(0, 1);
      });
      const best = scored.sort((a, b) => b.score - a.score).slice(0, MAX_MATCHES);
      return best.map(({ named }) => named);
    },
    elsewhere(address, chainId) {
      const deployments = deploymentsAt(address);
      return deployments.some((deployment) => parseChainId(deployment.chainId) === chainId)
        ? []
        : deployments;
    },
    onDidChange(listener, thisArgs, owners) {
      const bound = () => listener.call(thisArgs);
      listeners.add(bound);
      const subscription = { dispose: () => void listeners.delete(bound) };
      owners?.push(subscription);
      return subscription;
    },
    dispose() {
      listeners.clear();
      for (const each of subscriptions) each.dispose();
    },
  };
}

interface AddressNamesDeps {
  readonly providers: readonly NameProvider[];
  readonly deploymentsAt: (address: Address) => readonly IndexedDeployment[];
}

/** No user reads more. */
const MAX_MATCHES = 200;
/** The number of chains whose names are cached. */
const MAX_CACHED_CHAINS = 16;

/** By name; well-known ones last, in the order of their list: `anvil #9` before `anvil #10`. */
function compareNames(a: AddressName, b: AddressName): number {
  const [one, other] = [isWellKnown(a), isWellKnown(b)];
  if (one || other) return Number(one) - Number(other);
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** A deployment that is named as a bare proxy ranks last: any other name says more. */
function rankOf({ name, provider }: AddressName): number {
  const isBareProxy = provider === 'deployment' && /proxy$/i.test(name);
  return isBareProxy ? nameProviderIds.length : nameProviderIds.indexOf(provider);
}

function mergeNames(
  providers: readonly NameProvider[],
  chainId: number,
): ReadonlyMap<Address, readonly AddressName[]> {
  const names = providers
    .flatMap((provider) => provider.names(chainId))
    .filter((name) => name.chainId === undefined || name.chainId === chainId)
    .sort((a, b) => rankOf(a) - rankOf(b));
  const found = new Map<Address, AddressName[]>();
  for (const { address, chainId: _, ...name } of names) {
    const named = found.get(address);
    if (!named) found.set(address, [name]);
    else if (!named.some((other) => other.name === name.name)) named.push(name);
  }
  return found;
}

export function toUserNames(labels: Iterable<readonly [Address, string]>, chainId: number): ProvidedName[] {
  return toProvidedNames(
    [...labels].map(([address, name]) => ({ address, name })),
    ({ address, name }) => ({ address, name, chainId, provider: 'mine' }),
  );
}

/** Addresses that are the same on every chain. */
export const standardNames: readonly ProvidedName[] = knownAddresses.map(({ address, name, source }) => ({
  address,
  name,
  provider: 'standard',
  chainId: undefined,
  file: source,
}));

/** Accounts of development nodes; none on other chains. */
export function toDevelopmentNames(chainId: number): ProvidedName[] {
  return listDevelopmentAccounts(chainId).map((account) => ({
    ...account,
    chainId,
    provider: 'development',
  }));
}

/** Names deployments by their contracts, the newest first. Skips those whose file names no contract. */
export function toDeploymentNames(deployments: readonly IndexedDeployment[]): ProvidedName[] {
  const newestFirst = deployments
    .filter(({ chainId }) => parseChainId(chainId) !== undefined)
    .sort(createDeploymentComparator(0));
  return toProvidedNames(newestFirst, ({ address, contract, chainId, file, block }) =>
    contract === undefined
      ? undefined
      : {
          ...{ address, name: contract, chainId: parseChainId(chainId), provider: 'deployment', file },
          ...(block !== undefined && { block }),
        },
  );
}

/** Labels of `foundry.toml` and of the team; from any other file they count as constants. */
export function toFoundryNames(labels: readonly IndexedLabel[]): ProvidedName[] {
  return toProvidedNames(labels, ({ address, name, chainId, file }) => {
    return { address, name, chainId: parseChainId(chainId), provider: getFileProvider(file), file };
  });
}

function getFileProvider(file: string): NameProviderId {
  if (/(?:^|\/)foundry\.toml$/.test(file)) return 'foundry';
  return `/${file}`.endsWith(`/${teamLabelsPath}`) ? 'label' : 'constant';
}

export function toTeamNames(labels: readonly TeamLabel[], file: string): ProvidedName[] {
  return toProvidedNames(labels, (label) => ({ ...label, provider: 'label', file }));
}

export function toConstantNames(
  occurrences: readonly Occurrence[],
  fileOf: (place: Occurrence) => string,
): ProvidedName[] {
  return toProvidedNames(occurrences, (place) =>
    place.constant === undefined
      ? undefined
      : {
          address: place.address,
          name: place.constant,
          provider: 'constant',
          chainId: undefined,
          file: fileOf(place),
          line: place.line + 1,
        },
  );
}

function toProvidedNames<T>(
  items: readonly T[],
  toName: (item: T) => ProvidedName | undefined,
): ProvidedName[] {
  return items.flatMap((item) => {
    const provided = toName(item);
    const name = provided && toAddressName(provided.name);
    return provided && name !== undefined ? [{ ...provided, name }] : [];
  });
}
