import * as vscode from 'vscode';
import { abiItemText, type LogStore } from '../../../core/index.ts';
import { PanelHost } from '../../../host/panels/panelHost.ts';
import type { OwnedPanel } from '../../../host/panels/panels.ts';
import { nameTab } from '../../../host/surface/tabs.ts';
import { describeError, type ErrorDescription } from '../../../host/words/describeError.ts';
import { showError } from '../../../host/words/showError.ts';
import { RowReader } from '../decoded/rowReader.ts';
import { exportLogs, sweepExports } from '../export/exportLogs.ts';
import type { ExportableAnswer } from '../export/exportRows.ts';
import { FormHelp } from '../form/formHelp.ts';
import { type Arrangement, isSameArrangement } from '../protocol/arrangement.ts';
import type { SettledForm } from '../protocol/formHelp.ts';
import type { LogsSnapshot, ShownAnswer } from '../protocol/logsSnapshot.ts';
import type { LogPlace, LogsAction, LogsHost, Opening } from '../protocol/protocol.ts';
import type { FormProblems, QueryForm } from '../protocol/queryForm.ts';
import { logsStrings } from '../protocol/strings.ts';
import { ArrangedRows } from '../results/arrangedRows.ts';
import { asLoaded } from '../results/asLoaded.ts';
import { LogResults } from '../results/logResults.ts';
import type { ResultsChange } from '../results/resultsOptions.ts';
import { panelTitle } from '../words/panelTitle.ts';
import type { OpenedDeps } from './deps.ts';
import { logsMethods } from './served.ts';
import { ShownRows } from './shownRows.ts';
import { makeSnapshot } from './snapshot.ts';

/** An answer that comes sooner is shown at once, without a word before it that something is loading. */
const SHOW_BEGUN_MS = 50;

/** One log panel: owns the answer and the form that it was asked with. */
export class LogsPanel implements OwnedPanel {
  readonly panel: vscode.WebviewPanel;
  /** The rows by their places in the view. */
  readonly rows: ShownRows;
  readonly onDidShow: vscode.Event<void>;
  readonly #deps: OpenedDeps;
  readonly #reader: RowReader;
  readonly #following: vscode.Disposable;
  readonly #help: FormHelp;
  readonly #results: LogResults;
  readonly #arranged: ArrangedRows;
  readonly #host: PanelHost<LogsHost, ShownAnswer, LogsAction>;
  #form: QueryForm;
  #problems: FormProblems = {};
  #asked: Pick<ExportableAnswer, 'network' | 'client' | 'filter'> | undefined;

  constructor(panel: vscode.WebviewPanel, deps: OpenedDeps, form: QueryForm) {
    this.panel = panel;
    this.#deps = deps;
    this.#form = form;
    const changes = { onDidChange: (what: ResultsChange) => this.#changed(what), clock: deps.clock };
    const loadAllLimit = () => deps.settings.current.loadAllLimit;
    this.#results = new LogResults({ ...changes, loadAllLimit });
    this.#reader = new RowReader(deps.meaning, vscode.l10n);
    const knowledge = (store: LogStore) => this.#reader.knowledge(store);
    this.#arranged = new ArrangedRows(this.#results.rows, { ...changes, knowledge });
    this.rows = new ShownRows(this.#results, this.#arranged, this.#reader);
    this.#following = deps.meaning.onDidChange((change) => {
      this.#arranged.retell(change);
      if (change === 'names' && this.#asked) this.#nameTab(this.#form);
    });
    this.#help = new FormHelp({ ...deps, l10n: vscode.l10n }, () => this.#changed('rows'));
    this.#host = new PanelHost(panel, deps, {
      program: { name: 'logs' },
      methods: logsMethods({
        ...{ results: this.#results, shown: this.rows },
        run: (typed) => this.run(typed),
        help: this.#help,
        arrange: (wanted) => this.#arrange(wanted),
        exportLogs: () => void this.exportLogs(),
        opening: () => this.#opening(),
        remedy: (index) => void this.#describe()?.remedies[index]?.run(),
        openDeclaration: (place) => this.openDeclaration(place),
      }),
      // First the rows: the snapshot counts them.
      shown: () => ({ topRows: this.rows.follow(), ...this.#snapshot() }),
      askedNetwork: () => this.#results.network,
      leaveNetwork: () => this.#results.clear('networkChanged'),
    });
    this.onDidShow = this.#host.onDidShow;
    void sweepExports(deps);
  }

  /** What is going on, and what can be asked for next. */
  get results(): Pick<LogResults, 'loading' | 'more' | 'nextPage' | 'loadAll' | 'cancel'> {
    return this.#results;
  }

  /** The answer as it stands; undefined before there is one, and while it changes. */
  get exportable(): ExportableAnswer | undefined {
    const { verdict, rows, loading } = this.#results;
    if (!this.#asked || !verdict || loading) return undefined;
    // A page that was on its way when the query was cancelled may still be added.
    const asTheyStand = { length: rows.length, slice: rows.slice };
    return { ...this.#asked, verdict, rows: asTheyStand, decoding: this.#reader.decoding(rows) };
  }

  /** Begins the query, or says which fields keep it from it. */
  run(typed: QueryForm): SettledForm {
    const { form, problems, filter } = this.#help.read(typed);
    this.#form = form;
    this.#problems = problems;
    if (filter) {
      this.#nameTab(form);
      const { network, client } = this.#deps.session;
      this.#asked = { network, client, filter };
      this.#reader.asked = this.#asked;
      void this.#results.run(network, client, filter);
    }
    return { form, problems };
  }

  #nameTab(form: QueryForm): void {
    const { meaning, session } = this.#deps;
    const { chainId } = this.#asked?.network ?? session.network;
    nameTab(
      this.panel,
      panelTitle(form, vscode.l10n, (address) => meaning.nameOf(address, chainId)),
    );
  }

  /** Begins the query that is typed in the view. */
  readonly runTyped = () => this.#host.act('run');

  /** Narrows the rows to those that have the value of the active cell. */
  readonly filterByCell = () => this.#host.act('filterByCell');

  async exportLogs(): Promise<void> {
    const { exportable } = this;
    if (exportable) await exportLogs(exportable, this.#deps);
  }

  /** Takes over what an earlier window kept, and says that its rows were not. */
  restore(arrangement: Arrangement = asLoaded): void {
    this.#arrange(arrangement);
    this.#results.clear('restored');
  }

  dispose(): void {
    this.#results.dispose();
    this.#arranged.dispose();
    this.#following.dispose();
    this.#help.dispose();
    this.#host.dispose();
  }

  #opening(): Opening {
    return {
      strings: logsStrings(vscode.l10n),
      form: this.#form,
      problems: this.#problems,
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

  /** Shows the declaration of the event of a log; says why where that fails, as when its file has gone. */
  async openDeclaration(place: LogPlace): Promise<void> {
    const decoded = this.rows.read(place)?.decoded;
    if (!decoded || !('origin' in decoded)) return;
    const { meaning, session, log } = this.#deps;
    try {
      await meaning.openOrigin(decoded.origin, abiItemText(decoded.event));
    } catch (error) {
      await showError(error, { service: 'endpoint', network: session.network, log });
    }
  }

  #changed(what: ResultsChange): void {
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
      description: this.#describe(),
      activeNetwork: this.#deps.session.network.name,
      loadAllLimit: this.#deps.settings.current.loadAllLimit,
      canExport: this.exportable !== undefined,
      known: this.#help.version,
      ...{ l10n: vscode.l10n, locale: vscode.env.language },
    });
  }

  #describe(): ErrorDescription | undefined {
    const { error, network = this.#deps.session.network } = this.#results;
    return error === undefined ? undefined : describeError(error, { service: 'endpoint', network });
  }
}
