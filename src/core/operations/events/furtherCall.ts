import type { Verdict } from '../../logs/query/verdict.ts';
import type { JsonObject } from '../kit/answer.ts';
import type { QueryEventsInput } from '../kit/inputs.ts';
import { askedParts, type Cursor } from './cursor.ts';

/** The call that reads what is left of a range of which `verdict` says how far it was read. */
export function furtherCall(
  input: QueryEventsInput,
  { order, readThrough, fromBlock, toBlock }: Verdict,
  asked: Cursor['asked'] = askedParts(input),
): JsonObject {
  const isUp = order === 'oldestFirst';
  const from = isUp && readThrough !== undefined ? readThrough + 1n : fromBlock;
  const to = !isUp && readThrough !== undefined ? readThrough - 1n : toBlock;
  const mode = input.cursor === undefined ? input.mode : 'rows';
  return {
    tool: 'query_events',
    arguments: {
      ...(asked as JsonObject),
      ...{ mode, from: from.toString(), to: to.toString() },
      ...(input.limit !== undefined && { limit: input.limit }),
      confirm: true,
    },
  };
}
