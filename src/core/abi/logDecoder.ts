import type { Address, Hex } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import type {
  ActiveImplementation,
  Candidate,
  ContractVersions,
  Origin,
  Trust,
  VersionedLookup,
} from './candidates.ts';
import { isDecodeError } from './decode.ts';
import {
  type CompiledCandidate,
  type CompiledTiers,
  compileCandidates,
  compileTiers,
  decodeAgreed,
  formatUndecodedReason,
  type UndecodedReason,
} from './eventDecoder.ts';
import type { AbiEvent } from './item.ts';
import { type AbiValue, isHashed } from './type.ts';
import { type AbiJson, abiValueToJson } from './value.ts';

/** What a log says, or why that is not known. */
export type DecodedLog = DecodedEvent | { readonly reason: UndecodedReason };

export interface DecodedEvent {
  readonly event: AbiEvent;
  /** In the order of the inputs of `event`; a hashed one (`isHashed`) is its topic. */
  readonly values: readonly AbiValue[];
  readonly origin: Origin;
  /** Events of the same trust that fit as well and would give other values; mostly none. */
  readonly others: readonly Candidate<AbiEvent>[];
  /** The version of an upgraded contract whose event it is, where that is known. */
  readonly code?: ActiveImplementation | undefined;
}

/** What of a log is decoded: without its place, no version of an upgraded contract is surely meant. */
export type DecodableLog = Pick<Log, 'address' | 'topics' | 'data'> &
  Partial<Pick<Log, 'blockNumber' | 'transactionIndex' | 'logIndex'>>;

export interface LogDecoder {
  decode(log: DecodableLog): DecodedLog;
}

/** The events of one topic0 at one address, ready to decode. */
interface CacheEntry {
  /** Where the address has one version. */
  readonly only: readonly CompiledCandidate[];
  readonly versions: ContractVersions | undefined;
  readonly byVersion: Map<number, CompiledTiers>;
}

/**
 * Pairs of topic0 and address, or version of one, whose events are kept ready: more than a screen, a query or a block
 * has.
 */
const MAX_CACHE_ENTRIES = 10_000;
const NO_OTHERS: readonly Candidate<AbiEvent>[] = [];
const NO_VERSIONS: CacheEntry['byVersion'] = new Map();

/**
 * Decodes logs by what `lookup` knows. Of several events that may be meant, the first of the most trusted that fits;
 * what else of the same trust fits stands beside it. Of an upgraded contract the version in force at the place of the
 * log counts, and only what is sure by that. What `lookup` has answered is kept: when that changes, make a new decoder.
 * Nothing is thrown, whatever the log has.
 *
 * @param options.chainId where the logs are from.
 * @example createLogDecoder({ lookup, chainId: 1 }).decode(log);
 */
export function createLogDecoder({
  lookup,
  chainId,
}: {
  readonly lookup: VersionedLookup;
  readonly chainId: number;
}): LogDecoder {
  let kept = new Map<Hex | undefined, Map<Address, CacheEntry>>();
  let versions = new Map<Address, ContractVersions | undefined>();
  let count = 0;

  function makeRoom(): void {
    if (count++ < MAX_CACHE_ENTRIES) return;
    kept = new Map();
    versions = new Map();
    count = 1;
  }

  function keptOf(topic0: Hex | undefined, address: Address): CacheEntry {
    const known = kept.get(topic0)?.get(address);
    if (known) return known;
    makeRoom();
    const made = make(topic0, address);
    const byAddress = kept.get(topic0);
    if (byAddress) byAddress.set(address, made);
    else kept.set(topic0, new Map([[address, made]]));
    return made;
  }

  function make(topic0: Hex | undefined, address: Address): CacheEntry {
    const at = { address, chainId };
    const known = versions.has(address) ? versions.get(address) : lookup.versionsAt?.(at);
    versions.set(address, known);
    if (known && !known.isUnversioned(topic0)) return { only: [], versions: known, byVersion: new Map() };
    return {
      only: compileCandidates(lookup.events(topic0, at)),
      ...{ versions: undefined, byVersion: NO_VERSIONS },
    };
  }

  /** Of an upgraded contract. */
  function readingsAt(
    log: DecodableLog,
    topic0: Hex | undefined,
    { versions: known, byVersion }: CacheEntry & { readonly versions: ContractVersions },
  ): CompiledTiers {
    const version = versionOf(log, known);
    const before = byVersion.get(version);
    if (before) return before;
    makeRoom();
    const made = compileTiers(known.candidateTiers(topic0, version));
    byVersion.set(version, made);
    return made;
  }

  /** Undefined where no event of that topic0 is known to be of the contract, or of that anonymous form. */
  function decodeAs(log: DecodableLog, topic0: Hex | undefined): DecodedLog | undefined {
    const found = keptOf(topic0, log.address);
    if (!isVersioned(found)) return decodeBy(log, topic0, found.only);
    const readings = readingsAt(log, topic0, found);
    if (!readings.mustAgree) return decodeBy(log, topic0, readings.candidates);
    const agreed = decodeAgreed(log, readings);
    if (!agreed) return decodeBy(log, topic0, readings.candidates);
    if ('reason' in agreed) return agreed;
    const { candidate, code } = agreed.chosen;
    return {
      event: candidate.item,
      values: agreed.values,
      origin: candidate.origin,
      others: NO_OTHERS,
      code,
    };
  }

  return {
    decode(log) {
      const [topic0] = log.topics;
      const named = topic0 === undefined ? undefined : decodeAs(log, topic0);
      if (named) return named;
      const decoded = decodeAs(log, undefined);
      if (decoded && ('event' in decoded || decoded.reason.code === 'version')) return decoded;
      return { reason: topic0 === undefined ? { code: 'noTopics' } : { code: 'unknownEvent', topic0 } };
    },
  };
}

function isVersioned(kept: CacheEntry): kept is CacheEntry & { readonly versions: ContractVersions } {
  return kept.versions !== undefined;
}

function versionOf(
  { blockNumber, transactionIndex, logIndex }: DecodableLog,
  versions: ContractVersions,
): number {
  if (blockNumber === undefined || transactionIndex === undefined || logIndex === undefined) {
    return versions.allCandidates;
  }
  return versions.versionAt(Number(blockNumber), transactionIndex, logIndex);
}

/** Undefined where no event has the topic0. */
function decodeBy(
  log: Body,
  topic0: Hex | undefined,
  candidates: readonly CompiledCandidate[],
): DecodedLog | undefined {
  const [likely] = candidates;
  if (!likely) return undefined;
  const decoded = firstThatFits(log, candidates);
  return decoded ?? (topic0 === undefined ? undefined : { reason: otherCount(log, likely) });
}

type Body = Pick<Log, 'topics' | 'data'>;

/** Undefined where none has as many topics; where none of those fits, why the most trusted does not. */
function firstThatFits(log: Body, candidates: readonly CompiledCandidate[]): DecodedLog | undefined {
  let chosen: { readonly candidate: Candidate<AbiEvent>; readonly values: readonly AbiValue[] } | undefined;
  let others = NO_OTHERS;
  let refused: { readonly reason: UndecodedReason } | undefined;
  for (const { candidate, topics, decode } of candidates) {
    if (topics !== log.topics.length) continue;
    if (chosen && candidate.origin.trust !== chosen.candidate.origin.trust) break;
    const values = decode(log);
    if (isDecodeError(values))
      refused ??= { reason: { code: 'malformed', event: candidate.item, ...values } };
    else if (chosen) others = [...others, candidate];
    else chosen = { candidate, values };
  }
  if (chosen === undefined) return refused;
  const { item, origin } = chosen.candidate;
  return { event: item, values: chosen.values, origin, others };
}

function otherCount(log: Body, { candidate }: CompiledCandidate): UndecodedReason {
  return { code: 'topicCount', event: candidate.item, topics: log.topics.length };
}

interface ArgumentJson {
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
  readonly value: AbiJson;
  /** Only there where the value is a hash of the argument. */
  readonly hashed?: true;
}

interface SourceJson {
  /** The event's canonical form. */
  readonly event: string;
  readonly source: Trust;
  /** A file of the workspace, the name of a bundled list, or who was asked and about which address. */
  readonly from: string;
  /** The contract that was verified in the place of this one. */
  readonly twin?: string;
  /** Only there where the code at the address is no longer the one that was verified. */
  readonly changedBytecode?: true;
}

interface ImplementationJson {
  readonly address: Hex;
  readonly contract: string | null;
  /** The place of the upgrade. */
  readonly since: { readonly block: string; readonly logIndex: number };
}

/** A decoded log as JSON. */
export type DecodedJson =
  | (SourceJson & {
      readonly name: string;
      readonly args: readonly ArgumentJson[];
      /** What else fits the log as well; only there where something does. */
      readonly others?: readonly SourceJson[];
      /** The version of an upgraded contract that emitted it; only there where that is known. */
      readonly implementation?: ImplementationJson;
    })
  | { readonly reason: string };

/**
 * A decoded log as JSON, or why it stays raw.
 *
 * @example
 * decodedLogToJson({ reason: { code: 'unknownEvent', topic0: '0x12' } })
 * // { reason: 'No event with the topic0 0x12 is known.' }
 */
export function decodedLogToJson(decoded: DecodedLog): DecodedJson {
  if ('reason' in decoded) return { reason: formatUndecodedReason(decoded.reason) };
  const { event, values, origin, others, code } = decoded;
  const args = event.inputs.map((input, index): ArgumentJson => {
    const { name, type, indexed } = input;
    const value = values[index] as AbiValue;
    const hashed = isHashed(input);
    return {
      ...{ name, type: type.text, indexed },
      value: hashed ? (value as string) : abiValueToJson(type, value),
      ...(hashed && { hashed }),
    };
  });
  return {
    ...{ event: event.signature, name: event.name, args },
    ...sourceOf(origin),
    ...(code && { implementation: implementationOf(code, origin.contract) }),
    ...(others.length > 0 && {
      others: others.map(({ item, origin: other }) => ({ event: item.signature, ...sourceOf(other) })),
    }),
  };
}

function sourceOf({ trust, from, verified }: Origin): Omit<SourceJson, 'event'> {
  const { twin, changedBytecode } = verified ?? {};
  return {
    ...{ source: trust, from },
    ...(twin !== undefined && { twin }),
    ...(changedBytecode && { changedBytecode }),
  };
}

function implementationOf(
  { address, since }: ActiveImplementation,
  contract: string | undefined,
): ImplementationJson {
  const place = { block: since.block.toString(), logIndex: since.log };
  return { address, contract: contract ?? null, since: place };
}
