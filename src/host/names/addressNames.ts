import type * as vscode from 'vscode';
import {
  type Address,
  type IndexedDeployment,
  type IndexedLabel,
  knownAddresses,
  teamLabelsPath,
} from '../../core/index.ts';
import type { Occurrence } from '../places/workspaceAddresses.ts';
import {
  type AddressName,
  getFuzzyScore,
  type NamedAddress,
  type NameProviderId,
  nameProviderIds,
  type ProvidedName,
  parseChainId,
  toAddressName,
} from './addressName.ts';
import type { TeamLabel } from './labelsFile.ts';

/** Names that one kind of place gives, and an event when they change. */
export interface NameProvider {
  /** Of all chains; of one's own labels those of `chainId` may be all there are. */
  names(chainId: number): readonly ProvidedName[];
  readonly onDidChange: vscode.Event<unknown>;
}

interface AddressNamesDeps {
  readonly providers: readonly NameProvider[];
  /** Of all chains. */
  readonly deploymentsAt: (address: Address) => readonly IndexedDeployment[];
}

/** What addresses are called, for all who show some. Names are plain text of at most 64 characters. */
export interface AddressNames {
  /** The name to show on a chain. */
  nameOf(address: Address, chainId: number): AddressName | undefined;
  /** All names that it has there, the one to show first. */
  namesOf(address: Address, chainId: number): readonly AddressName[];
  /** Addresses with a name that fits `text`, each by the name that fits best, the best first. */
  find(text: string, chainId: number): readonly NamedAddress[];
  /** Every address with a name, by name; those that are the same everywhere last. */
  all(chainId: number): readonly NamedAddress[];
  /** What is deployed at `address` on other chains, where nothing is on this one. */
  elsewhere(address: Address, chainId: number): readonly IndexedDeployment[];
  readonly onDidChange: vscode.Event<void>;
}

/** Of names that fit, as many as a person looks through. */
const MAX_MATCHES = 200;
/** Chains whose names are held at once. */
const MAX_CACHED_CHAINS = 16;

/**
 * Names of all givers. One's own label is above all, as one who labels an address expects to read it; then deployments,
 * labels of the team, those of `foundry.toml`, and constants of the code; at last what every chain has.
 */
export function createAddressNames({
  providers,
  deploymentsAt,
}: AddressNamesDeps): AddressNames & vscode.Disposable {
  const listeners = new Set<() => void>();
  const byChain = new Map<number, ReadonlyMap<Address, readonly AddressName[]>>();
  const listening = providers.map((giver) =>
    giver.onDidChange(() => {
      byChain.clear();
      for (const listener of listeners) listener();
    }),
  );

  function namesOn(chainId: number): ReadonlyMap<Address, readonly AddressName[]> {
    const known = byChain.get(chainId);
    if (known) return known;
    if (byChain.size >= MAX_CACHED_CHAINS) byChain.clear();
    const names = gather(providers, chainId);
    byChain.set(chainId, names);
    return names;
  }
  const namesOf = (address: Address, chainId: number) => namesOn(chainId).get(address) ?? [];

  function all(chainId: number): readonly NamedAddress[] {
    return [...namesOn(chainId)]
      .flatMap(([address, [first]]) => (first ? [{ address, ...first }] : []))
      .sort((a, b) => orderOf(a) - orderOf(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  return {
    namesOf,
    all,
    nameOf: (address, chainId) => namesOf(address, chainId)[0],
    find(text, chainId) {
      const scored = [...namesOn(chainId)].flatMap(([address, names]) => {
        const fitting = names.flatMap((name) => {
          const score = getFuzzyScore(text.trim(), name.name);
          return score === undefined ? [] : [{ named: { address, ...name }, score }];
        });
        return fitting.sort((a, b) => b.score - a.score).slice(0, 1);
      });
      const best = scored.sort((a, b) => b.score - a.score).slice(0, MAX_MATCHES);
      return best.map(({ named }) => named);
    },
    elsewhere(address, chainId) {
      const there = deploymentsAt(address);
      return there.some((deployment) => parseChainId(deployment.chainId) === chainId) ? [] : there;
    },
    onDidChange(listener, thisArgs, owners) {
      const listens = () => listener.call(thisArgs);
      listeners.add(listens);
      const ends = { dispose: () => void listeners.delete(listens) };
      owners?.push(ends);
      return ends;
    },
    dispose() {
      listeners.clear();
      for (const each of listening) each.dispose();
    },
  };
}

function orderOf({ provider }: AddressName): number {
  return provider === 'standard' ? 1 : 0;
}

/** What stands before a contract says less of it than any name that somebody gave. */
function rankOf({ name, provider }: AddressName): number {
  const isBareProxy = provider === 'deployment' && /proxy$/i.test(name);
  return isBareProxy ? nameProviderIds.length : nameProviderIds.indexOf(provider);
}

function gather(
  givers: readonly NameProvider[],
  chainId: number,
): ReadonlyMap<Address, readonly AddressName[]> {
  const names = givers
    .flatMap((giver) => giver.names(chainId))
    .filter((name) => name.chainId === undefined || name.chainId === chainId)
    .sort((a, b) => rankOf(a) - rankOf(b));
  const found = new Map<Address, AddressName[]>();
  for (const { address, chainId: _, ...name } of names) {
    const known = found.get(address);
    if (!known) found.set(address, [name]);
    else if (!known.some((other) => other.name === name.name)) known.push(name);
  }
  return found;
}

/** The user's own labels of a chain. */
export function toUserNames(labels: Iterable<readonly [Address, string]>, chainId: number): ProvidedName[] {
  return toProvidedNames(
    [...labels].map(([address, name]) => ({ address, name })),
    ({ address, name }) => ({ address, name, chainId, provider: 'mine' }),
  );
}

/** Addresses that are the same everywhere. */
export const standardNames: readonly ProvidedName[] = knownAddresses.map(({ address, name, source }) => ({
  address,
  name,
  provider: 'standard',
  chainId: undefined,
  file: source,
}));

/** Contracts by where they are deployed; one that is not named by its file is none. */
export function toDeploymentNames(deployments: readonly IndexedDeployment[]): ProvidedName[] {
  return toProvidedNames(deployments, ({ address, contract, chainId, file }) => {
    const chain = parseChainId(chainId);
    return contract === undefined || chain === undefined
      ? undefined
      : { address, name: contract, chainId: chain, provider: 'deployment', file };
  });
}

/** Labels of `foundry.toml`; of any other file they are constants of the code. */
export function toFoundryNames(labels: readonly IndexedLabel[]): ProvidedName[] {
  return toProvidedNames(labels, ({ address, name, chainId, file }) => {
    return { address, name, chainId: parseChainId(chainId), provider: getFileProvider(file), file };
  });
}

function getFileProvider(file: string): NameProviderId {
  if (/(?:^|\/)foundry\.toml$/.test(file)) return 'foundry';
  return `/${file}`.endsWith(`/${teamLabelsPath}`) ? 'label' : 'constant';
}

/** What the team has labelled in `file`. */
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
  facts: readonly T[],
  name: (fact: T) => ProvidedName | undefined,
): ProvidedName[] {
  return facts.flatMap((fact) => {
    const found = name(fact);
    const text = found && toAddressName(found.name);
    return found && text !== undefined ? [{ ...found, name: text }] : [];
  });
}
