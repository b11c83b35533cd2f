import * as vscode from 'vscode';
import type { LogStore, Network, QueryForm, Verdict } from '../../../core/index.ts';
import { PanelHost, type PanelSurface } from '../../../host/panels/panelHost.ts';
import { describeError, type ErrorDescription } from '../../../host/words/describeError.ts';
import { chartOf } from '../chart/chartOf.ts';
import { RowReader } from '../decoded/rowReader.ts';
import { ShownEmpty } from '../empty/shownEmpty.ts';
import { createRowCopier } from '../export/copyRows.ts';
import { sweepExports } from '../export/exportLogs.ts';
import { createFollowPace } from '../follow/followPace.ts';
import { type PanelQuestion, PanelRuns } from '../kept/panelRuns.ts';
import { type Arrangement, isSameArrangement } from '../protocol/arrangement.ts';
import type { SettledForm } from '../protocol/formHelp.ts';
import type { LogsSnapshot, ShownAnswer } from '../protocol/logsSnapshot.ts';
import type { LogsAction, LogsHost, Opening } from '../protocol/protocol.ts';
import { isSameForm } from '../protocol/sameForm.ts';
import { logsStrings } from '../protocol/strings.ts';
import type { ViewState } from '../protocol/viewState.ts';
import { ArrangedRows } from '../results/arrangedRows.ts';
import { asLoaded } from '../results/asLoaded.ts';
import { LogResults } from '../results/logResults.ts';
import type { ResultsChange } from '../results/resultsOptions.ts';
import { AnswerActions } from './answerActions.ts';
import type { OpenedDeps } from './deps.ts';
import { type FollowSurface, PanelFollow } from './panelFollow.ts';
import { PanelQuery } from './panelQuery.ts';
import { PanelTimes } from './panelTimes.ts';
import { logsMethods } from './served.ts';
import { ShownRows } from './shownRows.ts';
import { makeSnapshot } from './snapshot.ts';

/** An answer that comes sooner is shown at once, without a word before it that something is loading. */
const SHOW_BEGUN_MS = 50;

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
  readonly rows: ShownRows;
  /** The view shows the query that ran in place of the form. */
  isFolded = false;
  readonly onDidShow: vscode.Event<void>;
  /** What is done with the answer. */
  readonly actions: AnswerActions;
  readonly #deps: OpenedDeps;
  readonly #times: PanelTimes;
  readonly #reader: RowReader;
  readonly #following: vscode.Disposable;
  readonly #query: PanelQuery;
  readonly #results: LogResults;
  readonly #arranged: ArrangedRows;
  readonly #empty: ShownEmpty;
  readonly #follow: PanelFollow;
  readonly #runs: PanelRuns;
  readonly #host: PanelHost<LogsHost, ShownAnswer, LogsAction>;

  constructor(panel: Surface, deps: OpenedDeps, form: QueryForm) {
    this.panel = panel;
    this.#deps = deps;
    const changes = { onDidChange: (what: ResultsChange) => this.#changed(what), clock: deps.clock };
    const loadAllLimit = () => deps.settings.current.loadAllLimit;
    const pace = createFollowPace(deps, {
      panel,
      isAwaited: () => this.#follow.notice !== 'off',
      onRows: (count) => this.#follow.gained(count),
    });
    this.#results = new LogResults({ ...changes, loadAllLimit, pace });
    this.#follow = new PanelFollow(panel, deps, {
      results: this.#results,
      query: () => this.#query,
      onDidChange: () => this.#changed('state'),
    });
    this.#times = new PanelTimes({
      endpoint: () => (this.#query.network.lost ? undefined : this.#query.asked),
      onDidChange: () => this.#arranged.tellSome(),
    });
    this.#reader = new RowReader(deps.meaning, vscode.l10n, this.#times);
    const knowledge = (store: LogStore) => this.#reader.knowledge(store);
    this.#arranged = new ArrangedRows(this.#results.rows, { ...changes, knowledge });
    this.rows = new ShownRows({
      ...{ results: this.#results, rows: this.#arranged, reader: this.#reader, times: this.#times },
      copier: createRowCopier(deps.clock, () => void this.actions.exportLogs()),
    });
    this.#query = new PanelQuery(deps, {
      ...{ form, results: this.#results, reader: this.#reader },
      onDidAsk: () => this.#nameTab(),
      onDidChange: (what) => this.#changed(what === 'network' ? 'state' : 'rows'),
    });
    this.actions = new AnswerActions(deps, {
      ...{ results: this.#results, query: this.#query, arranged: this.#arranged, rows: this.rows },
      ...{ reader: this.#reader, times: this.#times },
      onDidChange: () => this.#changed('state'),
    });
    this.#runs = new PanelRuns({
      ...{ ...deps, results: this.#results, query: this.#query },
      onDidCompare: () => this.#changed('state'),
    });
    this.#following = deps.meaning.onDidChange((change) => {
      this.#arranged.retell(change);
      if (change !== 'units') this.#nameTab();
    });
    this.#empty = new ShownEmpty({
      ...{ results: this.#results, rows: this.#arranged, help: this.#query.help, clock: deps.clock },
      onDidChange: () => this.#changed('state'),
    });
    this.#host = new PanelHost(panel, deps, {
      program: { name: 'logs' },
      methods: logsMethods({
        ...{ results: this.#results, shown: this.rows },
        run: (typed) => {
          if (!panel.runElsewhere) return this.run(typed);
          panel.runElsewhere(typed);
          return this.#query.settled;
        },
        folded: (isFolded) => {
          this.isFolded = isFolded;
          this.#host.changed();
        },
        help: this.#query.help,
        arrange: (wanted) => this.#arrange(wanted),
        chart: (question, { signal }) => chartOf(question, { ...this.#charted(), signal }),
        exportLogs: () => void this.actions.exportLogs(),
        secondOpinion: () => void this.secondOpinion(),
        follow: () => this.follow.toggle(),
        notify: () => void this.follow.chooseNotice(),
        copyQueryAs: () => void this.actions.copyQueryAs(),
        tryAgain: () => this.tryAgain(),
        opening: () => this.#opening(),
        remedy: (wanted) =>
          void this.#describe()
            ?.remedies.find(({ title }) => title === wanted)
            ?.run(),
        openDeclaration: (place) => this.actions.openDeclaration(place),
        showTransaction: (place) => this.actions.showTransaction(place),
        moveNetwork: (chainId) => this.#query.moveNetwork(chainId),
      }),
      // First the rows: the snapshot counts them.
      shown: () => ({
        ...{ topRows: this.rows.follow(), moves: this.#arranged.takeMoves() },
        ...this.#snapshot(),
      }),
    });
    this.onDidShow = this.#host.onDidShow;
    this.#nameTab();
    void sweepExports(deps);
  }

  /** What is going on, and what can be asked for next. */
  get results(): Pick<
    LogResults,
    'loading' | 'more' | 'network' | 'error' | 'notice' | 'nextPage' | 'loadAll' | 'cancel'
  > {
    return this.#results;
  }

  /** Whether a query ran, or runs. */
  get isAsked(): boolean {
    return this.#query.asked !== undefined;
  }

  /** Keeps the answer true as the chain grows. */
  get follow(): PanelFollow {
    return this.#follow;
  }

  /** What is known of the answer, in lines. */
  words(): readonly string[] {
    const { status, rest, doubts, problem } = this.#snapshot();
    return [problem?.message ?? '', `${status} ${rest}`.trim(), ...doubts].filter((line) => line !== '');
  }

  /** Whether it is about the query of this form, as it stands or as it was given. */
  has(form: QueryForm): boolean {
    return isSameForm(this.#query.settled.form, form);
  }

  /** As {@link PanelQuery.run}. */
  run(typed: QueryForm): SettledForm {
    return this.#query.run(typed);
  }

  /** What came of the query that was run last, once its first page has come, failed or been cancelled. */
  async outcome(): Promise<QueryOutcome> {
    await this.#query.running;
    const { verdict, error, sequence } = this.#results;
    return { verdict, error, rows: sequence.count };
  }

  /** Runs the query and reads it to its end, or to the limit. Settles when it has come, failed or been cancelled. */
  async runAll(form: QueryForm): Promise<SettledForm> {
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
  get question(): PanelQuestion {
    return this.#query.question;
  }

  /** A few words for the query. */
  get title(): string {
    return this.#query.title().title;
  }

  /** As {@link AnswerActions.secondOpinion}. */
  readonly secondOpinion = () => this.actions.secondOpinion(this.#host);

  /** As {@link PanelRuns.compareWithLast}. */
  readonly compareWithLast = () => this.#runs.compareWithLast(this.#host);

  /** Asks `network` instead of the active one, if it is still there. */
  ask({ id }: Pick<Network, 'id'>): void {
    this.#query.ask({ id });
  }

  /** Takes over what an earlier window kept, and says that its rows were not. */
  restore({
    arrangement = asLoaded,
    network,
  }: Pick<Partial<ViewState>, 'arrangement' | 'network'> = {}): void {
    if (network !== undefined) this.#query.ask({ id: network });
    this.#arrange(arrangement);
    this.#results.clear('restored');
  }

  dispose(): void {
    this.#deps.titles.forget(this.panel);
    this.#follow.dispose();
    this.#runs.follow();
    this.#results.dispose();
    this.#arranged.dispose();
    this.#following.dispose();
    this.#times.dispose();
    this.#reader.dispose();
    this.#query.dispose();
    this.#host.dispose();
  }

  #nameTab(): void {
    this.#deps.titles.name(this.panel, this.#query.title());
  }

  #opening(): Opening {
    this.#arranged.takeMoves();
    return {
      strings: logsStrings(vscode.l10n),
      ...this.#query.settled,
      arrangement: { ...this.#arranged.wanted, raw: this.#reader.raw },
      snapshot: this.#snapshot(),
    };
  }

  #arrange({ raw = false, ...wanted }: Arrangement): void {
    const isTold = raw === this.#reader.raw;
    this.#reader.raw = raw;
    if (isTold || !isSameArrangement(wanted, this.#arranged.wanted)) this.#arranged.arrange(wanted);
    if (!isTold) this.#arranged.tellAnew();
  }

  #charted() {
    const time = (at: number) => this.#times.words(at).text;
    const language = { l10n: vscode.l10n, locale: vscode.env.language, time };
    const hasArgument = this.#reader.knowledge(this.#results.rows)?.argumentsNamed('block').length;
    const blockField = hasArgument ? ('$block' as const) : ('block' as const);
    return {
      ...{ results: this.#results, rows: this.#arranged, clock: this.#deps.clock },
      ...{ ...language, blockField },
    };
  }

  #changed(what: ResultsChange): void {
    // Row numbers mean other rows at once: no view may be told those of one order by another.
    if (this.#results.following) this.#arranged.follow(this.#results.rows, this.#results.sequence);
    if (what !== 'rows') this.#runs.follow();
    const { showing } = this.#host;
    if (what === 'state') showing.now();
    else if (what === 'begun') showing.within(SHOW_BEGUN_MS);
    else showing.soon();
  }

  #snapshot(): LogsSnapshot {
    return makeSnapshot({
      results: this.#results,
      rows: this.#arranged,
      reader: this.#reader,
      asked: this.#query.words(),
      description: this.#describe(),
      network: this.#query.network,
      opinion: this.actions.opinion,
      comparison: this.#runs.given,
      empty: this.#empty.of(this.#query.asked, { l10n: vscode.l10n, locale: vscode.env.language }),
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
