import type { Log } from '../../logs/query/log.ts';
import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import type { AbiEvent } from '../abiItem.ts';
import type { AbiValue } from '../abiType.ts';
import type { Candidate, Origin } from '../candidates.ts';
import type { CodeVersions, RunningCode, VersionedLookup } from '../codeVersions.ts';
import { type CompiledCandidate, compileCandidates } from './compiledCandidates.ts';
import { isDecodeFault } from './decodeFault.ts';
import { type CompiledReadings, compileReadings, decodeAgreed } from './decodeVersion.ts';
import type { RawReason } from './rawReason.ts';

/** What a log says, or why that is not known. */
export type DecodedLog = KnownLog | { readonly reason: RawReason };

export interface KnownLog {
  readonly event: AbiEvent;
  /** In the order of the inputs of `event`; a hashed one (`isHashed`) is its topic. */
  readonly values: readonly AbiValue[];
  readonly origin: Origin;
  /** Events of the same trust that fit as well and would give other values; mostly none. */
  readonly others: readonly Candidate<AbiEvent>[];
  /** The version of an upgraded contract whose event it is, where that is known. */
  readonly code?: RunningCode | undefined;
}

/** What of a log is decoded: without its place, no version of an upgraded contract is surely meant. */
export type DecodableLog = Pick<Log, 'address' | 'topics' | 'data'> &
  Partial<Pick<Log, 'blockNumber' | 'transactionIndex' | 'logIndex'>>;

export interface LogDecoder {
  decode(log: DecodableLog): DecodedLog;
}

/** The events of one topic0 at one address, ready to decode. */
interface Kept {
  /** Where the address has one version. */
  readonly only: readonly CompiledCandidate[];
  readonly versions: CodeVersions | undefined;
  readonly byVersion: Map<number, CompiledReadings>;
}

/**
 * Pairs of topic0 and address, or version of one, whose events are kept ready: more than a screen, a query or a block
 * has.
 */
const MOST_KEPT = 10_000;
const NO_OTHERS: readonly Candidate<AbiEvent>[] = [];
const NO_VERSIONS: Kept['byVersion'] = new Map();

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
  let kept = new Map<Hex | undefined, Map<Address, Kept>>();
  let versions = new Map<Address, CodeVersions | undefined>();
  let count = 0;

  function makeRoom(): void {
    if (count++ < MOST_KEPT) return;
    kept = new Map();
    versions = new Map();
    count = 1;
  }

  function keptOf(topic0: Hex | undefined, address: Address): Kept {
    const known = kept.get(topic0)?.get(address);
    if (known) return known;
    makeRoom();
    const made = make(topic0, address);
    const byAddress = kept.get(topic0);
    if (byAddress) byAddress.set(address, made);
    else kept.set(topic0, new Map([[address, made]]));
    return made;
  }

  function make(topic0: Hex | undefined, address: Address): Kept {
    const at = { address, chainId };
    const known = versions.has(address) ? versions.get(address) : lookup.versionsAt?.(at);
    versions.set(address, known);
    if (known && !known.isPlain(topic0)) return { only: [], versions: known, byVersion: new Map() };
    return {
      only: compileCandidates(lookup.events(topic0, at)),
      ...{ versions: undefined, byVersion: NO_VERSIONS },
    };
  }

  /** Of an upgraded contract. */
  function readingsAt(
    log: DecodableLog,
    topic0: Hex | undefined,
    { versions: known, byVersion }: Kept & { readonly versions: CodeVersions },
  ): CompiledReadings {
    const version = versionOf(log, known);
    const before = byVersion.get(version);
    if (before) return before;
    makeRoom();
    const made = compileReadings(known.readings(topic0, version));
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

function isVersioned(kept: Kept): kept is Kept & { readonly versions: CodeVersions } {
  return kept.versions !== undefined;
}

function versionOf(
  { blockNumber, transactionIndex, logIndex }: DecodableLog,
  versions: CodeVersions,
): number {
  if (blockNumber === undefined || transactionIndex === undefined || logIndex === undefined) {
    return versions.anywhere;
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
  let refused: { readonly reason: RawReason } | undefined;
  for (const { candidate, topics, decode } of candidates) {
    if (topics !== log.topics.length) continue;
    if (chosen && candidate.origin.trust !== chosen.candidate.origin.trust) break;
    const values = decode(log);
    if (isDecodeFault(values))
      refused ??= { reason: { code: 'malformed', event: candidate.item, ...values } };
    else if (chosen) others = [...others, candidate];
    else chosen = { candidate, values };
  }
  if (chosen === undefined) return refused;
  const { item, origin } = chosen.candidate;
  return { event: item, values: chosen.values, origin, others };
}

function otherCount(log: Body, { candidate }: CompiledCandidate): RawReason {
  return { code: 'topicCount', event: candidate.item, topics: log.topics.length };
}
