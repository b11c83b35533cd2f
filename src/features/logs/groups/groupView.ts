import {
  type BlockDays,
  type BlockTime,
  type Clock,
  createBlockDays,
  createTimeSlices,
  type Grouping,
  groupRows,
  type LogStore,
  parseGrouping,
  type RowGroupField,
  type RowGroups,
  type RowKnowledge,
  sortInSlices,
  type TimeSlices,
  validateGrouping,
} from '../../../core/index.ts';
import { createTableFilter } from '../../../host/tableFilter.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import type { GroupArrangement, GroupChoice } from '../protocol/groups.ts';
import type { LogResults } from '../results/logResults.ts';
import type { RowView } from '../results/rowView.ts';
import {
  createGroupReader,
  createSumUnit,
  type GroupReader,
  type GroupScale,
  measureGroups,
} from './groupReader.ts';

interface GroupViewDeps {
  readonly results: Pick<LogResults, 'resultId' | 'rows' | 'sequence'>;
  readonly rows: Pick<RowView, 'length' | 'isWhole' | 'listNumbers' | 'version' | 'shown' | 'requested'>;
  readonly reader: Pick<
    RowReader,
    | 'createKnowledge'
    | 'listEvents'
    | 'queried'
    | 'createDecodedReader'
    | 'createFormat'
    | 'decoder'
    | 'createAnonymousTest'
  >;
  readonly clock: Clock;
  /** Whether groups are not made now, because the rows are those of one group. */
  readonly isPaused: () => boolean;
  /** The times of blocks; undefined if the endpoint does not report times. */
  readonly fetchTimes: (
    blocks: readonly bigint[],
    options: { readonly signal: AbortSignal },
  ) => Promise<ReadonlyMap<bigint, BlockTime> | undefined>;
  readonly toMessage: (error: unknown) => string;
  readonly onDidChange: () => void;
}

/** The groups of the rows at one moment. */
interface MadeGroups {
  readonly resultId: string;
  readonly choice: GroupChoice;
  readonly grouping: Grouping;
  readonly groups: RowGroups;
  readonly scale: GroupScale;
  readonly reader: GroupReader;
  /** What they were made of. */
  readonly version: string;
}

/** The groups as they are shown: filtered and sorted. */
interface ShownGroups extends MadeGroups {
  readonly arrangement: GroupArrangement;
  readonly shown: Uint32Array;
}

const noArrangement: GroupArrangement = { filter: '' };

/**
 * The rows of a panel in groups, as the user chose. They are made again as rows come and go, in slices of time; until
 * then the earlier ones are shown.
 */
export class GroupView {
  readonly #deps: GroupViewDeps;
  #choice: GroupChoice | undefined;
  #arrangement = noArrangement;
  #shown: ShownGroups | undefined;
  #error: { readonly version: string; readonly message: string } | undefined;
  #order = 0;
  #textVersion = 0;
  #knowledgeVersion = 0;
  #running: AbortController | undefined;
  #done: Promise<void> = Promise.resolve();
  #days: { readonly resultId: string; readonly days: BlockDays } | undefined;

  constructor(deps: GroupViewDeps) {
    this.#deps = deps;
  }

  /** Undefined while the rows are not grouped. */
  get choice(): GroupChoice | undefined {
    return this.#choice;
  }

  get arrangement(): GroupArrangement {
    return this.#arrangement;
  }

  /** Increases when row numbers refer to other groups. */
  get order(): number {
    return this.#order;
  }

  /** Increases when cells have other texts. */
  get textVersion(): number {
    return this.#textVersion;
  }

  /** The groups that are shown; undefined until the first are made. */
  get shown(): ShownGroups | undefined {
    return this.#shown?.resultId === this.#deps.results.resultId ? this.#shown : undefined;
  }

  /** Why there are no groups. */
  get error(): string | undefined {
    return this.#error?.version === this.#version ? this.#error?.message : undefined;
  }

  /** Whether other groups than the shown ones are being made. */
  get isWorking(): boolean {
    return this.#isBehind && this.#choice !== undefined;
  }

  choose(choice: GroupChoice | undefined): void {
    const { by: before = [], sum } = this.#choice ?? {};
    const isSame = choice && before.join('\n') === choice.by.join('\n') && sum === choice.sum;
    if (this.#choice && isSame) return;
    this.#choice = choice;
    this.#arrangement = noArrangement;
    this.#restart();
  }

  arrange(arrangement: GroupArrangement): void {
    this.#arrangement = arrangement;
    this.#restart();
  }

  /** More became known about the rows. */
  refresh(change: 'events' | 'names' | 'units'): void {
    this.#textVersion++;
    if (change === 'events') this.#knowledgeVersion++;
    // Texts decide which groups pass a filter, and where they are in a sorted column.
    else if (this.#arrangement !== noArrangement) this.#arrangement = { ...this.#arrangement };
    this.sync();
  }

  /** Makes the groups again if the rows have changed. */
  sync(): void {
    if (this.#running || !this.#isBehind || this.error !== undefined) return;
    const running = new AbortController();
    this.#running = running;
    this.#done = this.#run(running);
  }

  /** Resolves when the groups are those of the rows. */
  async ready(): Promise<void> {
    for (this.sync(); this.#running; this.sync()) await this.#done;
  }

  listGroups(start: number, end: number): readonly number[] {
    return [...(this.shown?.shown.subarray(start, end) ?? [])];
  }

  dispose(): void {
    this.#choice = undefined;
    this.#running?.abort();
  }

  get #version(): string {
    const { results, rows } = this.#deps;
    return [results.resultId, rows.length, rows.version, rows.shown.filter, this.#knowledgeVersion].join(' ');
  }

  get #isBehind(): boolean {
    const { rows, isPaused } = this.#deps;
    if (!this.#choice || isPaused() || rows.shown !== rows.requested) return false;
    const { shown } = this;
    return (
      shown?.version !== this.#version ||
      shown.choice !== this.#choice ||
      shown.arrangement !== this.#arrangement
    );
  }

  #restart(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#error = undefined;
    this.sync();
    this.#deps.onDidChange();
  }

  async #run(running: AbortController): Promise<void> {
    const { clock, onDidChange, toMessage } = this.#deps;
    const { signal } = running;
    const startedAt = clock.elapsed();
    const version = this.#version;
    try {
      await this.#make(version, signal);
      onDidChange();
      // Leaves half of the time for what brings the rows.
      await clock.sleep(clock.elapsed() - startedAt, { signal });
    } catch (error) {
      if (signal.aborted) return;
      this.#error = { version, message: toMessage(error) };
      onDidChange();
    } finally {
      if (this.#running === running) {
        this.#running = undefined;
        this.sync();
      }
    }
  }

  async #make(version: string, signal: AbortSignal): Promise<void> {
    const choice = this.#choice;
    const arrangement = this.#arrangement;
    if (!choice) return;
    const slices = createTimeSlices(this.#deps.clock);
    const before = this.shown;
    const isSame = before?.version === version && before.choice === choice;
    const made = isSame ? before : await this.#group(choice, { version, slices, signal });
    const shown = await arrangeGroups(made, arrangement, { slices, signal });
    signal.throwIfAborted();
    this.#shown = { ...made, arrangement, shown };
    this.#order++;
  }

  async #group(
    choice: GroupChoice,
    { version, slices, signal }: { version: string; slices: TimeSlices; signal: AbortSignal },
  ): Promise<MadeGroups> {
    const { results, reader } = this.#deps;
    const { resultId, rows: store } = results;
    const grouping = parseGrouping(choice) ?? { by: [], sum: undefined, inputName: 'groupBy' };
    validateGrouping(grouping, reader.listEvents(store));
    const knowledge = reader.createKnowledge(store);
    const read = reader.createDecodedReader(store);
    const days = grouping.by.some(({ kind }) => kind === 'day')
      ? await this.#findDays(store, { slices, signal })
      : undefined;
    const rows = await this.#listRows({ slices, signal });
    const sum = grouping.sum === undefined ? undefined : toRowArgument(grouping.sum, knowledge);
    const groups = await groupRows(store, {
      by: grouping.by.map((field) => toRowField(field, { knowledge, days })),
      sum,
      rows,
      decoder: reader.decoder,
      mayBeAnonymous: reader.createAnonymousTest(),
      slices,
      signal,
    });
    const scale = await measureGroups(groups, { slices, signal });
    const groupReader = createGroupReader({
      ...{ store, groups, scale, grouping, read },
      filter: reader.queried?.filter ?? { addresses: [] },
      sumUnit: createSumUnit(sum?.arguments ?? [], store),
      dayOf: (log) => days?.dayOf(log),
      format: reader.createFormat(),
    });
    return { resultId, choice, grouping, groups, scale, reader: groupReader, version };
  }

  /** The rows to group; undefined for all rows of the store. */
  async #listRows({ slices, signal }: SliceOptions): Promise<Uint32Array | undefined> {
    const { rows, results } = this.#deps;
    const { struck } = results.sequence;
    if (rows.isWhole && struck.size === 0) return undefined;
    const { length } = rows;
    const numbers = new Uint32Array(length);
    let count = 0;
    for (let start = 0; start < length; start += LISTED_ROWS) {
      for (const number of rows.listNumbers(start, Math.min(length, start + LISTED_ROWS))) {
        if (!struck.has(number)) numbers[count++] = number;
      }
      if (slices.isOver()) await slices.rest({ signal });
    }
    return numbers.subarray(0, count);
  }

  async #findDays(store: LogStore, { slices, signal }: SliceOptions): Promise<BlockDays> {
    const { results, fetchTimes } = this.#deps;
    const { resultId } = results;
    if (this.#days?.resultId !== resultId) {
      const fetch = (blocks: readonly bigint[]) =>
        fetchTimes(blocks, { signal: this.#running?.signal ?? AbortSignal.abort() });
      this.#days = { resultId, days: createBlockDays(fetch) };
    }
    const { days } = this.#days;
    if (!store.isTimed) await days.prepareBlocks(await listUntimedBlocks(store, { slices, signal }));
    signal.throwIfAborted();
    return days;
  }
}

interface SliceOptions {
  readonly slices: TimeSlices;
  readonly signal: AbortSignal;
}

/** Rows that are listed without checking the clock. */
const LISTED_ROWS = 4096;

/** In ascending order, each once. */
async function listUntimedBlocks(
  store: LogStore,
  { slices, signal }: SliceOptions,
): Promise<readonly number[]> {
  const { length, order, upwardsFrom = length } = store;
  const queried: number[] = [];
  const followed: number[] = [];
  for (let row = 0; row < length; row++) {
    if (row % 256 === 0 && slices.isOver()) await slices.rest({ signal });
    const block = store.blockNumberAt(row);
    const blocks = row < upwardsFrom ? queried : followed;
    if (blocks.at(-1) !== block && store.timeAt(row) === undefined) blocks.push(block);
  }
  return [...(order === 'newestFirst' ? queried.reverse() : queried), ...followed];
}

function toRowField(
  field: Grouping['by'][number],
  { knowledge, days }: { readonly knowledge: RowKnowledge | undefined; readonly days: BlockDays | undefined },
): RowGroupField {
  switch (field.kind) {
    case 'argument':
      return { kind: 'argument', ...toRowArgument(field.parameter, knowledge) };
    case 'day':
      return { kind: 'day', dayOf: days?.dayOfBlock };
    default:
      return field;
  }
}

/** A parameter is not another one whose name has other letters in upper case. */
function toRowArgument(parameter: string, knowledge: RowKnowledge | undefined) {
  return { parameter, arguments: knowledge?.findArgumentsByName(parameter, 'exact') ?? [] };
}

/** The groups that pass the filter, in order: the largest first, or sorted by a column. */
async function arrangeGroups(
  { groups, reader }: Pick<MadeGroups, 'groups' | 'reader'>,
  { filter, sort }: GroupArrangement,
  { slices, signal }: SliceOptions,
): Promise<Uint32Array> {
  const passes = createTableFilter(filter, reader);
  const shown = new Uint32Array(groups.size);
  let count = 0;
  for (const [index, group] of groups.ranked.entries()) {
    if (!passes || passes(group)) shown[count++] = group;
    if (index % 64 === 0 && slices.isOver()) await slices.rest({ signal });
  }
  const passing = shown.slice(0, count);
  if (!sort || !reader.columns.some(({ id }) => id === sort.column)) return passing;
  const keys: (string | number | bigint)[] = [];
  const ranks = new Uint32Array(groups.size);
  for (const [rank, group] of passing.entries()) {
    keys[group] = reader.keyOf(group, sort.column);
    ranks[group] = rank;
    if (rank % 64 === 0 && slices.isOver()) await slices.rest({ signal });
  }
  const sign = sort.descending ? -1 : 1;
  const compare = (a: number, b: number) =>
    sign * compareKeys(keys[a] ?? '', keys[b] ?? '') || (ranks[a] ?? 0) - (ranks[b] ?? 0);
  return sortInSlices(passing, compare, { slices, signal });
}

/** Numbers before texts. */
function compareKeys(a: string | number | bigint, b: string | number | bigint): number {
  const isText = typeof a === 'string';
  if (isText !== (typeof b === 'string')) return isText ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
