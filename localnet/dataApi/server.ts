import type { Hex } from 'ox';
import type { Intercept, RecordedRequest } from '../http/faults.ts';
import { type RecordingServer, type Reply, startRecordingServer } from '../http/recordingServer.ts';
import { authenticate } from './authentication.ts';
import { balancesData } from './balancesData.ts';
import { csvReply } from './csv.ts';
import { type ChainSource, readHoldings } from './holdings.ts';
import { dataApiKeys, type Generation } from './keys.ts';
import { nftBalancesData } from './nftBalancesData.ts';
import { readBalancesQuery, readFlag } from './query.ts';
import { Refused, refusal, success } from './refusals.ts';
import { findChain, type ServedChain, servedChains, servedChainsData } from './servedChains.ts';

export type DataApiServer = RecordingServer & {
  /** What stands before `/v1/…`. */
  readonly url: string;
  readonly keys: typeof dataApiKeys;
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
  const server = await startRecordingServer({
    ...{ port, intercept },
    handle: (request) => answer(request, { index, node }),
  });
  return Object.defineProperties(server, {
    url: { value: server.origin },
    keys: { value: dataApiKeys },
  }) as DataApiServer;
}

async function answer(request: RecordedRequest, source: ChainSource): Promise<Reply> {
  try {
    return await route(request, source);
  } catch (error) {
    return refusal(error instanceof Refused ? error : new Refused(500, 'Internal server error'));
  }
}

async function route(request: RecordedRequest, source: ChainSource): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url, 'http://data-api');
  if (request.method !== 'GET') throw new Refused(405, 'Method not allowed');
  const generation = authenticate(request, searchParams);
  if (pathname === '/v1/chains/') return success(servedChainsData(new Date()));
  const [, chainText, addressText, call] =
    /^\/v1\/([^/]+)\/address\/([^/]+)\/([^/]+)\/$/.exec(pathname) ?? [];
  const answerCall = call === undefined || !Object.hasOwn(calls, call) ? undefined : calls[call];
  if (!answerCall || chainText === undefined || addressText === undefined)
    throw new Refused(404, 'Not found');
  const chain = findChain(chainText);
  if (!chain) throw new Refused(404, `Chain not found: ${chainText}`);
  const address = readAddress(addressText);
  return answerCall({ source, chain, address, generation, params: searchParams });
}

type Call = {
  readonly source: ChainSource;
  readonly chain: ServedChain;
  readonly address: Hex.Hex;
  readonly generation: Generation;
  readonly params: URLSearchParams;
};

const calls: Readonly<Record<string, (call: Call) => Promise<Reply>>> = {
  balances_v2: answerBalances,
  balances_nft: answerNftBalances,
};

async function answerBalances({ source, chain, address, generation, params }: Call): Promise<Reply> {
  const query = readBalancesQuery(params);
  const holdings = await readHoldings(source, address);
  const data = balancesData(holdings, { chain, address, generation, query, now: new Date() });
  return query.format === 'CSV' ? csvReply(data.items) : success(data);
}

async function answerNftBalances({ source, chain, address, params }: Call): Promise<Reply> {
  const noAssetMetadata = readFlag(params, 'no-nft-asset-metadata');
  if (!readFlag(params, 'with-uncached') && !nftCachedChains.includes(chain)) throw nftsNotSupported(chain);
  const holdings = await readHoldings(source, address);
  return success(nftBalancesData(holdings, address, noAssetMetadata, new Date()));
}

/** The service keeps its NFT cache for some chains, of which Palm has never been one. */
const nftCachedChains = servedChains.filter(({ name }) => !name.startsWith('palm-'));

function nftsNotSupported(chain: ServedChain): Refused {
  const describe = ({ id, name }: ServedChain) => `${id}/${name}`;
  const supported = nftCachedChains.map(describe).join(' ');
  return new Refused(400, `${describe(chain)} chain not supported, currently supports: ${supported}`);
}

function readAddress(text: string): Hex.Hex {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) throw new Refused(400, `Malformed address provided: ${text}`);
  return text.toLowerCase() as Hex.Hex;
}
