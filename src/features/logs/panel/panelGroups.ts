import * as vscode from 'vscode';
import type { Clock, Verdict } from '../../../core/index.ts';
import type { Language } from '../../../host/l10n.ts';
import { formatNumber } from '../../../host/numbers.ts';
import { explainTableFilter } from '../../../host/tableFilter.ts';
import { joinText } from '../../../host/tableText.ts';
import type { RowWindow } from '../../../messaging/panel.ts';
import type { CopiedRows, RowsFormat, Selection } from '../../../messaging/rowSelection.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import type { FormattedRows } from '../export/exportRows.ts';
import { formatGroups, type GroupTable } from '../groups/formatGroups.ts';
import { listGroupOffers, suggestGrouping } from '../groups/groupOffers.ts';
import { GroupView } from '../groups/groupView.ts';
import type {
  GroupCellPlace,
  GroupChoice,
  GroupPlace,
  GroupsSnapshot,
  WireGroup,
} from '../protocol/groups.ts';
import type { LogResults } from '../results/logResults.ts';
import type { RowView } from '../results/rowView.ts';
import type { RowCopier } from './panelRows.ts';

interface PanelGroupsParts {
  readonly results: LogResults;
  readonly rows: RowView;
  readonly reader: RowReader;
  readonly copier: Pick<RowCopier, 'copyText'>;
  readonly clock: Clock;
  readonly fetchTimes: ConstructorParameters<typeof GroupView>[0]['fetchTimes'];
  readonly toMessage: (error: unknown) => string;
  readonly onDidChange: () => void;
}

/** The groups of a panel by their places in the table. Places of an older result or order match no group. */
export class PanelGroups implements vscode.Disposable {
  readonly view: GroupView;
  readonly #parts: PanelGroupsParts;
  /** The group whose rows are shown, and the result that it belongs to. */
  #opened: { readonly resultId: string; readonly label: string } | undefined;

  constructor(parts: PanelGroupsParts) {
    this.#parts = parts;
    this.view = new GroupView({ ...parts, isPaused: () => this.opened !== undefined });
  }

  /** Whether groups are shown in place of rows. */
  get areShown(): boolean {
    return this.view.choice !== undefined && this.opened === undefined;
  }

  /** The fields of the group whose rows are shown. */
  get opened(): string | undefined {
    return this.#opened?.resultId === this.#parts.results.resultId ? this.#opened.label : undefined;
  }

  /** The groups as they are shown; undefined while rows are. */
  get table(): GroupTable | undefined {
    const { shown } = this.view;
    return this.areShown && this.view.error === undefined && shown
      ? { groups: shown.shown, reader: shown.reader }
      : undefined;
  }

  /** Groups by what a user most likely wants. */
  start(): void {
    const { reader, results } = this.#parts;
    const columns = reader.listColumns(results.rows);
    this.choose(
      suggestGrouping(reader.findEvent(results.rows), (index) =>
        columns.some(({ id, isFixed }) => id === `argument${index}` && isFixed === true),
      ),
    );
  }

  /** Groups the rows, or shows them again. */
  choose(choice: GroupChoice | undefined): void {
    this.close();
    this.view.choose(choice);
  }

  /** Shows the rows of a group. */
  open(place: GroupPlace): void {
    const { rows, results } = this.#parts;
    const { shown } = this.view;
    const group = this.#find(place);
    if (!shown || group === undefined) return;
    const { filter, sort } = rows.requested;
    this.#opened = { resultId: results.resultId, label: shown.reader.describe(group) };
    rows.arrange({ filter, sort, within: shown.groups.createRowTest(group) });
  }

  /** Shows the groups again. */
  close(): void {
    if (this.opened === undefined) return;
    const { rows } = this.#parts;
    this.#opened = undefined;
    const { filter, sort } = rows.requested;
    rows.arrange({ filter, sort });
  }

  getGroups({ start, count, ...place }: RowWindow): readonly WireGroup[] {
    const { shown } = this.view;
    if (!shown || !this.#isCurrent(place)) return [];
    const { reader, scale, groups } = shown;
    const numbers = this.view.listGroups(start, start + count);
    this.#parts.reader.prefetch(numbers.map(reader.rowOf));
    return numbers.map((group) => {
      const read = reader.columns.map(({ id }) => [id, reader.cell(group, id)] as const);
      const hints = read.flatMap(([id, { hint }]) => (hint === undefined ? [] : [[id, cut(hint)]]));
      return {
        group: groups.firstRowOf(group),
        cells: Object.fromEntries(read.map(([id, { text }]) => [id, cut(text)])),
        hints: Object.fromEntries(hints),
        bar: scale.barOf(group),
      };
    });
  }

  async copyCell(place: GroupCellPlace): Promise<void> {
    const group = this.#find(place);
    if (group === undefined) return;
    const text = this.view.shown?.reader.cell(group, place.column).exact ?? '';
    await vscode.env.clipboard.writeText(text);
  }

  /** Copies the selected groups. */
  async copyGroups({ format, selected, ...place }: CopiedRows): Promise<void> {
    const { shown } = this.view;
    if (!shown || !this.#isCurrent(place)) return;
    const groups = selected.flatMap(([start, end]) => this.view.listGroups(start, end));
    await this.#copy(format, { groups, reader: shown.reader });
  }

  /** Copies the selected groups if the place is among them; else its own group. */
  async copyGroupsAt(place: GroupPlace & Selection, format: RowsFormat): Promise<void> {
    const { resultId, order = -1, selected = [] } = place;
    const { shown } = this.view;
    const group = this.#find(place);
    if (!shown || group === undefined) return;
    const row = this.#isCurrent({ resultId, order }) ? shown.shown.indexOf(group) : -1;
    if (selected.some(([start, end]) => start <= row && row < end))
      await this.copyGroups({ resultId, order, format, selected });
    else await this.#copy(format, { groups: [group], reader: shown.reader });
  }

  /** The first groups as text, once they are made of the rows. Undefined if there are none. */
  async formatFirst<Format extends RowsFormat>(
    format: Format,
    limit: number,
  ): Promise<FormattedRows<Format> | undefined> {
    const { rows, results, clock } = this.#parts;
    rows.sync(results.rows, results.sequence);
    await rows.ready();
    await this.view.ready();
    const { table } = this;
    if (!table) return undefined;
    const first = { ...table, groups: table.groups.slice(0, limit) };
    const parts = formatGroups(format, first, { clock, signal: new AbortController().signal });
    return (await joinText(parts)) as FormattedRows<Format> | undefined;
  }

  /** Undefined while the rows are not grouped. */
  describe(judged: Verdict | undefined, language: Language): GroupsSnapshot | undefined {
    const { view } = this;
    const { choice, shown } = view;
    const { results, reader } = this.#parts;
    if (!choice) return undefined;
    const offers = listGroupOffers(reader.listEvents(results.rows), {
      choice,
      verdict: results.verdict,
      l10n: language.l10n,
    });
    return {
      choice,
      ...offers,
      order: view.order,
      textVersion: view.textVersion,
      rows: view.error === undefined ? (shown?.shown.length ?? 0) : 0,
      columns: shown?.reader.columns ?? [],
      arrangement: view.arrangement,
      verdict: this.#describeVerdict(judged, language),
      rowsText: this.#describeCount(language),
      error: view.error,
      opened: this.opened,
    };
  }

  dispose(): void {
    this.view.dispose();
  }

  #describeVerdict(judged: Verdict | undefined, { l10n }: Language): string {
    const { results, rows } = this.#parts;
    const { shown, error } = this.view;
    if (!shown || error !== undefined || results.sequence.count === 0) return '';
    const { filter } = rows.shown;
    return [
      formatGroupVerdict({
        grouped: shown.scale.logs,
        ungrouped: shown.groups.ungrouped,
        loaded: results.sequence.count,
        hasSum: shown.grouping.sum !== undefined,
        state: results.loading ? 'more' : judged?.state,
        l10n,
      }),
      ...(filter.trim() === '' ? [] : [l10n.t('Row filter: {0}', filter)]),
    ].join(' · ');
  }

  #describeCount({ l10n }: Language): string {
    const { shown, arrangement, error, isWorking } = this.view;
    if (error !== undefined) return '';
    if (!shown) return isWorking ? l10n.t('Grouping…') : '';
    const { length } = shown.shown;
    const { size } = shown.groups;
    if (shown.choice !== this.view.choice) return l10n.t('Grouping…');
    if (arrangement.filter.trim() !== '') {
      const match = l10n.t('{0} of {1} groups match', formatNumber(length), formatNumber(size));
      const problems = length > 0 ? [] : explainTableFilter(arrangement.filter, shown.reader.columns, l10n);
      return [match, ...problems].join(' · ');
    }
    return size === 1 ? l10n.t('1 group') : l10n.t('{0} groups', formatNumber(size));
  }

  async #copy(format: RowsFormat, table: GroupTable): Promise<void> {
    await this.#parts.copier.copyText(table.groups.length, (options) =>
      joinText(formatGroups(format, table, options)),
    );
  }

  #find({ resultId, group: firstLog }: GroupPlace): number | undefined {
    const { shown } = this.view;
    if (resultId !== this.#parts.results.resultId) return undefined;
    return shown?.groups.ranked.find((group) => shown.groups.firstRowOf(group) === firstLog);
  }

  #isCurrent({ resultId, order }: { readonly resultId: string; readonly order: number }): boolean {
    return resultId === this.#parts.results.resultId && order === this.view.order;
  }
}

/** No column is wider. */
const MAX_CELL_CHARS = 514;

function cut(text: string): string {
  return text.slice(0, MAX_CELL_CHARS);
}

interface GroupedLogs {
  /** Number of logs in groups. */
  readonly grouped: number;
  /** Of the others, those that lack a field or the number, or cannot be decoded. */
  readonly ungrouped: number;
  readonly loaded: number;
  readonly hasSum: boolean;
  readonly state: Verdict['state'] | undefined;
  readonly l10n: Language['l10n'];
}

/**
 * What the groups are made of: `Sums of 4,747 of at least 12,000 logs` until all logs are loaded for certain; and why logs
 * are in no group.
 */
export function formatGroupVerdict({ ungrouped, ...logs }: GroupedLogs): string {
  const extent = formatGroupedExtent(logs);
  if (ungrouped === 0) return extent;
  const { l10n } = logs;
  const lacking =
    ungrouped === 1
      ? l10n.t('1 log lacks a field')
      : l10n.t('{0} logs lack a field', formatNumber(ungrouped));
  return `${extent} · ${lacking}`;
}

function formatGroupedExtent({
  grouped,
  loaded,
  hasSum,
  state,
  l10n,
}: Omit<GroupedLogs, 'ungrouped'>): string {
  const [some, all] = [formatNumber(grouped), formatNumber(loaded)];
  if (state !== 'complete' && state !== 'unreached') {
    return hasSum
      ? l10n.t('Sums of {0} of at least {1} logs', some, all)
      : l10n.t('Counts of {0} of at least {1} logs', some, all);
  }
  if (grouped < loaded) {
    return hasSum
      ? l10n.t('Sums of {0} of {1} logs', some, all)
      : l10n.t('Counts of {0} of {1} logs', some, all);
  }
  return hasSum ? l10n.t('Sums of all {0} logs', all) : l10n.t('Counts of all {0} logs', all);
}
