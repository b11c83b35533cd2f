import * as vscode from 'vscode';
import {
  explainRowFilter,
  isAppError,
  type LogStore,
  type Network,
  type QueryForm,
  type Verdict,
} from '../../../core/index.ts';
import { runCommand } from '../../../host/commands.ts';
import { describeError, type ErrorDescription } from '../../../host/errors.ts';
import { formatValidationError } from '../../../host/l10n.ts';
import { PanelHost, type PanelSurface } from '../../../host/ui/panelHost.ts';
import type { Panels } from '../../../host/ui/panels.ts';
import { type RequestHandlers, serveRequests } from '../../../messaging/channel.ts';
import { RowReader } from '../decoded/rowReader.ts';
import { removeUnfinishedExports } from '../export/exportLogs.ts';
import { type Arrangement, isSameArrangement } from '../protocol/grid.ts';
import {
  isSameForm,
  type LogsAction,
  type LogsHost,
  type LogsOpening,
  type LogsViewState,
  logsRequests,
  type ResolvedForm,
} from '../protocol/protocol.ts';
import type { LogsSnapshot, ShownResult } from '../protocol/snapshot.ts';
import { createLogsStrings } from '../protocol/strings.ts';
import { createChart } from '../results/chart.ts';
import { EmptyResultView } from '../results/emptyResult.ts';
import { LogResults } from '../results/logResults.ts';
import type { ResultsChange } from '../results/queryLoad.ts';
import { loadedArrangement, RowView } from '../results/rowView.ts';
import { createFollowSchedule } from './followNotices.ts';
import { type FollowSurface, PanelFollow } from './panelFollow.ts';
import { PanelGroups } from './panelGroups.ts';
import { PanelQuery } from './panelQuery.ts';
import { createRowCopier, PanelRows, PanelTimes } from './panelRows.ts';
import { type PanelQueryInput, PanelRuns } from './panelRuns.ts';
import type { PanelServices } from './panelServices.ts';
import { ResultActions } from './resultActions.ts';
import { createLogsSnapshot } from './snapshot.ts';

export interface PanelOptions {
  readonly form: QueryForm;
  /** Use a panel that has this form already. */
  readonly reuse?: boolean;
}

export type LogPanels = Panels<LogsPanel, PanelOptions>;

/** A faster first page shows at once, without a loading state before it. */
const SHOW_START_DELAY_MS = 50;

/** The tab or notebook output that shows a result. */
export interface LogsSurface extends PanelSurface, FollowSurface {
  title: string;
  /** Set if the view belongs to one fixed query: runs another query elsewhere. */
  readonly runElsewhere?: (form: QueryForm) => unknown;
}

export interface QueryOutcome {
  readonly verdict: Verdict | undefined;
  readonly error: unknown;
  readonly rows: number;
}

/** One log panel: its form, its query and its result. */
export class LogsPanel<Surface extends LogsSurface = vscode.WebviewPanel> implements vscode.Disposable {
  readonly panel: Surface;
  /** The rows by their places in the view. */
  readonly rows: PanelRows;
  /** Whether the view shows the executed query in place of the form. */
  isFolded = false;
  readonly onDidShow: vscode.Event<void>;
  readonly actions: ResultActions;
  readonly groups: PanelGroups;
  readonly #deps: PanelServices;
  readonly #times: PanelTimes;
  readonly #reader: RowReader;
  readonly #subscription: vscode.Disposable;
  readonly #query: PanelQuery;
  readonly #results: LogResults;
  readonly #arranged: RowView;
  readonly #empty: EmptyResultView;
  readonly #follow: PanelFollow;
  readonly #runs: PanelRuns;
  readonly #host: PanelHost<LogsHost, ShownResult, LogsAction>;

  constructor(panel: Surface, deps: PanelServices, form: QueryForm) {
    this.panel = panel;
    this.#deps = deps;
    const changes = { onDidChange: (what: ResultsChange) => this.#onChange(what), clock: deps.clock };
    const loadAllLimit = () => deps.settings.current.loadAllLimit;
    const schedule = createFollowSchedule(deps, {
      panel,
      isNotified: () => this.#follow.notice !== 'off',
      onRows: (count) => this.#follow.onNewRows(count),
    });
    this.#results = new LogResults({ ...changes, loadAllLimit, schedule });
    this.#follow = new PanelFollow(panel, deps, {
      results: this.#results,
      query: () => this.#query,
      onDidChange: () => this.#onChange('state'),
    });
    this.#times = new PanelTimes({
      endpoint: () => (this.#query.network.lost ? undefined : this.#query.executed),
      onDidChange: () => this.#arranged.invalidateCells(),
    });
    this.#reader = new RowReader(deps.meaning, vscode.l10n, this.#times);
    const knowledge = (store: LogStore) => this.#reader.createKnowledge(store);
    this.#arranged = new RowView(this.#results.rows, { ...changes, knowledge });
    const parts = { results: this.#results, rows: this.#arranged, reader: this.#reader };
    const copier = createRowCopier(deps.clock, () => void this.actions.exportLogs());
    this.rows = new PanelRows({ ...parts, times: this.#times, copier, group: () => this.groups.opened });
    this.groups = new PanelGroups({
      ...{ ...parts, copier, clock: deps.clock },
      fetchTimes: async (blocks, options) =>
        this.#query.network.lost ? undefined : this.#query.executed?.client.fetchBlockTimes(blocks, options),
      toMessage: (error) => this.#describeGroupError(error),
      onDidChange: () => this.#onChange('state'),
    });
    this.#query = new PanelQuery(deps, {
      form,
      results: this.#results,
      reader: this.#reader,
      onDidRun: () => this.#updateTitle(),
      onDidChange: (what) => this.#onChange(what === 'network' ? 'state' : 'rows'),
    });
    this.actions = new ResultActions(deps, {
      results: this.#results,
      query: this.#query,
      arranged: this.#arranged,
      rows: this.rows,
      groups: this.groups,
      reader: this.#reader,
      times: this.#times,
      onDidChange: () => this.#onChange('state'),
    });
    this.#runs = new PanelRuns({
      queries: deps.queries,
      results: this.#results,
      query: this.#query,
      clock: deps.clock,
    });
    this.#subscription = deps.meaning.onDidChange((change) => {
      this.#arranged.refresh(change);
      this.groups.view.refresh(change);
      if (change !== 'units') this.#updateTitle();
    });
    this.#empty = new EmptyResultView({
      results: this.#results,
      rows: this.#arranged,
      help: this.#query.help,
      explainFilter: (filter) => this.#explainFilter(filter),
      clock: deps.clock,
      onDidChange: () => this.#onChange('state'),
    });
    this.#host = new PanelHost(panel, deps, {
      program: { name: 'logs' },
      methods: serveRequests(logsRequests, this.#createHandlers()),
      // Rows first: the snapshot counts them.
      shown: () => ({
        topRows: this.#syncRows(),
        moves: this.#arranged.takeMoves(),
        ...this.#createSnapshot(),
      }),
    });
    this.onDidShow = this.#host.onDidShow;
    this.#updateTitle();
    void removeUnfinishedExports(deps);
  }

  get results(): Pick<
    LogResults,
    'loading' | 'hasMore' | 'network' | 'error' | 'notice' | 'nextPage' | 'loadAll' | 'cancel'
  > {
    return this.#results;
  }

  /** Whether a query ran or is running. */
  get hasQuery(): boolean {
    return this.#query.executed !== undefined;
  }

  get follow(): PanelFollow {
    return this.#follow;
  }

  /** The status of the result and of its groups, in lines of text. */
  describe(): readonly string[] {
    const { status, rest, reasons, error, groups } = this.#createSnapshot();
    const ofGroups = [groups?.error ?? '', groups?.verdict ?? ''];
    return [error?.message ?? '', `${status} ${rest}`.trim(), ...reasons, ...ofGroups].filter(
      (line) => line !== '',
    );
  }

  /** Whether the panel has this form, apart from spaces and empty values. */
  has(form: QueryForm): boolean {
    return isSameForm(this.#query.resolved.form, form);
  }

  /** As {@link PanelQuery.run}. */
  run(typed: QueryForm): ResolvedForm {
    return this.#query.run(typed);
  }

  /** The outcome of the last run, once its first page has loaded, failed or been cancelled. */
  async outcome(): Promise<QueryOutcome> {
    await this.#query.running;
    const { verdict, error, sequence } = this.#results;
    return { verdict, error, rows: sequence.count };
  }

  /**
   * Runs the query and loads all of it, up to the limit. Settles when that has finished, failed or been
   * cancelled.
   */
  async runAll(form: QueryForm): Promise<ResolvedForm> {
    const resolved = this.#query.run(form, 'all');
    await this.#query.running;
    return resolved;
  }

  /** As {@link PanelQuery.tryAgain}. */
  tryAgain(): void {
    this.#query.tryAgain();
  }

  /** Runs the form of the view. */
  readonly runTyped = () => this.#host.act('run');

  /** Filters by the value of the active cell. */
  readonly filterByCell = () => this.#host.act('filterByCell');

  /** Filters by the transaction of the active row. */
  readonly filterByTransaction = () => this.#host.act('filterByTransaction');

  /** The executed query; before the first run, the form. */
  get query(): PanelQueryInput {
    return this.#query.current;
  }

  get title(): string {
    return this.#query.title().title;
  }

  /** As {@link ResultActions.secondOpinion}. */
  readonly secondOpinion = () => this.actions.secondOpinion(this.#host);

  /** As {@link ResultActions.proveResult}. */
  readonly proveResult = () => this.actions.proveResult(this.#host);

  /** Queries this network instead of the active one, if it is still in the settings. */
  useNetwork({ id }: Pick<Network, 'id'>): void {
    this.#query.useNetwork({ id });
  }

  /** Restores the state that an earlier window stored. Rows are not stored. */
  restore({
    arrangement = loadedArrangement,
    network,
    groups,
  }: Pick<Partial<LogsViewState>, 'arrangement' | 'network' | 'groups'> = {}): void {
    this.groups.choose(groups);
    if (network !== undefined) this.#query.useNetwork({ id: network });
    this.#arrange(arrangement);
    this.#results.clear('restored');
  }

  dispose(): void {
    this.#deps.titles.forget(this.panel);
    this.#follow.dispose();
    this.#runs.update();
    this.#results.dispose();
    this.groups.dispose();
    this.#arranged.dispose();
    this.#subscription.dispose();
    this.#times.dispose();
    this.#reader.dispose();
    this.#query.dispose();
    this.#host.dispose();
  }

  #createHandlers(): RequestHandlers<typeof logsRequests> {
    const { panel, rows, actions, groups } = this;
    const results = this.#results;
    const { help } = this.#query;
    return {
      open: () => this.#createOpening(),
      run: (form) => {
        if (!panel.runElsewhere) return this.run(form);
        panel.runElsewhere(form);
        return this.#query.resolved;
      },
      folded: (isFolded) => {
        this.isFolded = isFolded;
        this.#host.notifyChange();
      },
      resolve: (form) => help.resolve(form),
      factsOf: (form) => help.getFacts(form),
      completeEvents: (typed, options) => help.completeEvents(typed, options),
      completeAddresses: (typed) => help.completeAddresses(typed),
      switchToChain: async (chainId) => {
        await runCommand('chainside.switchToChain', chainId);
        return this.#query.moveNetwork(chainId);
      },
      moveNetwork: () => void this.#query.moveNetwork(),
      nextPage: () => void results.nextPage(),
      loadAll: () => void results.loadAll(),
      tryAgain: () => this.tryAgain(),
      dismissLimitPrompt: () => results.dismissLimitPrompt(),
      exportLogs: () => void actions.exportLogs(),
      secondOpinion: () => void this.secondOpinion(),
      follow: () => this.follow.toggle(),
      notify: () => void this.follow.chooseNotice(),
      copyQueryAs: () => void actions.copyQueryAs(),
      cancel: () => results.cancel(),
      skipWait: () => results.skipWait(),
      arrange: (requested) => this.#arrange(requested),
      chart: (request, { signal }) => createChart(request, { ...this.#createChartInputs(), signal }),
      remedy: (requested) =>
        void this.#describeError()
          ?.remedies.find(({ title }) => title === requested)
          ?.run(),
      rows: (window) => rows.getRows(window),
      inView: (window) => rows.inView(window),
      log: (place) => rows.getLog(place),
      rowOf: (place) => rows.findRow(place),
      startGroups: () => groups.start(),
      group: (choice) => groups.choose(choice),
      stopGroups: () => groups.choose(undefined),
      arrangeGroups: (arrangement) => groups.view.arrange(arrangement),
      groups: (window) => groups.getGroups(window),
      openGroup: (place) => groups.open(place),
      closeGroup: () => groups.close(),
      copyGroupCell: (place) => groups.copyCell(place),
      copyGroups: (copied) => groups.copyGroups(copied),
      copyCell: (place) => rows.copyCell(place),
      copyRows: (copied) => rows.copyRows(copied),
      copyText: (text) => vscode.env.clipboard.writeText(text),
      copyLogAs: (place) => void rows.copyRowsAs(place),
      openInExplorer: (place) => rows.openInExplorer(place),
      openDeclaration: (place) => void actions.openDeclaration(place),
      showTransaction: (place) => void actions.showTransaction(place),
      filterTerm: (place) => rows.filterTerm(place),
    };
  }

  #updateTitle(): void {
    this.#deps.titles.name(this.panel, this.#query.title());
  }

  #createOpening(): LogsOpening {
    this.#arranged.takeMoves();
    return {
      strings: createLogsStrings(vscode.l10n),
      ...this.#query.resolved,
      arrangement: {
        filter: this.#arranged.requested.filter,
        sort: this.#arranged.requested.sort,
        raw: this.#reader.raw,
      },
      snapshot: this.#createSnapshot(),
    };
  }

  #arrange({ raw = false, ...requested }: Arrangement): void {
    const isSameText = raw === this.#reader.raw;
    this.#reader.raw = raw;
    const { within } = this.#arranged.requested;
    if (isSameText || !isSameArrangement(requested, this.#arranged.requested))
      this.#arranged.arrange({ ...requested, within });
    if (!isSameText) this.#arranged.invalidateRows();
  }

  #explainFilter(filter: string) {
    const knowledge = this.#reader.createKnowledge(this.#results.rows);
    return knowledge ? explainRowFilter(filter, knowledge) : [];
  }

  #createChartInputs() {
    const time = (at: number) => this.#times.format(at).text;
    const language = { l10n: vscode.l10n, locale: vscode.env.language, time };
    const hasArgument = this.#reader.createKnowledge(this.#results.rows)?.findArgumentsByName('block').length;
    const blockField = hasArgument ? ('$block' as const) : ('block' as const);
    return {
      results: this.#results,
      rows: this.#arranged,
      clock: this.#deps.clock,
      ...language,
      blockField,
    };
  }

  #onChange(what: ResultsChange): void {
    // Row numbers change their meaning at once, so no view may read rows of the new order by the old one.
    if (this.#results.following) this.#arranged.sync(this.#results.rows, this.#results.sequence);
    if (what !== 'rows') this.#runs.update();
    const { showing } = this.#host;
    if (what === 'state') showing.now();
    else if (what === 'begun') showing.within(SHOW_START_DELAY_MS);
    else showing.soon();
  }

  #syncRows(): ReturnType<PanelRows['sync']> {
    const topRows = this.rows.sync();
    this.groups.view.sync();
    return topRows;
  }

  #createSnapshot(): LogsSnapshot {
    const { executed } = this.#query;
    const event = this.#reader.findEvent(this.#results.rows);
    return createLogsSnapshot({
      results: this.#results,
      verdict: this.actions.verdict,
      rows: this.#arranged,
      reader: this.#reader,
      query: this.#query.describe(),
      description: this.#describeError(),
      network: this.#query.network,
      opinion: this.actions.opinion,
      proof: this.actions.proof,
      empty: this.#empty.describe(executed && { ...executed, event }, {
        l10n: vscode.l10n,
        locale: vscode.env.language,
      }),
      loadAllLimit: this.#deps.settings.current.loadAllLimit,
      groups: this.groups.describe(this.actions.verdict, { l10n: vscode.l10n, locale: vscode.env.language }),
      canExport: this.actions.exportable !== undefined,
      follow: { canFollow: this.#follow.isOffered, notify: this.#follow.notice },
      knowledgeVersion: this.#query.help.version,
      l10n: vscode.l10n,
      locale: vscode.env.language,
    });
  }

  #describeGroupError(error: unknown): string {
    if (isAppError(error, 'badInput')) return formatValidationError(error, vscode.l10n);
    const { network } = this.#query.network;
    return describeError(error, { service: 'endpoint', network }).message;
  }

  #describeError(): ErrorDescription | undefined {
    const { error, network = this.#query.network.network } = this.#results;
    return error === undefined ? undefined : describeError(error, { service: 'endpoint', network });
  }
}
