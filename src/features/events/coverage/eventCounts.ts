import type * as vscode from 'vscode';
import type { Address, Clock, VerdictReason } from '../../../core/index.ts';
import type { Connection, Session } from '../../../host/session/session.ts';

/** How often an event has fired at the deployments of its contract, as it was when it was counted. */
export interface EventCount {
  readonly count: number;
  /** Else there are at least so many. */
  readonly isWhole: boolean;
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Why there may be more. */
  readonly doubts: readonly VerdictReason[];
  readonly last: { readonly block: bigint; readonly time: number | undefined } | undefined;
  /** How many deployments there are, of which some may not have been asked about. */
  readonly addresses: readonly Address[];
  readonly deployments: number;
}

/** What was counted, for the active network alone: another one has its own. */
export interface EventCounts extends vscode.Disposable {
  readonly size: number;
  of(declaration: string, addresses: readonly Address[]): EventCount | undefined;
  /** Takes what was counted over a connection, if that is still the active one. */
  put(connection: Connection, counted: ReadonlyMap<string, EventCount>): void;
}

/** So often what is said of ages is said anew. */
const AGES_MS = 60_000;

export function createEventCounts(
  {
    session,
    clock,
  }: { readonly session: Pick<Session, 'connection' | 'onDidChange'>; readonly clock: Clock },
  onDidChange: () => void,
): EventCounts {
  const counts = new Map<string, EventCount>();
  let aging: AbortController | undefined;

  function forget(): void {
    aging?.abort();
    aging = undefined;
    counts.clear();
  }
  async function tellAges({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(AGES_MS, { signal });
      onDidChange();
    }
  }
  const following = session.onDidChange(forget);

  return {
    get size() {
      return counts.size;
    },
    of: (declaration, addresses) => counts.get(keyOf(declaration, addresses)),
    put(connection, counted) {
      if (connection !== session.connection) return;
      for (const [declaration, count] of counted) counts.set(keyOf(declaration, count.addresses), count);
      if (!aging && counts.size > 0) {
        aging = new AbortController();
        tellAges(aging).catch(() => undefined);
      }
      onDidChange();
    },
    dispose() {
      following.dispose();
      forget();
    },
  };
}

function keyOf(declaration: string, addresses: readonly Address[]): string {
  return [declaration, ...[...addresses].sort()].join('\n');
}
