import type { Log } from '../../logs/query/log.ts';
import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import type { AbiEvent } from '../abiItem.ts';
import type { AbiValue } from '../abiType.ts';
import type { AbiLookup, Candidate, Origin } from '../candidates.ts';
import { type CompiledCandidate, compileCandidates } from './compiledCandidates.ts';
import { isDecodeFault } from './decodeFault.ts';
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
}

export interface LogDecoder {
  decode(log: Pick<Log, 'address' | 'topics' | 'data'>): DecodedLog;
}

/** Pairs of topic0 and address whose events are kept ready: more than a screen, a query or a block has. */
const MOST_KEPT = 10_000;
const NO_OTHERS: readonly Candidate<AbiEvent>[] = [];

/**
 * Decodes logs by what `lookup` knows. Of several events that may be meant, the first of the most trusted that fits;
 * what else of the same trust fits stands beside it. What `lookup` has answered is kept: when that changes, make a new
 * decoder. Nothing is thrown, whatever the log has.
 *
 * @param options.chainId where the logs are from.
 * @example createLogDecoder({ lookup, chainId: 1 }).decode(log);
 */
export function createLogDecoder({
  lookup,
  chainId,
}: {
  readonly lookup: AbiLookup;
  readonly chainId: number;
}): LogDecoder {
  let kept = new Map<Hex | undefined, Map<Address, readonly CompiledCandidate[]>>();
  let count = 0;

  function candidates(topic0: Hex | undefined, address: Address): readonly CompiledCandidate[] {
    const known = kept.get(topic0)?.get(address);
    if (known) return known;
    if (count >= MOST_KEPT) {
      kept = new Map();
      count = 0;
    }
    const compiled = compileCandidates(lookup.events(topic0, { address, chainId }));
    const byAddress = kept.get(topic0);
    if (byAddress) byAddress.set(address, compiled);
    else kept.set(topic0, new Map([[address, compiled]]));
    count++;
    return compiled;
  }

  return {
    decode(log) {
      const [topic0] = log.topics;
      const named = topic0 === undefined ? [] : candidates(topic0, log.address);
      const [likely] = named;
      if (likely) return firstThatFits(log, named) ?? { reason: otherCount(log, likely) };
      const decoded = firstThatFits(log, candidates(undefined, log.address));
      if (decoded && 'event' in decoded) return decoded;
      return { reason: topic0 === undefined ? { code: 'noTopics' } : { code: 'unknownEvent', topic0 } };
    },
  };
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
