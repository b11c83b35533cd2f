import * as vscode from 'vscode';
import type { ChainClient, Network } from '../../../core/index.ts';
import { isSameChain } from '../../../host/session/sameChain.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';

/** A network and the way to it. */
export interface Endpoint {
  readonly network: Network;
  readonly client: ChainClient;
}

interface PanelNetworkDeps {
  readonly session: Pick<Session, 'connection' | 'network' | 'clientOf' | 'onDidChange'>;
  readonly settings: Pick<SettingsService, 'current' | 'onDidChange'>;
}

/** What became of a network that a panel has asked: it is not there any more, or its endpoint is another one. */
type Loss = 'removed' | 'changed';

/**
 * The network that a panel asks: the active one until the panel has asked something, then the one that it has asked,
 * until the user moves the panel over. Never asks an endpoint that is not in the settings any more.
 */
export class PanelNetwork implements vscode.Disposable {
  readonly #deps: PanelNetworkDeps;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #following: vscode.Disposable;
  #kept: Endpoint | undefined;
  #lost: { readonly name: string; readonly how: Loss } | undefined;

  /** Fires when the panel asks another network, or another one is active. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: PanelNetworkDeps) {
    this.#deps = deps;
    this.#following = vscode.Disposable.from(
      deps.settings.onDidChange(() => this.#follow()),
      deps.session.onDidChange(() => this.#follow()),
    );
  }

  /** What the next question goes to. */
  get endpoint(): Endpoint {
    return this.#kept ?? this.#deps.session.connection;
  }

  get network(): Network {
    return this.endpoint.network;
  }

  /** The active network, where it is another one. */
  get other(): Network | undefined {
    const { network } = this.#deps.session;
    return this.#kept && !isSameChain(this.#kept.network, network) ? network : undefined;
  }

  /** The network that was asked last, where it can be asked no more. */
  get lost(): { readonly name: string; readonly how: Loss } | undefined {
    return this.#lost;
  }

  /** What is asked now, and from now on. */
  keep(): Endpoint {
    const { network, client } = this.endpoint;
    this.#kept = { network, client };
    this.#lost = undefined;
    return this.#kept;
  }

  /** Keeps the network of that id, if there still is one. */
  keepKnown(id: string): void {
    const network = this.#deps.settings.current.networks.find((known) => known.id === id);
    if (!network) return;
    this.#kept = { network, client: this.#deps.session.clientOf(network) };
    this.#changed.fire();
  }

  /** Asks the active network from now on. */
  move(): void {
    this.#kept = undefined;
    this.#lost = undefined;
    this.#changed.fire();
  }

  dispose(): void {
    this.#following.dispose();
    this.#changed.dispose();
  }

  #follow(): void {
    const { session, settings } = this.#deps;
    const kept = this.#kept;
    if (kept) {
      const { network, client } = kept;
      const known = settings.current.networks.find(({ id }) => id === network.id);
      if (!known) {
        this.#lost = { name: network.name, how: 'removed' };
        this.#kept = undefined;
      } else if (isSameChain(known, network)) this.#kept = { network: known, client };
      else {
        this.#lost = { name: network.name, how: 'changed' };
        this.#kept = { network: known, client: session.clientOf(known) };
      }
    }
    this.#changed.fire();
  }
}
