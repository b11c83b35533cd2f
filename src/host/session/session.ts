import * as vscode from 'vscode';
import {
  AppError,
  type ChainClient,
  createChainClient,
  type HttpDeps,
  type Network,
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

/** The active network and the way to it, for as long as it is active. */
export interface Connection {
  readonly network: Network;
  /** Whether the user has chosen the network. Until then the client asks nobody and fails with `notChosen`. */
  readonly isChosen: boolean;
  readonly client: ChainClient;
  /** Aborts when another network, or another definition of this one, takes its place. */
  readonly signal: AbortSignal;
}

/** Whether an endpoint is asked with a secret, and whether that is stored. */
export type SecretState = 'notTaken' | 'set' | 'missing';

/** Follows the settings and the key: which network is active, and the clients to ask about it. */
export class Session implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Connection>());
  readonly #sourcesChanged = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #setHasKey = createContextKey('chainside.hasKey');
  readonly #setHasSecret = createContextKey('chainside.hasSecret');
  readonly #settings: SettingsService;
  readonly #endpoints: EndpointAccess;
  readonly #sources: ProviderAccessor;
  #connection: Connection;
  #replaced = new AbortController();

  /** Another network is active; the old connection's signal has aborted. */
  readonly onDidChange = this.#changed.event;
  /** {@link holdings} and its likes may answer otherwise: the network, the key, how it is sent or who is wanted
   * has changed. */
  readonly onDidChangeSources = this.#sourcesChanged.event;

  constructor(deps: {
    readonly settings: SettingsService;
    readonly keys: KeyStore;
    readonly http: HttpDeps;
    readonly endpoints: EndpointAccess;
  }) {
    this.#settings = deps.settings;
    this.#endpoints = deps.endpoints;
    const keyIn = () => deps.settings.current.keyIn;
    const tokensFrom = () => deps.settings.current.tokensFrom;
    this.#sources = this.#disposables.add(createProviderAccess({ ...deps, keyIn, tokensFrom }));
    this.#connection = this.#connect();
    this.#disposables.add(
      deps.keys.onDidChange((origin) => {
        if (this.#sources.usesKeyOf(origin, this.network)) this.#refreshSources();
      }),
    );
    this.#disposables.add(
      deps.endpoints.onDidChange((origin) => {
        const { network } = this;
        if (requiresSecret(network) && new URL(network.rpcUrl).origin === origin) this.#replace();
      }),
    );
    let were = [keyIn(), tokensFrom()];
    this.#disposables.add(
      deps.settings.onDidChange(() => {
        const connected = this.#reconnect();
        const are = [keyIn(), tokensFrom()];
        if (!connected && are.some((each, place) => each !== were[place])) this.#refreshSources();
        were = are;
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

  /** Whether the user has chosen the network: nothing is asked of it before. */
  get isChosen(): boolean {
    return this.#connection.isChosen;
  }

  /** Has the user choose a network, if they have not. False if they do not want to. */
  async choose(): Promise<boolean> {
    if (!this.isChosen) await runCommand('chainside.selectNetwork');
    return this.isChosen;
  }

  get client(): ChainClient {
    return this.#connection.client;
  }

  /** The client of a network of the settings, whether it is the active one or not. */
  clientOf(network: Network): ChainClient {
    return createChainClient({ ...this.#endpoints.httpFor(network), url: network.rpcUrl });
  }

  /** HTTP to an endpoint, with its secret where it is asked with one. */
  httpFor(endpoint: SecretEndpoint): HttpDeps {
    return this.#endpoints.httpFor(endpoint);
  }

  /** Whether the active network's endpoint is asked with a secret, and whether that is stored. */
  async secretState(): Promise<SecretState> {
    const { network } = this;
    if (!requiresSecret(network)) return 'notTaken';
    return (await this.#endpoints.hasSecret(network)) ? 'set' : 'missing';
  }

  /**
   * The provider that serves a port on the active network, or on `network`, or why there is none. With `keyless`, the
   * contracts themselves.
   *
   * @throws AppError `notChosen`.
   */
  async provider<P extends ProviderPort>(
    port: P,
    { network = this.network, ...options }: AccessOptions & { readonly network?: Network } = {},
  ): Promise<ProviderAccess<P>> {
    if (!this.isChosen) throw notChosen();
    return this.#sources.of(network, port, options);
  }

  /** Whether the key of the active network's data API is stored. */
  keyState(): Promise<KeyState> {
    return this.#sources.keyState(this.network);
  }

  dispose(): void {
    this.#replaced.abort();
    this.#disposables.dispose();
  }

  #connect(): Connection {
    const { network, isNetworkChosen: isChosen } = this.#settings.current;
    const asked = this.#endpoints.httpFor(network);
    const http = isChosen ? asked : { clock: asked.clock, fetch: async () => Promise.reject(notChosen()) };
    return {
      network,
      isChosen,
      client: createChainClient({ ...http, url: network.rpcUrl }),
      signal: this.#replaced.signal,
    };
  }

  /** Takes up the network of the settings; false if it is the one already in use. */
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
    this.#refreshSources();
  }

  #refreshSources(): void {
    void this.#updateHasKey();
    this.#sourcesChanged.fire();
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
    if (connection !== this.#connection) return;
    this.#setHasKey(hasKey);
    this.#setHasSecret(hasSecret);
  }
}

function notChosen(): AppError {
  return new AppError('notChosen', 'No network is chosen.');
}

function isSameNetwork(a: Network, b: Network): boolean {
  const fields = Object.keys({ ...a, ...b }) as (keyof Network)[];
  return fields.every((field) => a[field] === b[field]);
}
