import {
  formatAbiItem,
  type LogProof,
  type SecondOpinion,
  type Verdict,
  withProof,
} from '../../../core/index.ts';
import { showError } from '../../../host/errors.ts';
import { showTransactionOn } from '../../../host/session/chains.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import { exportLogs } from '../export/exportLogs.ts';
import type { ExportableResult } from '../export/exportRows.ts';
import type { ShownOpinion } from '../opinion/formatOpinion.ts';
import type { LogPlace } from '../protocol/protocol.ts';
import type { LogResults } from '../results/logResults.ts';
import type { RowView } from '../results/rowView.ts';
import type { PanelGroups } from './panelGroups.ts';
import type { PanelQuery } from './panelQuery.ts';
import type { PanelRows, PanelTimes } from './panelRows.ts';
import type { PanelServices } from './panelServices.ts';

interface ActionParts {
  readonly results: LogResults;
  readonly query: PanelQuery;
  readonly arranged: RowView;
  readonly rows: PanelRows;
  readonly groups: PanelGroups;
  readonly reader: RowReader;
  readonly times: PanelTimes;
  readonly onDidChange: () => void;
}

export class ResultActions {
  readonly #deps: PanelServices;
  readonly #parts: ActionParts;
  /** A proof and a second opinion, with the result that each belongs to. */
  #proof: { readonly verdict: Verdict; readonly resultId: string; readonly proof: LogProof } | undefined;
  #opinion: { readonly resultId: string; readonly shown: ShownOpinion } | undefined;

  constructor(deps: PanelServices, parts: ActionParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** The result as it is now; undefined before the first page, and while it is loading. */
  get exportable(): ExportableResult | undefined {
    const { results, query, rows, reader, times } = this.#parts;
    const { verdict } = this;
    const { sequence, loading } = results;
    const { executed, network } = query;
    if (!executed || !verdict || loading) return undefined;
    // A page requested before a cancel may still be added, and following may add rows.
    const currentRows = sequence.now();
    const { filtered } = rows;
    const onlyLoaded = network.lost !== undefined;
    const decoding = reader.createDecoding(results.rows);
    return { ...executed, verdict, rows: currentRows, filtered, decoding, onlyLoaded, times };
  }

  /** The verdict on the current result, with what a proof and a second opinion say; undefined before the first page. */
  get verdict(): Verdict | undefined {
    const { verdict } = this.#parts.results;
    return verdict && judgeResult(verdict, { proof: this.proof, opinion: this.opinion?.opinion });
  }

  /** The second opinion on the current result. */
  get opinion(): ShownOpinion | undefined {
    const { resultId } = this.#parts.results;
    return this.#opinion?.resultId === resultId ? this.#opinion.shown : undefined;
  }

  /** The proof of the current result; undefined once there are more rows, unless it contradicts those before them. */
  get proof(): LogProof | undefined {
    const { verdict, resultId } = this.#parts.results;
    const { proof } = this.#proof ?? {};
    const isLasting = proof?.level === 'contradicted' && this.#proof?.resultId === resultId;
    return isLasting || this.#proof?.verdict === verdict ? proof : undefined;
  }

  async exportLogs(): Promise<void> {
    const { results, rows, arranged, groups } = this.#parts;
    const { resultId } = results;
    results.following?.sweep();
    rows.sync();
    if (arranged.isWorking) await arranged.ready();
    const { view, areShown } = groups;
    if (areShown) await view.ready();
    const { exportable } = this;
    if (!exportable || results.resultId !== resultId) return;
    const { table } = groups;
    if (!table) return exportLogs(exportable, this.#deps);
    const { exportGroups } = await import('../groups/exportGroups.ts');
    await exportGroups(table, { result: exportable, groupedBy: view.choice?.by ?? [] }, this.#deps);
  }

  async copyQueryAs(): Promise<void> {
    const { results, query, rows, reader } = this.#parts;
    const { executed, network } = query;
    if (!executed) return;
    const { copyQueryAs } = await import('../copyAs.ts');
    await copyQueryAs({
      ...executed,
      verdict: results.verdict,
      event: reader.findEvent(results.rows),
      onlyLoaded: network.lost !== undefined,
      rows: rows.shown,
    });
  }

  /** Saves the executed query, or the form before the first run, to a file. */
  async saveAsFile(): Promise<void> {
    const { query } = this.#parts;
    const { saveQueryFile } = await import('../export/saveQueryFile.ts');
    await saveQueryFile({ ...query.current, title: query.title().title }, this.#deps.contracts);
  }

  /** Compares the result with another endpoint that the user chooses. Stops when the panel closes. */
  async secondOpinion({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { results, query, onDidChange } = this.#parts;
    results.following?.sweep();
    const { verdict, sequence, loading, resultId } = results;
    const { executed } = query;
    if (!executed || !verdict || loading) return;
    const rows = sequence.now();
    try {
      const { runSecondOpinion } = await import('../opinion/secondOpinion.ts');
      const shown = await runSecondOpinion({ ...executed, verdict, rows }, this.#deps, { signal });
      if (!shown || results.resultId !== resultId) return;
      this.#opinion = { resultId, shown };
      onDidChange();
    } catch (error) {
      await showError(error, { service: 'endpoint', network: executed.network, log: this.#deps.log });
    }
  }

  /** Proves the result by the hashes of the chain. Stops when the panel closes. */
  async proveResult({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { results, query, onDidChange } = this.#parts;
    results.following?.sweep();
    const { verdict, sequence, loading, resultId } = results;
    const { executed } = query;
    if (!executed || !verdict || loading) return;
    try {
      const { proveResult } = await import('../opinion/proveResult.ts');
      const proof = await proveResult({ ...executed, verdict, rows: sequence.now() }, { signal });
      if (!proof) return;
      this.#proof = { verdict, resultId, proof };
      onDidChange();
    } catch (error) {
      await showError(error, { service: 'endpoint', network: executed.network, log: this.#deps.log });
    }
  }

  /** Opens the declaration of a log's event; shows an error if it is gone. */
  async openDeclaration(place: LogPlace): Promise<void> {
    const { query, rows } = this.#parts;
    const decoded = rows.decodeRow(place)?.decoded;
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
    const { results, query, rows } = this.#parts;
    const read = rows.decodeRow(place);
    const { network = query.network.network } = results;
    if (read) await showTransactionOn(this.#deps, network, read.log.transactionHash);
  }
}

/**
 * The verdict on a result with what a proof and a second opinion say about it: either can be a reason against it, and
 * none makes it more complete. A result with more pages stays one.
 */
export function judgeResult(
  verdict: Verdict,
  { proof, opinion }: { readonly proof: LogProof | undefined; readonly opinion: SecondOpinion | undefined },
): Verdict {
  const proven = proof ? withProof(verdict, proof) : verdict;
  const { reasons } = proven;
  const judged: Verdict =
    opinion?.state === 'differ'
      ? {
          ...proven,
          state: 'uncertain',
          reasons: [...reasons, { code: 'otherLogsElsewhere', block: opinion.fromBlock }],
        }
      : proven;
  return verdict.state === 'more' ? { ...judged, state: 'more', reasons: judged.reasons } : judged;
}
