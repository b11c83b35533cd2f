import { type AbiLookup, type OnChain, onChainKey, type Trust } from '../abi/candidates.ts';
import type { CodeVersions, Readings, VersionedLookup } from '../abi/codeVersions.ts';
import { joinLookups } from '../abi/lookup/abiLookup.ts';
import type { KnownCode } from '../abi/lookup/knownCode.ts';
import type { Log } from '../logs/query/log.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import type { CodeHistory, Stretch } from './codeHistory.ts';
import { createVersionReadings } from './versionReadings.ts';

/** Tells which code ran at addresses, as far as that has been read. */
export interface KnownHistories {
  /** Undefined where nothing was read of the address. */
  historyOf(at: OnChain): CodeHistory | undefined;
}

/** A lookup that knows of upgrades. */
export interface VersionLookup extends VersionedLookup {
  versionsAt(at: OnChain): CodeVersions;
  /** To be called when what is known of code or events has changed: what follows from it is kept. */
  renew(): void;
  /**
   * Whose upgrades must be read before these logs can be decoded for sure, and through which block. Of what only
   * bundled lists know, any version of a contract means the same; and a deployed contract that has the event itself,
   * and nothing that is made for proxies, has one version.
   */
  lacking(logs: Iterable<WantedLog>, chainId: number): ReadonlyMap<Address, bigint>;
  /** The code that may have run at these logs, by what is read of upgrades, whose ABI nobody knows. */
  codeLacking(logs: Iterable<WantedLog>, chainId: number): ReadonlySet<Address>;
}

type WantedLog = Pick<Log, 'address' | 'topics' | 'blockNumber' | 'transactionIndex' | 'logIndex'>;

/** Contracts whose versions are kept ready. */
const MOST_KEPT = 1000;
/** What contracts have that stand behind proxies, under whose address files may name them. */
const MADE_FOR_PROXIES =
  /^(?:event (?:Upgraded|BeaconUpgraded|Initialized|DiamondCut|ChangedMasterCopy)\(|function (?:upgrade|initialize|proxiableUUID|changeMasterCopy|diamondCut))/;

/** Before anything was read. */
const UNREAD: Stretch = {
  ...{ from: { block: 0, transaction: 0, log: 0 }, code: undefined, doubt: 'unread' },
  ...{ earlier: [], later: [] },
};
const NOTHING_READ: CodeHistory = { stretches: [UNREAD], all: [], isEmpty: false, stretchAt: () => 0 };

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
  readonly known: KnownCode;
  readonly histories: KnownHistories;
}): VersionLookup {
  const joined = joinLookups(...lookups);
  const kept = new Map<string, { readonly history: CodeHistory; readonly versions: CodeVersions }>();

  /** Whether it may matter which version of a contract a log is of. */
  function isWanted(topic0: Hex | undefined, at: OnChain): boolean {
    const any = joined.events(topic0, at);
    // Of a contract whose ABI does not have it, it may be of code behind that.
    if (any.length === 0) return known.abiAt(at)?.items !== undefined;
    const [first, ...others] = any.filter(({ origin }) => !isOfNoContract(origin.trust));
    if (!first) return false;
    if (others.length > 0 || !isOfTheAddress(first.origin.trust)) return true;
    return known.abiAt(at)?.items?.some(({ text }) => MADE_FOR_PROXIES.test(text)) ?? true;
  }

  function versionsAt(at: OnChain): CodeVersions {
    const history = histories.historyOf(at) ?? NOTHING_READ;
    const key = onChainKey(at);
    const before = kept.get(key);
    if (before?.history === history) return before.versions;
    if (kept.size >= MOST_KEPT) kept.clear();
    const versions = makeVersions(at, history);
    kept.set(key, { history, versions });
    return versions;
  }

  function makeVersions(at: OnChain, history: CodeHistory): CodeVersions {
    const declared = (topic0: Hex | undefined) => lookups.flatMap((lookup) => lookup.events(topic0));
    const readings = createVersionReadings(history, { known, declared, at });
    const plain = (topic0: Hex | undefined): Readings => ({
      ...{ tiers: [joined.events(topic0, at)], against: [], mustAgree: false },
      ...{ doubt: undefined, code: undefined },
    });
    return {
      isPlain: (topic0) => history === NOTHING_READ && !isWanted(topic0, at),
      versionAt: history.stretchAt,
      anywhere: -1,
      readings(topic0, version) {
        const stretch = history.stretches[version] ?? UNREAD;
        const isOne = history.isEmpty && stretch.doubt === undefined;
        if (isOne || (stretch.doubt === 'unread' && !isWanted(topic0, at))) return plain(topic0);
        return readings.of(stretch, topic0);
      },
      layouts: readings.layouts,
    };
  }

  function stretchOf({ address, blockNumber, transactionIndex, logIndex }: WantedLog, chainId: number) {
    const history = histories.historyOf({ address, chainId });
    return history?.stretches[history.stretchAt(Number(blockNumber), transactionIndex, logIndex)];
  }

  return {
    ...joined,
    versionsAt,
    renew: () => kept.clear(),
    lacking(logs, chainId) {
      const found = new Map<Address, bigint>();
      const wanted = new Map<string, boolean>();
      for (const log of logs) {
        const { address, topics, blockNumber } = log;
        const at = { address, chainId };
        const [topic0] = topics;
        const stretch = stretchOf(log, chainId);
        if (stretch && stretch.doubt !== 'unread' && stretch.doubt !== 'uncertain') continue;
        const key = `${address} ${topic0}`;
        const isOne = wanted.get(key) ?? isWanted(topic0, at);
        wanted.set(key, isOne);
        if (isOne && (found.get(address) ?? -1n) < blockNumber) found.set(address, blockNumber);
      }
      return found;
    },
    codeLacking(logs, chainId) {
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
