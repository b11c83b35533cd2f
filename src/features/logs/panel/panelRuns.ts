import { type Clock, type Network, type QueryForm, toQueryDefinition } from '../../../core/index.ts';
import { type NetworkQuery, type StoredRun, toStoredVerdict } from '../queries/queryHistory.ts';
import type { QueryStore } from '../queries/queryStore.ts';
import type { LogResults } from '../results/logResults.ts';

export interface PanelQueryInput {
  readonly form: QueryForm;
  readonly network: Network;
}

interface PanelRunsDeps {
  readonly queries: Pick<QueryStore, 'addRun'>;
  readonly results: LogResults;
  /** `executed`: the query that the results belong to. */
  readonly query: { readonly executed: PanelQueryInput | undefined };
  readonly clock: Pick<Clock, 'now'>;
}

/** The query as it is stored. */
export function toNetworkQuery({ form, network }: PanelQueryInput): NetworkQuery {
  const { id, name, chainId } = network;
  // Stored with addresses: their names may change, and are looked up for display.
  const question = toQueryDefinition(form, { chainId }, { findAddressesByName: () => [] });
  return { question, network: { id, name } };
}

/** Records each run of a panel, from its start on, as one entry. */
export class PanelRuns {
  readonly #deps: PanelRunsDeps;
  #recorded = '';
  #began: { readonly resultId: string; readonly at: number } | undefined;

  constructor(deps: PanelRunsDeps) {
    this.#deps = deps;
  }

  /** Records the run if it has changed. */
  update(): void {
    const { queries, results, query } = this.#deps;
    if (!query.executed || !results.network) return;
    const run = this.#run();
    const recorded = JSON.stringify(run);
    if (recorded === this.#recorded) return;
    this.#recorded = recorded;
    queries.addRun(toNetworkQuery(query.executed), run);
  }

  #run(): StoredRun {
    const { resultId, sequence, verdict, error, notice, loadedAt } = this.#deps.results;
    if (this.#began?.resultId !== resultId) this.#began = { resultId, at: this.#deps.clock.now() };
    const ended = error !== undefined ? 'failed' : notice === 'cancelled' ? 'cancelled' : undefined;
    return {
      id: resultId,
      at: loadedAt ?? this.#began.at,
      count: sequence.count,
      ...(verdict && { verdict: toStoredVerdict(verdict) }),
      ...(ended && { ended }),
    };
  }
}
