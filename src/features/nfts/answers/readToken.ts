import {
  type Address,
  type AssetUrl,
  fetchNftMetadata,
  type HttpDeps,
  isAppError,
  isLoopbackUrl,
  type NftProvider,
  type NftToken,
  type ProviderLabel,
} from '../../../core/index.ts';
import type { Service } from '../../../host/words/describeError.ts';
import { type NftSources, type Read, requireSource } from './nftSources.ts';

/** What a source knows of the token: nothing of this id where it is undefined. `notOffered`: no `eth_call`. */
export type TokenAnswer =
  | { readonly state: 'known'; readonly source: ProviderLabel; readonly token: NftToken | undefined }
  | { readonly state: 'notOffered' };

/** Whom something was asked of; `host` is that of a file that the token names. */
export type Asked = Service | 'host';

/** How files that a token names are loaded. */
export interface FileAccess {
  readonly http: HttpDeps;
  readonly ipfsGateway: string | undefined;
  /** Whether the user allowed to ask where it is. */
  readonly mayLoad: (asset: AssetUrl) => boolean;
}

interface TokenReading extends FileAccess {
  readonly contract: Address;
  readonly tokenId: bigint;
  /** `any` prefers the source with a key. */
  readonly from: 'any' | 'contract';
  readonly onAsk: (asked: Asked) => void;
}

/** The token, then the same with its metadata, where that is in a file that may be loaded. */
export function readToken(reading: TokenReading): Read<TokenAnswer> {
  return async function* (sources, { signal }) {
    const answer = await askForToken(reading, sources, signal);
    yield answer;
    const token = answer.state === 'known' ? answer.token : undefined;
    const file = token && fileOf(token);
    if (answer.state !== 'known' || !file || !reading.mayLoad(file)) return;
    reading.onAsk('host');
    const { http, ipfsGateway } = reading;
    const { tokenId, contract } = token;
    const metadata = await fetchNftMetadata(http, file, {
      ...{ tokenId, standard: contract.standard, ipfsGateway, signal },
      local: isLoopbackUrl(sources.network.rpcUrl),
    });
    yield { ...answer, token: { ...token, metadata } };
  };
}

/** Where the metadata of a token is, if it is still to be read. */
export function fileOf({ metadata, tokenUrl, whyNoMetadata }: NftToken): AssetUrl | undefined {
  return metadata === undefined && whyNoMetadata === undefined ? tokenUrl : undefined;
}

async function askForToken(
  reading: TokenReading,
  { nfts, keyless }: NftSources,
  signal: AbortSignal,
): Promise<TokenAnswer> {
  const source = requireSource(reading.from === 'any' ? nfts : keyless);
  try {
    return await askSource(source, reading, signal);
  } catch (error) {
    const isUnserved = source.label.takesKey && isAppError(error, 'notServed', 'notFound');
    if (!isUnserved || keyless.state !== 'ready') throw error;
    return await askSource(keyless.source, reading, signal);
  }
}

async function askSource(
  source: NftProvider,
  { contract, tokenId, onAsk }: TokenReading,
  signal: AbortSignal,
): Promise<TokenAnswer> {
  onAsk(source.label.takesKey ? 'source' : 'endpoint');
  try {
    const token = await source.nftToken(contract, tokenId, { signal });
    return { state: 'known', source: source.label, token };
  } catch (error) {
    if (!source.label.takesKey && isAppError(error, 'notServed')) return { state: 'notOffered' };
    throw error;
  }
}
