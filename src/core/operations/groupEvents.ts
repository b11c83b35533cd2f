import type { LogDecoder } from '../abi/logDecoder.ts';
import { type AbiType, isHashed } from '../abi/type.ts';
import { formatExactNumber } from '../abi/value.ts';
import { badInput } from '../base/errors.ts';
import { decimal, ownText, ownWord } from '../base/ownText.ts';
import { createTimeSlices } from '../base/timeSlices.ts';
import type { Hex } from '../eth/hex.ts';
import { createBlockDays } from '../logs/groups/blockDays.ts';
import {
  findQueriedEvents,
  type Grouping,
  needsDecoding,
  parseGrouping,
  validateGrouping,
} from '../logs/groups/grouping.ts';
import { createLogGroups, type GroupOfLogs, type LogGroups } from '../logs/groups/groupLogs.ts';
import type { GroupValue } from '../logs/groups/groupValue.ts';
import type { Log } from '../logs/log.ts';
import { splitList } from '../logs/query/fieldValues.ts';
import { abiText, userText } from './agentText.ts';
import { estimateToJson, formatEnding, readWithinLimits } from './continuation.ts';
import { createGroupDecoder } from './declaredEvent.ts';
import { type EventModeInput, isComplete, listReasons, rangeToJson } from './eventModes.ts';
import type { OperationOptions } from './operation.ts';
import { type Finding, type Json, takeFittingRows, toCompletion, untrustedValue } from './result.ts';
import type { QueryEventsInput } from './tools.ts';

interface GroupsInput extends EventModeInput {
  /** The event of the query, by its declaration where it is known. */
  readonly event: string;
  /** Decodes by what is known, without the declaration. */
  readonly known: LogDecoder;
  readonly chainId: number | undefined;
}

const DEFAULT_GROUPS = 20;
const MAX_GROUPS = 200_000;
/** Of the groups in both forms; the rest of a result has less than 4 KiB. */
const MAX_GROUPS_BYTES = 12 * 1024;

/**
 * Counts and sums all rows by one or two fields, and returns the largest groups.
 *
 * @throws AppError `badInput` for `group_by` or `sum`.
 */
export async function groupEvents(groupsInput: GroupsInput, options: OperationOptions): Promise<Finding> {
  const { deps, filter, input, event, known, chainId } = groupsInput;
  const grouping = parseEventGrouping(input);
  const { query, pages, ending } = readWithinLimits(filter, deps, {
    ...options,
    order: 'oldestFirst',
    confirm: input.confirm === true,
    extent: 'all',
  });
  const days = createBlockDays(async (blocks) =>
    deps.client.fetchBlockTimes(blocks, { signal: options.signal }),
  );
  const groups = createLogGroups(grouping, {
    decoder: createGroupDecoder(event, known),
    dayOf: days.dayOf,
    maxGroups: MAX_GROUPS,
  });
  const blocks = createWholeBlocks();
  const { lookup, prepare } = groupsInput.knowledge;
  const checkNames = () =>
    validateGrouping(grouping, findQueriedEvents({ event, filter, lookup, chainId: chainId ?? 0 }));

  async function add(logs: readonly Log[]): Promise<void> {
    if (logs.length === 0) return;
    if (needsDecoding(grouping)) await prepare(logs);
    if (groups.size === 0) checkNames();
    if (grouping.by.some(({ kind }) => kind === 'day')) await days.prepare(logs);
    groups.add(logs);
  }

  for await (const { logs } of pages) await add(blocks.take(logs));
  const { verdict } = query;
  const end = ending();
  const stopped = formatEnding(end, ownText`Narrow the range, or call again with confirm: true.`);
  const through = stopped === undefined ? verdict?.toBlock : verdict?.readThrough;
  if (through !== undefined) await add(blocks.takeLast(through));
  if (groups.size === 0) checkNames();
  const ranked = await groups.rank({
    slices: createTimeSlices(deps.clock),
    signal: options.signal,
    most: input.limit ?? DEFAULT_GROUPS,
  });
  const rows = takeFittingRows(
    ranked.map((group) => groupToRow(group, groups.sumType)),
    MAX_GROUPS_BYTES,
  );
  const leftOut = groups.size - rows.length;
  return {
    ...toCompletion(stopped === undefined && verdict ? isComplete(verdict) : false, [
      ...(stopped === undefined ? [] : [stopped]),
      ...(verdict ? listReasons(verdict) : []),
      ...(groups.ungrouped > 0 ? [ownText`ungrouped: rows whose field or sum is missing or uncertain.`] : []),
      ...(groups.ungrouped > 0 && !groups.hasDecoded && needsDecoding(grouping)
        ? [ownText`No row was decoded. Pass the declaration of the event with the names of its parameters.`]
        : []),
    ]),
    head: verdict?.head,
    found: {
      count: decimal(blocks.count),
      ...(verdict && { range: rangeToJson(verdict) }),
      ...(stopped !== undefined && through !== undefined && { countedThrough: decimal(through) }),
      columns: [
        ...grouping.by.map(({ name }) => userText(name, 80)),
        ...(grouping.sum === undefined ? [] : [ownWord('sum')]),
        ownWord('count'),
      ],
      groups: rows,
      ...(leftOut > 0 && { groupsLeftOut: leftOut }),
      ...(groups.ungrouped > 0 && { ungrouped: groups.ungrouped }),
      ...estimateToJson(end),
    },
  };
}

/** @throws AppError `badInput` */
function parseEventGrouping({ group_by, sum }: QueryEventsInput): Grouping {
  const by = typeof group_by === 'string' ? splitList(group_by) : (group_by ?? []);
  const grouping = parseGrouping({ by, sum }, 'group_by');
  if (grouping) return grouping;
  throw badInput(
    'group_by',
    'Mode groups needs group_by, such as to or ["to", "day"], or sum, such as value.',
  );
}

/**
 * Holds the rows of the last block back until a row of the next block comes: if reading stops early, that block may be
 * incomplete.
 */
function createWholeBlocks() {
  let waiting: readonly Log[] = [];
  let count = 0;
  return {
    /** Number of rows that were taken. */
    get count() {
      return count;
    },
    take(logs: readonly Log[]): readonly Log[] {
      const all = [...waiting, ...logs];
      const last = all.at(-1)?.blockNumber;
      const whole = all.filter(({ blockNumber }) => blockNumber !== last);
      waiting = all.slice(whole.length);
      count += whole.length;
      return whole;
    },
    /** The rows that are held back, up to a block. */
    takeLast(through: bigint): readonly Log[] {
      const whole = waiting.filter(({ blockNumber }) => blockNumber <= through);
      waiting = [];
      count += whole.length;
      return whole;
    },
  };
}

/** In the order of `columns`. */
function groupToRow({ values, count, totals }: GroupOfLogs, sumType: LogGroups['sumType']): readonly Json[] {
  return [...values.map(valueToJson), ...(totals ? [sumToJson(totals.sum, sumType)] : []), count];
}

function sumToJson(sum: bigint, type: AbiType | undefined): Json {
  return type ? userText(formatExactNumber(type, sum)) : decimal(sum);
}

function valueToJson(value: GroupValue): Json {
  switch (value.kind) {
    case 'address':
      return value.address;
    case 'block':
      return value.block;
    case 'day':
      return userText(value.day);
    case 'event':
      return value.event ? abiText(value.event, value.event.signature) : (value.topic0 ?? null);
    case 'argument': {
      const { parameter, value: argument } = value;
      return isHashed(parameter) ? (argument as Hex) : untrustedValue(parameter.type, argument);
    }
  }
}
