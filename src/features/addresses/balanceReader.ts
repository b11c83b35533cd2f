import type * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  createExpiringCache,
  type NativeBalance,
  type TokenBalances,
} from '../../core/index.ts';
import type { DataApiAccess } from '../../host/dataApiAccess.ts';
import { Disposables } from '../../host/disposables.ts';
import type { Session } from '../../host/session.ts';
import type { SettingsService } from '../../host/settings.ts';

/** The newest block at the time of a figure. */
export interface SeenBlock {
  readonly block: bigint;
  /** Milliseconds since the Unix epoch. */
  readonly firstSeenAt: number;
}

export interface NativeFigure {
  readonly balance: NativeBalance;
  /** Undefined when the endpoint would not tell its newest block. */
  readonly head: SeenBlock | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** Token balances, or why they are not asked for. */
export type TokensFigure =
  | { readonly state: 'ready'; readonly balances: TokenBalances; readonly readAt: number }
  | { readonly state: Exclude<DataApiAccess['state'], 'ready'> };

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Passes over a kept answer. */
  readonly fresh?: boolean;
}

/** Balances on the active network: kept for a short time, and one request for many who ask. */
export interface BalanceReader extends vscode.Disposable {
  /** @throws AppError as the endpoint fails; `aborted` when the network changes meanwhile. */
  native(address: Address, options?: ReadOptions): Promise<NativeFigure>;
  /** @throws AppError as the data API fails; `aborted` when the network changes meanwhile. */
  tokens(address: Address, options?: ReadOptions): Promise<TokensFigure>;
}

const KEPT_FOR_MS = 15_000;
const KEPT_AT_MOST = 500;

export function createBalanceReader(deps: {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly clock: Clock;
  readonly readHead: () => Promise<SeenBlock>;
}): BalanceReader {
  const { session, settings, clock } = deps;
  const cache = { clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST };
  const natives = createExpiringCache<NativeFigure>(cache);
  const tokens = createExpiringCache<TokensFigure>(cache);
  const disposables = new Disposables();
  disposables.add(session.onDidChange(() => natives.clear()));
  disposables.add(session.onDidChangeDataApi(() => tokens.clear()));

  async function readNative(address: Address, signal: AbortSignal): Promise<NativeFigure> {
    const { client, signal: replaced } = session.connection;
    const [balance, head] = await Promise.all([
      client.nativeBalance(address, { signal: AbortSignal.any([signal, replaced]) }),
      deps.readHead().catch(() => undefined),
    ]);
    return { balance, head, readAt: clock.now() };
  }

  async function readTokens(address: Address, signal: AbortSignal, fresh: boolean): Promise<TokensFigure> {
    const { signal: replaced } = session.connection;
    const access = await session.dataApi();
    if (access.state !== 'ready') return { state: access.state };
    const balances = await access.client.tokenBalances(address, {
      quoteCurrency: settings.current.quoteCurrency,
      fresh,
      signal: AbortSignal.any([signal, replaced]),
    });
    return { state: 'ready', balances, readAt: clock.now() };
  }

  return {
    native: (address, options) => natives.get(address, (signal) => readNative(address, signal), options),
    tokens: (address, options) =>
      tokens.get(
        `${address} ${settings.current.quoteCurrency}`,
        (signal) => readTokens(address, signal, options?.fresh ?? false),
        options,
      ),
    dispose: () => disposables.dispose(),
  };
}
