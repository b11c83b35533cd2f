import {
  type AbiLookup,
  type ActiveImplementation,
  type Candidate,
  type CandidateTiers,
  type ChainAddress,
  type ContractVersions,
  chainAddressKey,
  type Trust,
  type VersionedCandidate,
  type VersionedLookup,
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

/** Tells which code ran at addresses, as far as that has been read. */
export interface HistoryLookup {
  /** Undefined where nothing was read of the address. */
  historyOf(at: ChainAddress): ImplementationHistory | undefined;
}

/** A lookup that knows of upgrades. */
export interface VersionLookup extends VersionedLookup {
  versionsAt(at: ChainAddress): ContractVersions;
  /** To be called when what is known of code or events has changed: what follows from it is kept. */
  refresh(): void;
  /**
   * Whose upgrades must be read before these logs can be decoded for sure, and through which block. Of what only
   * bundled lists know, any version of a contract means the same; and a deployed contract that has the event itself,
   * and nothing that is made for proxies, has one version.
   */
  missingHistories(logs: Iterable<WantedLog>, chainId: number): ReadonlyMap<Address, bigint>;
  /** The code that may have run at these logs, by what is read of upgrades, whose ABI nobody knows. */
  missingAbis(logs: Iterable<WantedLog>, chainId: number): ReadonlySet<Address>;
}

type WantedLog = Pick<Log, 'address' | 'topics' | 'blockNumber' | 'transactionIndex' | 'logIndex'>;

/** Contracts whose versions are kept ready. */
const MAX_CACHED_CONTRACTS = 1000;
/** What contracts have that stand behind proxies, under whose address files may name them. */
const MADE_FOR_PROXIES =
  /^(?:event (?:Upgraded|BeaconUpgraded|Initialized|DiamondCut|ChangedMasterCopy)\(|function (?:upgrade|initialize|proxiableUUID|changeMasterCopy|diamondCut))/;

/** Before anything was read. */
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

/**
 * What several lookups know, the most trusted first, at the place of each log: what the code in force there says, not
 * what the address has by now.
 *
 * @example
 * const lookup = createVersionLookup({ lookups: [index.lookup, bundled], known: index, histories });
 * createLogDecoder({ lookup, chainId: 1 }).decode(log);
 */
export function createVersionLookup({
  lookups,
  known,
  histories,
}: {
  readonly lookups: readonly AbiLookup[];
  readonly known: AbiResolver;
  readonly histories: HistoryLookup;
}): VersionLookup {
  const joined = mergeLookups(...lookups);
  const kept = new Map<
    string,
    { readonly history: ImplementationHistory; readonly versions: ContractVersions }
  >();

  /** Whether it may matter which version of a contract a log is of. */
  function isWanted(topic0: Hex | undefined, at: ChainAddress): boolean {
    const any = joined.events(topic0, at);
    // Of a contract whose ABI does not have it, it may be of code behind that.
    if (any.length === 0) return known.abiAt(at)?.items !== undefined;
    const [first, ...others] = any.filter(({ origin }) => !isOfNoContract(origin.trust));
    if (!first) return false;
    if (others.length > 0 || !isOfTheAddress(first.origin.trust)) return true;
    return known.abiAt(at)?.items?.some(({ text }) => MADE_FOR_PROXIES.test(text)) ?? true;
  }

  function versionsAt(at: ChainAddress): ContractVersions {
    const history = histories.historyOf(at) ?? NOTHING_READ;
    const key = chainAddressKey(at);
    const before = kept.get(key);
    if (before?.history === history) return before.versions;
    if (kept.size >= MAX_CACHED_CONTRACTS) kept.clear();
    const versions = makeVersions(at, history);
    kept.set(key, { history, versions });
    return versions;
  }

  function makeVersions(at: ChainAddress, history: ImplementationHistory): ContractVersions {
    const declared = (topic0: Hex | undefined) => lookups.flatMap((lookup) => lookup.events(topic0));
    const readings = createVersionCandidates(history, { known, declared, at });
    const plain = (topic0: Hex | undefined): CandidateTiers => ({
      tiers: [joined.events(topic0, at)],
      against: [],
      mustAgree: false,
      reason: undefined,
      code: undefined,
    });
    return {
      isUnversioned: (topic0) => history === NOTHING_READ && !isWanted(topic0, at),
      versionAt: history.periodAt,
      allCandidates: -1,
      candidateTiers(topic0, version) {
        const stretch = history.periods[version] ?? UNREAD;
        const isOne = history.isEmpty && stretch.reason === undefined;
        if (isOne || (stretch.reason === 'unread' && !isWanted(topic0, at))) return plain(topic0);
        return readings.of(stretch, topic0);
      },
      layouts: readings.layouts,
    };
  }

  function stretchOf({ address, blockNumber, transactionIndex, logIndex }: WantedLog, chainId: number) {
    const history = histories.historyOf({ address, chainId });
    return history?.periods[history.periodAt(Number(blockNumber), transactionIndex, logIndex)];
  }

  return {
    ...joined,
    versionsAt,
    refresh: () => kept.clear(),
    missingHistories(logs, chainId) {
      const found = new Map<Address, bigint>();
      const wanted = new Map<string, boolean>();
      for (const log of logs) {
        const { address, topics, blockNumber } = log;
        const at = { address, chainId };
        const [topic0] = topics;
        const stretch = stretchOf(log, chainId);
        if (stretch && stretch.reason !== 'unread' && stretch.reason !== 'uncertain') continue;
        const key = `${address} ${topic0}`;
        const isOne = wanted.get(key) ?? isWanted(topic0, at);
        wanted.set(key, isOne);
        if (isOne && (found.get(address) ?? -1n) < blockNumber) found.set(address, blockNumber);
      }
      return found;
    },
    missingAbis(logs, chainId) {
      const found = new Set<Address>();
      for (const log of logs) {
        const { code = [], earlier = [], later = [] } = stretchOf(log, chainId) ?? {};
        for (const { address } of [...code, ...earlier, ...later]) {
          if (!known.abiAt({ address, chainId })) found.add(address);
        }
      }
      return found;
    },
  };
}

/** Of these it is known that the very contract at an address has an item, as it is now. */
function isOfTheAddress(trust: Trust): boolean {
  return trust === 'deployment' || trust === 'verified' || trust === 'partlyVerified' || trust === 'twin';
}

/** Of what lists say that belong to no contract, any version means the same. */
function isOfNoContract(trust: Trust): boolean {
  return trust === 'bundled' || trust === 'signatures';
}

/** What is known beside the history of a contract. */
export interface VersionInputs {
  readonly known: AbiResolver;
  /** Events of a topic0 wherever they are declared, the most trusted lists first. Those of an address stay out. */
  readonly declared: (topic0: Hex | undefined) => readonly Candidate<AbiEvent>[];
  readonly at: ChainAddress;
}

/** What code is known to have emitted. */
interface ReadCode {
  readonly abi: ContractAbi;
  readonly events: (topic0: Hex | undefined) => readonly Candidate<AbiEvent>[];
  /** Of an ABI that was found for several, the last that was in force has it: it may have been another before. */
  readonly isLatest: boolean;
}

/** Until version 4.4 a UUPS proxy of OpenZeppelin emitted `Upgraded` behind what the new code did at its start. */
const UPGRADES_ITSELF = /^function upgradeToAndCall\(address[^)]*, bytes/;
const SAYS_SO_FIRST = /^function proxiableUUID\(/;

/**
 * What logs of a contract may be, by the stretch of its history in which they are. Where the code in force is known,
 * its events count; what its ABI does not have may be of code that ran in the same transaction, of the proxy itself, or
 * of a library. Where it is not known, a reading counts that all say alike who may be meant.
 */
function createVersionCandidates(history: ImplementationHistory, { known, declared, at }: VersionInputs) {
  const own = read(at.address, () => false);
  const versions = readVersions();
  const isProxyItself = sharesNoFunction(own, versions);
  const ids = new Set(Array.from(versions.values(), ({ abi }) => abi.id));

  function read(address: Address, isTaken: (id: string) => boolean): ReadCode | undefined {
    const abi = known.abiAt({ ...at, address });
    return abi && { abi, events: createAbiLookup(abi.items ?? []).events, isLatest: !isTaken(abi.id) };
  }

  function readVersions(): ReadonlyMap<Address, ReadCode> {
    const found = new Map<Address, ReadCode>();
    const taken = new Set<string>();
    for (const { address } of history.all.toReversed()) {
      const version = read(address, (id) => taken.has(id));
      if (!version) continue;
      found.set(address, version);
      taken.add(version.abi.id);
    }
    return found;
  }

  function eventsOf(
    code: readonly ActiveImplementation[],
    topic0: Hex | undefined,
  ): readonly VersionedCandidate[] {
    return code.flatMap((one) => {
      const version = versions.get(one.address);
      if (!version?.isLatest) return [];
      return version.events(topic0).map((candidate) => ({ ...candidate, code: one }));
    });
  }

  /** What is declared somewhere, and not by another version alone. */
  function elsewhere(topic0: Hex | undefined): readonly VersionedCandidate[] {
    return declared(topic0).filter((candidate) => !isOfVersion(candidate));
  }

  function isOfVersion({ origin }: Pick<Candidate, 'origin'>): boolean {
    return !isBundled({ origin }) && ids.has(contractAbiId(origin));
  }

  /** What other versions have, and lists say because of them. */
  function ofVersions(topic0: Hex | undefined): readonly VersionedCandidate[] {
    return [...eventsOf(history.all, topic0), ...declared(topic0).filter(isOfVersion)];
  }

  /** The code in force and its ABI are known. */
  function sure(
    stretch: ImplementationPeriod,
    code: readonly ActiveImplementation[],
    topic0: Hex | undefined,
  ): CandidateTiers {
    const starts = code.some(({ address }) => startsBeforeItSays(versions.get(address)));
    const inForce = eventsOf(starts ? [...code, ...stretch.later] : code, topic0);
    const isAllKnown = code.every(({ address }) => hasAbi(versions.get(address)));
    const [only] = code.length === 1 ? code : [];
    if (inForce.length > 0) return { ...readingsOf([inForce]), code: only };
    if (!isAllKnown) return unsure(code, topic0);
    const beside = eventsOf([...stretch.earlier, ...stretch.later], topic0);
    const ofProxy = own && !ids.has(own.abi.id) ? own.events(topic0) : [];
    const tiers = [beside, ofProxy, elsewhere(topic0)];
    return { ...readingsOf(tiers, ofVersions(topic0)), code: only };
  }

  /** The code in force is known, its ABI is not, or not all of them are. */
  function unsure(code: readonly ActiveImplementation[], topic0: Hex | undefined): CandidateTiers {
    const [only] = code.length === 1 ? code : [];
    const again = code.flatMap((one) => {
      const version = versions.get(one.address);
      return version && !version.isLatest ? version.events(topic0).map(asWorkspace) : [];
    });
    const isNewest = only !== undefined && history.all.at(-1)?.address === only.address;
    // An address that is no proxy may have an event of that name: then none of its `implementations` has an ABI.
    const isOwn = versions.size === 0 || isProxyItself || (isNewest && !ids.has(own?.abi.id ?? ''));
    const ofOwn = isOwn ? (own?.events(topic0) ?? []) : [];
    // A contract that is known by its name is none of the others that the workspace has.
    const isNamed = code.some(({ address }) => isWithoutAbi(versions.get(address)));
    const found = elsewhere(topic0);
    const likely = [...ofOwn, ...again, ...(isNamed ? found.filter(isBundled) : found)];
    return {
      ...readingsOf([likely], [...ofVersions(topic0), ...(own?.events(topic0) ?? []), ...found]),
      code: only,
      reason: 'noAbi',
    };
  }

  /** Which code was in force is not known. */
  function doubted(
    doubt: NonNullable<ImplementationPeriod['reason']>,
    topic0: Hex | undefined,
  ): CandidateTiers {
    const ofOwn = own?.events(topic0) ?? [];
    const anyVersion = ofVersions(topic0);
    // What other versions say is none of what the constructor has set.
    if (doubt === 'constructor' && versions.size > 0) {
      const likely = isProxyItself ? [...ofOwn, ...elsewhere(topic0)] : elsewhere(topic0);
      return { ...readingsOf([likely], [...anyVersion, ...ofOwn]), reason: doubt };
    }
    return { ...readingsOf([[...ofOwn, ...anyVersion, ...declared(topic0)]]), reason: doubt };
  }

  return {
    of({ code, reason, ...stretch }: ImplementationPeriod, topic0: Hex | undefined): CandidateTiers {
      if (reason || !code) return doubted(reason ?? 'uncertain', topic0);
      return sure({ ...stretch, code, reason }, code, topic0);
    },
    /** The events of all versions, the newest first. */
    layouts: (topic0: Hex) => eventsOf(history.all.toReversed(), topic0).map(({ item }) => item),
  };
}

function readingsOf(tiers: CandidateTiers['tiers'], against: CandidateTiers['against'] = []): CandidateTiers {
  return { tiers, against, mustAgree: true, reason: undefined, code: undefined };
}

/** Files may call a proxy by what is behind it now. What has no function of any version is the proxy's own code. */
function sharesNoFunction(own: ReadCode | undefined, versions: ReadonlyMap<Address, ReadCode>): boolean {
  const all = Array.from(versions.values(), ({ abi }) => functionsOf(abi.items ?? []));
  const functions = new Set(all.flat());
  return functions.size > 0 && !functionsOf(own?.abi.items ?? []).some((text) => functions.has(text));
}

function functionsOf(items: readonly LocatedItem[]): readonly string[] {
  return items.flatMap(({ text }) => (text.startsWith('function ') ? [text] : []));
}

function isBundled({ origin }: Pick<Candidate, 'origin'>): boolean {
  return origin.trust === 'bundled';
}

function hasAbi(version: ReadCode | undefined): boolean {
  return version?.abi.items !== undefined && version.isLatest;
}

function isWithoutAbi(version: ReadCode | undefined): boolean {
  return version !== undefined && version.abi.items === undefined;
}

function startsBeforeItSays(version: ReadCode | undefined): boolean {
  const items = version?.abi.items ?? [];
  return (
    items.some(({ text }) => UPGRADES_ITSELF.test(text)) &&
    !items.some(({ text }) => SAYS_SO_FIRST.test(text))
  );
}

function asWorkspace(candidate: Candidate<AbiEvent>): Candidate<AbiEvent> {
  return { ...candidate, origin: { ...candidate.origin, trust: 'workspace' } };
}
