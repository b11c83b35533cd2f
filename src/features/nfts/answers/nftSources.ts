import {
  AppError,
  type ChainClient,
  type DataApiClient,
  isAppError,
  type Network,
} from '../../../core/index.ts';
import type { Load } from '../../../host/loading/load.ts';
import type { DataApiAccess } from '../../../host/session/dataApiAccess.ts';
import type { Session } from '../../../host/session/session.ts';

/** The active network and the ways to it, at the time of a request. */
export interface NftSources {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'nftContract' | 'openLogQuery'>;
  readonly dataApi: DataApiAccess;
}

/** The active network with its clients; asked anew if another one takes its place meanwhile. */
export async function currentSources(session: Pick<Session, 'connection' | 'dataApi'>): Promise<NftSources> {
  const { connection } = session;
  const dataApi = await session.dataApi();
  if (session.connection !== connection) return currentSources(session);
  return { network: connection.network, client: connection.client, dataApi };
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

export function requireClient(dataApi: DataApiAccess): DataApiClient {
  if (dataApi.state === 'ready') return dataApi.client;
  throw new AppError(
    dataApi.state === 'noKey' ? 'unauthorized' : 'notServed',
    'There is no data API to ask, or no key for it.',
  );
}

export function clientOrWhyNot(dataApi: DataApiAccess): DataApiClient | 'noDataApi' | 'noKey' {
  if (dataApi.state === 'ready') return dataApi.client;
  return dataApi.state === 'noKey' ? 'noKey' : 'noDataApi';
}
