import {
  type Address,
  AppError,
  type AssetUrl,
  type BackoffControl,
  type ChainClient,
  type Clock,
  createBackoffControl,
  fetchNftHistory,
  fetchNftMetadata,
  fetchNftPicture,
  type HttpDeps,
  isAppError,
  isLoopbackUrl,
  type LoadProgress,
  type Network,
  type NftContract,
  type NftHistory,
  type NftPicture,
  type NftProvider,
  type NftToken,
  type ProviderLabel,
  type VisibleBackoff,
} from '../../core/index.ts';
import type { ServiceKind } from '../../host/errors.ts';
import { Load, type LoadChange } from '../../host/loading.ts';
import type { ProviderAccess } from '../../host/session/providerAccess.ts';
import type { Session } from '../../host/session/session.ts';

interface NftReaderOptions {
  readonly contract: Address;
  readonly tokenId: bigint | undefined;
  readonly http: HttpDeps;
  readonly sources: () => Promise<NftProviders>;
  /** Called on every change. */
  readonly onDidChange: (what: LoadChange) => void;
}

type NftNotice = 'networkChanged' | 'restored';

/**
 * The data of one panel: its contract and token on the network of the requests. Loaded data survives errors and
 * cancellation.
 */
export class NftReader {
  readonly contractAddress: Address;
  readonly contract: Load<ContractResult>;
  readonly token: Load<TokenResult>;
  readonly picture: Load<NftPicture>;
  readonly transfers: Load<NftHistory>;
  /** How the transfers are read. */
  readonly reading: TransfersReader;
  readonly #options: NftReaderOptions;
  #tokenId: bigint | undefined;
  #network: Network | undefined;
  #resultId = crypto.randomUUID();
  #contractFrom: ServiceKind = 'endpoint';
  #tokenFrom: RequestTarget = 'endpoint';
  #notice: NftNotice | undefined;

  constructor(options: NftReaderOptions) {
    const load = <T>() => new Load<T>(options.onDidChange);
    this.#options = options;
    this.contractAddress = options.contract;
    this.#tokenId = options.tokenId;
    this.contract = load();
    this.token = load();
    this.picture = load();
    this.transfers = load();
    this.reading = new TransfersReader(this.transfers, options.http.clock, () =>
      options.onDidChange('value'),
    );
  }

  get tokenId(): bigint | undefined {
    return this.#tokenId;
  }

  /** The network of the requests; undefined before the first one. */
  get network(): Network | undefined {
    return this.#network;
  }

  /** Changes when the transfers of another token or network replace these. */
  get resultId(): string {
    return this.#resultId;
  }

  /** Which server the last request for a part went to. */
  get lastRequested(): {
    readonly contract: ServiceKind;
    readonly token: RequestTarget;
    readonly transfers: ServiceKind;
  } {
    return { contract: this.#contractFrom, token: this.#tokenFrom, transfers: this.reading.from };
  }

  /** The token, if it is loaded and known. */
  get knownToken(): NftToken | undefined {
    const result = this.token.value;
    return result?.state === 'known' ? result.token : undefined;
  }

  /** Why data was cleared. */
  get notice(): NftNotice | undefined {
    return this.#notice;
  }

  /** Switches to another token and clears the data of the previous one. */
  setToken(tokenId: bigint): void {
    if (tokenId === this.#tokenId) return;
    this.#tokenId = tokenId;
    this.#clearToken();
    this.#options.onDidChange('state');
  }

  loadContract(from: 'chain' | 'source'): Promise<void> {
    this.#contractFrom = from === 'chain' ? 'endpoint' : 'source';
    return this.#start(this.contract, readContract(this.contractAddress, from));
  }

  /** `any` prefers a provider with a key. Loads metadata in a file if `files` allows it. */
  async loadToken(from: 'any' | 'contract', files: Omit<FileAccess, 'http'>): Promise<void> {
    if (this.#tokenId === undefined) return;
    const onRequest = (target: RequestTarget) => {
      this.#tokenFrom = target;
    };
    const token = { contract: this.contractAddress, tokenId: this.#tokenId, from, onRequest };
    await this.#start(this.token, readToken({ ...token, ...files, http: this.#options.http }));
  }

  /** Loads the picture of the token's metadata, if there is one. */
  async loadPicture(ipfsGateway: string | undefined): Promise<void> {
    const image = this.knownToken?.metadata?.image;
    if (image) await this.#start(this.picture, readPicture(this.#options.http, image, ipfsGateway));
  }

  /** `any` prefers a provider. */
  async loadTransfers(from: 'any' | 'logs'): Promise<void> {
    const tokenId = this.#tokenId;
    if (tokenId === undefined) return;
    const query = {
      contract: this.contractAddress,
      tokenId,
      standard: getKnownStandard(this.contract.value),
    };
    await this.#start(this.transfers, this.reading.begin(query, from));
  }

  /** Cancels requests and clears all but the contract and the token ID; `notice` is the reason. */
  clear(notice: NftNotice): void {
    this.contract.clear();
    this.#clearToken();
    this.#network = undefined;
    this.#notice = notice;
    this.#options.onDidChange('state');
  }

  dispose(): void {
    this.contract.clear();
    this.#clearToken();
  }

  #clearToken(): void {
    this.token.clear();
    this.picture.clear();
    this.transfers.clear();
    this.#resultId = crypto.randomUUID();
  }

  #start<T>(load: Load<T>, read: NftRead<T>): Promise<void> {
    const onFound = (network: Network) => {
      this.#network = network;
      this.#notice = undefined;
    };
    return startLoad(load, read, { sources: this.#options.sources, onFound });
  }
}

/** The active network and its providers, at the time of a request. */
export interface NftProviders {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'fetchNftContract' | 'openLogQuery'> &
    Partial<Pick<ChainClient, 'fetchTransferStandard'>>;
  /** The preferred provider. */
  readonly nfts: ProviderAccess<'nfts'>;
  /** The provider without a key: the contracts themselves. */
  readonly keyless: ProviderAccess<'nfts'>;
}

/** The active network with its providers; retried if the network changes meanwhile. */
export async function getNftProviders(
  session: Pick<Session, 'connection' | 'provider'>,
): Promise<NftProviders> {
  const { connection } = session;
  const [nfts, keyless] = await Promise.all([
    session.provider('nfts'),
    session.provider('nfts', { keyless: true }),
  ]);
  if (session.connection !== connection) return getNftProviders(session);
  return { network: connection.network, client: connection.client, nfts, keyless };
}

/** Requests one item, once the providers are known. */
type NftRead<T> = (sources: NftProviders, options: { readonly signal: AbortSignal }) => AsyncIterable<T>;

interface LoadOptions {
  readonly sources: () => Promise<NftProviders>;
  /** Called with the network of the request. */
  readonly onFound: (network: Network) => void;
}

/** Looks up the providers, then sends the request. Never rejects. */
function startLoad<T>(load: Load<T>, read: NftRead<T>, { sources, onFound }: LoadOptions): Promise<void> {
  return load.run(async function* ({ signal }) {
    try {
      const found = await sources();
      if (signal.aborted) return;
      onFound(found.network);
      yield* read(found, { signal });
    } catch (error) {
      // Not aborted by the user: the key of the data API was removed.
      if (isAppError(error, 'aborted') && !signal.aborted) load.cancel();
      else throw error;
    }
  });
}

function requireProvider(access: ProviderAccess<'nfts'>): NftProvider {
  if (access.state === 'ready') return access.provider;
  throw new AppError(
    access.state === 'noKey' ? 'unauthorized' : 'notServed',
    'No NFT provider is available, or its key is missing.',
  );
}

/** The provider of transfers, or why there is none. */
function getTransfersProvider(access: ProviderAccess<'nfts'>): NftProvider | 'noSource' | 'noKey' {
  if (access.state === 'noKey') return 'noKey';
  if (access.state !== 'ready') return 'noSource';
  const { provider, withoutKey } = access;
  if (provider.offers.nftTransfers !== undefined || provider.label.takesKey) return provider;
  return withoutKey?.nftTransfers === undefined ? 'noSource' : 'noKey';
}

/** The token from a provider; undefined if the provider does not know its ID. `notOffered`: no `eth_call`. */
type TokenResult =
  | { readonly state: 'known'; readonly source: ProviderLabel; readonly token: NftToken | undefined }
  | { readonly state: 'notOffered' };

/** The server of a request; `host` is the host of a file of the token. */
type RequestTarget = ServiceKind | 'host';

/** How files of a token are loaded. */
interface FileAccess {
  readonly http: HttpDeps;
  readonly ipfsGateway: string | undefined;
  /** Whether the user allowed requests to its host. */
  readonly mayLoad: (asset: AssetUrl) => boolean;
}

interface TokenReading extends FileAccess {
  readonly contract: Address;
  readonly tokenId: bigint;
  /** `any` prefers the provider with a key. */
  readonly from: 'any' | 'contract';
  readonly onRequest: (target: RequestTarget) => void;
}

/** Yields the token, then the token with its metadata if a file with it may be loaded. */
function readToken(reading: TokenReading): NftRead<TokenResult> {
  return async function* (sources, { signal }) {
    const result = await fetchToken(reading, sources, signal);
    yield result;
    const token = result.state === 'known' ? result.token : undefined;
    const file = token && findMetadataFile(token);
    if (result.state !== 'known' || !file || !reading.mayLoad(file)) return;
    reading.onRequest('host');
    const { http, ipfsGateway } = reading;
    const { tokenId, contract } = token;
    const metadata = await fetchNftMetadata(http, file, {
      tokenId,
      standard: contract.standard,
      ipfsGateway,
      signal,
      local: isLoopbackUrl(sources.network.rpcUrl),
    });
    yield { ...result, token: { ...token, metadata } };
  };
}

/** The URL of the metadata of a token, if it is not loaded yet. */
export function findMetadataFile({ metadata, tokenUrl, noMetadataReason }: NftToken): AssetUrl | undefined {
  return metadata === undefined && noMetadataReason === undefined ? tokenUrl : undefined;
}

async function fetchToken(
  reading: TokenReading,
  { nfts, keyless }: NftProviders,
  signal: AbortSignal,
): Promise<TokenResult> {
  const source = requireProvider(reading.from === 'any' ? nfts : keyless);
  try {
    return await fetchFromProvider(source, reading, signal);
  } catch (error) {
    const isUnserved = source.label.takesKey && isAppError(error, 'notServed', 'notFound');
    if (!isUnserved || keyless.state !== 'ready') throw error;
    return await fetchFromProvider(keyless.provider, reading, signal);
  }
}

async function fetchFromProvider(
  source: NftProvider,
  { contract, tokenId, onRequest }: TokenReading,
  signal: AbortSignal,
): Promise<TokenResult> {
  onRequest(source.label.takesKey ? 'source' : 'endpoint');
  try {
    const token = await source.nftToken(contract, tokenId, { signal });
    return { state: 'known', source: source.label, token };
  } catch (error) {
    if (!source.label.takesKey && isAppError(error, 'notServed')) return { state: 'notOffered' };
    throw error;
  }
}

/** The contract, and where it was read. */
export type ContractResult =
  | { readonly state: 'known'; readonly from: 'chain'; readonly contract: NftContract }
  | {
      readonly state: 'known';
      readonly from: 'source';
      readonly source: ProviderLabel;
      readonly contract: NftContract;
    }
  | { readonly state: 'unknownToSource'; readonly source: ProviderLabel }
  | { readonly state: 'notAnNft' | 'notOffered' };

function readContract(contract: Address, from: 'chain' | 'source'): NftRead<ContractResult> {
  return async function* ({ client, nfts }, { signal }) {
    if (from === 'chain') {
      const result = await client.fetchNftContract(contract, { signal });
      yield result.state === 'known' ? { ...result, from: 'chain' } : result;
    } else {
      const source = requireProvider(nfts);
      const known = await source.nftContract(contract, { signal });
      const { label } = source;
      yield known
        ? { state: 'known', from: 'source', source: label, contract: known }
        : { state: 'unknownToSource', source: label };
    }
  };
}

type Image = Parameters<typeof fetchNftPicture>[1];

function readPicture(http: HttpDeps, image: Image, ipfsGateway: string | undefined): NftRead<NftPicture> {
  return async function* (_, { signal }) {
    yield await fetchNftPicture(http, image, { ipfsGateway, signal });
  };
}

/** ERC-721 if the contract itself reports only that: the number in each `Transfer` is then an ID. */
function getKnownStandard(known: ContractResult | undefined): 'erc721' | undefined {
  const isFromChain = known?.state === 'known' && known.from === 'chain';
  return isFromChain && known.contract.standard === 'erc721' ? 'erc721' : undefined;
}

/** Reads the transfers of one token, with progress. */
class TransfersReader {
  readonly #load: Load<NftHistory>;
  readonly #clock: Clock;
  readonly #onDidChange: () => void;
  #progress: LoadProgress | undefined;
  #waits: BackoffControl | undefined;
  #from: ServiceKind = 'endpoint';

  /** `onDidChange` is called often: on progress and during backoff. */
  constructor(load: Load<NftHistory>, clock: Clock, onDidChange: () => void) {
    this.#load = load;
    this.#clock = clock;
    this.#onDidChange = onDidChange;
  }

  /** The progress of reading logs, while it runs. */
  get progress(): LoadProgress | undefined {
    return this.#load.isLoading ? this.#progress : undefined;
  }

  /** The backoff of reading logs, if it is long enough to show; it can be skipped. */
  get waiting(): VisibleBackoff | undefined {
    return this.#load.isLoading ? this.#waits?.visible : undefined;
  }

  /** Which server the last request went to. */
  get from(): ServiceKind {
    return this.#from;
  }

  /** Ends the backoff and retries at once. */
  skipWait(): void {
    this.#waits?.skip();
  }

  /**
   * Yields growing histories, none with fewer transfers than were shown before, except for the last. `from`: `logs` of
   * the chain, or `any`, which prefers a provider.
   */
  begin(query: Parameters<typeof fetchNftHistory>[1], from: 'any' | 'logs'): NftRead<NftHistory> {
    const waits: BackoffControl = createBackoffControl(this.#clock, () => {
      if (this.#waits === waits) this.#onDidChange();
    });
    const shown = this.#load.value?.count ?? 0;
    this.#waits = waits;
    this.#progress = undefined;
    const onProgress = (progress: LoadProgress) => {
      this.#progress = progress;
      this.#onDidChange();
    };
    return ({ client, nfts }, { signal }) => {
      const source = from === 'logs' ? 'notWanted' : getTransfersProvider(nfts);
      this.#from = typeof source === 'string' ? 'endpoint' : 'source';
      const options = { clock: this.#clock, waits, signal, onProgress };
      const histories = fetchNftHistory({ source, chain: client }, query, options);
      return keepGrowing(shown, this.#noteProvider(histories));
    };
  }

  async *#noteProvider(histories: AsyncIterable<NftHistory>): AsyncGenerator<NftHistory> {
    for await (const history of histories) {
      if (history.from === 'logs') this.#from = 'endpoint';
      yield history;
    }
  }
}

/** Skips histories with fewer transfers than were shown before, so that a reload removes none; the last one is final. */
async function* keepGrowing(shown: number, histories: AsyncIterable<NftHistory>): AsyncGenerator<NftHistory> {
  let last: NftHistory | undefined;
  for await (const history of histories) {
    last = history;
    if (history.count >= shown) yield history;
  }
  if (last && last.count < shown) yield last;
}
