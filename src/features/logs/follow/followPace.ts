import * as vscode from 'vscode';
import { isSameChain } from '../../../host/session/sameChain.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { FollowPace } from './following.ts';

/** Tells the newest block of the active network, and asks for it where what is known is too old. */
export interface NewestBlock {
  readonly state: { readonly head?: { readonly block: bigint } };
  read(maxAgeMs?: number): Promise<{ readonly block: bigint }>;
  readonly onDidChange: vscode.Event<void>;
}

interface PaceDeps {
  readonly session: Pick<Session, 'network'>;
  readonly settings: Pick<SettingsService, 'current'>;
  readonly head: NewestBlock;
}

/** What nobody looks at is looked after so much less often, and not more often than this. */
const SLOWER_BY = 6;
const SLOW_MS = 60_000;
/** The same where someone wants to be told of it. */
const AWAITED_SLOWER_BY = 3;

interface PaceOf {
  readonly panel: { readonly visible?: boolean };
  /** Whether new rows are told of outside of the panel. */
  readonly isAwaited: () => boolean;
  readonly onRows: (count: number) => void;
}

/** Whether someone may be looking at the panel. */
export function isInSight(panel: { readonly visible?: boolean }): boolean {
  return panel.visible === true && vscode.window.state.focused;
}

/** As often as the newest block is polled while the panel is in sight, seldom elsewhere. */
export function createFollowPace(
  { session, settings, head }: PaceDeps,
  { panel, isAwaited, onRows }: PaceOf,
): FollowPace {
  const usualMs = () => settings.current.pollSeconds * 1000;
  return {
    intervalMs() {
      if (isInSight(panel)) return usualMs();
      return isAwaited() ? usualMs() * AWAITED_SLOWER_BY : Math.max(SLOW_MS, usualMs() * SLOWER_BY);
    },
    async head(network, client, { signal }) {
      // One poller for all that looks at the active network; half a turn old is new enough for its next turn.
      if (isSameChain(network, session.network)) return (await head.read(usualMs() / 2)).block;
      return client.latestBlock({ signal, retries: 0 });
    },
    onRows,
  };
}
