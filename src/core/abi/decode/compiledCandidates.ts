import type { AbiEvent } from '../abiItem.ts';
import type { Candidate } from '../candidates.ts';
import { compileEvent, type DecodeEvent } from './eventDecoder.ts';

/** An event that may be meant, ready to decode. */
export interface CompiledCandidate {
  readonly candidate: Candidate<AbiEvent>;
  /** How many topics its logs have. */
  readonly topics: number;
  readonly decode: DecodeEvent;
}

/**
 * Of what one contract can plausibly emit under one topic0: layouts differ by which of the parameters are indexed. Of
 * anonymous events, all that a contract has.
 */
const MOST_LAYOUTS = 64;

/**
 * Compiles candidates in their order, one for each layout: the same types with the same of them indexed give the same
 * values, under whatever names.
 */
export function compileCandidates(candidates: readonly Candidate<AbiEvent>[]): readonly CompiledCandidate[] {
  const layouts = new Map<string, CompiledCandidate>();
  for (const candidate of candidates) {
    if (layouts.size >= MOST_LAYOUTS) break;
    const { inputs, anonymous, signature } = candidate.item;
    const layout = `${signature} ${inputs.map(({ indexed }) => Number(indexed)).join('')}`;
    if (layouts.has(layout)) continue;
    const topics = inputs.filter(({ indexed }) => indexed).length + (anonymous ? 0 : 1);
    layouts.set(layout, { candidate, topics, decode: compileEvent(candidate.item) });
  }
  return [...layouts.values()];
}
