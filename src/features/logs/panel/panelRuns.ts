import * as vscode from 'vscode';
import {
  type ChainClient,
  type Clock,
  type Network,
  type QueryForm,
  toQueryDefinition,
} from '../../../core/index.ts';
import { showError } from '../../../host/errors.ts';
import type { Session } from '../../../host/session/session.ts';
import type { ReadOnlyDocument } from '../../../host/ui/virtualDocuments.ts';
import { formatComparison, hasDifferences, type ShownComparison } from '../compareRuns/formatComparison.ts';
import { type NetworkQuery, type StoredRun, toStoredVerdict } from '../queries/queryHistory.ts';
import type { QueryStore } from '../queries/queryStore.ts';
import type { LogResults } from '../results/logResults.ts';

/** A query of a panel, and whom it asks. */
export interface PanelQueryInput {
  readonly form: QueryForm;
  readonly network: Network;
}

interface PanelRunsDeps {
  readonly queries: QueryStore;
  readonly results: LogResults;
  readonly query: {
    /** The query that the results are of. */
    readonly executed: (PanelQueryInput & { readonly client: Pick<ChainClient, 'getBlockHash'> }) | undefined;
    /** The same; before anything ran, what stands in the form. */
    readonly current: PanelQueryInput;
    /** Settles when the first page has come, failed or been cancelled. */
    readonly running: Promise<void>;
    run(form: QueryForm, portion: 'all'): unknown;
    title(): { readonly title: string };
  };
  readonly onDidCompare: () => void;
  /** Where rows are shown that a run does not have like the one before it. */
  readonly runDifferences: ReadOnlyDocument;
  readonly session: Pick<Session, 'choose'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: vscode.LogOutputChannel;
}

/** The question as it is kept. */
export function toNetworkQuery({ form, network }: PanelQueryInput): NetworkQuery {
  const { id, name, chainId } = network;
  // By addresses: what they are called may change, and is told where it is read.
  const question = toQueryDefinition(form, { chainId }, { findAddressesByName: () => [] });
  return { question, network: { id, name } };
}

/** Has every run of a panel kept from its beginning on, one entry a run, and compares it with the run before. */
export class PanelRuns {
  readonly #deps: PanelRunsDeps;
  #noted = '';
  #began: { readonly answer: string; readonly at: number } | undefined;
  #rowsOf: string | undefined;
  /** The answer that was loaded to be compared, and what came of it. */
  #compared: { readonly answer: string; readonly comparison?: ShownComparison } | undefined;

  constructor(deps: PanelRunsDeps) {
    this.#deps = deps;
  }

  /** What the run before gave, if the answer was compared with it. */
  get comparison(): ShownComparison | undefined {
    return this.#compared?.answer === this.#deps.results.answer ? this.#compared.comparison : undefined;
  }

  /** Takes in what has changed. */
  follow(): void {
    const { queries, results, query } = this.#deps;
    if (!query.executed || !results.network) return;
    const run = this.#run();
    const noted = JSON.stringify(run);
    if (noted !== this.#noted) {
      this.#noted = noted;
      queries.addRun(toNetworkQuery(query.executed), run);
    }
    const { verdict, loading, answer, sequence } = results;
    if (loading || verdict?.state !== 'complete' || this.#rowsOf === answer) return;
    this.#rowsOf = answer;
    void queries.storeRows(answer, sequence.now(), verdict);
  }

  /** Runs the query again, and shows what it gives otherwise than the last time. */
  async compareWithLast({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { query, results, log } = this.#deps;
    const { current } = query;
    if (results.loading) return;
    try {
      const { compareWithRun, findLastRun } = await import('../compareRuns/compareLastRun.ts');
      const last = await findLastRun(toNetworkQuery(current), this.#deps);
      if (!last || signal.aborted) return;
      const answer = await this.#loadWhole(current.form);
      const { sequence, verdict } = results;
      const client = query.executed?.client;
      if (!answer || !verdict || !client || results.answer !== answer || signal.aborted) return;
      this.#compared = { answer };
      this.follow();
      const given = await compareWithRun(
        last,
        { run: this.#run(), rows: sequence.now(), verdict },
        { client, signal },
      );
      if (results.answer === answer) await this.#show(answer, given);
    } catch (error) {
      if (!signal.aborted) await showError(error, { service: 'endpoint', network: current.network, log });
    }
  }

  async #show(answer: string, given: ShownComparison): Promise<void> {
    const { onDidCompare, query, runDifferences } = this.#deps;
    this.#compared = { answer, comparison: given };
    onDidCompare();
    if (!hasDifferences(given.comparison)) return;
    const language = { l10n: vscode.l10n, locale: vscode.env.language };
    await runDifferences.show(formatComparison(given, query.title().title, language));
  }

  /** Runs a query and loads all of it; the identity of the answer, as far as it came. */
  async #loadWhole(form: QueryForm): Promise<string | undefined> {
    const { session, query, results } = this.#deps;
    if (!(await session.choose())) return undefined;
    query.run(form, 'all');
    const { answer } = results;
    await query.running;
    return answer;
  }

  #run(): StoredRun {
    const { answer, sequence, verdict, error, notice, loadedAt } = this.#deps.results;
    if (this.#began?.answer !== answer) this.#began = { answer, at: this.#deps.clock.now() };
    const ended = error !== undefined ? 'failed' : notice === 'cancelled' ? 'cancelled' : undefined;
    return {
      id: answer,
      at: loadedAt ?? this.#began.at,
      count: sequence.count,
      ...(verdict && { verdict: toStoredVerdict(verdict) }),
      ...(ended && { ended }),
      ...(this.#compared?.answer === answer && { compared: true }),
    };
  }
}
