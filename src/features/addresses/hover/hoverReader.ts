import {
  type Address,
  type Clock,
  createExpiringCache,
  type Erc20Balance,
  type Price,
} from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { FoundAddress } from '../../../host/places/hexInText.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { HoverTokens, Settings } from '../../../host/settings/settingTable.ts';
import { type Outcome, settleWithin } from '../../../host/timing.ts';
import type { TextPlace } from '../../../manifest.ts';
import type { AddressBook } from '../addressBook.ts';
import type { BalanceReader, NativeBalanceRead, TokensResult } from '../balances/balanceReader.ts';
import type { ProjectTokens } from '../balances/projectTokens.ts';
import type { AddressIdentityCache } from '../identityCache.ts';

/** Reads all that a hover shows at once: one round trip if nothing is cached. */
interface HoverReader {
  /** Glances at the identity as well. Undefined if the network changed meanwhile. */
  read(address: Address, options: { readonly signal: AbortSignal }): Promise<HoverBalances | undefined>;
  /** The units of a watched token that has been read. */
  unitsOf(contract: Address): TokenContractUnits | undefined;
  dispose(): void;
}

/** Each part is as far as it has loaded. */
export interface HoverBalances {
  readonly native: HoverBalance<NativeBalanceRead>;
  readonly watched: HoverBalance<readonly WatchedBalance[]>;
  readonly provider: HoverBalance<ProviderTokens>;
}

export interface HoveredAddress extends FoundAddress {
  readonly place: TextPlace;
}

export interface WatchedBalance {
  readonly contract: Address;
  readonly balance: Erc20Balance;
}

/** The symbol and decimals of a token contract. */
export type TokenContractUnits = Pick<Extract<Erc20Balance, { state: 'known' }>, 'symbol' | 'decimals'>;

/** Token balances, or that they were not requested: by the setting, or because the user has not chosen yet. */
export type ProviderTokens =
  | TokensResult
  | { readonly state: 'hidden' }
  | { readonly state: 'undecided'; readonly price: Price };

/** The hover shows what is loaded by then: it must not change under the pointer. */
const HOVER_TIMEOUT_MS = 1500;

/** Watched tokens do not wait longer for those of the project to be found. */
const PROJECT_TOKENS_TIMEOUT_MS = 500;

const CACHE_TTL_MS = 15_000;
const MAX_CACHED_ADDRESSES = 500;

interface HoverReaderDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly book: AddressBook;
  readonly reader: BalanceReader;
  readonly identities: AddressIdentityCache;
  readonly projectTokens: ProjectTokens;
  readonly clock: Clock;
}

export function createHoverReader(deps: HoverReaderDeps): HoverReader {
  const { session, settings, book, reader, identities, projectTokens, clock } = deps;
  const watched = createExpiringCache<readonly WatchedBalance[]>({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxEntries: MAX_CACHED_ADDRESSES,
  });
  const units = new Map<Address, TokenContractUnits>();
  const last = {
    native: createLastBalances<NativeBalanceRead>(clock, (figure) => figure),
    watched: createLastBalances<readonly WatchedBalance[]>(clock, (figures) => figures),
    provider: createLastBalances<ProviderTokens>(clock, (figure) =>
      figure.state === 'ready' ? figure.balances : undefined,
    ),
  };
  const disposables = new Disposables();
  disposables.add(
    session.onDidChange(() => {
      watched.clear();
      units.clear();
      for (const figures of Object.values(last)) figures.clear();
    }),
  );
  disposables.add(session.onDidChangeSources(() => last.provider.clear()));

  async function readWatched(address: Address, signal: AbortSignal): Promise<readonly WatchedBalance[]> {
    await Promise.all([settleWithin(PROJECT_TOKENS_TIMEOUT_MS, projectTokens.find()), book.ready]);
    const watchedTokens = new Set(book.tokens);
    const tokens = [...new Set([...watchedTokens, ...projectTokens.list()])];
    if (tokens.length === 0) return [];
    const { client, signal: replaced } = session.connection;
    const load = async (loadSignal: AbortSignal) => {
      const options = { signal: AbortSignal.any([loadSignal, replaced]) };
      const balances = await Promise.all(
        tokens.map(async (contract) => {
          const balance = await client.fetchErc20Balance(contract, address, options);
          if (balance.state === 'known') units.set(contract, balance);
          return { contract, balance };
        }),
      );
      return balances.filter(
        ({ contract, balance }) => watchedTokens.has(contract) || balance.state === 'known',
      );
    };
    return watched.get([address, ...tokens].join(' '), load, { signal });
  }

  async function readProviderTokens(address: Address, signal: AbortSignal): Promise<ProviderTokens> {
    const hoverTokens = readHoverTokens(settings.current);
    const { connection } = session;
    const access = await session.provider('holdings');
    // The next network may have another price.
    connection.signal.throwIfAborted();
    if (access.state !== 'ready') return { state: access.state };
    const price = access.provider.offers.tokenBalances ?? 'unpublished';
    if (price !== 'free' && hoverTokens !== 'show') {
      return hoverTokens === 'hide' ? { state: 'hidden' } : { state: 'undecided', price };
    }
    return reader.tokens(address, { signal });
  }

  return {
    async read(address, { signal }) {
      const { connection } = session;
      const [native, tokens, provider] = await Promise.all([
        settleWithin(HOVER_TIMEOUT_MS, reader.native(address, { signal })),
        settleWithin(HOVER_TIMEOUT_MS, readWatched(address, signal)),
        settleWithin(HOVER_TIMEOUT_MS, readProviderTokens(address, signal)),
        settleWithin(HOVER_TIMEOUT_MS, identities.glance(address)),
      ]);
      if (connection !== session.connection) return undefined;
      return {
        native: last.native.with(address, native),
        // Before the book has been read, no token is known to be watched.
        watched:
          tokens.state === 'pending' && book.tokens.length === 0
            ? { state: 'ready', value: [] }
            : last.watched.with(address, tokens),
        provider: last.provider.with(address, provider),
      };
    },
    unitsOf: (contract) => units.get(contract),
    dispose: () => disposables.dispose(),
  };
}

/** An earlier value, and {@link Clock.elapsed} when it was read. */
interface LastBalance<T> {
  readonly value: T;
  readonly readElapsed: number;
}

/** A value; after a failure or a timeout, the earlier one as `before`. */
export type HoverBalance<T> = Outcome<T> & { readonly before?: LastBalance<T> | undefined };

/** The last value of each address, in case a new one fails. */
interface LastBalances<T> {
  with(address: Address, outcome: Outcome<T>): HoverBalance<T>;
  clear(): void;
}

const MAX_CACHED_BALANCES = 500;

/**
 * @param getIdentity the identity of a value, the same as long as the value comes from a cache; undefined for a value not
 * to be stored.
 */
function createLastBalances<T>(clock: Clock, getIdentity: (value: T) => unknown): LastBalances<T> {
  const values = new Map<Address, LastBalance<T>>();
  return {
    with(address, outcome) {
      const before = values.get(address);
      if (outcome.state !== 'ready') return { ...outcome, before };
      const identity = getIdentity(outcome.value);
      if (identity === undefined || (before && getIdentity(before.value) === identity)) return outcome;
      values.delete(address);
      values.set(address, { value: outcome.value, readElapsed: clock.elapsed() });
      const [oldest] = values.keys();
      if (values.size > MAX_CACHED_BALANCES && oldest !== undefined) values.delete(oldest);
      return outcome;
    },
    clear: () => values.clear(),
  };
}

/** Whether a hover spends credits on tokens. The older setting holds where the other one does not say it. */
function readHoverTokens({
  tokensFrom,
  hoverTokens,
}: Pick<Settings, 'tokensFrom' | 'hoverTokens'>): HoverTokens {
  if (tokensFrom === 'autoWithHovers') return 'show';
  if (tokensFrom === 'autoWithoutHovers') return 'hide';
  return tokensFrom === 'dataApi' && hoverTokens === 'ask' ? 'show' : hoverTokens;
}
