import {
  type Clock,
  createRowSequence,
  emptyLogView,
  extendLogView,
  isAppendOnly,
  type Log,
  type LogArrangement,
  type LogStore,
  type LogView,
  type PlaceRange,
  type PlacesMoved,
  type RowKnowledge,
  type RowSequence,
  toPlaceRanges,
} from '../../../core/index.ts';

/** A log with its number in the result, in chain order. */
export interface NumberedLog {
  readonly number: number;
  readonly log: Log;
}

/** Rows that a filter processes between two updates of the view. */
const ROWS_PER_STEP = 100_000;
const HAS_NUMBER = /\d/;

/**
 * The loaded rows as displayed: filtered and sorted. A new arrangement replaces the old one when it is ready.
 */
export class RowView {
  readonly #onDidChange: (what: 'state' | 'rows') => void;
  readonly #clock: Clock;
  readonly #knowledge: (store: LogStore) => RowKnowledge | undefined;
  #store: LogStore;
  #requested = loadedArrangement;
  #shown = loadedArrangement;
  #sequence: RowSequence;
  /** The version of the sequence that is shown. */
  #version = 0;
  #view: LogView | undefined;
  /** The displayed rows of the view. */
  #rows: Uint32Array | undefined;
  readonly #moves = createPlaceMoves();
  #order = 0;
  #textVersion = 0;
  #running: AbortController | undefined;
  #done: Promise<void> = Promise.resolve();

  /** `onDidChange` is called on every change; with `rows` the display may be delayed. */
  constructor(
    store: LogStore,
    options: {
      readonly onDidChange: (what: 'state' | 'rows') => void;
      readonly clock: Clock;
      /** Decoded values to sort and filter by. */
      readonly knowledge?: (store: LogStore) => RowKnowledge | undefined;
    },
  ) {
    this.#store = store;
    this.#sequence = createRowSequence(store, store.order);
    this.#onDidChange = options.onDidChange;
    this.#clock = options.clock;
    this.#knowledge = options.knowledge ?? (() => undefined);
  }

  /** Increases when row numbers refer to other logs of the same store. */
  get order(): number {
    return this.#order;
  }

  /** Increases when cells of the same rows have other texts. */
  get textVersion(): number {
    return this.#textVersion;
  }

  /** The current arrangement. */
  get shown(): LogArrangement {
    return this.#shown;
  }

  /** The requested arrangement. */
  get requested(): LogArrangement {
    return this.#requested;
  }

  /** Whether a filter or sort is running. */
  get isWorking(): boolean {
    return this.#running !== undefined;
  }

  get length(): number {
    return this.#rows?.length ?? this.#sequence.length;
  }

  arrange(requested: LogArrangement): void {
    this.#stop();
    this.#requested = requested;
    if (isLoadedArrangement(requested)) {
      if (this.#view) this.#order++;
      this.#show(undefined);
      this.#shown = requested;
      this.#onDidChange('state');
    } else {
      this.#done = this.#applyArrangement(emptyLogView);
      this.#onDidChange('rows');
    }
  }

  /** Some cells have other texts: the view requests them again, and keeps its position. */
  invalidateCells(): void {
    this.#textVersion++;
    this.#onDidChange('rows');
  }

  /** All cells have other texts. */
  invalidateRows(): void {
    this.#order++;
    this.#textVersion++;
    this.#onDidChange('state');
  }

  /** Updates rows after more became known, and filters and sorts again if that may change. */
  refresh(change: 'events' | 'names' | 'units'): void {
    const { filter, sort } = this.#requested;
    const isChosenByIt = change === 'units' ? HAS_NUMBER.test(filter) : filter.trim() !== '';
    const isSortedByIt = change === 'events' && sort?.column.startsWith('argument') === true;
    this.invalidateRows();
    if (isChosenByIt || isSortedByIt) this.arrange(this.#requested);
  }

  /** Adds the new rows of `store`, or all rows of a different store. `sequence` belongs to `store`. */
  sync(store: LogStore, sequence?: RowSequence): void {
    if (store !== this.#store) {
      this.#stop();
      this.#store = store;
      const { filter, sort, within } = this.#requested;
      // The rows of a group are rows of its store.
      if (within) this.#requested = { filter, sort };
      this.#sequence = sequence ?? createRowSequence(store, store.order);
      this.#version = this.#sequence.version;
      this.#shown = this.#requested;
      this.#show(isLoadedArrangement(this.#requested) ? undefined : emptyLogView);
    }
    this.#followSequence();
    const isBehind = this.#view !== undefined && this.#view.seen < store.length;
    if (isBehind && !this.#running) this.#done = this.#applyArrangement(this.#view ?? emptyLogView);
  }

  slice(start: number, count: number): readonly NumberedLog[] {
    const end = Math.min(this.length, start + count);
    return Array.from({ length: Math.max(0, end - start) }, (_, offset) => {
      const number = this.#numberAt(start + offset);
      return { number, log: this.#store.get(number) };
    });
  }

  at(row: number): NumberedLog | undefined {
    return this.slice(row, 1)[0];
  }

  findRow(number: number): number | undefined {
    const row = this.#rows ? this.#rows.indexOf(number) : this.#sequence.placeOf(number);
    return row !== undefined && row >= 0 && row < this.length ? row : undefined;
  }

  /** Whether all loaded rows are shown, as they are: then row numbers are log numbers or their reverse. */
  get isWhole(): boolean {
    return this.#rows === undefined && this.#sequence.length === this.#store.length;
  }

  /** Increases when rows come or go. */
  get version(): number {
    return this.#version;
  }

  /** The log numbers of rows. */
  listNumbers(start: number, end: number): readonly number[] {
    const last = Math.min(this.length, end);
    return Array.from({ length: Math.max(0, last - start) }, (_, offset) => this.#numberAt(start + offset));
  }

  /**
   * The rows of a store that pass the filter, and whether they are in its order; undefined without a filter.
   */
  passing(store: LogStore): { readonly rows: Uint32Array; readonly isInOrder: boolean } | undefined {
    if (!this.#view || store !== this.#store || !isFilteredArrangement(this.#shown)) return undefined;
    const isFollowed = store.upwardsFrom !== undefined;
    return {
      rows: this.#rows ?? this.#view.rows,
      isInOrder: !isFollowed && isAppendOnly(this.#shown, store),
    };
  }

  /** The logs in the current order, unaffected by later changes. */
  get asShown(): Pick<LogStore, 'length' | 'slice'> {
    const store = this.#store;
    const { length } = this;
    const numbers = this.#rows;
    if (!numbers) return { length, slice: this.#sequence.slice };
    const slice: LogStore['slice'] = (start, count) =>
      Array.from(numbers.subarray(start, start + count), (number) => store.get(number));
    return { length, slice };
  }

  /** Resolves when the requested arrangement is applied. */
  async ready(): Promise<void> {
    while (this.#running) await this.#done;
  }

  dispose(): void {
    this.#stop();
  }

  #numberAt(row: number): number {
    return this.#rows ? (this.#rows[row] ?? 0) : this.#sequence.numberAt(row);
  }

  /** How rows moved since the last call; empty if the order changed in another way. */
  takeMoves(): readonly RowsMoved[] {
    return this.#moves.take(this.#order);
  }

  /** Removes the places of removed rows, and adds those of new ones. */
  #followSequence(): void {
    const { version } = this.#sequence;
    if (version === this.#version) return;
    const moved = this.#rows ? undefined : this.#sequence.movedSince(this.#version);
    this.#version = version;
    if (this.#rows) {
      this.#showMoved(this.#view);
      return;
    }
    for (const { removed, inserted } of moved ?? []) {
      const isOnTop = this.#sequence.newestOnTop && inserted.length > 0;
      if (removed.length > 0 || isOnTop) this.#recordMove(removed, inserted);
    }
    if (!moved) this.#order++;
  }

  #recordMove(removed: readonly PlaceRange[], inserted: readonly PlaceRange[]): void {
    this.#moves.add(this.#order, removed, inserted);
    this.#order++;
  }

  #show(view: LogView | undefined): void {
    this.#view = view;
    this.#rows =
      view &&
      presentRows(view.rows, { store: this.#store, sequence: this.#sequence, sort: this.#requested.sort });
  }

  /** Shows a view of the same arrangement in which rows may have moved. */
  #showMoved(view: LogView | undefined): void {
    const before = this.#rows;
    const seen = this.#view?.seen ?? 0;
    this.#show(view);
    if (!before || !this.#rows || this.#store.upwardsFrom === undefined) return;
    const moved = findMoves(before, this.#rows, {
      isGone: (row) => this.#sequence.placeOf(row) === undefined,
      isNew: (row) => row >= seen,
    });
    if (moved && moved.removed.length + moved.inserted.length === 0) return;
    if (moved) this.#recordMove(moved.removed, moved.inserted);
    else this.#order++;
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  async #applyArrangement(startView: LogView): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    const store = this.#store;
    const requested = this.#requested;
    const steps = isAppendOnly(requested, store) ? ROWS_PER_STEP : Number.POSITIVE_INFINITY;
    let view = startView;
    const target = store.length;
    const knowledge = this.#knowledge(store);
    do {
      const through = Math.min(target, view.seen + steps);
      const next = await extendLogView(view, store, {
        arrangement: requested,
        through,
        clock: this.#clock,
        signal,
        knowledge,
      }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (!next || signal.aborted) return;
      const isFollowed = store.upwardsFrom !== undefined && view !== emptyLogView;
      if (!isFollowed && (view === emptyLogView || !isAppendOnly(requested, store))) this.#order++;
      view = next;
      if (isFollowed) this.#showMoved(view);
      else this.#show(view);
      if (view.seen >= target) this.#running = undefined;
      const isNew = this.#shown !== requested;
      this.#shown = requested;
      this.#onDidChange(isNew ? 'state' : 'rows');
    } while (view.seen < target);
  }
}

/** Unfiltered and unsorted. */
export const loadedArrangement: LogArrangement = { filter: '' };

function isLoadedArrangement(arrangement: LogArrangement): boolean {
  return !isFilteredArrangement(arrangement) && arrangement.sort === undefined;
}

/** Whether it shows only some of the rows. */
export function isFilteredArrangement({ filter, within }: LogArrangement): boolean {
  return filter.trim() !== '' || within !== undefined;
}

/** As many rows as fit in a tall window. */
export const TOP_ROWS = 60;

/** The first displayed rows, once per row order; otherwise undefined. */
type TakeTopRows = (resultId: string, rows: RowView) => readonly NumberedLog[] | undefined;

export function createTopRows(): TakeTopRows {
  let last: { readonly resultId: string; readonly order: number } | undefined;
  return (resultId, rows) => {
    const { order, length } = rows;
    if (length === 0 || (last?.resultId === resultId && last.order === order)) return undefined;
    last = { resultId, order };
    return rows.slice(0, TOP_ROWS);
  };
}

interface RowsMoved extends PlacesMoved {
  /** The order before; the order after it is the next number. */
  readonly from: number;
}

interface PlaceMoves {
  add(from: number, removed: readonly PlaceRange[], inserted: readonly PlaceRange[]): void;
  /** The moves since the last call, if they lead to `order`. */
  take(order: number): readonly RowsMoved[];
}

/** Above these limits the view requests all rows again. */
const MAX_MOVES = 32;
const MAX_RANGES = 256;

function createPlaceMoves(): PlaceMoves {
  let moves: RowsMoved[] = [];
  return {
    add(from, removed, inserted) {
      const last = moves[moves.length - 1];
      if (last && last.from + 1 !== from) moves = [];
      if (removed.length + inserted.length > MAX_RANGES || moves.length >= MAX_MOVES) moves = [];
      else moves.push({ from, removed, inserted });
    },
    take(order) {
      const taken = moves;
      moves = [];
      const last = taken[taken.length - 1];
      return last && last.from + 1 === order ? taken : [];
    },
  };
}

interface RowChanges {
  readonly isGone: (row: number) => boolean;
  readonly isNew: (row: number) => boolean;
}

/**
 * The places removed from `before` and inserted in `after`; undefined if the other rows changed their order.
 */
function findMoves(
  before: Uint32Array,
  after: Uint32Array,
  { isGone, isNew }: RowChanges,
): PlacesMoved | undefined {
  const removed: number[] = [];
  const inserted: number[] = [];
  let old = 0;
  const skipGone = () => {
    for (; old < before.length && isGone(before[old] ?? 0); old++) removed.push(old);
  };
  for (const [place, row] of after.entries()) {
    if (isNew(row)) {
      inserted.push(place);
      continue;
    }
    skipGone();
    if (before[old++] !== row) return undefined;
  }
  skipGone();
  return old === before.length
    ? { removed: toPlaceRanges(removed), inserted: toPlaceRanges(inserted) }
    : undefined;
}

interface PresentedRows {
  readonly store: Pick<LogStore, 'length' | 'upwardsFrom'>;
  readonly sequence: Pick<RowSequence, 'length' | 'newestOnTop' | 'placeOf'>;
  readonly sort: LogArrangement['sort'];
}

/**
 * The displayed rows of a view: without removed ones and, if the newest are on top and nothing is sorted,
 * with followed rows first.
 */
function presentRows(
  rows: Uint32Array,
  { store: { length, upwardsFrom }, sequence, sort }: PresentedRows,
): Uint32Array {
  if (upwardsFrom === undefined) return rows;
  const remaining =
    sequence.length === length ? rows : rows.filter((row) => sequence.placeOf(row) !== undefined);
  if (sort !== undefined || !sequence.newestOnTop) return remaining;
  const split = remaining.findIndex((row) => row >= upwardsFrom);
  if (split < 0) return remaining;
  const shown = new Uint32Array(remaining.length);
  shown.set(remaining.subarray(split).toReversed());
  shown.set(remaining.subarray(0, split), remaining.length - split);
  return shown;
}
