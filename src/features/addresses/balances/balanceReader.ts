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

type NotReadyState = Exclude<ProviderAccess['state'], 'ready'>;

/** The newest block when a balance was read. */
export interface SeenBlock {
  readonly block: bigint;
  /** By {@link Clock.elapsed}. */
  readonly firstSeenElapsed: number;
}

export interface NativeBalanceRead extends ReadStamp<SeenBlock> {
  readonly balance: NativeBalance;
}

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

/** The amount of a token whose symbol and decimals have been read before. */
export interface TokenAmount extends ReadStamp<SeenBlock> {
  /** In smallest units; undefined if the contract is no longer a token. */
  readonly amount: bigint | undefined;
}

/** In the order of the request; each settles by itself. */
interface PendingBalances {
  readonly natives: readonly Promise<NativeBalanceRead>[];
  readonly tokens: readonly Promise<TokenAmount>[];
}

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bypasses the cache. */
  readonly fresh?: boolean;
}

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
  readBatch(asked: BalancesRequest, effort?: ReadEffort): PendingBalances;
  /** @throws AppError of the provider; `aborted` when the network changes meanwhile. */
  tokens(address: Address, options?: ReadOptions): Promise<TokensResult>;
  /** Tokens and NFTs: slower and more expensive than {@link tokens}. @throws AppError as there. */
  holdings(address: Address, options?: ReadOptions): Promise<HoldingsResult>;
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
  const kept = createExpiringCache<NativeBalanceRead>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHED_ADDRESSES,
  });
  const disposables = new Disposables();
  disposables.add(session.onDidChange(() => kept.clear()));

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
  async function ask<T>(
    question: (source: HoldingsProvider, options: ReadOptions) => Promise<T>,
    { fresh = false, signal }: ReadOptions = {},
  ) {
    const { signal: replaced } = session.connection;
    const access = await session.provider('holdings');
    if (access.state !== 'ready') return { state: access.state } as const;
    const ended = signal ? AbortSignal.any([signal, replaced]) : replaced;
    try {
      const answer = await question(access.provider, { fresh, signal: ended });
      return { state: access.state, answer } as const;
    } catch (error) {
      // The provider without a key does not serve this. Only one that needs a key is left.
      const left =
        isAppError(error, 'notServed') && access.withoutKey ? await session.provider('holdings') : access;
      if (left.state === 'ready') throw error;
      return { state: left.state } as const;
    }
  }

  return {
    readBatch(asked, effort = {}) {
      const read = readBalanceBatch(deps, asked, effort);
      const natives = asked.natives.map((address, place) => {
        const answer = () => getResultAt(read.natives, place);
        return markHandled(kept.get(address, answer, { fresh: true }));
      });
      return { natives, tokens: read.tokens };
    },
    native: (address, options) => kept.get(address, (signal) => readNative(address, { signal }), options),
    async tokens(address, options) {
      const { quoteCurrency } = settings.current;
      const read = await ask(
        (source, asked) => source.tokenBalances(address, { ...asked, quoteCurrency }),
        options,
      );
      return read.state === 'ready' ? { state: 'ready', balances: read.answer } : read;
    },
    async holdings(address, options) {
      const { quoteCurrency } = settings.current;
      const read = await ask(
        (source, asked) => source.holdings(address, { ...asked, quoteCurrency }),
        options,
      );
      return read.state === 'ready'
        ? { state: 'ready', holdings: read.answer, currency: quoteCurrency }
        : read;
    },
    dispose: () => disposables.dispose(),
  };
}

interface ReadEffort {
  /** After the first attempt. */
  readonly retries?: number;
}

/** When a value was read, and the newest block then, if that could be read. */
interface ReadStamp<Head> {
  readonly head: Head | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** In the order of the request. An error surfaces where its promise is awaited. */
interface ReadTogether<Head> {
  readonly natives: readonly Promise<ReadStamp<Head> & { readonly balance: NativeBalance }>[];
  /** In smallest units; undefined if the contract is no longer a token. */
  readonly tokens: readonly Promise<ReadStamp<Head> & { readonly amount: bigint | undefined }>[];
}

/** Reads many balances from the endpoint of the active network, in one request if it supports batches. */
function readBalanceBatch<Head>(
  deps: { readonly session: Session; readonly clock: Clock; readonly readHead: () => Promise<Head> },
  asked: BalancesRequest,
  effort: ReadEffort,
): ReadTogether<Head> {
  const { client, signal } = deps.session.connection;
  const read = client.getBalances(asked, { ...effort, signal });
  const head = deps.readHead().catch(() => undefined);
  const marked = async <T extends object>(answer: Promise<T>) => {
    const given = await answer;
    return { ...given, head: await head, readAt: deps.clock.now() };
  };
  return {
    natives: asked.natives.map((_, place) =>
      markHandled(
        marked(read.then(({ natives }) => getResultAt(natives, place)).then((balance) => ({ balance }))),
      ),
    ),
    tokens: asked.tokens.map((_, place) =>
      markHandled(
        marked(read.then(({ tokens }) => getResultAt(tokens, place)).then((amount) => ({ amount }))),
      ),
    ),
  };
}

/** Prevents an unhandled rejection: the promise may be awaited later. */
function markHandled<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** The result at the index `place` of a request. */
export function getResultAt<T>(answers: readonly Promise<T>[], place: number): Promise<T> {
  return answers[place] ?? Promise.reject(new RangeError('An answer is missing.'));
}
