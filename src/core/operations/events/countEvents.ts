import type { Log } from '../../logs/query/log.ts';
import type { LogFilter } from '../../logs/query/logFilter.ts';
import type { Finding } from '../kit/answer.ts';
import type { QueryEventsInput } from '../kit/inputs.ts';
import type { OperationDeps, OperationKnowledge, OperationOptions } from '../kit/operation.ts';
import { readWithinLimits } from './effort.ts';
import { endingReason, estimateJson, goOnWords } from './ending.ts';
import { eventRow } from './eventRow.ts';
import { furtherCall } from './furtherCall.ts';
import { completeBy, rangeOf, reasonsOf } from './verdictWords.ts';

/** What a mode of a query works with. */
export interface EventsAsked {
  readonly input: QueryEventsInput;
  readonly filter: LogFilter;
  readonly knowledge: OperationKnowledge;
  readonly deps: OperationDeps;
}

/** How many rows there are, exactly, and the last of them: no other row is given. */
export async function countEvents(asked: EventsAsked, options: OperationOptions): Promise<Finding> {
  const { deps, filter, input, knowledge } = asked;
  const query = deps.client.openLogQuery(filter, { order: 'oldestFirst' });
  const confirm = input.confirm === true;
  const { pages, ending, requests } = readWithinLimits(query, deps, { ...options, confirm, wanted: 'all' });
  const counted = createCount();
  for await (const { logs } of pages) counted.add(logs);
  const { verdict } = query;
  const end = ending();
  const stopped = endingReason(end, goOnWords(verdict));
  if (!verdict) {
    const found = { count: null, requests: requests(), ...estimateJson(end) };
    return { complete: false, reasons: [stopped ?? 'nothing was read'], found };
  }
  const through = stopped === undefined ? verdict.toBlock : (verdict.readThrough ?? verdict.fromBlock - 1n);
  const { count, first, last } = counted.through(through);
  if (last) await knowledge.prepare([last]);
  const time = last && (await timeOf(last, deps, options));
  return {
    complete: stopped === undefined ? completeBy(verdict) : false,
    reasons: [...(stopped === undefined ? [] : [stopped]), ...reasonsOf(verdict)],
    head: verdict.head,
    found: {
      count: count.toString(),
      range: rangeOf(verdict),
      ...(first &&
        last && { firstBlock: first.blockNumber.toString(), last: eventRow(last, knowledge, time) }),
      ...(stopped !== undefined && {
        countedThrough: through.toString(),
        next_call: { ...furtherCall(input, verdict), note: 'add its count to this one' },
      }),
      ...estimateJson(end),
    },
  };
}

/** When the block of a row was made, where the node tells; no reason to fail. */
async function timeOf(
  log: Log,
  { client }: Pick<OperationDeps, 'client'>,
  { signal }: OperationOptions,
): Promise<number | undefined> {
  if (log.time !== undefined) return log.time;
  const times = await client.blockTimes([log.blockNumber], { signal }).catch(() => undefined);
  return times?.get(log.blockNumber)?.time;
}

interface Counted {
  readonly count: bigint;
  readonly first: Log | undefined;
  readonly last: Log | undefined;
}

/** Counts rows that come in order. Of a cut all but the last block is whole. */
function createCount() {
  let before: Counted = { count: 0n, first: undefined, last: undefined };
  let now = before;
  let block: bigint | undefined;
  return {
    add(logs: readonly Log[]): void {
      for (const log of logs) {
        if (log.blockNumber !== block) before = now;
        block = log.blockNumber;
        now = { count: now.count + 1n, first: now.first ?? log, last: log };
      }
    },
    through: (through: bigint): Counted => (block === undefined || block <= through ? now : before),
  };
}
