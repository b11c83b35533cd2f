import type {
  AbiLookup,
  ActiveImplementation,
  Candidate,
  CandidateTiers,
  ChainAddress,
  ContractVersions,
  Trust,
  VersionedCandidate,
  VersionedLookup,
} from '../abi/candidates.ts';
import type { AbiEvent } from '../abi/item.ts';
import {
  type AbiResolver,
  type ContractAbi,
  contractAbiId,
  createAbiLookup,
  type LocatedItem,
  mergeLookups,
} from '../abi/lookup.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import type { ImplementationHistory, ImplementationPeriod } from './implementationHistory.ts';
import { isUpgradeEvent } from './upgradeEvents.ts';

export interface HistoryLookup {
  /** Undefined if nothing was read of the address. */
  historyOf(at: ChainAddress): ImplementationHistory | undefined;
}

export interface VersionLookup extends VersionedLookup {
  versionsAt(at: ChainAddress): ContractVersions;
  /** Drops cached results. Call it when histories or ABIs have changed. */
  refresh(): void;
  /**
   * The contracts whose histories are needed to decode these logs reliably, each with the last block needed.
   * Not needed for events that only bundled lists contain, as they mean the same in any version; nor for a
   * deployed contract whose ABI has the event and shows no sign of a proxy, as it has one version.
   */
  missingHistories(
    logs: Iterable<LookupLog>,
    chainId: number,
    chainKey?: string,
  ): ReadonlyMap<Address, bigint>;
  /** The implementations that may have emitted these logs and have no known ABI. */
  missingAbis(logs: Iterable<LookupLog>, chainId: number, chainKey?: string): ReadonlySet<Address>;
}

type LookupLog = Pick<Log, 'address' | 'topics' | 'blockNumber' | 'transactionIndex' | 'logIndex'>;

/**
 * Combines lookups, the most trusted first, and decodes each log with the code in force at its position
 * rather than the current code of the address.
 *
 * @example
 * const lookup = createVersionLookup({ lookups: [index.lookup, bundled], known: index, histories });
 * createLogDecoder({ lookup, chainId: 1 }).decode(log);
 */
export function createVersionLookup({
  lookups,
  known: resolver,
  histories,
}: {
  readonly lookups: readonly AbiLookup[];
  readonly known: AbiResolver;
  readonly histories: HistoryLookup;
}): VersionLookup {
  const merged = mergeLookups(...lookups);
  const cache = new Map<
    string,
    { readonly history: ImplementationHistory; readonly versions: ContractVersions }
  >();

  /** Whether the version of the contract may matter for a log. */
  function needsVersion(topic0: Hex | undefined, at: ChainAddress): boolean {
    const candidates = merged.events(topic0, at);
    // An event that the contract's ABI lacks may come from code behind it.
    if (candidates.length === 0) return resolver.abiAt(at)?.items !== undefined;
    const [first, ...others] = candidates.filter(({ origin }) => !isGenericTrust(origin.trust));
    if (!first) return false;
    if (others.length > 0 || !isAddressTrust(first.origin.trust)) return true;
    const items = resolver.abiAt(at)?.items;
    return items?.some(({ text }) => isUpgradeEvent(text) || MADE_FOR_PROXIES.test(text)) ?? true;
  }

  function versionsAt(at: ChainAddress): ContractVersions {
    const history = histories.historyOf(at) ?? NOTHING_READ;
    const key = getHistoryKey(at);
    const cached = cache.get(key);
    if (cached?.history === history) return cached.versions;
    if (cache.size >= MAX_CACHED_CONTRACTS) cache.clear();
    const { chainKey: _, ...place } = at;
    const versions = createVersions(place, history);
    cache.set(key, { history, versions });
    return versions;
  }

  function createVersions(at: ChainAddress, history: ImplementationHistory): ContractVersions {
    const declared = (topic0: Hex | undefined) => lookups.flatMap((lookup) => lookup.events(topic0));
    const versionCandidates = createVersionCandidates(history, { resolver, declared, at });
    const plain = (topic0: Hex | undefined): CandidateTiers => ({
      tiers: [merged.events(topic0, at)],
      against: [],
      mustAgree: false,
      reason: undefined,
      code: undefined,
    });
    // What only bundled lists declare means the same in any code, and a file may name the account itself.
    const getDelegatedTiers = (topic0: Hex | undefined): CandidateTiers => {
      const candidates = merged.events(topic0, at);
      const [first] = candidates.filter(({ origin }) => !isGenericTrust(origin.trust));
      const possible = versionCandidates.listVersionEvents(topic0);
      if (first?.origin.trust === 'deployment' || (!first && possible.length === 0)) return plain(topic0);
      const against = [...possible, ...candidates];
      return { tiers: [], against, mustAgree: true, reason: 'delegated', code: undefined };
    };
    return {
      isUnversioned: (topic0) => history === NOTHING_READ && !needsVersion(topic0, at),
      versionAt: history.periodAt,
      allCandidates: -1,
      candidateTiers(topic0, version) {
        const period = history.periods[version] ?? UNREAD;
        if (period.reason === 'delegated') return getDelegatedTiers(topic0);
        const hasOneVersion = history.isEmpty && period.reason === undefined;
        if (hasOneVersion || (period.reason === 'unread' && !needsVersion(topic0, at))) return plain(topic0);
        return versionCandidates.getTiers(period, topic0);
      },
      layouts: versionCandidates.layouts,
    };
  }

  function findPeriod(
    { address, blockNumber, transactionIndex, logIndex }: LookupLog,
    chain: Omit<ChainAddress, 'address'>,
  ) {
    const history = histories.historyOf({ ...chain, address });
    return history?.periods[history.periodAt(Number(blockNumber), transactionIndex, logIndex)];
  }

  return {
    ...merged,
    versionsAt,
    refresh: () => cache.clear(),
    missingHistories(logs, chainId, chainKey) {
      const found = new Map<Address, bigint>();
      const needed = new Map<string, boolean>();
      for (const log of logs) {
        const { address, topics, blockNumber } = log;
        const at = { address, chainId };
        const [topic0] = topics;
        const period = findPeriod(log, { chainId, chainKey });
        if (period && period.reason !== 'unread' && period.reason !== 'uncertain') continue;
        const key = `${address} ${topic0}`;
        const isNeeded = needed.get(key) ?? needsVersion(topic0, at);
        needed.set(key, isNeeded);
        if (isNeeded && (found.get(address) ?? -1n) < blockNumber) found.set(address, blockNumber);
      }
      return found;
    },
    missingAbis(logs, chainId, chainKey) {
      const found = new Set<Address>();
      for (const log of logs) {
        const { code = [], earlier = [], later = [] } = findPeriod(log, { chainId, chainKey }) ?? {};
        for (const { address } of [...code, ...earlier, ...later]) {
          if (!resolver.abiAt({ address, chainId })) found.add(address);
        }
      }
      return found;
    },
  };
}

/** Two development chains with one chain ID have different histories at one address. */
export function getHistoryKey({ address, chainId, chainKey = `${chainId}` }: ChainAddress): string {
  return `${chainKey} ${address}`;
}

const MAX_CACHED_CONTRACTS = 1000;
/** ABI items that hint at a contract behind a proxy; files may list it under the proxy's address. */
const MADE_FOR_PROXIES =
  /^(?:event Initialized\(|function (?:upgrade|initialize|proxiableUUID|changeMasterCopy|diamondCut))/;

/** Before any history was read. */
const UNREAD: ImplementationPeriod = {
  from: { block: 0, transaction: 0, log: 0 },
  code: undefined,
  reason: 'unread',
  earlier: [],
  later: [],
};
const NOTHING_READ: ImplementationHistory = {
  periods: [UNREAD],
  all: [],
  isEmpty: false,
  periodAt: () => 0,
};

/** Whether an item is known to be in the current ABI of the contract at the address. */
function isAddressTrust(trust: Trust): boolean {
  return trust === 'deployment' || trust === 'verified' || trust === 'partlyVerified' || trust === 'twin';
}

/** Whether an item belongs to no contract, so that it means the same in any version. */
function isGenericTrust(trust: Trust): boolean {
  return trust === 'bundled' || trust === 'signatures';
}

interface VersionInputs {
  readonly resolver: AbiResolver;
  /**
   * Events with a topic0 wherever they are declared, those of the most trusted lists first; those of an
   * address are left out.
   */
  readonly declared: (topic0: Hex | undefined) => readonly Candidate<AbiEvent>[];
  readonly at: ChainAddress;
}

interface CodeVersion {
  readonly abi: ContractAbi;
  readonly events: (topic0: Hex | undefined) => readonly Candidate<AbiEvent>[];
  /** Several implementations may share one ABI by name. Only the last one in force certainly has it. */
  readonly isLatest: boolean;
}

/** OpenZeppelin's UUPS proxies before 4.5 emitted `Upgraded` after the initializer of the new code. */
const UUPS_UPGRADE_FUNCTION = /^function upgradeToAndCall\(address[^)]*, bytes/;
const OPENZEPPELIN_4_5_FUNCTION = /^function proxiableUUID\(/;

/**
 * The candidates for logs of a contract, by period. If the code in force and its ABI are known, its events
 * come first; an event that the ABI lacks may come from code that ran in the same transaction, from the proxy
 * itself, or from a library. If they are unknown, a decoding counts only if all possible emitters agree on
 * it.
 */
function createVersionCandidates(history: ImplementationHistory, { resolver, declared, at }: VersionInputs) {
  const own = readVersion(at.address, () => false);
  const versions = readVersions();
  const isProxyItself = sharesNoFunction(own, versions);
  const ids = new Set(Array.from(versions.values(), ({ abi }) => abi.id));

  function readVersion(address: Address, isUsed: (id: string) => boolean): CodeVersion | undefined {
    const abi = resolver.abiAt({ ...at, address });
    return abi && { abi, events: createAbiLookup(abi.items ?? []).events, isLatest: !isUsed(abi.id) };
  }

  function readVersions(): ReadonlyMap<Address, CodeVersion> {
    const found = new Map<Address, CodeVersion>();
    const usedAbis = new Set<string>();
    for (const { address } of history.all.toReversed()) {
      const version = readVersion(address, (id) => usedAbis.has(id));
      if (!version) continue;
      found.set(address, version);
      usedAbis.add(version.abi.id);
    }
    return found;
  }

  function listEvents(
    code: readonly ActiveImplementation[],
    topic0: Hex | undefined,
  ): readonly VersionedCandidate[] {
    return code.flatMap((implementation) => {
      const version = versions.get(implementation.address);
      if (!version?.isLatest) return [];
      return version.events(topic0).map((candidate) => ({ ...candidate, code: implementation }));
    });
  }

  /** Declared somewhere, and not only by another version. */
  function listDeclaredElsewhere(topic0: Hex | undefined): readonly VersionedCandidate[] {
    return declared(topic0).filter((candidate) => !isOfVersion(candidate));
  }

  function isOfVersion({ origin }: Pick<Candidate, 'origin'>): boolean {
    return !isBundled({ origin }) && ids.has(contractAbiId(origin));
  }

  /** The events of all versions, and of lists that contain them. */
  function listVersionEvents(topic0: Hex | undefined): readonly VersionedCandidate[] {
    return [...listEvents(history.all, topic0), ...declared(topic0).filter(isOfVersion)];
  }

  /** The code in force and its ABI are known. */
  function getKnownTiers(
    period: ImplementationPeriod,
    code: readonly ActiveImplementation[],
    topic0: Hex | undefined,
  ): CandidateTiers {
    const emitsEarly = code.some(({ address }) => emitsBeforeUpgraded(versions.get(address)));
    const inForce = listEvents(emitsEarly ? [...code, ...period.later] : code, topic0);
    const hasAllAbis = code.every(({ address }) => hasAbi(versions.get(address)));
    const [only] = code.length === 1 ? code : [];
    if (inForce.length > 0) return { ...toTiers([inForce]), code: only };
    if (!hasAllAbis) return getTiersWithoutAbi(code, topic0);
    const sameTransaction = listEvents([...period.earlier, ...period.later], topic0);
    const proxyEvents = own && !ids.has(own.abi.id) ? own.events(topic0) : [];
    const tiers = [sameTransaction, proxyEvents, listDeclaredElsewhere(topic0)];
    return { ...toTiers(tiers, listVersionEvents(topic0)), code: only };
  }

  /** The code in force is known, but not every ABI. */
  function getTiersWithoutAbi(
    code: readonly ActiveImplementation[],
    topic0: Hex | undefined,
  ): CandidateTiers {
    const [only] = code.length === 1 ? code : [];
    const sharedAbiEvents = code.flatMap((implementation) => {
      const version = versions.get(implementation.address);
      return version && !version.isLatest ? version.events(topic0).map(asWorkspace) : [];
    });
    const isNewest = only !== undefined && history.all.at(-1)?.address === only.address;
    // The address may not be a proxy and may declare the event itself: then none of its "implementations" has an ABI.
    const isOwn = versions.size === 0 || isProxyItself || (isNewest && !ids.has(own?.abi.id ?? ''));
    const ownEvents = isOwn ? (own?.events(topic0) ?? []) : [];
    // A contract with a known name is not one of the workspace's other contracts.
    const isNamed = code.some(({ address }) => isWithoutAbi(versions.get(address)));
    const declaredElsewhere = listDeclaredElsewhere(topic0);
    const likely = [
      ...ownEvents,
      ...sharedAbiEvents,
      ...(isNamed ? declaredElsewhere.filter(isBundled) : declaredElsewhere),
    ];
    return {
      ...toTiers(
        [likely],
        [...listVersionEvents(topic0), ...(own?.events(topic0) ?? []), ...declaredElsewhere],
      ),
      code: only,
      reason: 'noAbi',
    };
  }

  /** The code in force is unknown. */
  function getUnknownTiers(
    reason: NonNullable<ImplementationPeriod['reason']>,
    topic0: Hex | undefined,
  ): CandidateTiers {
    const ownEvents = own?.events(topic0) ?? [];
    const anyVersion = listVersionEvents(topic0);
    // The code that the constructor has set is not one of the other versions.
    if (reason === 'constructor' && versions.size > 0) {
      const likely = isProxyItself
        ? [...ownEvents, ...listDeclaredElsewhere(topic0)]
        : listDeclaredElsewhere(topic0);
      return { ...toTiers([likely], [...anyVersion, ...ownEvents]), reason };
    }
    return { ...toTiers([[...ownEvents, ...anyVersion, ...declared(topic0)]]), reason };
  }

  return {
    getTiers({ code, reason, ...period }: ImplementationPeriod, topic0: Hex | undefined): CandidateTiers {
      if (reason || !code) return getUnknownTiers(reason ?? 'uncertain', topic0);
      return getKnownTiers({ ...period, code, reason }, code, topic0);
    },
    listVersionEvents,
    /** The events of all versions, the newest first. */
    layouts: (topic0: Hex) => listEvents(history.all.toReversed(), topic0).map(({ item }) => item),
  };
}

function toTiers(tiers: CandidateTiers['tiers'], against: CandidateTiers['against'] = []): CandidateTiers {
  return { tiers, against, mustAgree: true, reason: undefined, code: undefined };
}

/**
 * Files may list the current implementation under the proxy's address. An ABI without any function of a
 * version is the proxy's own.
 */
function sharesNoFunction(
  own: CodeVersion | undefined,
  versions: ReadonlyMap<Address, CodeVersion>,
): boolean {
  const functionTexts = Array.from(versions.values(), ({ abi }) => listFunctions(abi.items ?? []));
  const functions = new Set(functionTexts.flat());
  return functions.size > 0 && !listFunctions(own?.abi.items ?? []).some((text) => functions.has(text));
}

function listFunctions(items: readonly LocatedItem[]): readonly string[] {
  return items.flatMap(({ text }) => (text.startsWith('function ') ? [text] : []));
}

function isBundled({ origin }: Pick<Candidate, 'origin'>): boolean {
  return origin.trust === 'bundled';
}

function hasAbi(version: CodeVersion | undefined): boolean {
  return version?.abi.items !== undefined && version.isLatest;
}

function isWithoutAbi(version: CodeVersion | undefined): boolean {
  return version !== undefined && version.abi.items === undefined;
}

function emitsBeforeUpgraded(version: CodeVersion | undefined): boolean {
  const items = version?.abi.items ?? [];
  return (
    items.some(({ text }) => UUPS_UPGRADE_FUNCTION.test(text)) &&
    !items.some(({ text }) => OPENZEPPELIN_4_5_FUNCTION.test(text))
  );
}

function asWorkspace(candidate: Candidate<AbiEvent>): Candidate<AbiEvent> {
  return { ...candidate, origin: { ...candidate.origin, trust: 'workspace' } };
}
