import type { AbiEvent } from '../abiItem.ts';
import type { Candidate } from '../candidates.ts';
import type { RunningCode, VersionedCandidate } from '../codeVersions.ts';
import { compileEvent, type DecodeEvent } from './eventDecoder.ts';

/** An event that may be meant, ready to decode. */
export interface CompiledCandidate {
  readonly candidate: Candidate<AbiEvent>;
  /** How many topics its logs have. */
  readonly topics: number;
  readonly decode: DecodeEvent;
  /** The code that it is of, where that is one of several versions. */
  readonly code: RunningCode | undefined;
}

/**
 * Of what one contract can plausibly emit under one topic0: layouts differ by which of the parameters are indexed. Of
 * anonymous events, all that a contract has.
 */
const MOST_LAYOUTS = 128;

/**
 * Compiles candidates in their order, one for each layout: the same types with the same of them indexed give the same
 * values, under whatever names.
 *
 * @param options.byNames one for each list of names as well.
 */
export function compileCandidates(
  candidates: readonly VersionedCandidate[],
  { byNames = false }: { readonly byNames?: boolean } = {},
): readonly CompiledCandidate[] {
  const layouts = new Map<string, CompiledCandidate>();
  for (const candidate of candidates) {
    if (layouts.size >= MOST_LAYOUTS) break;
    const { inputs, anonymous, signature } = candidate.item;
    const indexed = inputs.map((input) => Number(input.indexed)).join('');
    const names = byNames ? inputs.map(({ name }) => name).join() : '';
    const layout = `${signature} ${indexed} ${names}`;
    if (layouts.has(layout)) continue;
    const topics = inputs.filter((input) => input.indexed).length + (anonymous ? 0 : 1);
    const { code } = candidate;
    layouts.set(layout, { candidate, topics, decode: compileEvent(candidate.item), code });
  }
  return [...layouts.values()];
}
