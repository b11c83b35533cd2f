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

export class ResultActions {
  readonly #deps: PanelServices;
  readonly #on: ActedOn;
  /** The second opinion, and the result that it belongs to. */
  #opinion: { readonly answer: string; readonly given: ShownOpinion } | undefined;

  constructor(deps: PanelServices, on: ActedOn) {
    this.#deps = deps;
    this.#on = on;
  }

  /** The result as it is now; undefined before the first page, and while it is loading. */
  get exportable(): ExportableResult | undefined {
    const { results, query, rows, reader, times } = this.#on;
    const { verdict, sequence, loading } = results;
    const { executed, network } = query;
    if (!executed || !verdict || loading) return undefined;
    // A page requested before a cancel may still be added, and following may add rows.
    const asTheyStand = sequence.now();
    const { filtered } = rows;
    const onlyLoaded = network.lost !== undefined;
    const decoding = reader.decoding(results.rows);
    return { ...executed, verdict, rows: asTheyStand, filtered, decoding, onlyLoaded, times };
  }

  /** The second opinion on the current result. */
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

  /** Saves the executed query, or the form before the first run, to a file. */
  async saveAsFile(): Promise<void> {
    const { query } = this.#on;
    const { saveQueryFile } = await import('../export/saveQueryFile.ts');
    await saveQueryFile({ ...query.current, title: query.title().title }, this.#deps.contracts);
  }

  /** Compares the result with another endpoint that the user chooses. Stops when the panel closes. */
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

  /** Opens the declaration of a log's event; shows an error if it is gone. */
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

  /** Shows the transaction of a log, on the network of the result. */
  async showTransaction(place: LogPlace): Promise<void> {
    const { results, query, rows } = this.#on;
    const read = rows.read(place);
    const { network = query.network.network } = results;
    if (read) await showTransactionOn(this.#deps, network, read.log.transactionHash);
  }
}
