import type { Address, HttpDeps, Network, NftHistory, NftPicture, NftToken } from '../../../core/index.ts';
import { Load, type LoadChange } from '../../../host/loading/load.ts';
import type { Service } from '../../../host/words/describeError.ts';
import { ask, type NftSources, type Read } from './nftSources.ts';
import { type ContractAnswer, readContract, readPicture, standardOf } from './reads.ts';
import { type Asked, type FileAccess, readToken, type TokenAnswer } from './readToken.ts';
import { TransfersReading } from './transfersReading.ts';

interface NftAnswersOptions {
  readonly contract: Address;
  readonly tokenId: bigint | undefined;
  readonly http: HttpDeps;
  readonly sources: () => Promise<NftSources>;
  /** Told of every change. */
  readonly onDidChange: (what: LoadChange) => void;
}

type Notice = 'networkChanged' | 'restored';

/**
 * What one panel has asked about its contract and token. Belongs to the network that it was asked from, and holds
 * what is loaded through errors and cancelling.
 */
export class NftAnswers {
  readonly contractAddress: Address;
  readonly contract: Load<ContractAnswer>;
  readonly token: Load<TokenAnswer>;
  readonly picture: Load<NftPicture>;
  readonly transfers: Load<NftHistory>;
  /** How the transfers are read. */
  readonly reading: TransfersReading;
  readonly #options: NftAnswersOptions;
  #tokenId: bigint | undefined;
  #network: Network | undefined;
  #answer = crypto.randomUUID();
  #contractFrom: Service = 'endpoint';
  #tokenFrom: Asked = 'endpoint';
  #notice: Notice | undefined;

  constructor(options: NftAnswersOptions) {
    const load = <T>() => new Load<T>(options.onDidChange);
    this.#options = options;
    this.contractAddress = options.contract;
    this.#tokenId = options.tokenId;
    this.contract = load();
    this.token = load();
    this.picture = load();
    this.transfers = load();
    this.reading = new TransfersReading(this.transfers, options.http.clock, () =>
      options.onDidChange('value'),
    );
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

  /** Which server the last request for a part went to. */
  get askedLast(): { readonly contract: Service; readonly token: Asked; readonly transfers: Service } {
    return { contract: this.#contractFrom, token: this.#tokenFrom, transfers: this.reading.from };
  }

  /** What is known of the token. */
  get knownToken(): NftToken | undefined {
    const answer = this.token.value;
    return answer?.state === 'known' ? answer.token : undefined;
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
    this.#contractFrom = from === 'chain' ? 'endpoint' : 'source';
    return this.#ask(this.contract, readContract(this.contractAddress, from));
  }

  /** `any` prefers a source with a key. Metadata in a file is loaded where `files` says that it may be. */
  async askToken(from: 'any' | 'contract', files: Omit<FileAccess, 'http'>): Promise<void> {
    if (this.#tokenId === undefined) return;
    const onAsk = (asked: Asked) => {
      this.#tokenFrom = asked;
    };
    const asked = { contract: this.contractAddress, tokenId: this.#tokenId, from, onAsk };
    await this.#ask(this.token, readToken({ ...asked, ...files, http: this.#options.http }));
  }

  /** Loads the picture that the token's metadata names, if it does. */
  async askPicture(ipfsGateway: string | undefined): Promise<void> {
    const image = this.knownToken?.metadata?.image;
    if (image) await this.#ask(this.picture, readPicture(this.#options.http, image, ipfsGateway));
  }

  /** `any` prefers a source. */
  async askTransfers(from: 'any' | 'logs'): Promise<void> {
    const tokenId = this.#tokenId;
    if (tokenId === undefined) return;
    const question = { contract: this.contractAddress, tokenId, standard: standardOf(this.contract.value) };
    await this.#ask(this.transfers, this.reading.begin(question, from));
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

  #ask<T>(load: Load<T>, read: Read<T>): Promise<void> {
    const onFound = (network: Network) => {
      this.#network = network;
      this.#notice = undefined;
    };
    return ask(load, read, { sources: this.#options.sources, onFound });
  }
}
