import * as vscode from 'vscode';
import type { Address, ChainClient, LogFilter, Network, QueryForm } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { isOnBothNetworks, isSameChain } from '../../../host/session/networks.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { listRowAddresses } from '../../../host/suggestions.ts';
import { noteChosenServer } from '../../../host/webHost.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import { FormHelp } from '../form/formHelp.ts';
import type { FormErrors, ResolvedForm } from '../protocol/protocol.ts';
import type { LogResults } from '../results/logResults.ts';
import type { Portion } from '../results/queryLoad.ts';
import type { PanelQueryInput } from './panelRuns.ts';
import type { PanelServices } from './panelServices.ts';
import { formatPanelTitle, formatRangeTitle, type QueryToDescribe } from './queryTitle.ts';

export interface PanelEndpoint {
  readonly network: Network;
  readonly client: ChainClient;
}

/** The query that the rows are the result of, whatever the form says now. */
interface ExecutedPanelQuery extends PanelEndpoint {
  readonly filter: LogFilter;
  readonly form: QueryForm;
}

interface PanelQueryOptions {
  readonly form: QueryForm;
  readonly results: LogResults;
  readonly reader: RowReader;
  readonly onDidRun: () => void;
  /** `known`: what is known about the form. */
  readonly onDidChange: (what: 'network' | 'known') => void;
}

/** The form of a panel, its network, and the executed query. */
export class PanelQuery {
  readonly network: PanelNetwork;
  readonly help: FormHelp;
  readonly #deps: PanelServices;
  readonly #options: PanelQueryOptions;
  readonly #disposables = new Disposables();
  #form: QueryForm;
  #errors: FormErrors = {};
  #executed: ExecutedPanelQuery | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: PanelServices, options: PanelQueryOptions) {
    const { results, onDidChange } = options;
    this.#deps = deps;
    this.#options = options;
    this.#form = options.form;
    this.network = this.#disposables.add(new PanelNetwork(deps));
    this.#disposables.add(
      this.network.onDidChange(() => {
        if (this.network.lost) results.freeze();
        onDidChange('network');
      }),
    );
    this.#disposables.add(deps.session.onDidReplaceChain((replaced) => this.#onChainReplaced(replaced)));
    const listFoundAddresses = function* () {
      yield* listRowAddresses(results.rows);
      yield* deps.names.listInFiles();
    };
    const helpDeps = { ...deps, panelNetwork: this.network, listFoundAddresses, l10n: vscode.l10n };
    this.help = this.#disposables.add(new FormHelp(helpDeps, () => onDidChange('known')));
  }

  /** Undefined before the first run, and after the panel moved to another network. */
  get executed(): ExecutedPanelQuery | undefined {
    return this.#executed;
  }

  /** The executed query; before the first run, the form and the network that it would go to. */
  get current(): PanelQueryInput {
    return this.#executed ?? { form: this.help.parse(this.#form).form, network: this.network.network };
  }

  /** Settles when the last run has finished, failed or been cancelled. */
  get running(): Promise<void> {
    return this.#running;
  }

  /** The last form, and its validation errors. */
  get resolved(): ResolvedForm {
    return { form: this.#form, errors: this.#errors };
  }

  /** Runs the query if the form is valid. If no network is chosen, the user chooses one first. */
  run(typed: QueryForm, portion: Portion = 'page'): ResolvedForm {
    const { form, errors, filter } = this.help.parse(typed);
    const { results, reader, onDidRun } = this.#options;
    const { session } = this.#deps;
    this.#form = form;
    this.#errors = errors;
    if (filter && !session.isChosen)
      void session.choose().then((chosen) => chosen && this.run(typed, portion));
    else if (filter) {
      const { network, client } = this.network.pin();
      noteChosenServer(network.rpcUrl);
      this.#executed = { network, client, filter, form };
      reader.queried = this.#executed;
      onDidRun();
      this.#running = results.run(network, client, { filter, order: form.order, portion });
    }
    return this.resolved;
  }

  /** Retries what failed; runs the query again if its endpoint has changed since. */
  tryAgain(): void {
    if (this.network.lost && this.#executed) this.run(this.#executed.form);
    else void this.#options.results.tryAgain();
  }

  /** Queries this network instead of the active one. */
  useNetwork({ id }: Pick<Network, 'id'>): void {
    this.network.pinById(id);
  }

  /**
   * Moves to the active network. Drops rows of a different one, so that they never appear under its name.
   * Returns false if the active network is not on `chainId`.
   */
  moveNetwork(chainId?: number): boolean {
    const { network } = this.#deps.session;
    const { results } = this.#options;
    if (chainId !== undefined && network.chainId !== chainId) return false;
    const isLeft = results.network && !isSameChain(results.network, network);
    this.network.move();
    if (isLeft) {
      this.#executed = undefined;
      results.clear('moved');
    }
    return true;
  }

  /** Undefined before the first run. */
  describe(): QueryToDescribe | undefined {
    return (
      this.#options.results.network &&
      this.#executed &&
      this.#describeQuery(this.#executed.form, this.#executed.filter)
    );
  }

  /** Of the executed query; before the first run, of the form. */
  title(): { readonly title: string; readonly range: string } {
    const { form, filter } = this.#executed ?? {
      form: this.#form,
      filter: this.help.parse(this.#form).filter,
    };
    const title = formatPanelTitle(filter && this.#describeQuery(form, filter), vscode.l10n);
    return { title, range: filter ? formatRangeTitle(filter, vscode.l10n) : '' };
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Drops the rows of the old chain. A followed query runs again on the new one. */
  #onChainReplaced(replaced: Network): void {
    const { executed } = this;
    const { results } = this.#options;
    if (!executed || !isOnBothNetworks(executed.network, replaced)) return;
    const { isFollowed } = results;
    this.network.reconnect();
    this.#executed = undefined;
    results.clear('chainReplaced');
    if (!isFollowed) return;
    this.run(executed.form);
    results.follow();
  }

  #describeQuery(form: QueryForm, filter: LogFilter): QueryToDescribe {
    const { results, reader } = this.#options;
    const { chainId } = this.#executed?.network ?? this.network.network;
    const nameOf = (address: Address) => this.#deps.meaning.nameOf(address, chainId);
    return { form, filter, event: reader.findEvent(results.rows), nameOf };
  }
}

interface PanelNetworkDeps {
  readonly session: Pick<Session, 'connection' | 'network' | 'isChosen' | 'clientOf' | 'onDidChange'>;
  readonly settings: Pick<SettingsService, 'current' | 'onDidChange'>;
}

/** The network left the settings, or its endpoint is another chain. */
type Loss = 'removed' | 'changed';

/**
 * The network that a panel queries: the active one until the first run, then the one of that run, until the
 * user moves the panel. It never queries an endpoint that left the settings.
 */
export class PanelNetwork implements vscode.Disposable {
  readonly #deps: PanelNetworkDeps;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  #pinned: PanelEndpoint | undefined;
  #lost: { readonly name: string; readonly how: Loss } | undefined;
  /** The ID of the network that the panel was restored with, until it is known. */
  #awaited: string | undefined;

  /** Fires when the panel's network or the active one changes. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: PanelNetworkDeps) {
    this.#deps = deps;
    this.#subscriptions = vscode.Disposable.from(
      deps.settings.onDidChange(() => this.#follow()),
      deps.session.onDidChange(() => this.#follow()),
    );
  }

  /** Where the next query goes. */
  get endpoint(): PanelEndpoint {
    return this.#pinned ?? this.#deps.session.connection;
  }

  get network(): Network {
    return this.endpoint.network;
  }

  /** Undefined before a network is chosen. */
  get name(): string | undefined {
    return this.#pinned || this.#deps.session.isChosen ? this.network.name : undefined;
  }

  /** The active network, if the panel is pinned to a different one. */
  get other(): Network | undefined {
    const { network, isChosen } = this.#deps.session;
    return isChosen && this.#pinned && !isSameChain(this.#pinned.network, network) ? network : undefined;
  }

  /** The last queried network, if it can no longer be queried. */
  get lost(): { readonly name: string; readonly how: Loss } | undefined {
    return this.#lost;
  }

  /** Stays with the current endpoint from now on. */
  pin(): PanelEndpoint {
    const { network, client } = this.endpoint;
    this.#pinned = { network, client };
    this.#lost = undefined;
    this.#awaited = undefined;
    return this.#pinned;
  }

  /** Stays with the network of this ID. It may be known only later: endpoints of config files are read first. */
  pinById(id: string): void {
    const network = this.#deps.settings.current.networks.find((candidate) => candidate.id === id);
    this.#awaited = network ? undefined : id;
    this.#lost = network ? undefined : { name: id, how: 'removed' };
    if (network) this.#pinned = { network, client: this.#deps.session.clientOf(network) };
    this.#changed.fire();
  }

  /** Stays with its network, but uses nothing that was learned about its node. */
  reconnect(): void {
    const { session } = this.#deps;
    const { network } = this;
    const client = isSameChain(network, session.network)
      ? session.connection.client
      : session.clientOf(network);
    if (this.#pinned) this.#pinned = { network, client };
  }

  /** Uses the active network from now on. */
  move(): void {
    this.#pinned = undefined;
    this.#lost = undefined;
    this.#awaited = undefined;
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #follow(): void {
    const { session, settings } = this.#deps;
    const pinned = this.#pinned;
    if (this.#awaited !== undefined) {
      this.pinById(this.#awaited);
      return;
    }
    if (pinned) {
      const { network, client } = pinned;
      const current = settings.current.networks.find(({ id }) => id === network.id);
      if (!current) {
        this.#lost = { name: network.name, how: 'removed' };
        this.#pinned = undefined;
      } else if (isSameChain(current, network)) this.#pinned = { network: current, client };
      else {
        this.#lost = { name: network.name, how: 'changed' };
        this.#pinned = { network: current, client: session.clientOf(current) };
      }
    }
    this.#changed.fire();
  }
}
