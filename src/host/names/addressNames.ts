import type * as vscode from 'vscode';
import {
  type Address,
  type ContractIndex,
  formatDistinctName,
  type IndexedDeployment,
  type IndexedLabel,
  knownAddresses,
  listDevelopmentAccounts,
  listNameEntries,
  type NameEntry,
  pushAll,
  type TimeSlices,
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
  /**
   * The name that is shown: `Token`, or `Token@0x12ab34` where several addresses are called so and `Token` means another
   * one, such as a newer deployment.
   */
  nameOf(address: Address, chainId: number): AddressName | undefined;
  /** All names of an address on a chain, as given; the first is shown. */
  namesOf(address: Address, chainId: number): readonly AddressName[];
  /** Finds addresses by their best-matching name, the best match first; of deployments with one name the newest. */
  find(text: string, chainId: number): readonly NamedAddress[];
  /** Every address with a name, sorted by name, the newest deployment first; standard addresses come last. */
  all(chainId: number): readonly NamedAddress[];
  /**
   * What names mean on a chain: those of the user and of files, and of the deployments of the workspace, where the name of
   * a contract behind proxies means the proxies.
   */
  entries(chainId: number): readonly NameEntry[];
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
export function createAddressNames({ providers, index }: AddressNamesDeps): AddressNames & vscode.Disposable {
  const listeners = new Set<() => void>();
  const byChain = new Map<number, ChainNames>();
  const subscriptions = providers.map((provider) =>
    provider.onDidChange(() => {
      byChain.clear();
      for (const listener of listeners) listener();
    }),
  );

  function namesOn(chainId: number): ChainNames {
    const cached = byChain.get(chainId);
    if (cached) return cached;
    if (byChain.size >= MAX_CACHED_CHAINS) byChain.clear();
    const all = mergeNames(providers, chainId);
    const names = { all, alike: groupByName(all), distinct: new Map(), entries: undefined };
    byChain.set(chainId, names);
    return names;
  }
  const namesOf = (address: Address, chainId: number) => namesOn(chainId).all.get(address) ?? [];

  function entries(chainId: number): readonly NameEntry[] {
    const names = namesOn(chainId);
    if (names.entries) return names.entries;
    const given = all(chainId).filter(({ provider }) => provider !== 'deployment');
    const known = index();
    names.entries = [...given, ...(known ? listNameEntries(known, chainId) : [])];
    return names.entries;
  }

  function nameOf(address: Address, chainId: number): AddressName | undefined {
    const { alike, distinct } = namesOn(chainId);
    const [first] = namesOf(address, chainId);
    if (!first) return undefined;
    const name =
      distinct.get(address) ??
      formatDistinctName({ name: first.name, address }, entries(chainId), alike.get(first.name));
    distinct.set(address, name);
    return { ...first, name };
  }

  function all(chainId: number): readonly NamedAddress[] {
    return [...namesOn(chainId).all]
      .flatMap(([address, [first]]) => (first ? [{ address, ...first }] : []))
      .sort(compareNames);
  }

  return {
    namesOf,
    all,
    nameOf,
    entries,
    find(text, chainId) {
      const scored = [...namesOn(chainId).all].flatMap(([address, names]) => {
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
      const deployments = index()?.deploymentsAt(address) ?? [];
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
  /** Undefined until the workspace is read. */
  readonly index: () => ContractIndex | undefined;
}

interface ChainNames {
  readonly all: ReadonlyMap<Address, readonly AddressName[]>;
  /** The addresses that are shown by a name. */
  readonly alike: ReadonlyMap<string, readonly Address[]>;
  /** The names that are shown, as far as they were. */
  readonly distinct: Map<Address, string>;
  entries: readonly NameEntry[] | undefined;
}

function groupByName(all: ChainNames['all']): ChainNames['alike'] {
  const alike = new Map<string, Address[]>();
  for (const [address, [first]] of all) {
    const group = first && alike.get(first.name);
    if (group) group.push(address);
    else if (first) alike.set(first.name, [address]);
  }
  return alike;
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
  return toProvidedNames(newestFirst, ({ address, contract, chainId, file, block, time }) =>
    contract === undefined
      ? undefined
      : {
          ...{ address, name: contract, chainId: parseChainId(chainId), provider: 'deployment', file },
          ...(block !== undefined && { block }),
          ...(time !== undefined && { time }),
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

/** As {@link toTeamNames}, in slices of time: ten thousand names of look-alikes take a quarter of a second. */
export async function toTeamNamesInSlices(
  labels: readonly TeamLabel[],
  file: string,
  slices: TimeSlices,
): Promise<ProvidedName[]> {
  const names: ProvidedName[] = [];
  for (let first = 0; first < labels.length; first += LABELS_AT_ONCE) {
    pushAll(names, toTeamNames(labels.slice(first, first + LABELS_AT_ONCE), file));
    if (slices.isOver()) await slices.rest();
  }
  return names;
}

const LABELS_AT_ONCE = 100;

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
