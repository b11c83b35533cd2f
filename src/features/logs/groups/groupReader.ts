import {
  type AbiEvent,
  type AbiType,
  type AbiValue,
  type Address,
  type AmountUnit,
  formatAmount,
  formatExactNumber,
  type Grouping,
  type GroupValue,
  getOnlyAddress,
  getUnit,
  groupDigits,
  groupToJson,
  hasUnit,
  isHashed,
  type Log,
  type LogFilter,
  type LogStore,
  type NamedArgument,
  type RowGroups,
  readGroupValue,
  resolveUnit,
  type TimeSlices,
  type TokenUnits,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/l10n.ts';
import {
  type DecodedRow,
  formatArgument,
  formatExactArgument,
  formatRowAddress,
  type ValueFormat,
} from '../decoded/cells.ts';
import type { GroupColumn, GroupColumnId } from '../protocol/groups.ts';

/** A cell of a group: what is shown, and what is copied. */
export interface GroupCell {
  readonly text: string;
  /** The full value, if the text is a name or shortened. */
  readonly hint?: string | undefined;
  /** Full addresses, plain digits. */
  readonly exact: string;
}

/** What groups are sorted and compared by. */
export type GroupKey = string | number | bigint;

/** Reads the groups of rows. */
export interface GroupReader {
  readonly columns: readonly GroupColumn[];
  cell(group: number, column: GroupColumnId): GroupCell;
  /** A number, or a text in lower case; empty if the group has no value. */
  keyOf(group: number, column: GroupColumnId): GroupKey;
  /** The length of a group's bar, 0 to 1. */
  barOf(group: number): number;
  /** In the form of the command line. */
  toJson(group: number): object;
  /** The fields of a group on one line. */
  describe(group: number): string;
  /** A decoded row of a group, for what has to be fetched about it. */
  rowOf(group: number): DecodedRow;
}

interface ReaderInputs {
  readonly store: LogStore;
  readonly groups: RowGroups;
  readonly scale: GroupScale;
  readonly grouping: Grouping;
  readonly filter: Pick<LogFilter, 'addresses'>;
  readonly sumUnit: SumUnit;
  readonly read: (log: Log) => DecodedRow;
  readonly dayOf: (log: Log) => string | undefined;
  readonly format: ValueFormat;
}

/** What a summed argument counts, if that is the same in each event that has it. */
export interface SumUnit {
  /** In the logs of one contract. */
  at(contract: Address): AmountUnit | undefined;
  /** In the logs of all contracts. */
  readonly common: AmountUnit | undefined;
}

/** Sums of more contracts are integers. */
const MAX_CONTRACTS = 1000;

export function createSumUnit(
  summed: readonly Pick<NamedArgument, 'unitAt'>[],
  { columns: { addresses } }: LogStore,
): SumUnit {
  const at = (contract: Address) => findCommonUnit(summed.map(({ unitAt }) => unitAt(contract)));
  const contracts = Array.from({ length: Math.min(addresses.length, MAX_CONTRACTS + 1) }, (_, number) =>
    addresses.at(number),
  );
  return { at, common: contracts.length > MAX_CONTRACTS ? undefined : findCommonUnit(contracts.map(at)) };
}

function findCommonUnit(units: readonly (AmountUnit | undefined)[]): AmountUnit | undefined {
  const [first, ...others] = units.map((unit) => JSON.stringify(unit));
  return others.every((other) => other === first) ? units[0] : undefined;
}

/** An argument of a decoded row. */
interface ReadArgument {
  readonly event: AbiEvent;
  readonly index: number;
  readonly value: AbiValue;
}

const EMPTY: GroupCell = { text: '', exact: '' };

export function createGroupReader(inputs: ReaderInputs): GroupReader {
  const { store, groups, scale, grouping, read, dayOf } = inputs;
  const { by, sum } = grouping;
  // Sums of amounts of several tokens are in no token's units.
  const isOfOneContract =
    getOnlyAddress(inputs.filter) !== undefined || by.some(({ kind }) => kind === 'address');
  const summed = sum === undefined ? undefined : findSummed();
  let last: { readonly group: number; readonly row: DecodedRow } | undefined;

  function rowOf(group: number): DecodedRow {
    if (last?.group !== group) last = { group, row: read(store.get(groups.firstRowOf(group))) };
    return last.row;
  }

  function findSummed(): Pick<ReadArgument, 'event' | 'index'> | undefined {
    const [largest] = groups.ranked;
    return largest === undefined || sum === undefined
      ? undefined
      : readArgument(read(store.get(groups.firstRowOf(largest))), sum);
  }

  const sumType = (): AbiType | undefined => summed?.event.inputs[summed.index]?.type;

  function unitsOf(group: number): TokenUnits | undefined {
    const unit = isOfOneContract ? findUnit(group) : inputs.sumUnit.common;
    return resolveUnit(unit, inputs.format.unitsOf);
  }

  /** One event may call an amount what is none in another. */
  function findUnit(group: number): AmountUnit | undefined {
    const row = rowOf(group);
    const { address } = row.log;
    if (!by.some(({ kind }) => kind === 'event')) return inputs.sumUnit.at(address);
    const own = sum === undefined ? undefined : readArgument(row, sum);
    return own && getUnit(own.event, own.index, address);
  }

  function formatNumber(group: number, value: bigint | undefined): GroupCell {
    if (value === undefined) return EMPTY;
    const type = sumType();
    const exact = type ? formatExactNumber(type, value) : String(value);
    const units = unitsOf(group);
    if (units) return { text: formatAmount(value, units), hint: exact, exact };
    const [whole = '', fraction] = exact.split('.');
    return { text: groupDigits(whole) + (fraction === undefined ? '' : `.${fraction}`), exact };
  }

  function readValue(group: number, index: number): GroupValue | ReadArgument | undefined {
    const field = by[index];
    if (!field) return undefined;
    const row = rowOf(group);
    return field.kind === 'argument'
      ? readArgument(row, field.parameter)
      : readGroupValue(field, row.log, { decoded: row.decoded, day: dayOf(row.log) });
  }

  function formatField(group: number, index: number): GroupCell {
    const value = readValue(group, index);
    if (!value) return EMPTY;
    const { format } = inputs;
    if ('index' in value) {
      const parameter = value.event.inputs[value.index];
      if (!parameter) return EMPTY;
      const { text, exact: hint } = formatArgument(value, rowOf(group).log.address, format);
      const shown = text === '' ? format.l10n.t('(empty)') : text;
      return { text: shown, hint, exact: formatExactArgument(parameter, value.value) };
    }
    switch (value.kind) {
      case 'address': {
        const { text, exact: hint } = formatRowAddress(value.address, format);
        return { text, hint, exact: toChecksumAddress(value.address) };
      }
      case 'event': {
        const exact = value.event?.signature ?? value.topic0 ?? '';
        return { text: value.event?.name ?? exact, hint: exact, exact };
      }
      case 'block': {
        const { width } = by[index] as { readonly width: number };
        const text = width === 1 ? String(value.block) : `${value.block} – ${value.block + width - 1}`;
        return { text, exact: String(value.block) };
      }
      case 'day':
        return { text: value.day, exact: value.day };
      default:
        return EMPTY;
    }
  }

  function numberOf(group: number, column: GroupColumnId): number | bigint | undefined {
    const { count, totals, firstBlock, lastBlock } = groups.at(group);
    switch (column) {
      case 'count':
        return count;
      case 'share':
        return scale.shareOf(group);
      case 'firstBlock':
        return firstBlock;
      case 'lastBlock':
        return lastBlock;
      case 'first':
        return groups.valueAt(groups.firstRowOf(group));
      case 'last':
        return groups.valueAt(groups.lastRowOf(group));
      case 'group0':
      case 'group1': {
        const value = readValue(group, toFieldIndex(column));
        if (value && 'kind' in value) return value.kind === 'block' ? value.block : undefined;
        const parameter = value?.event.inputs[value.index];
        const isNumber = typeof value?.value === 'bigint' && parameter && !isHashed(parameter);
        return isNumber ? (value.value as bigint) : undefined;
      }
      default:
        return totals?.[column];
    }
  }

  function cell(group: number, column: GroupColumnId): GroupCell {
    if (column === 'group0' || column === 'group1') return formatField(group, toFieldIndex(column));
    const number = numberOf(group, column);
    if (typeof number !== 'number') return formatNumber(group, number);
    if (column === 'share') return toCell(`${(number * 100).toFixed(1)}%`);
    return column === 'count' ? { text: groupDigits(number), exact: String(number) } : toCell(String(number));
  }

  return {
    columns: createGroupColumns(grouping, {
      l10n: inputs.format.l10n,
      isNumber: (index) =>
        groups.size > 0 && numberOf(groups.ranked[0] ?? 0, toColumnId(index)) !== undefined,
      isInUnits:
        isOfOneContract ||
        !summed ||
        inputs.sumUnit.common !== undefined ||
        !hasUnit(summed.event, summed.index),
      isOfSums: scale.isOfSums,
    }),
    cell,
    keyOf: (group, column) => numberOf(group, column) ?? cell(group, column).text.toLowerCase(),
    rowOf,
    barOf: scale.barOf,
    describe: (group) =>
      by.map(({ name }, index) => `${name}: ${formatField(group, index).text}`).join(' · '),
    toJson(group) {
      const values = by.map((_, index): GroupValue => {
        const value = readValue(group, index);
        if (value && 'kind' in value) return value;
        const parameter = value?.event.inputs[value.index];
        return value && parameter
          ? { kind: 'argument', parameter, value: value.value }
          : { kind: 'event', event: undefined, topic0: undefined };
      });
      const valuesAtEnds = (['first', 'last'] as const).map((column) => [column, cell(group, column).exact]);
      return {
        ...groupToJson({ ...groups.at(group), values }, grouping, sumType()),
        ...(sum !== undefined && Object.fromEntries(valuesAtEnds)),
      };
    },
  };
}

function toCell(text: string): GroupCell {
  return { text, exact: text };
}

function toFieldIndex(column: 'group0' | 'group1'): number {
  return column === 'group0' ? 0 : 1;
}

function toColumnId(index: number): 'group0' | 'group1' {
  return index === 0 ? 'group0' : 'group1';
}

/** The argument of a row. */
function readArgument({ decoded }: DecodedRow, name: string): ReadArgument | undefined {
  if ('reason' in decoded) return undefined;
  const { event, values } = decoded;
  const index = event.inputs.findIndex((input) => input.name === name);
  const value = values[index];
  return value === undefined ? undefined : { event, index, value };
}

/** What the sums and counts of groups are a part of. */
export interface GroupScale {
  /** Number of logs in the groups. */
  readonly logs: number;
  /** Whether shares and bars are of the sums; else of the counts. */
  readonly isOfSums: boolean;
  shareOf(group: number): number;
  barOf(group: number): number;
}

/** Adds up the groups, in slices of time. Negative numbers have no share of a sum: then shares are of the counts. */
export async function measureGroups(
  { ranked, at }: RowGroups,
  { slices, signal }: { readonly slices: TimeSlices; readonly signal: AbortSignal },
): Promise<GroupScale> {
  let sum = 0n;
  let logs = 0;
  let largestCount = 1;
  let isOfSums = ranked.length > 0;
  for (const [index, group] of ranked.entries()) {
    const { totals, count } = at(group);
    if (!totals || totals.min < 0n) isOfSums = false;
    sum += totals?.sum ?? 0n;
    logs += count;
    largestCount = Math.max(largestCount, count);
    if (index % 256 === 0 && slices.isOver()) await slices.rest({ signal });
  }
  isOfSums &&= sum > 0n;
  const [first] = ranked;
  const largestSum = (first === undefined ? undefined : at(first).totals?.sum) ?? 1n;
  const ratio = (part: bigint, whole: bigint) => Number((part * RATIO_STEPS) / whole) / Number(RATIO_STEPS);
  return {
    logs,
    isOfSums,
    shareOf: (group) => (isOfSums ? ratio(at(group).totals?.sum ?? 0n, sum) : at(group).count / logs),
    barOf: (group) =>
      isOfSums ? ratio(at(group).totals?.sum ?? 0n, largestSum) : at(group).count / largestCount,
  };
}

const RATIO_STEPS = 1_000_000n;

interface ColumnOptions {
  readonly l10n: Localizer;
  /** Whether the values of a field are numbers. */
  readonly isNumber: (index: number) => boolean;
  readonly isInUnits: boolean;
  readonly isOfSums: boolean;
}

function createGroupColumns(
  { by, sum }: Grouping,
  { l10n, isNumber, isInUnits, isOfSums }: ColumnOptions,
): readonly GroupColumn[] {
  const fields = by.map((field, index): GroupColumn => {
    const id = toColumnId(index);
    return { id, sortBy: id, name: field.name, width: 190, alignEnd: isNumber(index) };
  });
  const inUnits = isInUnits
    ? ''
    : ` ${l10n.t('The logs may be of several tokens. Group by address too for amounts in their units.')}`;
  const ofSum = (id: GroupColumnId, name: string, hint: string): GroupColumn => ({
    ...{ id, sortBy: id, name, hint: `${hint}${inUnits}`, width: 170, alignEnd: true },
  });
  const block = (id: GroupColumnId, name: string): GroupColumn => ({
    ...{ id, sortBy: id, name, width: 110, alignEnd: true },
  });
  return [
    ...fields,
    ...(sum === undefined ? [] : [ofSum('sum', l10n.t('Sum'), l10n.t('Sum of {0}.', sum))]),
    {
      ...{ id: 'count', sortBy: 'count', name: l10n.t('Count'), hint: l10n.t('Number of logs.') },
      ...{ width: 90, alignEnd: true },
    },
    {
      ...{ id: 'share', name: l10n.t('Share'), width: 120, alignEnd: true },
      hint: isOfSums ? l10n.t('Share of the sum of all groups.') : l10n.t('Share of the logs of all groups.'),
    },
    ...(sum === undefined
      ? []
      : [
          ofSum('min', l10n.t('Minimum'), l10n.t('Smallest {0}.', sum)),
          ofSum('max', l10n.t('Maximum'), l10n.t('Largest {0}.', sum)),
          ofSum('first', l10n.t('First'), l10n.t('{0} of the first log.', sum)),
          ofSum('last', l10n.t('Last'), l10n.t('{0} of the last log.', sum)),
        ]),
    block('firstBlock', l10n.t('First block')),
    block('lastBlock', l10n.t('Last block')),
  ];
}
