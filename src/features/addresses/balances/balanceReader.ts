import type * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  createExpiringCache,
  type DataApiClient,
  type ExpiringCache,
  type Holdings,
  type HoldingsOptions,
  type NativeBalance,
  type QuoteCurrency,
  readHoldings,
  type TokenBalances,
} from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { DataApiAccess } from '../../../host/session/dataApiAccess.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';

/** The newest block at the time of a figure. */
export interface SeenBlock {
  readonly block: bigint;
  /** When it was first seen, by {@link Clock.elapsed}. */
  readonly firstSeenElapsed: number;
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

/** Tokens and NFTs of an address, grouped and added up. */
export interface ReadyHoldings {
  readonly state: 'ready';
  readonly holdings: Holdings;
  /** The currency that was chosen then: what the server answers in is in `holdings`. */
  readonly askedIn: QuoteCurrency;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/**
 * What an address holds by the data API; or why that is not asked, with what was read when it was. `notAsked`: it
 * would be one of many at once, and nobody has wished for it.
 */
export type HoldingsFigure =
  | ReadyHoldings
  | {
      readonly state: Exclude<DataApiAccess['state'], 'ready'> | 'notAsked';
      readonly before?: ReadyHoldings | undefined;
    };

/** The holdings that a figure has, its own or those from before. */
export function readyOf(figure: HoldingsFigure | undefined): ReadyHoldings | undefined {
  return figure?.state === 'ready' ? figure : figure?.before;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Passes over a kept answer. */
  readonly fresh?: boolean;
}

type AskOptions = HoldingsOptions & { readonly signal: AbortSignal; readonly fresh: boolean };

/** Balances on the active network: kept for a short time, and one request for many who ask. */
export interface BalanceReader extends vscode.Disposable {
  /** @throws AppError as the endpoint fails; `aborted` when the network changes meanwhile. */
  native(address: Address, options?: ReadOptions): Promise<NativeFigure>;
  /** @throws AppError as the data API fails; `aborted` when the network changes meanwhile. */
  tokens(address: Address, options?: ReadOptions): Promise<TokensFigure>;
  /** Tokens and NFTs: slower and dearer than {@link tokens}. @throws AppError as that does. */
  holdings(address: Address, options?: ReadOptions): Promise<HoldingsFigure>;
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
  const holdings = createExpiringCache<HoldingsFigure>(cache);
  const disposables = new Disposables();
  disposables.add(session.onDidChange(() => natives.clear()));
  disposables.add(
    session.onDidChangeDataApi(() => {
      tokens.clear();
      holdings.clear();
    }),
  );

  async function readNative(address: Address, signal: AbortSignal): Promise<NativeFigure> {
    const { client, signal: replaced } = session.connection;
    const [balance, head] = await Promise.all([
      client.nativeBalance(address, { signal: AbortSignal.any([signal, replaced]) }),
      deps.readHead().catch(() => undefined),
    ]);
    return { balance, head, readAt: clock.now() };
  }

  async function askDataApi<T>(
    ask: (client: DataApiClient, options: HoldingsOptions) => Promise<T>,
    { quoteCurrency, signal, fresh }: AskOptions,
  ) {
    const { signal: replaced } = session.connection;
    const access = await session.dataApi();
    if (access.state !== 'ready') return { state: access.state };
    const answer = await ask(access.client, {
      ...{ quoteCurrency, fresh },
      signal: AbortSignal.any([signal, replaced]),
    });
    return { state: access.state, answer, readAt: clock.now() };
  }

  async function readTokens(address: Address, asked: AskOptions): Promise<TokensFigure> {
    const read = await askDataApi((client, options) => client.tokenBalances(address, options), asked);
    return read.state === 'ready'
      ? { state: 'ready', balances: read.answer, readAt: read.readAt }
      : { state: read.state };
  }

  async function readAll(address: Address, asked: AskOptions): Promise<HoldingsFigure> {
    const read = await askDataApi((client, options) => readHoldings(client, address, options), asked);
    if (read.state !== 'ready') return { state: read.state };
    return { state: 'ready', holdings: read.answer, askedIn: asked.quoteCurrency, readAt: read.readAt };
  }

  /** Reads by way of `cache`, where what was asked for in another currency is another question. */
  function inCurrency<T>(
    cache: ExpiringCache<T>,
    read: (address: Address, asked: AskOptions) => Promise<T>,
  ): (address: Address, options?: ReadOptions) => Promise<T> {
    return (address, { fresh = false, signal } = {}) => {
      const { quoteCurrency } = settings.current;
      const load = (shared: AbortSignal) => read(address, { quoteCurrency, fresh, signal: shared });
      return cache.get(`${address} ${quoteCurrency}`, load, { fresh, signal });
    };
  }

  return {
    native: (address, options) => natives.get(address, (signal) => readNative(address, signal), options),
    tokens: inCurrency(tokens, readTokens),
    holdings: inCurrency(holdings, readAll),
    dispose: () => disposables.dispose(),
  };
}
