import * as vscode from 'vscode';
import { type ChainClient, createChainClient, type HttpDeps, type Network } from '../../core/index.ts';
import { createContextKey } from '../commands/commands.ts';
import { Disposables } from '../disposables.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { KeyStore } from './secrets.ts';
import { createSourceAccess, type KeyState, type SourceAccess, type SourceAccessor } from './sourceAccess.ts';

/** The active network and the way to it, for as long as it is active. */
export interface Connection {
  readonly network: Network;
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

  get client(): ChainClient {
    return this.#connection.client;
  }

  /** Who tells what an address holds on the active network, or why nobody is asked. */
  holdings(): Promise<SourceAccess<'holdings'>> {
    return this.#sources.of(this.network, 'holdings');
  }

  /** Who tells of NFTs on the active network, or why nobody is asked. */
  nfts(): Promise<SourceAccess<'nfts'>> {
    return this.#sources.of(this.network, 'nfts');
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
    const { network } = this.#settings.current;
    return {
      network,
      client: createChainClient({ ...this.#http, url: network.rpcUrl }),
      signal: this.#replaced.signal,
    };
  }

  /** Takes up the network of the settings; false if it is the one already in use. */
  #reconnect(): boolean {
    if (isSameNetwork(this.network, this.#settings.current.network)) return false;
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

function isSameNetwork(a: Network, b: Network): boolean {
  const fields = Object.keys({ ...a, ...b }) as (keyof Network)[];
  return fields.every((field) => a[field] === b[field]);
}
