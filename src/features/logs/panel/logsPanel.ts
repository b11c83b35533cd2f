import * as vscode from 'vscode';
import type { LogStore, Network, QueryForm, Verdict } from '../../../core/index.ts';
import { runCommand } from '../../../host/commands.ts';
import { describeError, type ErrorDescription } from '../../../host/errors.ts';
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
import { PanelQuery } from './panelQuery.ts';
import { createRowCopier, PanelRows, PanelTimes } from './panelRows.ts';
import { type PanelQueryInput, PanelRuns } from './panelRuns.ts';
import type { PanelServices } from './panelServices.ts';
import { ResultActions } from './resultActions.ts';
import { createLogsSnapshot } from './snapshot.ts';

/** What a panel is opened with. */
export interface PanelOptions {
  readonly form: QueryForm;
  /** A panel that has this form is taken. */
  readonly reuse?: boolean;
}

export type LogPanels = Panels<LogsPanel, PanelOptions>;

/** An answer that comes sooner is shown at once, without a word before it that something is loading. */
const SHOW_START_DELAY_MS = 50;

/** Where the view of an answer lives. */
export interface LogsSurface extends PanelSurface, FollowSurface {
  title: string;
  /** Where this one is about one query, which its view does not change: runs another elsewhere. */
  readonly runElsewhere?: (form: QueryForm) => unknown;
}

/** What is known of an answer without its rows. */
export interface QueryOutcome {
  readonly verdict: Verdict | undefined;
  readonly error: unknown;
  readonly rows: number;
}

/** One log panel: owns the answer and the query that it was asked with. */
export class LogsPanel<Surface extends LogsSurface = vscode.WebviewPanel> implements vscode.Disposable {
  readonly panel: Surface;
  /** The rows by their places in the view. */
  readonly rows: PanelRows;
  /** The view shows the query that ran in place of the form. */
  isFolded = false;
  readonly onDidShow: vscode.Event<void>;
  /** What is done with the answer. */
  readonly actions: ResultActions;
  readonly #deps: PanelServices;
  readonly #times: PanelTimes;
  readonly #reader: RowReader;
  readonly #following: vscode.Disposable;
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
    const changes = { onDidChange: (what: ResultsChange) => this.#changed(what), clock: deps.clock };
    const loadAllLimit = () => deps.settings.current.loadAllLimit;
    const pace = createFollowSchedule(deps, {
      panel,
      isAwaited: () => this.#follow.notice !== 'off',
      onRows: (count) => this.#follow.onNewRows(count),
    });
    this.#results = new LogResults({ ...changes, loadAllLimit, pace });
    this.#follow = new PanelFollow(panel, deps, {
      results: this.#results,
      query: () => this.#query,
      onDidChange: () => this.#changed('state'),
    });
    this.#times = new PanelTimes({
      endpoint: () => (this.#query.network.lost ? undefined : this.#query.executed),
      onDidChange: () => this.#arranged.invalidateCells(),
    });
    this.#reader = new RowReader(deps.meaning, vscode.l10n, this.#times);
    const knowledge = (store: LogStore) => this.#reader.knowledge(store);
    this.#arranged = new RowView(this.#results.rows, { ...changes, knowledge });
    this.rows = new PanelRows({
      ...{ results: this.#results, rows: this.#arranged, reader: this.#reader, times: this.#times },
      copier: createRowCopier(deps.clock, () => void this.actions.exportLogs()),
    });
    this.#query = new PanelQuery(deps, {
      ...{ form, results: this.#results, reader: this.#reader },
      onDidAsk: () => this.#nameTab(),
      onDidChange: (what) => this.#changed(what === 'network' ? 'state' : 'rows'),
    });
    this.actions = new ResultActions(deps, {
      ...{ results: this.#results, query: this.#query, arranged: this.#arranged, rows: this.rows },
      ...{ reader: this.#reader, times: this.#times },
      onDidChange: () => this.#changed('state'),
    });
    this.#runs = new PanelRuns({
      queries: deps.queries,
      results: this.#results,
      query: this.#query,
      clock: deps.clock,
    });
    this.#following = deps.meaning.onDidChange((change) => {
      this.#arranged.refresh(change);
      if (change !== 'units') this.#nameTab();
    });
    this.#empty = new EmptyResultView({
      ...{ results: this.#results, rows: this.#arranged, help: this.#query.help, clock: deps.clock },
      onDidChange: () => this.#changed('state'),
    });
    this.#host = new PanelHost(panel, deps, {
      program: { name: 'logs' },
      methods: serveRequests(logsRequests, this.#handlers()),
      // First the rows: the snapshot counts them.
      shown: () => ({
        ...{ topRows: this.rows.follow(), moves: this.#arranged.takeMoves() },
        ...this.#snapshot(),
      }),
    });
    this.onDidShow = this.#host.onDidShow;
    this.#nameTab();
    void removeUnfinishedExports(deps);
  }

  /** What is going on, and what can be asked for next. */
  get results(): Pick<
    LogResults,
    'loading' | 'more' | 'network' | 'error' | 'notice' | 'nextPage' | 'loadAll' | 'cancel'
  > {
    return this.#results;
  }

  /** Whether a query ran, or runs. */
  get hasQuery(): boolean {
    return this.#query.executed !== undefined;
  }

  /** Keeps the answer true as the chain grows. */
  get follow(): PanelFollow {
    return this.#follow;
  }

  /** What is known of the answer, in lines. */
  describe(): readonly string[] {
    const { status, rest, reasons, error } = this.#snapshot();
    return [error?.message ?? '', `${status} ${rest}`.trim(), ...reasons].filter((line) => line !== '');
  }

  /** Whether it is about the query of this form, as it stands or as it was given. */
  has(form: QueryForm): boolean {
    return isSameForm(this.#query.resolved.form, form);
  }

  /** As {@link PanelQuery.run}. */
  run(typed: QueryForm): ResolvedForm {
    return this.#query.run(typed);
  }

  /** What came of the query that was run last, once its first page has come, failed or been cancelled. */
  async outcome(): Promise<QueryOutcome> {
    await this.#query.running;
    const { verdict, error, sequence } = this.#results;
    return { verdict, error, rows: sequence.count };
  }

  /** Runs the query and reads it to its end, or to the limit. Settles when it has come, failed or been cancelled. */
  async runAll(form: QueryForm): Promise<ResolvedForm> {
    const settled = this.#query.run(form, 'all');
    await this.#query.running;
    return settled;
  }

  /** As {@link PanelQuery.tryAgain}. */
  tryAgain(): void {
    this.#query.tryAgain();
  }

  /** Begins the query that is typed in the view. */
  readonly runTyped = () => this.#host.act('run');

  /** Narrows the rows to those that have the value of the active cell. */
  readonly filterByCell = () => this.#host.act('filterByCell');

  /** Narrows the rows to those of the transaction of the active one. */
  readonly filterByTransaction = () => this.#host.act('filterByTransaction');

  /** What the panel asks, or would ask. */
  get query(): PanelQueryInput {
    return this.#query.current;
  }

  /** A few words for the query. */
  get title(): string {
    return this.#query.title().title;
  }

  /** As {@link AnswerActions.secondOpinion}. */
  readonly secondOpinion = () => this.actions.secondOpinion(this.#host);

  /** Asks `network` instead of the active one, if it is still there. */
  useNetwork({ id }: Pick<Network, 'id'>): void {
    this.#query.useNetwork({ id });
  }

  /** Takes over what an earlier window kept, and says that its rows were not. */
  restore({
    arrangement = loadedArrangement,
    network,
  }: Pick<Partial<LogsViewState>, 'arrangement' | 'network'> = {}): void {
    if (network !== undefined) this.#query.useNetwork({ id: network });
    this.#arrange(arrangement);
    this.#results.clear('restored');
  }

  dispose(): void {
    this.#deps.titles.forget(this.panel);
    this.#follow.dispose();
    this.#runs.update();
    this.#results.dispose();
    this.#arranged.dispose();
    this.#following.dispose();
    this.#times.dispose();
    this.#reader.dispose();
    this.#query.dispose();
    this.#host.dispose();
  }

  /** What each request of the view does. */
  #handlers(): RequestHandlers<typeof logsRequests> {
    const { panel, rows, actions } = this;
    const results = this.#results;
    const { help } = this.#query;
    return {
      open: () => this.#opening(),
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
      factsOf: (form) => help.factsOf(form),
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
      arrange: (wanted) => this.#arrange(wanted),
      chart: (request, { signal }) => createChart(request, { ...this.#charted(), signal }),
      remedy: (wanted) =>
        void this.#describe()
          ?.remedies.find(({ title }) => title === wanted)
          ?.run(),
      rows: (window) => rows.window(window),
      inView: (window) => rows.inView(window),
      log: (place) => rows.log(place),
      rowOf: (place) => rows.rowOf(place),
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

  #nameTab(): void {
    this.#deps.titles.name(this.panel, this.#query.title());
  }

  #opening(): LogsOpening {
    this.#arranged.takeMoves();
    return {
      strings: createLogsStrings(vscode.l10n),
      ...this.#query.resolved,
      arrangement: { ...this.#arranged.wanted, raw: this.#reader.raw },
      snapshot: this.#snapshot(),
    };
  }

  #arrange({ raw = false, ...wanted }: Arrangement): void {
    const isTold = raw === this.#reader.raw;
    this.#reader.raw = raw;
    if (isTold || !isSameArrangement(wanted, this.#arranged.wanted)) this.#arranged.arrange(wanted);
    if (!isTold) this.#arranged.invalidateRows();
  }

  #charted() {
    const time = (at: number) => this.#times.format(at).text;
    const language = { l10n: vscode.l10n, locale: vscode.env.language, time };
    const hasArgument = this.#reader.knowledge(this.#results.rows)?.findArgumentsByName('block').length;
    const blockField = hasArgument ? ('$block' as const) : ('block' as const);
    return {
      ...{ results: this.#results, rows: this.#arranged, clock: this.#deps.clock },
      ...{ ...language, blockField },
    };
  }

  #changed(what: ResultsChange): void {
    // Row numbers mean other rows at once: no view may be told those of one order by another.
    if (this.#results.following) this.#arranged.follow(this.#results.rows, this.#results.sequence);
    if (what !== 'rows') this.#runs.update();
    const { showing } = this.#host;
    if (what === 'state') showing.now();
    else if (what === 'begun') showing.within(SHOW_START_DELAY_MS);
    else showing.soon();
  }

  #snapshot(): LogsSnapshot {
    return createLogsSnapshot({
      results: this.#results,
      rows: this.#arranged,
      reader: this.#reader,
      asked: this.#query.describe(),
      description: this.#describe(),
      network: this.#query.network,
      opinion: this.actions.opinion,
      empty: this.#empty.of(this.#query.executed, { l10n: vscode.l10n, locale: vscode.env.language }),
      loadAllLimit: this.#deps.settings.current.loadAllLimit,
      canExport: this.actions.exportable !== undefined,
      follow: { canFollow: this.#follow.isOffered, notify: this.#follow.notice },
      known: this.#query.help.version,
      ...{ l10n: vscode.l10n, locale: vscode.env.language },
    });
  }

  #describe(): ErrorDescription | undefined {
    const { error, network = this.#query.network.network } = this.#results;
    return error === undefined ? undefined : describeError(error, { service: 'endpoint', network });
  }
}
