import {
  type Address,
  type Clock,
  createExpiringCache,
  type Erc20Balance,
  type Price,
} from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { readWithin } from '../../../host/loading/readWithin.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { BalanceReader, NativeFigure, TokensFigure } from '../balances/balanceReader.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { Identities } from '../identity/identities.ts';
import { createLastFigures, type HoveredFigure } from './lastFigures.ts';

/** What an address holds of a watched token. */
export interface WatchedFigure {
  readonly contract: Address;
  readonly balance: Erc20Balance;
}

/** What the contract of a token tells of its amounts. */
export type KnownUnits = Pick<Extract<Erc20Balance, { state: 'known' }>, 'symbol' | 'decimals'>;

/** Tokens by a source, or that it is not asked: by the user's choice, or for want of one. */
export type SourceFigure =
  | TokensFigure
  | { readonly state: 'hidden' }
  | { readonly state: 'undecided'; readonly price: Price };

/** What a hover shows of an address; each part by itself, as far as it has come. */
export interface HoverFigures {
  readonly native: HoveredFigure<NativeFigure>;
  readonly watched: HoveredFigure<readonly WatchedFigure[]>;
  readonly source: HoveredFigure<SourceFigure>;
}

/** Reads what a hover shows, all at once: one round trip where nothing is kept. */
export interface HoverReader {
  /** Has a glance at what the address is as well. Undefined where another network is active meanwhile. */
  read(address: Address, options: { readonly signal: AbortSignal }): Promise<HoverFigures | undefined>;
  /** What is known of a watched token without asking. */
  unitsOf(contract: Address): KnownUnits | undefined;
  dispose(): void;
}

/** After this long a hover is shown with what is there: it must not change under the pointer. */
const BUDGET_MS = 1500;
const KEPT_FOR_MS = 15_000;
const KEPT_AT_MOST = 500;

interface HoverReaderDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly book: AddressBook;
  readonly reader: BalanceReader;
  readonly identities: Identities;
  readonly clock: Clock;
}

export function createHoverReader(deps: HoverReaderDeps): HoverReader {
  const { session, settings, book, reader, identities, clock } = deps;
  const watched = createExpiringCache<readonly WatchedFigure[]>({
    ...{ clock, ttlMs: KEPT_FOR_MS, maxEntries: KEPT_AT_MOST },
  });
  const units = new Map<Address, KnownUnits>();
  const last = {
    native: createLastFigures<NativeFigure>(clock, (figure) => figure),
    watched: createLastFigures<readonly WatchedFigure[]>(clock, (figures) => figures),
    source: createLastFigures<SourceFigure>(clock, (figure) =>
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
  disposables.add(session.onDidChangeSources(() => last.source.clear()));

  async function readWatched(address: Address, signal: AbortSignal): Promise<readonly WatchedFigure[]> {
    await book.ready;
    const { tokens } = book;
    if (tokens.length === 0) return [];
    const { client, signal: replaced } = session.connection;
    const load = (wanted: AbortSignal) => {
      const asked = { signal: AbortSignal.any([wanted, replaced]) };
      return Promise.all(
        tokens.map(async (contract) => {
          const balance = await client.erc20Balance(contract, address, asked);
          if (balance.state === 'known') units.set(contract, balance);
          return { contract, balance };
        }),
      );
    };
    return watched.get([address, ...tokens].join(' '), load, { signal });
  }

  async function readSource(address: Address, signal: AbortSignal): Promise<SourceFigure> {
    const { hoverTokens } = settings.current;
    const { connection } = session;
    const access = await session.holdings();
    // What the next network takes is another matter.
    connection.signal.throwIfAborted();
    if (access.state !== 'ready') return { state: access.state };
    const price = access.source.offers.tokenBalances ?? 'unpublished';
    if (price !== 'free' && hoverTokens !== 'show') {
      return hoverTokens === 'hide' ? { state: 'hidden' } : { state: 'undecided', price };
    }
    return reader.tokens(address, { signal });
  }

  return {
    async read(address, { signal }) {
      const { connection } = session;
      const [native, tokens, source] = await Promise.all([
        readWithin(BUDGET_MS, reader.native(address, { signal })),
        readWithin(BUDGET_MS, readWatched(address, signal)),
        readWithin(BUDGET_MS, readSource(address, signal)),
        readWithin(BUDGET_MS, identities.glance(address)),
      ]);
      if (connection !== session.connection) return undefined;
      return {
        native: last.native.with(address, native),
        // Until the book has been read nobody knows of any.
        watched:
          tokens.state === 'pending' && book.tokens.length === 0
            ? { state: 'ready', value: [] }
            : last.watched.with(address, tokens),
        source: last.source.with(address, source),
      };
    },
    unitsOf: (contract) => units.get(contract),
    dispose: () => disposables.dispose(),
  };
}
