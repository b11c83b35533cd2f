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

/** Why nobody is asked for tokens. */
type NotReadyState = Exclude<ProviderAccess['state'], 'ready'>;

/** The newest block at the time of a figure. */
export interface SeenBlock {
  readonly block: bigint;
  /** When it was first seen, by {@link Clock.elapsed}. */
  readonly firstSeenElapsed: number;
}

export interface NativeBalanceRead extends ReadStamp<SeenBlock> {
  readonly balance: NativeBalance;
}

/** Token balances, or why they are not asked for. */
export type TokensResult =
  | { readonly state: 'ready'; readonly balances: TokenBalances }
  | { readonly state: NotReadyState };

/** Tokens and NFTs of an address, grouped and added up. */
export interface LoadedHoldings {
  readonly state: 'ready';
  readonly holdings: Holdings;
  /** The currency that was chosen then: what the server answers in is in `holdings`. */
  readonly currency: QuoteCurrency;
}

/**
 * What an address holds by a source; or why none is asked, with what was read when it was. `notAsked`: it
 * would be one of many at once, and nobody has wished for it.
 */
export type HoldingsResult =
  | LoadedHoldings
  | {
      readonly state: NotReadyState | 'notAsked';
      readonly before?: LoadedHoldings | undefined;
    };

/** The holdings that a figure has, its own or those from before. */
export function getLoadedHoldings(figure: HoldingsResult | undefined): LoadedHoldings | undefined {
  return figure?.state === 'ready' ? figure : figure?.before;
}

/** The amount of a token, of a contract whose symbol and decimals are known. */
export interface TokenAmount extends ReadStamp<SeenBlock> {
  /** In smallest units; undefined where the contract is no token any more. */
  readonly amount: bigint | undefined;
}

/** Figures in the order of the questions, each as it comes. */
interface PendingBalances {
  readonly natives: readonly Promise<NativeBalanceRead>[];
  readonly tokens: readonly Promise<TokenAmount>[];
}

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Passes over a kept answer. */
  readonly fresh?: boolean;
}

/**
 * Balances on the active network: kept for a short time, and one request for many who ask. Native balances are kept
 * here, all else by its source alone, whose answers say of when they are.
 */
export interface BalanceReader extends vscode.Disposable {
  /** @throws AppError as the endpoint fails; `aborted` when the network changes meanwhile. */
  native(address: Address, options?: ReadOptions): Promise<NativeBalanceRead>;
  /**
   * Balances asked of the endpoint now, in one request where it takes that, whatever is kept. What comes of native ones
   * is kept as of {@link native}. Each fails as that does.
   */
  readBatch(asked: BalancesRequest, effort?: ReadEffort): PendingBalances;
  /** @throws AppError as the source fails; `aborted` when the network changes meanwhile. */
  tokens(address: Address, options?: ReadOptions): Promise<TokensResult>;
  /** Tokens and NFTs: slower and dearer than {@link tokens}. @throws AppError as that does. */
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

  /** Asks the source, if there is one; ends with the connection. */
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
      // Whoever takes no key does not serve this: what is left is whoever takes one.
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

/** How hard the endpoint is asked. */
interface ReadEffort {
  /** Tries after the first one. */
  readonly retries?: number;
}

/** When something was read: with the newest block then, if that could be read. */
interface ReadStamp<Head> {
  readonly head: Head | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** Answers in the order of the questions, each as it comes; who waits for one hears of its failure then. */
interface ReadTogether<Head> {
  readonly natives: readonly Promise<ReadStamp<Head> & { readonly balance: NativeBalance }>[];
  /** In smallest units; undefined where the contract is no token any more. */
  readonly tokens: readonly Promise<ReadStamp<Head> & { readonly amount: bigint | undefined }>[];
}

/** Asks the endpoint of the active network for many balances, in one request where it takes that. */
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

/** `answer`, whose failure is heard of where it is waited for, which may be later. */
function markHandled<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** The answer to the question at `place`; as many come as are asked for. */
export function getResultAt<T>(answers: readonly Promise<T>[], place: number): Promise<T> {
  return answers[place] ?? Promise.reject(new RangeError('An answer is missing.'));
}
