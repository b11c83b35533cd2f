import * as vscode from 'vscode';
import { isAppError, type Log, logToJson } from '../../../core/index.ts';
import { errorText } from '../../../host/log.ts';
import { createThrottle, type Throttle } from '../../../host/panels/throttle.ts';
import { startWebview } from '../../../host/panels/webviewHtml.ts';
import { isSameChain } from '../../../host/session/sameChain.ts';
import { nameTab } from '../../../host/surface/tabs.ts';
import { describeError, type ErrorDescription } from '../../../host/words/describeError.ts';
import { type Channel, openChannel } from '../../../messaging/channel.ts';
import type { WireError } from '../../../messaging/wire.ts';
import { exportLogs, sweepExports } from '../export/exportLogs.ts';
import type { ExportableAnswer } from '../export/exportRows.ts';
import {
  type CellPlace,
  type ExplorerPlace,
  hostParams,
  type LogPlace,
  type LogsHost,
  type LogsSnapshot,
  type LogsView,
  type RowPlace,
} from '../protocol/protocol.ts';
import { checkForm, type FormProblems, type QueryForm } from '../protocol/queryForm.ts';
import { logsStrings } from '../protocol/strings.ts';
import { ArrangedRows, asLoaded } from '../results/arrangedRows.ts';
import { LogResults, type ResultsChange } from '../results/logResults.ts';
import { panelTitle } from '../words/panelTitle.ts';
import type { LogsDeps } from './deps.ts';
import { logLink } from './explorerLink.ts';
import { takeSnapshot } from './snapshot.ts';
import { createTopRows } from './topRows.ts';
import { cellText, wireLog, wireRow } from './wireRows.ts';

/** Milliseconds between two snapshots while rows come in. */
const SHOW_EVERY_MS = 200;
/** An answer that comes sooner is shown at once, without a word before it that something is loading. */
const SHOW_BEGUN_MS = 50;

/** One log panel: owns the answer, serves its view, which may come and go, and ends with the editor tab. */
export class LogsPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #deps: LogsDeps;
  readonly #results: LogResults;
  readonly #rows: ArrangedRows;
  readonly #channel: Channel<LogsView>;
  readonly #showing: Throttle;
  readonly #takeTopRows = createTopRows();
  readonly #onDidChange = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #form: QueryForm;
  #problems: FormProblems = {};
  #asked: Pick<ExportableAnswer, 'network' | 'client' | 'filter'> | undefined;
  #described: { readonly error: unknown; readonly description: ErrorDescription } | undefined;

  /** Fires when what can be done with the panel changes. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(panel: vscode.WebviewPanel, deps: LogsDeps, form: QueryForm) {
    this.panel = panel;
    this.#deps = deps;
    this.#form = form;
    this.#showing = createThrottle(() => this.#show(), SHOW_EVERY_MS, deps.clock);
    const changes = { onDidChange: (what: ResultsChange) => this.#changed(what), clock: deps.clock };
    this.#results = new LogResults({
      ...changes,
      loadAllLimit: () => deps.settings.current.loadAllLimit,
    });
    this.#rows = new ArrangedRows(this.#results.rows, changes);
    this.#channel = this.#serve();
    this.#subscriptions = [
      panel.webview.onDidReceiveMessage((message) => this.#channel.receive(message)),
      deps.session.onDidChange(() => this.#networkChanged()),
      this.#onDidChange,
      this.#showing,
    ];
    startWebview(panel.webview, { extensionUri: deps.extensionUri, name: 'logs' });
    void sweepExports(deps);
  }

  get running(): boolean {
    return this.#results.loading !== undefined;
  }

  get more(): boolean {
    return this.#results.more;
  }

  /** The answer as it stands; undefined before there is one, and while it changes. */
  get exportable(): ExportableAnswer | undefined {
    const { verdict, rows } = this.#results;
    if (!this.#asked || !verdict || this.running) return undefined;
    // A page that was on its way when the query was cancelled may still be added.
    const asTheyStand = { length: rows.length, slice: rows.slice };
    return { ...this.#asked, verdict, rows: asTheyStand };
  }

  /** Begins the query, or says which fields keep it from it. */
  run(form: QueryForm): FormProblems {
    const checked = checkForm(form);
    this.#form = form;
    this.#problems = checked.problems ?? {};
    if (checked.filter) {
      nameTab(this.panel, panelTitle(form, vscode.l10n));
      const { network, client } = this.#deps.session;
      this.#asked = { network, client, filter: checked.filter };
      void this.#results.run(network, client, checked.filter);
    }
    return this.#problems;
  }

  nextPage(): Promise<void> {
    return this.#results.nextPage();
  }

  loadAll(): Promise<void> {
    return this.#results.loadAll();
  }

  cancel(): void {
    this.#results.cancel();
  }

  async exportLogs(): Promise<void> {
    const { exportable } = this;
    if (exportable) await exportLogs(exportable, this.#deps);
  }

  /** Takes over what an earlier window kept, and says that its rows were not. */
  restore(arrangement = asLoaded): void {
    this.#rows.arrange(arrangement);
    this.#results.clear('restored');
  }

  async copyCell(place: CellPlace): Promise<void> {
    const log = this.#log(place);
    if (log) await vscode.env.clipboard.writeText(cellText(log, place.column));
  }

  async copyLog(place: LogPlace): Promise<void> {
    const log = this.#log(place);
    if (log) await vscode.env.clipboard.writeText(JSON.stringify(logToJson(log), undefined, 2));
  }

  async openInExplorer(place: ExplorerPlace): Promise<void> {
    const log = this.#log(place);
    const link = log && logLink(this.#results.network?.explorerUrl, place.page, log);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }

  dispose(): void {
    this.#results.dispose();
    this.#rows.dispose();
    this.#channel.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #serve(): Channel<LogsView> {
    return openChannel<LogsHost, LogsView>({
      post: (message) => this.panel.webview.postMessage(message),
      toWireError: (error) => this.#wireError(error),
      onRefused: ({ message }) => this.#deps.log.warn(`Log panel: refused a message. ${message}`),
      methods: {
        open: { params: hostParams.open, handle: () => this.#opening() },
        run: { params: hostParams.run, handle: (form) => this.run(form) },
        nextPage: { params: hostParams.nextPage, handle: () => void this.nextPage() },
        loadAll: { params: hostParams.loadAll, handle: () => void this.loadAll() },
        tryAgain: { params: hostParams.tryAgain, handle: () => void this.#results.tryAgain() },
        dismissQuestion: {
          params: hostParams.dismissQuestion,
          handle: () => this.#results.dismissQuestion(),
        },
        exportLogs: { params: hostParams.exportLogs, handle: () => void this.exportLogs() },
        cancel: { params: hostParams.cancel, handle: () => this.cancel() },
        skipWait: { params: hostParams.skipWait, handle: () => this.#results.skipWait() },
        arrange: { params: hostParams.arrange, handle: (wanted) => this.#rows.arrange(wanted) },
        remedy: {
          params: hostParams.remedy,
          handle: (index) => void this.#describe()?.remedies[index]?.run(),
        },
        rows: {
          params: hostParams.rows,
          handle: (window) =>
            this.#isCurrent(window) ? this.#rows.slice(window.start, window.count).map(wireRow) : [],
        },
        log: {
          params: hostParams.log,
          handle: (place) => {
            const log = this.#isCurrent(place) ? this.#rows.at(place.row) : undefined;
            return log && wireLog(log);
          },
        },
        rowOf: { params: hostParams.rowOf, handle: (place) => this.#rowOf(place) },
        copyCell: { params: hostParams.copyCell, handle: (place) => this.copyCell(place) },
        copyText: { params: hostParams.copyText, handle: (text) => vscode.env.clipboard.writeText(text) },
        copyLog: { params: hostParams.copyLog, handle: (place) => this.copyLog(place) },
        openInExplorer: { params: hostParams.openInExplorer, handle: (place) => this.openInExplorer(place) },
      },
    });
  }

  #opening() {
    return {
      strings: logsStrings(vscode.l10n),
      form: this.#form,
      problems: this.#problems,
      arrangement: this.#rows.wanted,
      snapshot: this.#snapshot(),
    };
  }

  #changed(what: ResultsChange): void {
    if (what === 'state') this.#showing.now();
    else if (what === 'begun') this.#showing.within(SHOW_BEGUN_MS);
    else this.#showing.soon();
  }

  #show(): void {
    this.#rows.follow(this.#results.rows);
    const topRows = this.#takeTopRows(this.#results.answer, this.#rows);
    this.#channel.notify('show', { ...this.#snapshot(), topRows });
    this.#onDidChange.fire();
  }

  #snapshot(): LogsSnapshot {
    const source = {
      results: this.#results,
      rows: this.#rows,
      description: this.#describe(),
      activeNetwork: this.#deps.session.network.name,
      loadAllLimit: this.#deps.settings.current.loadAllLimit,
      canExport: this.exportable !== undefined,
    };
    return takeSnapshot(source, vscode.l10n, vscode.env.language);
  }

  #describe(): ErrorDescription | undefined {
    const { error } = this.#results;
    if (error === undefined) return undefined;
    if (this.#described?.error !== error) {
      this.#described = { error, description: this.#explain(error) };
    }
    return this.#described.description;
  }

  #wireError(error: unknown): WireError {
    if (isAppError(error)) return { code: error.kind, message: error.message, field: error.details.field };
    this.#deps.log.error(errorText(error));
    return { code: 'internal', message: this.#explain(error).message };
  }

  #explain(error: unknown): ErrorDescription {
    const network = this.#results.network ?? this.#deps.session.network;
    return describeError(error, { service: 'endpoint', network });
  }

  #isCurrent({ answer, order }: { readonly answer: string; readonly order: number }): boolean {
    return answer === this.#results.answer && order === this.#rows.order;
  }

  #log({ answer, log }: LogPlace): Log | undefined {
    const { rows } = this.#results;
    return answer === this.#results.answer && log < rows.length ? rows.get(log) : undefined;
  }

  #rowOf({ answer, log }: LogPlace): RowPlace | undefined {
    const row = answer === this.#results.answer ? this.#rows.rowOf(log) : undefined;
    return row === undefined ? undefined : { answer, order: this.#rows.order, row };
  }

  #networkChanged(): void {
    const { network } = this.#deps.session;
    const shown = this.#results.network;
    if (shown && isSameChain(shown, network)) return;
    if (shown) this.#results.clear('networkChanged');
    else this.#showing.now();
  }
}
