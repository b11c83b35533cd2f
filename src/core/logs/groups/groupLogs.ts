import type { AbiEvent } from '../../abi/item.ts';
import type { DecodedLog, LogDecoder } from '../../abi/logDecoder.ts';
import type { AbiType } from '../../abi/type.ts';
import { type AbiJson, formatExactNumber } from '../../abi/value.ts';
import type { Log } from '../log.ts';
import { type Grouping, needsDecoding, validateGrouping } from './grouping.ts';
import {
  type GroupValue,
  getValueKind,
  groupValueToJson,
  readArgument,
  readGroupValue,
  toGroupKey,
} from './groupValue.ts';
import {
  createLogGrouper,
  createTooManyGroupsError,
  type LogGroup,
  MAX_GROUPS,
  type RankOptions,
} from './logGrouper.ts';

/** Logs with equal values in the fields of a grouping. */
export interface GroupOfLogs extends LogGroup {
  /** In the order of the fields. */
  readonly values: readonly GroupValue[];
}

/** Groups logs as they are read, without storing them. */
export interface LogGroups {
  /** Number of groups. */
  readonly size: number;
  /** Number of logs that lack a field or the summed argument, are not decoded, or fit several events. */
  readonly ungrouped: number;
  /** Whether the event of a log was found. */
  readonly hasDecoded: boolean;
  /** The type of the summed argument; undefined while no log has one. */
  readonly sumType: AbiType | undefined;
  /** @throws AppError `badInput` if there are too many groups. */
  add(logs: readonly Log[]): void;
  /**
   * The groups: the largest sum first, else the largest count; of equal ones, the earliest.
   *
   * @throws AppError `badInput` if there are decoded logs, and none of them has a parameter of the grouping.
   */
  rank(options: RankOptions & { readonly most?: number }): Promise<readonly GroupOfLogs[]>;
}

interface LogGroupsOptions {
  readonly decoder: LogDecoder;
  /** The day of a block; undefined if unknown. */
  readonly dayOf?: ((log: Log) => string | undefined) | undefined;
  readonly maxGroups?: number;
}

/** Characters of the values of all groups: servers and contracts may send long ones. */
const MAX_VALUE_CHARS = 50_000_000;
/** Events that are listed in an error. */
const MAX_EVENTS = 100;

/**
 * Creates groups of logs.
 *
 * @example
 * const groups = createLogGroups(grouping, { decoder });
 * for await (const { logs } of query.rest()) groups.add(logs);
 * const [largest] = await groups.rank({ slices: createTimeSlices(clock) });
 */
export function createLogGroups(
  grouping: Grouping,
  { decoder, dayOf, maxGroups = MAX_GROUPS }: LogGroupsOptions,
): LogGroups {
  const { by, sum, inputName } = grouping;
  const grouper = createLogGrouper({ field: inputName, maxGroups });
  const isDecoded = needsDecoding(grouping);
  const valuesOf: (readonly GroupValue[])[] = [];
  const events = new Map<string, AbiEvent>();
  let chars = 0;
  let ungrouped = 0;
  let sumKind: string | undefined;
  let sumType: AbiType | undefined;

  function readValues(log: Log, decoded: DecodedLog | undefined): readonly GroupValue[] | undefined {
    const day = by.some(({ kind }) => kind === 'day') ? dayOf?.(log) : undefined;
    const values: GroupValue[] = [];
    for (const field of by) {
      const value = readGroupValue(field, log, { decoded, day });
      if (!value) return undefined;
      values.push(value);
    }
    return values;
  }

  /** Numbers with different decimals are not added up. */
  function readSum(decoded: DecodedLog | undefined): bigint | undefined {
    const found = sum === undefined || !decoded ? undefined : readArgument(sum, decoded);
    if (typeof found?.value !== 'bigint') return undefined;
    const kind = getValueKind(found.parameter);
    sumKind ??= kind;
    sumType ??= found.parameter.type;
    return kind === sumKind ? found.value : undefined;
  }

  function addOne(log: Log): void {
    const decoded = isDecoded ? decoder.decode(log) : undefined;
    if (decoded && 'event' in decoded && events.size < MAX_EVENTS)
      events.set(decoded.event.signature, decoded.event);
    const values = readValues(log, decoded);
    const value = values && readSum(decoded);
    if (!values || (sum !== undefined && value === undefined)) {
      ungrouped++;
      return;
    }
    const group = grouper.add(joinKeys(values.map(toGroupKey)), Number(log.blockNumber), value);
    if (group < valuesOf.length) return;
    valuesOf.push(values);
    for (const one of values) chars += countChars(one);
    if (chars > MAX_VALUE_CHARS) throw createTooManyGroupsError(inputName, valuesOf.length - 1);
  }

  return {
    get size() {
      return grouper.size;
    },
    get ungrouped() {
      return ungrouped;
    },
    get hasDecoded() {
      return events.size > 0;
    },
    get sumType() {
      return sumType;
    },
    add(logs) {
      for (const log of logs) addOne(log);
    },
    async rank({ most = Number.POSITIVE_INFINITY, ...options }) {
      if (grouper.size === 0) validateGrouping(grouping, [...events.values()]);
      const ranked = await grouper.rank(options);
      return Array.from(ranked.subarray(0, Math.min(most, ranked.length)), (group) => ({
        ...grouper.at(group),
        values: valuesOf[group] ?? [],
      }));
    },
  };
}

/** With the length of the first, so that no text in it can look like the border. */
function joinKeys([first = '', second]: readonly string[]): string {
  return second === undefined ? first : `${first.length} ${first}${second}`;
}

function countChars(value: GroupValue): number {
  if (value.kind !== 'argument' || typeof value.value === 'bigint') return 0;
  return typeof value.value === 'object'
    ? JSON.stringify(groupValueToJson(value)).length
    : String(value.value).length;
}

/**
 * A group as JSON, with integers as decimal strings. `named` has members of enums by their names.
 *
 * @param sumType of the summed argument.
 * @example groupToJson({ values: [], count: 2, totals: undefined, firstBlock: 7, lastBlock: 9 }, { by: [] })
 * // { group: {}, count: '2', firstBlock: '7', lastBlock: '9' }
 */
export function groupToJson(
  { values, count, totals, firstBlock, lastBlock }: GroupOfLogs,
  { by }: Pick<Grouping, 'by'>,
  sumType?: AbiType | undefined,
) {
  const found = values.map((value, index) => ({ name: by[index]?.name ?? '', ...groupValueToJson(value) }));
  const named = found.flatMap(({ name, named: one }): [string, AbiJson][] =>
    one === undefined ? [] : [[name, one]],
  );
  const format = (value: bigint) => (sumType ? formatExactNumber(sumType, value) : value.toString());
  return {
    group: Object.fromEntries(found.map(({ name, value }) => [name, value])),
    ...(named.length > 0 && { named: Object.fromEntries(named) }),
    count: String(count),
    ...(totals && { sum: format(totals.sum), min: format(totals.min), max: format(totals.max) }),
    firstBlock: String(firstBlock),
    lastBlock: String(lastBlock),
  };
}
