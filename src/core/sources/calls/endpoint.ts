import { safeUrl } from '../../base/errors.ts';
import type { SourceLabel } from '../../base/source.ts';
import { batchKnowledge, createDialectMemory } from '../../logs/server/dialectMemory.ts';
import { createEndpointClient } from '../../portal/endpointClient.ts';
import { createCallsTogether } from '../../rpc/callsTogether.ts';
import { gatherCalls } from '../../rpc/gatheredCalls.ts';
import type { SourceOptions } from '../kind/sourceKind.ts';

/** What a source needs that asks the network's own endpoint. */
export type CallsOptions = Omit<SourceOptions, 'key' | 'rateLimit'>;

/** Who the calls of an endpoint are told to be of. */
export function callsLabel(url: string): SourceLabel {
  return { name: 'calls', origin: safeUrl(url), takesKey: false };
}

/** Calls that are asked for at the same time go together, with what is learnt about how many the server takes. */
export function createEndpointCalls(options: CallsOptions) {
  const batches = batchKnowledge(createDialectMemory());
  return { batches, call: gatherCalls(createCallsTogether(createEndpointClient(options), batches)) };
}
