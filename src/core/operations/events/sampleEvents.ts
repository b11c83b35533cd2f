import type { Log } from '../../logs/query/log.ts';
import type { Finding } from '../kit/answer.ts';
import type { OperationOptions } from '../kit/operation.ts';
import type { EventsAsked } from './countEvents.ts';
import { readWithinLimits } from './effort.ts';
import { endingReason, estimateJson } from './ending.ts';
import { eventRow } from './eventRow.ts';
import { completeBy, rangeOf, reasonsOf } from './verdictWords.ts';

const SAMPLE = 5;

/** A few rows, to see what they look like: the newest, if nothing else is asked for. */
export async function sampleEvents(asked: EventsAsked, options: OperationOptions): Promise<Finding> {
  const { deps, filter, input, knowledge } = asked;
  const order = input.order ?? 'newestFirst';
  const query = deps.client.openLogQuery(filter, { order });
  const confirm = input.confirm === true;
  const { pages, ending } = readWithinLimits(query, deps, { ...options, confirm, wanted: 'some' });
  const rows: Log[] = [];
  for await (const { logs } of pages) {
    rows.push(...logs.slice(0, SAMPLE + 1 - rows.length));
    if (rows.length > SAMPLE) break;
  }
  const end = ending();
  const stopped = endingReason(end, 'narrow the range');
  const { verdict } = query;
  const given = rows.slice(0, SAMPLE);
  await knowledge.prepare(given);
  const isAll = rows.length <= SAMPLE && stopped === undefined;
  return {
    complete: isAll && verdict ? completeBy(verdict) : false,
    reasons: [
      ...(stopped === undefined ? [] : [stopped]),
      ...(isAll ? [] : [`a sample: ${given.length} rows, and there are more`]),
      ...(isAll && verdict ? reasonsOf(verdict) : []),
    ],
    head: verdict?.head,
    found: {
      order,
      ...(verdict && { range: rangeOf(verdict) }),
      rows: given.map((log) => eventRow(log, knowledge)),
      ...estimateJson(end),
    },
  };
}
