import * as vscode from 'vscode';
import {
  AppError,
  type ChainClient,
  createChainClient,
  type HttpDeps,
  type Network,
} from '../../core/index.ts';
import { createContextKey, runCommand } from '../commands/commands.ts';
import { Disposables } from '../disposables.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { KeyStore } from './secrets.ts';
import { createSourceAccess, type KeyState, type SourceAccess, type SourceAccessor } from './sourceAccess.ts';

/** The active network and the way to it, for as long as it is active. */
export interface Connection {
  readonly network: Network;
  /** Whether the user has chosen the network. Until then the client asks nobody and fails with `notChosen`. */
  readonly isChosen: boolean;
  readonly client: ChainClient;
  /** Aborts when another network, or another definition of this one, takes its place. */
  readonly signal: AbortSignal;
}

/** Follows the settings and the key: which network is active, and the clients to ask about it. */
export class Session implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Connection>());
  readonly #sourcesChanged = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #setHasKey = createContextKey('chainside.hasKey');
  readonly #settings: SettingsService;
  readonly #http: HttpDeps;
  readonly #sources: SourceAccessor;
  #connection: Connection;
  #replaced = new AbortController();

  /** Another network is active; the old connection's signal has aborted. */
  readonly onDidChange = this.#changed.event;
  /** {@link holdings} and its likes may answer otherwise: the network, the key or how it is sent has changed. */
  readonly onDidChangeSources = this.#sourcesChanged.event;

  constructor(deps: {
    readonly settings: SettingsService;
    readonly keys: KeyStore;
    readonly http: HttpDeps;
  }) {
    this.#settings = deps.settings;
    this.#http = deps.http;
    const keyIn = () => deps.settings.current.keyIn;
    this.#sources = this.#disposables.add(createSourceAccess({ ...deps, keyIn }));
    this.#connection = this.#connect();
    this.#disposables.add(
      deps.keys.onDidChange((origin) => {
        if (this.#sources.takeKeyOf(origin, this.network)) this.#refreshSources();
      }),
    );
    let keyWasIn = keyIn();
    this.#disposables.add(
      deps.settings.onDidChange(() => {
        const connected = this.#reconnect();
        if (!connected && keyWasIn !== keyIn()) this.#refreshSources();
        keyWasIn = keyIn();
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
    return createChainClient({ ...this.#http, url: network.rpcUrl });
  }

  /** Who tells what an address holds on the active network, or why nobody is asked. @throws AppError `notChosen`. */
  async holdings(): Promise<SourceAccess<'holdings'>> {
    if (!this.isChosen) throw notChosen();
    return this.#sources.of(this.network, 'holdings');
  }

  /**
   * Who tells of NFTs on the active network, `keyless` without a key, or why nobody is asked.
   *
   * @throws AppError `notChosen`.
   */
  async nfts(options?: { readonly keyless?: boolean }): Promise<SourceAccess<'nfts'>> {
    if (!this.isChosen) throw notChosen();
    return this.#sources.of(this.network, 'nfts', options);
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
    const http = isChosen
      ? this.#http
      : { clock: this.#http.clock, fetch: async () => Promise.reject(notChosen()) };
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
    this.#replaced.abort();
    this.#replaced = new AbortController();
    this.#connection = this.#connect();
    this.#changed.fire(this.#connection);
    this.#refreshSources();
    return true;
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
    if (connection === this.#connection) this.#setHasKey(hasKey);
  }
}

function notChosen(): AppError {
  return new AppError('notChosen', 'No network is chosen.');
}

function isSameNetwork(a: Network, b: Network): boolean {
  const fields = Object.keys({ ...a, ...b }) as (keyof Network)[];
  return fields.every((field) => a[field] === b[field]);
}
