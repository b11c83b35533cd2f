import type { Intercept, RecordedRequest } from '../http/faults.ts';
import { type RecordingServer, type Reply, startRecordingServer } from '../http/recordingServer.ts';
import type { ChainSource } from '../tokens/holdings.ts';
import { authenticate, type KeyPlaces } from './authentication.ts';
import { dataApiKeys } from './keys.ts';
import { Refused, refusal } from './refusals.ts';
import { findRoute } from './routes.ts';
import { findChain } from './servedChains.ts';

export type DataApiServer = RecordingServer & {
  /** What stands before `/v1/…`. */
  readonly url: string;
  readonly keys: typeof dataApiKeys;
  /** Where keys are looked for from now on; `anywhere` at first. */
  setKeyPlaces(places: KeyPlaces): void;
};

export type DataApiOptions = ChainSource & {
  readonly port?: number;
  readonly intercept?: Intercept | undefined;
};

/** A data API over the local chain, in the generation that each key stands for. */
export async function startDataApi({
  index,
  node,
  port = 0,
  intercept,
}: DataApiOptions): Promise<DataApiServer> {
  let keyPlaces: KeyPlaces = 'anywhere';
  const server = await startRecordingServer({
    ...{ port, intercept },
    handle: (request) => answer(request, { index, node }, keyPlaces),
  });
  return Object.defineProperties(server, {
    url: { value: server.origin },
    keys: { value: dataApiKeys },
    setKeyPlaces: {
      value: (places: KeyPlaces) => {
        keyPlaces = places;
      },
    },
  }) as DataApiServer;
}

async function answer(request: RecordedRequest, source: ChainSource, keyPlaces: KeyPlaces): Promise<Reply> {
  try {
    return await route(request, source, keyPlaces);
  } catch (error) {
    return refusal(error instanceof Refused ? error : new Refused(500, 'Internal server error'));
  }
}

async function route(request: RecordedRequest, source: ChainSource, keyPlaces: KeyPlaces): Promise<Reply> {
  const { pathname, searchParams: params } = new URL(request.url, 'http://data-api');
  if (request.method !== 'GET') throw new Refused(405, 'Method not allowed');
  const generation = authenticate(request, params, keyPlaces);
  const [, chainText, rest = ''] = /^\/v1\/([^/]+)\/(.+\/)$/.exec(pathname) ?? [];
  const found = findRoute(rest, generation);
  if (!found || chainText === undefined) throw new Refused(404, 'Not found');
  const chain = findChain(chainText);
  if (!chain) throw new Refused(404, `Chain not found: ${chainText}`);
  return found.answer({ source, chain, generation, params, path: found.path, now: new Date() });
}
