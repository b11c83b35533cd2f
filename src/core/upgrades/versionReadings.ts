import type { AbiEvent } from '../abi/abiItem.ts';
import type { Candidate, OnChain } from '../abi/candidates.ts';
import type { Readings, RunningCode, VersionedCandidate } from '../abi/codeVersions.ts';
import { createAbiLookup } from '../abi/lookup/abiLookup.ts';
import type { KnownItem } from '../abi/lookup/itemIndex.ts';
import { type KnownAbi, type KnownCode, knownAbiId } from '../abi/lookup/knownCode.ts';
import type { Address } from '../values/address.ts';
import type { Hex } from '../values/hex.ts';
import type { CodeHistory, Stretch } from './codeHistory.ts';

/** What is known beside the history of a contract. */
export interface VersionSources {
  readonly known: KnownCode;
  /** Events of a topic0 wherever they are declared, the most trusted lists first. Those of an address stay out. */
  readonly declared: (topic0: Hex | undefined) => readonly Candidate<AbiEvent>[];
  readonly at: OnChain;
}

/** What code is known to have emitted. */
interface ReadCode {
  readonly abi: KnownAbi;
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
export function createVersionReadings(history: CodeHistory, { known, declared, at }: VersionSources) {
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

  function eventsOf(code: readonly RunningCode[], topic0: Hex | undefined): readonly VersionedCandidate[] {
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
    return !isBundled({ origin }) && ids.has(knownAbiId(origin));
  }

  /** What other versions have, and lists say because of them. */
  function ofVersions(topic0: Hex | undefined): readonly VersionedCandidate[] {
    return [...eventsOf(history.all, topic0), ...declared(topic0).filter(isOfVersion)];
  }

  /** The code in force and its ABI are known. */
  function sure(stretch: Stretch, code: readonly RunningCode[], topic0: Hex | undefined): Readings {
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
  function unsure(code: readonly RunningCode[], topic0: Hex | undefined): Readings {
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
      doubt: 'noAbi',
    };
  }

  /** Which code was in force is not known. */
  function doubted(doubt: NonNullable<Stretch['doubt']>, topic0: Hex | undefined): Readings {
    const ofOwn = own?.events(topic0) ?? [];
    const anyVersion = ofVersions(topic0);
    // What other versions say is none of what the constructor has set.
    if (doubt === 'constructor' && versions.size > 0) {
      const likely = isProxyItself ? [...ofOwn, ...elsewhere(topic0)] : elsewhere(topic0);
      return { ...readingsOf([likely], [...anyVersion, ...ofOwn]), doubt };
    }
    return { ...readingsOf([[...ofOwn, ...anyVersion, ...declared(topic0)]]), doubt };
  }

  return {
    of({ code, doubt, ...stretch }: Stretch, topic0: Hex | undefined): Readings {
      if (doubt || !code) return doubted(doubt ?? 'uncertain', topic0);
      return sure({ ...stretch, code, doubt }, code, topic0);
    },
    /** The events of all versions, the newest first. */
    layouts: (topic0: Hex) => eventsOf(history.all.toReversed(), topic0).map(({ item }) => item),
  };
}

function readingsOf(tiers: Readings['tiers'], against: Readings['against'] = []): Readings {
  return { tiers, against, mustAgree: true, doubt: undefined, code: undefined };
}

/** Files may call a proxy by what is behind it now. What has no function of any version is the proxy's own code. */
function sharesNoFunction(own: ReadCode | undefined, versions: ReadonlyMap<Address, ReadCode>): boolean {
  const all = Array.from(versions.values(), ({ abi }) => functionsOf(abi.items ?? []));
  const functions = new Set(all.flat());
  return functions.size > 0 && !functionsOf(own?.abi.items ?? []).some((text) => functions.has(text));
}

function functionsOf(items: readonly KnownItem[]): readonly string[] {
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
