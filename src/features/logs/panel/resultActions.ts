import { formatAbiItem } from '../../../core/index.ts';
import { showError } from '../../../host/errors.ts';
import { showTransactionOn } from '../../../host/session/chains.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import { exportLogs } from '../export/exportLogs.ts';
import type { ExportableResult } from '../export/exportRows.ts';
import type { ShownOpinion } from '../opinion/formatOpinion.ts';
import type { LogPlace } from '../protocol/protocol.ts';
import type { LogResults } from '../results/logResults.ts';
import type { RowView } from '../results/rowView.ts';
import type { PanelQuery } from './panelQuery.ts';
import type { PanelRows, PanelTimes } from './panelRows.ts';
import type { PanelServices } from './panelServices.ts';

interface ActedOn {
  readonly results: LogResults;
  readonly query: PanelQuery;
  readonly arranged: RowView;
  readonly rows: PanelRows;
  readonly reader: RowReader;
  readonly times: PanelTimes;
  readonly onDidChange: () => void;
}

/** What a user does with an answer beside reading it. */
export class ResultActions {
  readonly #deps: PanelServices;
  readonly #on: ActedOn;
  /** The second opinion of the answer that has this identity. */
  #opinion: { readonly answer: string; readonly given: ShownOpinion } | undefined;

  constructor(deps: PanelServices, on: ActedOn) {
    this.#deps = deps;
    this.#on = on;
  }

  /** The answer as it stands; undefined before there is one, and while it changes. */
  get exportable(): ExportableResult | undefined {
    const { results, query, rows, reader, times } = this.#on;
    const { verdict, sequence, loading } = results;
    const { executed, network } = query;
    if (!executed || !verdict || loading) return undefined;
    // A page that was on its way when the query was cancelled may still be added, and following goes on.
    const asTheyStand = sequence.now();
    const { filtered } = rows;
    const onlyLoaded = network.lost !== undefined;
    const decoding = reader.decoding(results.rows);
    return { ...executed, verdict, rows: asTheyStand, filtered, decoding, onlyLoaded, times };
  }

  /** What another endpoint said of the answer as it stands. */
  get opinion(): ShownOpinion | undefined {
    const { answer } = this.#on.results;
    return this.#opinion?.answer === answer ? this.#opinion.given : undefined;
  }

  async exportLogs(): Promise<void> {
    const { results, rows, arranged } = this.#on;
    const { answer } = results;
    results.following?.sweep();
    rows.follow();
    if (arranged.working) await arranged.ready();
    const { exportable } = this;
    if (exportable && results.answer === answer) await exportLogs(exportable, this.#deps);
  }

  /** Copies the query that ran for another tool, which the user chooses. */
  async copyQueryAs(): Promise<void> {
    const { results, query, rows, reader } = this.#on;
    const { executed, network } = query;
    if (!executed) return;
    const { copyQueryAs } = await import('../copyAs.ts');
    await copyQueryAs({
      ...executed,
      verdict: results.verdict,
      event: reader.event(results.rows),
      onlyLoaded: network.lost !== undefined,
      rows: rows.shown,
    });
  }

  /** Writes the query that ran, or the one that the panel was opened with, into a file. */
  async saveAsFile(): Promise<void> {
    const { query } = this.#on;
    const { saveQueryFile } = await import('../export/saveQueryFile.ts');
    await saveQueryFile({ ...query.current, title: query.title().title }, this.#deps.contracts);
  }

  /** Has the same asked of another endpoint that the user chooses, and shows what came of it; no more once the panel is closed. */
  async secondOpinion({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { results, query, onDidChange } = this.#on;
    results.following?.sweep();
    const { verdict, sequence, loading, answer } = results;
    const { executed } = query;
    if (!executed || !verdict || loading) return;
    const rows = sequence.now();
    try {
      const { runSecondOpinion } = await import('../opinion/secondOpinion.ts');
      const given = await runSecondOpinion({ ...executed, verdict, rows }, this.#deps, { signal });
      if (!given || results.answer !== answer) return;
      this.#opinion = { answer, given };
      onDidChange();
    } catch (error) {
      await showError(error, { service: 'endpoint', network: executed.network, log: this.#deps.log });
    }
  }

  /** Shows the declaration of the event of a log; says why where that fails, as when its file has gone. */
  async openDeclaration(place: LogPlace): Promise<void> {
    const { query, rows } = this.#on;
    const decoded = rows.read(place)?.decoded;
    if (!decoded || !('origin' in decoded)) return;
    const { meaning, log } = this.#deps;
    try {
      await meaning.openOrigin(decoded.origin, formatAbiItem(decoded.event));
    } catch (error) {
      const service = decoded.origin.verified ? 'source' : 'endpoint';
      await showError(error, { service, network: query.network.network, log });
    }
  }

  /** Shows the transaction of a log, on the network that the log is of. */
  async showTransaction(place: LogPlace): Promise<void> {
    const { results, query, rows } = this.#on;
    const read = rows.read(place);
    const { network = query.network.network } = results;
    if (read) await showTransactionOn(this.#deps, network, read.log.transactionHash);
  }
}
