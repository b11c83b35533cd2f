import * as vscode from 'vscode';
import {
  AppError,
  type ChainClient,
  createChainClient,
  ETHERSCAN_URL,
  type HttpDeps,
  type Network,
  type Provider,
  requiresSecret,
  type SecretEndpoint,
} from '../../core/index.ts';
import { createContextKey, runCommand } from '../commands.ts';
import { Disposables } from '../disposables.ts';
import type { SettingsService } from '../settings/settings.ts';
import {
  type AccessOptions,
  createProviderAccess,
  type KeyState,
  type ProviderAccess,
  type ProviderAccessor,
  type ProviderPort,
} from './providerAccess.ts';
import type { EndpointAccess, KeyStore } from './secrets.ts';

/** Tracks the settings and stored keys: the active network, its clients and its providers. */
export class Session implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Connection>());
  readonly #chainReplaced = this.#disposables.add(new vscode.EventEmitter<Network>());
  readonly #providersChanged = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #setHasKey = createContextKey('chainside.hasKey');
  readonly #setLacksKey = createContextKey('chainside.lacksKey');
  readonly #setHasSecret = createContextKey('chainside.hasSecret');
  readonly #setHasEtherscanKey = createContextKey('chainside.hasEtherscanKey');
  readonly #keys: KeyStore;
  readonly #settings: SettingsService;
  readonly #endpoints: EndpointAccess;
  readonly #providers: ProviderAccessor;
  #connection: Connection;
  #replaced = new AbortController();

  /** Another network is active, or its node has a new chain; the old connection's signal has aborted. */
  readonly onDidChange = this.#changed.event;
  /** Fires with the network whose node was restarted with a new chain, after {@link onDidChange} if it is active. */
  readonly onDidReplaceChain = this.#chainReplaced.event;
  /**
   * {@link provider} may return something else: the network, the key, how it is sent, or the chosen provider has
   * changed.
   */
  readonly onDidChangeSources = this.#providersChanged.event;

  constructor(deps: {
    readonly settings: SettingsService;
    readonly keys: KeyStore;
    readonly http: HttpDeps;
    readonly endpoints: EndpointAccess;
  }) {
    this.#settings = deps.settings;
    this.#endpoints = deps.endpoints;
    this.#keys = deps.keys;
    const keyIn = () => deps.settings.current.keyIn;
    const tokensFrom = () => deps.settings.current.tokensFrom;
    const etherscan = () => deps.settings.current.etherscanSource && vscode.workspace.isTrusted;
    const isEnabled = ({ name }: Provider) => name !== 'etherscan' || etherscan();
    this.#providers = this.#disposables.add(createProviderAccess({ ...deps, keyIn, tokensFrom, isEnabled }));
    this.#connection = this.#connect();
    this.#disposables.add(
      deps.keys.onDidChange((origin) => {
        if (this.#providers.usesKeyOf(origin, this.network)) this.#refreshProviders();
      }),
    );
    this.#disposables.add(
      deps.endpoints.onDidChange((origin) => {
        const { network } = this;
        if (requiresSecret(network) && new URL(network.rpcUrl).origin === origin) this.#replace();
      }),
    );
    let before = [keyIn(), tokensFrom(), etherscan()];
    this.#disposables.add(
      deps.settings.onDidChange(() => {
        const isReplaced = this.#reconnect();
        const now = [keyIn(), tokensFrom(), etherscan()];
        if (!isReplaced && now.some((value, index) => value !== before[index])) this.#refreshProviders();
        before = now;
      }),
    );
    void this.#updateHasKey();
  }

  get connection(): Connection {
    return this.#connection;
  }

  get network(): Network {
    return this.#connection.network;
  }

  /** Whether the user has chosen the network. No request is sent before. */
  get isChosen(): boolean {
    return this.#connection.isChosen;
  }

  /** Lets the user choose a network, unless they have. False if they do not. */
  async choose(): Promise<boolean> {
    if (!this.isChosen) await runCommand('chainside.selectNetwork', 'needed:');
    return this.isChosen;
  }

  get client(): ChainClient {
    return this.#connection.client;
  }

  /** A client of any network of the settings. */
  clientOf(network: Network): ChainClient {
    return createChainClient({ ...this.#endpoints.httpFor(network), url: network.rpcUrl });
  }

  /**
   * The latest block of a network by a client of it. If its node has a new chain, notifies of that first: what was read
   * before is of the old one.
   *
   * @throws AppError as {@link ChainClient.fetchLatestBlock} does.
   */
  async fetchLatestBlock(
    network: Network,
    client: Pick<ChainClient, 'fetchLatestBlock'>,
    options: { readonly signal: AbortSignal },
  ): Promise<bigint> {
    const { block, isOnNewChain } = await client.fetchLatestBlock({ ...options, retries: 0 });
    if (isOnNewChain) {
      this.#providers.forgetResponses(network);
      if (client === this.client) this.#replace();
      this.#chainReplaced.fire(network);
    }
    return block;
  }

  /** HTTP to an endpoint, with its secret if it takes one. */
  httpFor(endpoint: SecretEndpoint): HttpDeps {
    return this.#endpoints.httpFor(endpoint);
  }

  /** The state of the active network's endpoint secret. */
  async secretState(): Promise<SecretState> {
    const { network } = this;
    if (!requiresSecret(network)) return 'notTaken';
    return (await this.#endpoints.hasSecret(network)) ? 'set' : 'missing';
  }

  /**
   * The provider that serves a port on the active network, or on `network`, or why there is none. With `keyless`,
   * the contracts themselves; with `name`, only that one.
   *
   * @throws AppError `notChosen`.
   */
  async provider<P extends ProviderPort>(
    port: P,
    { network = this.network, ...options }: AccessOptions & { readonly network?: Network } = {},
  ): Promise<ProviderAccess<P>> {
    if (!this.isChosen) throw notChosen();
    return this.#providers.get(network, port, options);
  }

  /** Whether Etherscan may be asked about a chain, with the stored key of the user. */
  async canUseEtherscan(chainId: number): Promise<boolean> {
    const network = { id: '', name: '', chainId, rpcUrl: ETHERSCAN_URL, symbol: '', decimals: 18 };
    return this.#providers.get(network, 'verified', { name: 'etherscan' }).then(
      ({ state }) => state === 'ready',
      () => false,
    );
  }

  /** The state of the active network's data API key. */
  keyState(): Promise<KeyState> {
    return this.#providers.keyState(this.network);
  }

  dispose(): void {
    this.#replaced.abort();
    this.#disposables.dispose();
  }

  #connect(): Connection {
    const { network, isNetworkChosen: isChosen } = this.#settings.current;
    const endpointHttp = this.#endpoints.httpFor(network);
    const http = isChosen
      ? endpointHttp
      : { clock: endpointHttp.clock, fetch: async () => Promise.reject(notChosen()) };
    return {
      network,
      isChosen,
      client: createChainClient({ ...http, url: network.rpcUrl }),
      signal: this.#replaced.signal,
    };
  }

  /** Applies the network of the settings; false if it is active already. */
  #reconnect(): boolean {
    const { network, isNetworkChosen } = this.#settings.current;
    if (isSameNetwork(this.network, network) && this.isChosen === isNetworkChosen) return false;
    this.#replace();
    return true;
  }

  #replace(): void {
    this.#replaced.abort();
    this.#replaced = new AbortController();
    this.#connection = this.#connect();
    this.#changed.fire(this.#connection);
    this.#refreshProviders();
  }

  #refreshProviders(): void {
    void this.#updateHasKey();
    this.#providersChanged.fire();
  }

  async #updateHasKey(): Promise<void> {
    const { connection } = this;
    const hasKey = await this.keyState().then(
      (state) => state === 'ready',
      () => false,
    );
    const hasSecret = await this.secretState().then(
      (state) => state === 'set',
      () => false,
    );
    this.#setHasEtherscanKey((await this.#keys.get(ETHERSCAN_URL)) !== undefined);
    if (connection !== this.#connection) return;
    this.#setHasKey(hasKey);
    this.#setLacksKey(!hasKey);
    this.#setHasSecret(hasSecret);
  }
}

/** The active network and its client, for as long as it is active. */
export interface Connection {
  readonly network: Network;
  /** Whether the user has chosen the network. Until then the client sends nothing and fails with `notChosen`. */
  readonly isChosen: boolean;
  readonly client: ChainClient;
  /** Aborts when another network becomes active, or when the definition of this one changes. */
  readonly signal: AbortSignal;
}

/** Whether an endpoint takes a secret, and whether it is stored. */
export type SecretState = 'notTaken' | 'set' | 'missing';

export function notChosen(): AppError {
  return new AppError('notChosen', 'No network is chosen.');
}

function isSameNetwork(a: Network, b: Network): boolean {
  const fields = Object.keys({ ...a, ...b }) as (keyof Network)[];
  return fields.every((field) => a[field] === b[field]);
}
