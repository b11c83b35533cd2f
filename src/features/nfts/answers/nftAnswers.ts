import {
  type Address,
  AppError,
  type ChainClient,
  createWaits,
  fetchNftPicture,
  type HttpDeps,
  type LoadProgress,
  type Network,
  type NftContract,
  type NftHistory,
  type NftPicture,
  type NftSource,
  type NftToken,
  nftHistory,
  type SourceLabel,
  type ToldWait,
  type Waits,
} from '../../../core/index.ts';
import type { SourceAccess } from '../../../host/session/sourceAccess.ts';
import type { Service } from '../../../host/words/describeError.ts';
import { Part } from './part.ts';

/** What is known of the contract, and by whose word. */
export type ContractAnswer =
  | { readonly state: 'known'; readonly from: 'chain'; readonly contract: NftContract }
  | {
      readonly state: 'known';
      readonly from: 'source';
      readonly source: SourceLabel;
      readonly contract: NftContract;
    }
  | { readonly state: 'unknownToSource'; readonly source: SourceLabel }
  | { readonly state: 'notAnNft' | 'notOffered' };

/** What the source says of the token; undefined inside where it knows none of this id. */
export interface TokenAnswer {
  readonly source: SourceLabel;
  readonly token: NftToken | undefined;
}

/** The active network and the ways to it, at the time of a request. */
export interface NftSources {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'nftContract' | 'openLogQuery'>;
  readonly nfts: SourceAccess<'nfts'>;
}

export interface NftAnswersOptions {
  readonly contract: Address;
  readonly tokenId: bigint | undefined;
  readonly http: HttpDeps;
  readonly sources: () => Promise<NftSources>;
  /** Told of every change; `value` when only more of the same has come, which is often. */
  readonly onDidChange: (what: 'state' | 'value') => void;
}

export type Notice = 'networkChanged' | 'restored';

/**
 * What one panel has asked about its contract and token. Belongs to the network that it was asked from, and holds
 * what is loaded through errors and cancelling.
 */
export class NftAnswers {
  readonly contractAddress: Address;
  readonly contract: Part<ContractAnswer>;
  readonly token: Part<TokenAnswer>;
  readonly picture: Part<NftPicture>;
  readonly transfers: Part<NftHistory>;
  readonly #options: NftAnswersOptions;
  #tokenId: bigint | undefined;
  #network: Network | undefined;
  #answer = crypto.randomUUID();
  #progress: LoadProgress | undefined;
  #waits: Waits | undefined;
  #contractFrom: Service = 'endpoint';
  #transfersFrom: Service = 'endpoint';
  #notice: Notice | undefined;

  constructor(options: NftAnswersOptions) {
    const part = <T>() => new Part<T>(options.onDidChange);
    this.#options = options;
    this.contractAddress = options.contract;
    this.#tokenId = options.tokenId;
    this.contract = part();
    this.token = part();
    this.picture = part();
    this.transfers = part();
  }

  get tokenId(): bigint | undefined {
    return this.#tokenId;
  }

  /** The network that was asked; undefined before anything was. */
  get network(): Network | undefined {
    return this.#network;
  }

  /** Changes when the transfers of another token or network take the place of these. */
  get answer(): string {
    return this.#answer;
  }

  /** How far reading logs has come, while it runs. */
  get progress(): LoadProgress | undefined {
    return this.transfers.isLoading ? this.#progress : undefined;
  }

  /** What reading logs waits for, if that takes a while; it can be skipped. */
  get waiting(): ToldWait | undefined {
    return this.transfers.isLoading ? this.#waits?.told : undefined;
  }

  /** Which server the last request for the contract, or for transfers, went to. */
  get askedLast(): { readonly contract: Service; readonly transfers: Service } {
    return { contract: this.#contractFrom, transfers: this.#transfersFrom };
  }

  /** Why there is less than there was. */
  get notice(): Notice | undefined {
    return this.#notice;
  }

  /** Turns to another token; what is loaded of the one before goes. */
  setToken(tokenId: bigint): void {
    if (tokenId === this.#tokenId) return;
    this.#tokenId = tokenId;
    this.#clearToken();
    this.#options.onDidChange('state');
  }

  askContract(from: 'chain' | 'source'): Promise<void> {
    const contract = this.contractAddress;
    this.#contractFrom = from === 'chain' ? 'endpoint' : 'source';
    return this.#ask(this.contract, async function* ({ client, nfts }, signal) {
      if (from === 'chain') {
        const answer = await client.nftContract(contract, { signal });
        yield answer.state === 'known' ? { ...answer, from: 'chain' } : answer;
      } else {
        const source = requireSource(nfts);
        const known = await source.nftContract(contract, { signal });
        const { label } = source;
        yield known
          ? { state: 'known', from: 'source', source: label, contract: known }
          : { state: 'unknownToSource', source: label };
      }
    });
  }

  async askToken(): Promise<void> {
    const contract = this.contractAddress;
    const tokenId = this.#tokenId;
    if (tokenId === undefined) return;
    await this.#ask(this.token, async function* ({ nfts }, signal) {
      const source = requireSource(nfts);
      yield { source: source.label, token: await source.nftToken(contract, tokenId, { signal }) };
    });
  }

  /** Loads the picture that the token's metadata names, if it does. */
  async askPicture(ipfsGateway: string | undefined): Promise<void> {
    const image = this.token.value?.token?.metadata?.image;
    const { http } = this.#options;
    if (!image) return;
    await this.#ask(this.picture, async function* (_, signal) {
      yield await fetchNftPicture(http, image, { ipfsGateway, signal });
    });
  }

  /** `any` prefers a source. */
  async askTransfers(from: 'any' | 'logs'): Promise<void> {
    const tokenId = this.#tokenId;
    if (tokenId === undefined) return;
    const question = { contract: this.contractAddress, tokenId, standard: this.#standard() };
    const onProgress = (progress: LoadProgress) => {
      this.#progress = progress;
      this.#options.onDidChange('value');
    };
    const { clock } = this.#options.http;
    const waits: Waits = createWaits(clock, () => {
      if (this.#waits === waits) this.#options.onDidChange('value');
    });
    this.#progress = undefined;
    this.#waits = waits;
    const shown = this.transfers.value?.count ?? 0;
    await this.#ask(this.transfers, ({ client, nfts }, signal) => {
      const source = from === 'logs' ? 'notWanted' : sourceOrWhyNot(nfts);
      this.#transfersFrom = typeof source === 'string' ? 'endpoint' : 'source';
      const options = { clock, waits, signal, onProgress };
      const histories = nftHistory({ source, chain: client }, question, options);
      return notFewer(shown, this.#noteSource(histories));
    });
  }

  /** Asks the server at once, whatever it is waited for. */
  skipWait(): void {
    this.#waits?.skip();
  }

  /** Stops what runs and forgets everything but the question, for the reason that `notice` gives. */
  clear(notice: Notice): void {
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
    this.#answer = crypto.randomUUID();
  }

  #ask<T>(
    part: Part<T>,
    read: (sources: NftSources, signal: AbortSignal) => AsyncIterable<T>,
  ): Promise<void> {
    const sources = this.#options.sources;
    const begin = (network: Network) => {
      this.#network = network;
      this.#notice = undefined;
    };
    return part.load(async function* (signal) {
      const found = await sources();
      if (signal.aborted) return;
      begin(found.network);
      yield* read(found, signal);
    });
  }

  /**
   * ERC-721 where the contract itself claims that alone: the logs of ERC-1155, which are many more, need not be read.
   * One that claims ERC-1155 may be of both.
   */
  #standard(): 'erc721' | undefined {
    const known = this.contract.value;
    const isOwnWord = known?.state === 'known' && known.from === 'chain';
    return isOwnWord && known.contract.standard === 'erc721' ? 'erc721' : undefined;
  }

  async *#noteSource(histories: AsyncIterable<NftHistory>): AsyncGenerator<NftHistory> {
    for await (const history of histories) {
      if (history.from === 'logs') this.#transfersFrom = 'endpoint';
      yield history;
    }
  }
}

function requireSource(access: SourceAccess<'nfts'>): NftSource {
  if (access.state === 'ready') return access.source;
  throw new AppError(
    access.state === 'noKey' ? 'unauthorized' : 'notServed',
    'There is no data API to ask, or no key for it.',
  );
}

function sourceOrWhyNot(access: SourceAccess<'nfts'>): NftSource | 'noSource' | 'noKey' {
  if (access.state === 'ready') return access.source;
  return access.state === 'noKey' ? 'noKey' : 'noSource';
}

/** Leaves out what is less than was shown before, so that asking again takes nothing away; the last is the answer. */
async function* notFewer(shown: number, histories: AsyncIterable<NftHistory>): AsyncGenerator<NftHistory> {
  let last: NftHistory | undefined;
  for await (const history of histories) {
    last = history;
    if (history.count >= shown) yield history;
  }
  if (last && last.count < shown) yield last;
}
