import {
  AppError,
  type ChainClient,
  isAppError,
  type Network,
  type NftProvider,
} from '../../../core/index.ts';
import type { Load } from '../../../host/loading/load.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SourceAccess } from '../../../host/session/sourceAccess.ts';

/** The active network and the ways to it, at the time of a request. */
export interface NftSources {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'nftContract' | 'openLogQuery'>;
  /** The preferred source. */
  readonly nfts: SourceAccess<'nfts'>;
  /** The one that takes no key: the contracts themselves. */
  readonly keyless: SourceAccess<'nfts'>;
}

/** The active network with its clients; asked anew if another one takes its place meanwhile. */
export async function currentSources(session: Pick<Session, 'connection' | 'nfts'>): Promise<NftSources> {
  const { connection } = session;
  const [nfts, keyless] = await Promise.all([session.nfts(), session.nfts({ keyless: true })]);
  if (session.connection !== connection) return currentSources(session);
  return { network: connection.network, client: connection.client, nfts, keyless };
}

/** How one thing is asked for, once it is known whom to ask. */
export type Read<T> = (sources: NftSources, options: { readonly signal: AbortSignal }) => AsyncIterable<T>;

interface Asking {
  readonly sources: () => Promise<NftSources>;
  /** Told of the network that is going to be asked. */
  readonly onFound: (network: Network) => void;
}

/** Looks up whom to ask, and asks. Never rejects. */
export function ask<T>(load: Load<T>, read: Read<T>, { sources, onFound }: Asking): Promise<void> {
  return load.run(async function* ({ signal }) {
    try {
      const found = await sources();
      if (signal.aborted) return;
      onFound(found.network);
      yield* read(found, { signal });
    } catch (error) {
      // Not by the user, but by what it is asked with: the key of the data API is gone.
      if (isAppError(error, 'aborted') && !signal.aborted) load.cancel();
      else throw error;
    }
  });
}

export function requireSource(access: SourceAccess<'nfts'>): NftProvider {
  if (access.state === 'ready') return access.source;
  throw new AppError(
    access.state === 'noKey' ? 'unauthorized' : 'notServed',
    'No source of NFTs can be asked, or there is no key for it.',
  );
}

/** The source of transfers, or why there is none. */
export function transfersSource(access: SourceAccess<'nfts'>): NftProvider | 'noSource' | 'noKey' {
  if (access.state === 'noKey') return 'noKey';
  if (access.state !== 'ready') return 'noSource';
  const { source, withoutKey } = access;
  if (source.offers.nftTransfers !== undefined || source.label.takesKey) return source;
  return withoutKey?.nftTransfers === undefined ? 'noSource' : 'noKey';
}
