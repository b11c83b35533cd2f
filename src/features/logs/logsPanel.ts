import * as vscode from 'vscode';
import { isAppError, logToJson } from '../../core/index.ts';
import { describeError, type ErrorDescription } from '../../host/describeError.ts';
import { errorText } from '../../host/log.ts';
import { webviewHtml, webviewRoot } from '../../host/webviewHtml.ts';
import { type Channel, openChannel } from '../../messaging/channel.ts';
import type { WireError } from '../../messaging/wire.ts';
import type { LogsDeps } from './deps.ts';
import { explorerLink } from './explorerLink.ts';
import { LogResults } from './logResults.ts';
import { panelTitle } from './panelTitle.ts';
import { loadingProgress } from './progressText.ts';
import {
  type ExplorerPlace,
  hostParams,
  type LimitQuestion,
  type LogsHost,
  type LogsSnapshot,
  type LogsView,
  type RowPlace,
} from './protocol.ts';
import { checkForm, type FormField, type FormProblems, isFormField, type QueryForm } from './queryForm.ts';
import { statusTexts } from './statusText.ts';
import { logsStrings } from './strings.ts';
import { createThrottle, type Throttle } from './throttle.ts';
import { verdictReasons } from './verdictReasons.ts';
import { cellText, wireLog, wireRows } from './wireRows.ts';

/** Milliseconds between two snapshots while rows come in. */
const SHOW_EVERY_MS = 200;

/** One log panel: owns the answer, serves its view, which may come and go, and ends with the editor tab. */
export class LogsPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #deps: LogsDeps;
  readonly #results: LogResults;
  readonly #channel: Channel<LogsView>;
  readonly #showing: Throttle;
  readonly #onDidChange = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #form: QueryForm;
  #problems: FormProblems = {};
  #described: { readonly error: unknown; readonly description: ErrorDescription } | undefined;

  /** Fires when what can be done with the panel changes. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(panel: vscode.WebviewPanel, deps: LogsDeps, form: QueryForm) {
    this.panel = panel;
    this.#deps = deps;
    this.#form = form;
    this.#showing = createThrottle(() => this.#show(), SHOW_EVERY_MS, deps.clock);
    this.#results = new LogResults({
      onDidChange: (what) => (what === 'state' ? this.#showing.now() : this.#showing.soon()),
      clock: deps.clock,
      loadAllLimit: () => deps.settings.current.loadAllLimit,
    });
    this.#channel = this.#serve();
    this.#subscriptions = [
      panel.webview.onDidReceiveMessage((message) => this.#channel.receive(message)),
      deps.session.onDidChange(() => this.#networkChanged()),
      this.#onDidChange,
      this.#showing,
    ];
    panel.webview.options = {
      enableScripts: true,
      enableForms: false,
      localResourceRoots: [webviewRoot(deps.extensionUri)],
    };
    panel.webview.html = webviewHtml(panel.webview, deps.extensionUri, 'logs');
  }

  get running(): boolean {
    return this.#results.loading !== undefined;
  }

  get more(): boolean {
    return this.#results.more;
  }

  /** Begins the query, or says which fields keep it from it. */
  run(form: QueryForm): FormProblems {
    const checked = checkForm(form);
    this.#form = form;
    this.#problems = checked.problems ?? {};
    if (checked.filter) {
      this.panel.title = panelTitle(form, vscode.l10n);
      const { network, client } = this.#deps.session;
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

  /** Says that the rows of an earlier window were not kept. */
  markRestored(): void {
    this.#results.clear('restored');
  }

  async copyCell(place: RowPlace & { readonly column: Parameters<typeof cellText>[1] }): Promise<void> {
    const log = this.#log(place);
    if (log) await vscode.env.clipboard.writeText(cellText(log, place.column));
  }

  async copyLog(place: RowPlace): Promise<void> {
    const log = this.#log(place);
    if (log) await vscode.env.clipboard.writeText(JSON.stringify(logToJson(log), undefined, 2));
  }

  async openInExplorer(place: ExplorerPlace): Promise<void> {
    const log = this.#log(place);
    const link = log && explorerLink(this.#results.network?.explorerUrl, place.page, log);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }

  dispose(): void {
    this.#results.dispose();
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
        cancel: { params: hostParams.cancel, handle: () => this.cancel() },
        remedy: {
          params: hostParams.remedy,
          handle: (index) => void this.#describe()?.remedies[index]?.run(),
        },
        rows: {
          params: hostParams.rows,
          handle: (window) =>
            window.answer === this.#results.answer ? wireRows(this.#results.rows, window) : [],
        },
        log: {
          params: hostParams.log,
          handle: (place) => {
            const log = this.#log(place);
            return log && wireLog(log);
          },
        },
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
      snapshot: this.#snapshot(),
    };
  }

  #show(): void {
    this.#channel.notify('show', this.#snapshot());
    this.#onDidChange.fire();
  }

  #snapshot(): LogsSnapshot {
    const results = this.#results;
    const description = this.#describe();
    return {
      answer: results.answer,
      rows: results.rows.length,
      loading: results.loading,
      more: results.more,
      progress: loadingProgress(results, vscode.l10n, vscode.env.language),
      ...statusTexts(results, this.#deps.session.network.name, vscode.l10n, vscode.env.language),
      reasons: verdictReasons(results, vscode.l10n, vscode.env.language),
      problem: description && {
        message: description.message,
        remedies: description.remedies.map(({ title }) => title),
        field: fieldAtFault(results.error),
      },
      question: results.notice === 'limit' ? this.#limitQuestion() : undefined,
      canOpenExplorer: results.network?.explorerUrl !== undefined,
    };
  }

  #limitQuestion(): LimitQuestion {
    const number = (value: number) => value.toLocaleString(vscode.env.language);
    const limit = number(this.#deps.settings.current.loadAllLimit);
    return {
      message: vscode.l10n.t(
        '{0} logs are loaded. Load the next {1}?',
        number(this.#results.rows.length),
        limit,
      ),
      yes: vscode.l10n.t('Load the next {0}', limit),
    };
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

  #log({ answer, row }: RowPlace) {
    const { rows } = this.#results;
    return answer === this.#results.answer && row < rows.length ? rows.get(row) : undefined;
  }

  #networkChanged(): void {
    const { network } = this.#deps.session;
    const shown = this.#results.network;
    if (shown && isSameChain(shown, network)) return;
    if (shown) this.#results.clear('networkChanged');
    else this.#showing.now();
  }
}

/** The field of the form that the server cannot be asked with, if that is why the query failed. */
function fieldAtFault(error: unknown): FormField | undefined {
  const field = isAppError(error, 'badInput') ? error.details.field : undefined;
  return field !== undefined && isFormField(field) ? field : undefined;
}

function isSameChain(
  a: { chainId: number; rpcUrl: string },
  b: { chainId: number; rpcUrl: string },
): boolean {
  return a.chainId === b.chainId && a.rpcUrl === b.rpcUrl;
}
