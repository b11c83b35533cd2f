import type * as vscode from 'vscode';
import {
  type Address,
  type BalancesRequest,
  type Clock,
  createExpiringCache,
  type Holdings,
  type HoldingsProvider,
  isAppError,
  type NativeBalance,
  type QuoteCurrency,
  type TokenBalances,
} from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { ProviderAccess } from '../../../host/session/providerAccess.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';

/**
 * Balances on the active network, cached for a short time; concurrent calls share a request. Only native balances are
 * cached here: providers cache their own results, which carry a time.
 */
export interface BalanceReader extends vscode.Disposable {
  /** @throws AppError of the endpoint; `aborted` when the network changes meanwhile. */
  native(address: Address, options?: ReadOptions): Promise<NativeBalanceRead>;
  /**
   * Balances from the endpoint, bypassing the cache, in one request if it supports batches. Caches the native ones for
   * {@link native}. Each balance fails as there.
   */
  readBatch(request: BalancesRequest, effort?: ReadEffort): PendingBalances;
  /** @throws AppError of the provider; `aborted` when the network changes meanwhile. */
  tokens(address: Address, options?: ReadOptions): Promise<TokensResult>;
  /** Tokens and NFTs: slower and more expensive than {@link tokens}. @throws AppError as there. */
  holdings(address: Address, options?: ReadOptions): Promise<HoldingsResult>;
}

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bypasses the cache. */
  readonly fresh?: boolean;
}

interface ReadEffort {
  /** After the first attempt. */
  readonly retries?: number;
}

/** In the order of the request. Each settles separately; an error surfaces where its promise is awaited. */
interface PendingBalances {
  readonly natives: readonly Promise<NativeBalanceRead>[];
  readonly tokens: readonly Promise<TokenAmount>[];
}

export interface NativeBalanceRead extends ReadStamp {
  readonly balance: NativeBalance;
}

/** The amount of a token whose symbol and decimals have been read before. */
export interface TokenAmount extends ReadStamp {
  /** In smallest units; undefined if the contract is no longer a token. */
  readonly amount: bigint | undefined;
}

/** When a value was read, and the newest block then, if that could be read. */
interface ReadStamp {
  readonly head: SeenBlock | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** The newest block when a balance was read. */
export interface SeenBlock {
  readonly block: bigint;
  /** By {@link Clock.elapsed}. */
  readonly firstSeenElapsed: number;
}

type NotReadyState = Exclude<ProviderAccess['state'], 'ready'>;

/** Token balances, or why they were not requested. */
export type TokensResult =
  | { readonly state: 'ready'; readonly balances: TokenBalances }
  | { readonly state: NotReadyState };

/** Tokens and NFTs of an address, grouped and summed up. */
export interface LoadedHoldings {
  readonly state: 'ready';
  readonly holdings: Holdings;
  /** The currency that was chosen then. The provider may use another, which is in `holdings`. */
  readonly currency: QuoteCurrency;
}

/**
 * Holdings, or why they were not requested, with earlier ones. `notAsked`: the user did not request them, and the limit
 * for automatic requests is reached.
 */
export type HoldingsResult =
  | LoadedHoldings
  | {
      readonly state: NotReadyState | 'notAsked';
      readonly before?: LoadedHoldings | undefined;
    };

/** The holdings of a result, or the earlier ones. */
export function getLoadedHoldings(figure: HoldingsResult | undefined): LoadedHoldings | undefined {
  return figure?.state === 'ready' ? figure : figure?.before;
}

const CACHE_TTL_MS = 15_000;
const MAX_CACHED_ADDRESSES = 500;

export function createBalanceReader(deps: {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly clock: Clock;
  readonly readHead: () => Promise<SeenBlock>;
}): BalanceReader {
  const { session, settings, clock } = deps;
  const cache = createExpiringCache<NativeBalanceRead>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHED_ADDRESSES,
  });
  const disposables = new Disposables();
  disposables.add(session.onDidChange(() => cache.clear()));

  async function readNative(
    address: Address,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<NativeBalanceRead> {
    const { client, signal: replaced } = session.connection;
    const [balance, head] = await Promise.all([
      client.getBalance(address, { signal: AbortSignal.any([signal, replaced]) }),
      deps.readHead().catch(() => undefined),
    ]);
    return { balance, head, readAt: clock.now() };
  }

  /** Calls the provider, if there is one; aborts when the connection is replaced. */
  async function callProvider<T>(
    request: (provider: HoldingsProvider, options: ReadOptions) => Promise<T>,
    { fresh = false, signal }: ReadOptions = {},
  ) {
    const { signal: replaced } = session.connection;
    const access = await session.provider('holdings');
    if (access.state !== 'ready') return { state: access.state } as const;
    const ended = signal ? AbortSignal.any([signal, replaced]) : replaced;
    try {
      const result = await request(access.provider, { fresh, signal: ended });
      return { state: access.state, result } as const;
    } catch (error) {
      // The provider without a key does not serve this. Only one that needs a key is left.
      const remaining =
        isAppError(error, 'notServed') && access.withoutKey ? await session.provider('holdings') : access;
      if (remaining.state === 'ready') throw error;
      return { state: remaining.state } as const;
    }
  }

  return {
    readBatch(request, effort = {}) {
      const read = readBalanceBatch(deps, request, effort);
      const natives = request.natives.map((address, index) =>
        markHandled(cache.get(address, () => getResultAt(read.natives, index), { fresh: true })),
      );
      return { natives, tokens: read.tokens };
    },
    native: (address, options) => cache.get(address, (signal) => readNative(address, { signal }), options),
    async tokens(address, options) {
      const { quoteCurrency } = settings.current;
      const read = await callProvider(
        (provider, readOptions) => provider.tokenBalances(address, { ...readOptions, quoteCurrency }),
        options,
      );
      return read.state === 'ready' ? { state: 'ready', balances: read.result } : read;
    },
    async holdings(address, options) {
      const { quoteCurrency } = settings.current;
      const read = await callProvider(
        (provider, readOptions) => provider.holdings(address, { ...readOptions, quoteCurrency }),
        options,
      );
      return read.state === 'ready'
        ? { state: 'ready', holdings: read.result, currency: quoteCurrency }
        : read;
    },
    dispose: () => disposables.dispose(),
  };
}

/** Reads many balances from the endpoint of the active network, in one request if it supports batches. */
function readBalanceBatch(
  deps: { readonly session: Session; readonly clock: Clock; readonly readHead: () => Promise<SeenBlock> },
  request: BalancesRequest,
  effort: ReadEffort,
): PendingBalances {
  const { client, signal } = deps.session.connection;
  const read = client.getBalances(request, { ...effort, signal });
  const head = deps.readHead().catch(() => undefined);
  const addStamp = async <T extends object>(result: Promise<T>) => ({
    ...(await result),
    head: await head,
    readAt: deps.clock.now(),
  });
  return {
    natives: request.natives.map((_, index) =>
      markHandled(
        addStamp(read.then(({ natives }) => getResultAt(natives, index)).then((balance) => ({ balance }))),
      ),
    ),
    tokens: request.tokens.map((_, index) =>
      markHandled(
        addStamp(read.then(({ tokens }) => getResultAt(tokens, index)).then((amount) => ({ amount }))),
      ),
    ),
  };
}

/** Prevents an unhandled rejection: the promise may be awaited later. */
function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The result at `index` of a request. */
export function getResultAt<T>(results: readonly Promise<T>[], index: number): Promise<T> {
  return results[index] ?? Promise.reject(new RangeError('A result is missing.'));
}
