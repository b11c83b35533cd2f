import { formatMessage } from '../base/text.ts';
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
  describeUndecoded,
  type UndecodedReason,
} from './eventDecoder.ts';
import { type AbiEvent, formatAbiItem } from './item.ts';
import { type AbiValue, isHashed } from './type.ts';
import { type AbiJson, abiValueToJson, type JsonFormat, namedValueToJson } from './value.ts';

export interface LogDecoder {
  decode(log: DecodableLog): DecodedLog;
}

/** The parts of a log that are decoded. Without its position, no version of an upgraded contract is certain. */
type DecodableLog = Pick<Log, 'address' | 'topics' | 'data'> &
  Partial<Pick<Log, 'blockNumber' | 'transactionIndex' | 'logIndex'>>;

export type DecodedLog = DecodedEvent | { readonly reason: UndecodedReason };

export interface DecodedEvent {
  readonly event: AbiEvent;
  /** In the order of `event.inputs`; a hashed one (`isHashed`) is its topic. */
  readonly values: readonly AbiValue[];
  readonly origin: Origin;
  /** Events of the same trust that fit as well with other values; usually none. */
  readonly others: readonly Candidate<AbiEvent>[];
  /** The implementation that emitted it, for an upgraded contract and if certain. */
  readonly code?: ActiveImplementation | undefined;
}

/** The events of one topic0 at one address, ready to decode. */
interface CacheEntry {
  /** The candidates, if the address has one version. */
  readonly only: readonly CompiledCandidate[];
  readonly versions: ContractVersions | undefined;
  readonly byVersion: Map<number, CompiledTiers>;
}

/** Cached pairs of topic0 and address, or versions of one: more than a screen, a query or a block has. */
const MAX_CACHE_ENTRIES = 10_000;
const NO_OTHERS: readonly Candidate<AbiEvent>[] = [];
const NO_VERSIONS: CacheEntry['byVersion'] = new Map();

/**
 * Decodes logs with the items of `lookup`. Of several possible events, the first of the most trusted that fits is
 * chosen; others of equal trust that fit are in `others`. For an upgraded contract, only the version that was active at
 * the position of the log counts, and only certain results. Lookups are cached: create a new decoder when `lookup`
 * changes. Never throws.
 *
 * @param options.chainId the chain of the logs.
 * @example createLogDecoder({ lookup, chainId: 1 }).decode(log);
 */
export function createLogDecoder({
  lookup,
  chainId,
}: {
  readonly lookup: VersionedLookup;
  readonly chainId: number;
}): LogDecoder {
  let cache = new Map<Hex | undefined, Map<Address, CacheEntry>>();
  let versionsByAddress = new Map<Address, ContractVersions | undefined>();
  let count = 0;

  function countEntry(): void {
    if (count++ < MAX_CACHE_ENTRIES) return;
    cache = new Map();
    versionsByAddress = new Map();
    count = 1;
  }

  function getEntry(topic0: Hex | undefined, address: Address): CacheEntry {
    const cached = cache.get(topic0)?.get(address);
    if (cached) return cached;
    countEntry();
    const entry = createEntry(topic0, address);
    const byAddress = cache.get(topic0);
    if (byAddress) byAddress.set(address, entry);
    else cache.set(topic0, new Map([[address, entry]]));
    return entry;
  }

  function createEntry(topic0: Hex | undefined, address: Address): CacheEntry {
    const at = { address, chainId };
    const versions = versionsByAddress.has(address)
      ? versionsByAddress.get(address)
      : lookup.versionsAt?.(at);
    versionsByAddress.set(address, versions);
    if (versions && !versions.isUnversioned(topic0)) return { only: [], versions, byVersion: new Map() };
    return {
      only: compileCandidates(lookup.events(topic0, at)),
      versions: undefined,
      byVersion: NO_VERSIONS,
    };
  }

  function getTiers(
    log: DecodableLog,
    topic0: Hex | undefined,
    { versions, byVersion }: CacheEntry & { readonly versions: ContractVersions },
  ): CompiledTiers {
    const version = getVersion(log, versions);
    const cached = byVersion.get(version);
    if (cached) return cached;
    countEntry();
    const tiers = compileTiers(versions.candidateTiers(topic0, version));
    byVersion.set(version, tiers);
    return tiers;
  }

  /** Undefined if the contract has no event with the topic0, or no anonymous event that fits. */
  function decodeAs(log: DecodableLog, topic0: Hex | undefined): DecodedLog | undefined {
    const entry = getEntry(topic0, log.address);
    if (!isVersioned(entry)) return decodeWith(log, topic0, entry.only);
    const tiers = getTiers(log, topic0, entry);
    if (!tiers.mustAgree) return decodeWith(log, topic0, tiers.candidates);
    const agreed = decodeAgreed(log, tiers);
    if (!agreed) return decodeWith(log, topic0, tiers.candidates);
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

function isVersioned(entry: CacheEntry): entry is CacheEntry & { readonly versions: ContractVersions } {
  return entry.versions !== undefined;
}

function getVersion(
  { blockNumber, transactionIndex, logIndex }: DecodableLog,
  versions: ContractVersions,
): number {
  if (blockNumber === undefined || transactionIndex === undefined || logIndex === undefined) {
    return versions.allCandidates;
  }
  return versions.versionAt(Number(blockNumber), transactionIndex, logIndex);
}

/** Undefined if no event has the topic0. */
function decodeWith(
  log: LogBody,
  topic0: Hex | undefined,
  candidates: readonly CompiledCandidate[],
): DecodedLog | undefined {
  const [mostTrusted] = candidates;
  if (!mostTrusted) return undefined;
  const decoded = decodeFirstFit(log, candidates);
  return decoded ?? (topic0 === undefined ? undefined : { reason: toTopicCountReason(log, mostTrusted) });
}

/** Undefined if no candidate has as many topics; if none of those fits, the reason for the most trusted. */
function decodeFirstFit(log: LogBody, candidates: readonly CompiledCandidate[]): DecodedLog | undefined {
  let chosen: { readonly candidate: Candidate<AbiEvent>; readonly values: readonly AbiValue[] } | undefined;
  let others = NO_OTHERS;
  let failure: { readonly reason: UndecodedReason } | undefined;
  for (const { candidate, topics, decode } of candidates) {
    if (topics !== log.topics.length) continue;
    if (chosen && candidate.origin.trust !== chosen.candidate.origin.trust) break;
    const values = decode(log);
    if (isDecodeError(values))
      failure ??= { reason: { code: 'malformed', event: candidate.item, ...values } };
    else if (chosen) others = [...others, candidate];
    else chosen = { candidate, values };
  }
  if (chosen === undefined) return failure;
  const { item, origin } = chosen.candidate;
  return { event: item, values: chosen.values, origin, others };
}

type LogBody = Pick<Log, 'topics' | 'data'>;

function toTopicCountReason(log: LogBody, { candidate }: CompiledCandidate): UndecodedReason {
  return { code: 'topicCount', event: candidate.item, topics: log.topics.length };
}

export type DecodedJson =
  | (OriginJson & {
      readonly name: string;
      readonly args: readonly ArgumentJson[];
      readonly others?: readonly OriginJson[];
      /** The implementation of an upgraded contract that emitted it; present only if certain. */
      readonly implementation?: ImplementationJson;
    })
  | {
      readonly reason: string;
      /** The events that fit, the most likely first, if the version of the contract is uncertain. */
      readonly candidates?: readonly string[];
    };

interface ArgumentJson {
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
  readonly value: AbiJson;
  /** The value with members of enums by their names; present only if it has any. */
  readonly named?: AbiJson;
  /** Present only if the value is a hash of the argument. */
  readonly hashed?: true;
}

interface OriginJson {
  readonly event: string;
  readonly source: Trust;
  /** A workspace file, the name of a bundled list, or a provider and the address. */
  readonly from: string;
  /** The contract with the same code that was verified instead. */
  readonly twin?: string;
  /** Present only if the code at the address is no longer the verified code. */
  readonly changedBytecode?: true;
}

interface ImplementationJson {
  readonly address: Hex;
  readonly contract: string | null;
  readonly since: { readonly block: string; readonly logIndex: number };
}

const MAX_CANDIDATES = 10;

/**
 * A decoded log as JSON, or why it stays raw. `format.address` formats addresses of arguments.
 *
 * @example
 * decodedLogToJson({ reason: { code: 'unknownEvent', topic0: '0x12' } })
 * // { reason: '0x12: no known event has this topic0.' }
 */
export function decodedLogToJson(decoded: DecodedLog, format: Pick<JsonFormat, 'address'> = {}): DecodedJson {
  if ('reason' in decoded) {
    const { reason } = decoded;
    const events = reason.code === 'version' ? reason.events : [];
    const candidates = events.slice(0, MAX_CANDIDATES).map(formatAbiItem);
    return {
      reason: formatMessage(describeUndecoded(reason)),
      ...(candidates.length > 0 && { candidates }),
    };
  }
  const { event, values, origin, others, code } = decoded;
  const args = event.inputs.map((input, index): ArgumentJson => {
    const { name, type, indexed } = input;
    const value = values[index] as AbiValue;
    const hashed = isHashed(input);
    return {
      name,
      type: type.text,
      indexed,
      value: hashed ? (value as string) : abiValueToJson(type, value, format),
      ...(hashed ? { hashed } : namedValueToJson(type, value, format)),
    };
  });
  return {
    event: event.signature,
    name: event.name,
    args,
    ...originToJson(origin),
    ...(code && { implementation: toImplementationJson(code, origin.contract) }),
    ...(others.length > 0 && {
      others: others.map(({ item, origin: other }) => ({ event: item.signature, ...originToJson(other) })),
    }),
  };
}

function originToJson({ trust, from, verified }: Origin): Omit<OriginJson, 'event'> {
  const { twin, changedBytecode } = verified ?? {};
  return {
    source: trust,
    from,
    ...(twin !== undefined && { twin }),
    ...(changedBytecode && { changedBytecode }),
  };
}

function toImplementationJson(
  { address, since }: ActiveImplementation,
  contract: string | undefined,
): ImplementationJson {
  const position = { block: since.block.toString(), logIndex: since.log };
  return { address, contract: contract ?? null, since: position };
}
