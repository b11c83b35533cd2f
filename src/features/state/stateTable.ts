import {
  type Clock,
  type ContractState,
  createTimeSlices,
  forEachInSlices,
  sortInSlices,
  type TimeSlices,
  type TokenUnits,
} from '../../core/index.ts';
import { createTableFilter } from '../../host/tableFilter.ts';
import type { TextTable } from '../../host/tableText.ts';
import type { RowRanges } from '../../messaging/rowSelection.ts';
import type { StateArrangement, StateColumn, StateColumnId, WireStateRow } from './protocol.ts';
import {
  type ComparedRow,
  comparedRowToJson,
  createStateColumns,
  getShareGroup,
  getValue,
  listComparedRows,
  readDifferenceCell,
  readKeyCell,
  readValueCell,
  type StateCell,
  type StateKnowledge,
} from './stateRows.ts';

export const noArrangement: StateArrangement = { filter: '', onlyChanges: false };

interface SliceOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Joined {
  readonly state: ContractState;
  readonly compared: ContractState | undefined;
  readonly rows: readonly ComparedRow[];
  readonly sums: ReadonlyMap<bigint | 'all', bigint>;
  readonly largest: bigint;
  readonly changes: StateTable['changes'];
}

/** The rows of a state, with those of another block if two are compared. */
export class StateTable {
  readonly columns: readonly StateColumn[];
  /** Number of rows with each change. */
  readonly changes: Readonly<Record<'added' | 'removed' | 'changed', number>>;
  readonly #rows: readonly ComparedRow[];
  readonly #units: TokenUnits | undefined;
  readonly #knowledge: StateKnowledge;
  /** The sums that shares are of. */
  readonly #sums: ReadonlyMap<bigint | 'all', bigint>;
  readonly #largest: bigint;
  #shown: Uint32Array;

  private constructor({ state, compared, rows, sums, largest, changes }: Joined, knowledge: StateKnowledge) {
    this.#rows = rows;
    this.#units = state.units ?? compared?.units;
    this.#knowledge = knowledge;
    this.#sums = sums;
    this.#largest = largest;
    this.columns = createStateColumns(state, compared, knowledge.l10n);
    this.changes = changes;
    this.#shown = listNumbers(rows.length);
  }

  /** @throws the signal's reason when it aborts. */
  static async create(
    state: ContractState,
    compared: ContractState | undefined,
    { clock, signal, ...knowledge }: StateKnowledge & SliceOptions,
  ): Promise<StateTable> {
    const options = { slices: createTimeSlices(clock), signal };
    const rows = await listComparedRows(state, compared, options);
    const sums = new Map<bigint | 'all', bigint>();
    const changes = { added: 0, removed: 0, changed: 0 };
    let largest = 0n;
    const count = ({ row, change }: ComparedRow) => {
      if (change) changes[change]++;
      const group = getShareGroup(row);
      const value = getValue(row);
      if (group === undefined || typeof value !== 'bigint') return;
      sums.set(group, (sums.get(group) ?? 0n) + value);
      if (value > largest) largest = value;
    };
    await forEachInSlices(rows, count, options);
    return new StateTable({ state, compared, rows, sums, largest, changes }, knowledge);
  }

  /** Number of all rows. */
  get size(): number {
    return this.#rows.length;
  }

  /** Number of rows that are shown. */
  get length(): number {
    return this.#shown.length;
  }

  /**
   * Filters and sorts, in slices of time. Rows with equal texts stay in their order.
   *
   * @throws the signal's reason when it aborts; the rows then stay as they were.
   */
  async arrange(arrangement: StateArrangement, { clock, signal }: SliceOptions): Promise<void> {
    const slices = createTimeSlices(clock);
    const passing = await this.#filter(arrangement, slices, signal);
    const { sort } = arrangement;
    const isSorted = sort && this.columns.some(({ id }) => id === sort.column);
    const shown = isSorted ? await this.#sort(passing, sort, slices, signal) : passing;
    signal.throwIfAborted();
    this.#shown = shown;
  }

  /** The rows in a window, for the view. */
  window(start: number, count: number): readonly WireStateRow[] {
    const numbers = this.#shown.subarray(start, start + count);
    return Array.from(numbers, (number, index) => this.#toWire(number, start + index));
  }

  /** Rows of the shown ones as text: all without `selected`. */
  toTextTable(selected?: RowRanges): TextTable {
    const numbers = selected
      ? selected.flatMap(([start, end]) => [...this.#shown.subarray(start, Math.max(start, end))])
      : this.#shown;
    const { columns } = this;
    const exact = columns.filter(({ id }) => id !== 'share');
    const at = (index: number) => this.#rowAt(numbers[index] ?? 0);
    return {
      count: numbers.length,
      columns,
      shown: (index) => columns.map(({ id }) => this.#cell(at(index), id).text),
      exactNames: exact.map(({ name }) => name),
      exact: (index) => exact.map(({ id }) => this.#cell(at(index), id).exact),
      toJson: (index) => comparedRowToJson(at(index)),
    };
  }

  async #filter(
    { filter, onlyChanges }: StateArrangement,
    slices: TimeSlices,
    signal: AbortSignal,
  ): Promise<Uint32Array> {
    const passes = createTableFilter(filter, {
      columns: this.columns,
      cell: (number, column) => this.#cell(this.#rowAt(number), column),
    });
    const all = this.#rows;
    const needsChange = onlyChanges && this.columns.some(({ id }) => id === 'change');
    if (!passes && !needsChange) return listNumbers(all.length);
    const passing = new Uint32Array(all.length);
    let count = 0;
    for (const [number, row] of all.entries()) {
      if (number % 64 === 0 && slices.isOver()) await slices.rest({ signal });
      if (needsChange && row.change === undefined) continue;
      if (!passes || passes(number)) passing[count++] = number;
    }
    return passing.slice(0, count);
  }

  async #sort(
    numbers: Uint32Array,
    { column, descending }: NonNullable<StateArrangement['sort']>,
    slices: TimeSlices,
    signal: AbortSignal,
  ): Promise<Uint32Array> {
    const keys: (string | bigint)[] = [];
    for (const [index, number] of numbers.entries()) {
      if (index % 64 === 0 && slices.isOver()) await slices.rest({ signal });
      keys[number] = this.#cell(this.#rowAt(number), column).sortKey;
    }
    const sign = descending ? -1 : 1;
    const compare = (a: number, b: number) => sign * compareKeys(keys[a] ?? '', keys[b] ?? '') || a - b;
    return sortInSlices(numbers, compare, { slices, signal });
  }

  #rowAt(number: number): ComparedRow {
    const row = this.#rows[number];
    if (!row) throw new Error(`There is no row ${number}.`);
    return row;
  }

  #toWire(number: number, place: number): WireStateRow {
    const row = this.#rowAt(number);
    const read = this.columns.map(({ id }) => [id, this.#cell(row, id)] as const);
    const pick = (part: (cell: StateCell) => string | undefined) =>
      Object.fromEntries(
        read.flatMap(([id, cell]) => {
          const text = part(cell);
          return text === undefined ? [] : [[id, text]];
        }),
      );
    return {
      row: place,
      cells: pick(({ text }) => text),
      hints: pick(({ hint }) => hint),
      exact: pick(({ exact }) => exact),
      addresses: pick(({ address }) => address),
      change: row.change,
      bar: this.#barOf(row),
    };
  }

  #cell(compared: ComparedRow, column: StateColumnId): StateCell {
    const { row, older, newer, change } = compared;
    const knowledge = this.#knowledge;
    switch (column) {
      case 'change': {
        const text = this.#nameChange(change);
        return { text, exact: change ?? 'same', sortKey: CHANGE_ORDER[change ?? 'same'] };
      }
      case 'value':
        return readValueCell(older || newer ? newer : row, this.#units, knowledge);
      case 'other':
        return readValueCell(older, this.#units, knowledge);
      case 'difference':
        return readDifferenceCell(compared, this.#units, knowledge);
      case 'share':
        return this.#shareOf(compared);
      default:
        return readKeyCell(row, column, knowledge);
    }
  }

  #nameChange(change: ComparedRow['change']): string {
    const { l10n } = this.#knowledge;
    switch (change) {
      case 'added':
        return l10n.t('Added');
      case 'removed':
        return l10n.t('Removed');
      case 'changed':
        return l10n.t('Changed');
      default:
        return '';
    }
  }

  /** In percent, rounded down so that nobody appears to own more than they do. */
  #shareOf({ row }: ComparedRow): StateCell {
    const value = getValue(row);
    const sum = this.#sums.get(getShareGroup(row) ?? 'all') ?? 0n;
    if (typeof value !== 'bigint' || sum <= 0n || value < 0n) return { text: '', exact: '', sortKey: -1n };
    const share = (value * SHARE_UNITS) / sum;
    const [whole, digits] = [share / 10_000n, (share % 10_000n).toString().padStart(4, '0')];
    const isSmall = share < 1000n && value > 0n;
    const text = isSmall && share === 0n ? '<0.0001%' : `${whole}.${digits.slice(0, isSmall ? 4 : 2)}%`;
    // Equal shares are still in the order of their values.
    return { text, exact: text, sortKey: (value << 256n) / sum };
  }

  #barOf({ row }: ComparedRow): number | undefined {
    const value = getValue(row);
    if (row.kind !== 'balance' || typeof value !== 'bigint' || this.#largest <= 0n) return undefined;
    return Number((value * 1000n) / this.#largest) / 1000;
  }
}

/** A ten thousandth of a percent. */
const SHARE_UNITS = 1_000_000n;

const CHANGE_ORDER = { added: 0n, changed: 1n, removed: 2n, same: 3n } as const;

function listNumbers(count: number): Uint32Array {
  return new Uint32Array(count).map((_, number) => number);
}

/** Numbers before texts. */
function compareKeys(a: string | bigint, b: string | bigint): number {
  const isText = typeof a === 'string';
  if (isText !== (typeof b === 'string')) return isText ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
