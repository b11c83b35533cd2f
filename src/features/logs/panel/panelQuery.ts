import * as vscode from 'vscode';
import type { Address, ChainClient, LogFilter, Network, QueryForm } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { isSameChain } from '../../../host/session/networks.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import { FormHelp } from '../form/formHelp.ts';
import type { FormErrors, ResolvedForm } from '../protocol/protocol.ts';
import type { LogResults } from '../results/logResults.ts';
import type { Portion } from '../results/queryLoad.ts';
import type { PanelQueryInput } from './panelRuns.ts';
import type { PanelServices } from './panelServices.ts';
import { formatPanelTitle, formatRangeTitle, type QueryToDescribe } from './queryTitle.ts';

/** A network and the way to it. */
export interface PanelEndpoint {
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
  #kept: PanelEndpoint | undefined;
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
  get endpoint(): PanelEndpoint {
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
  pin(): PanelEndpoint {
    const { network, client } = this.endpoint;
    this.#kept = { network, client };
    this.#lost = undefined;
    return this.#kept;
  }

  /** Keeps the network of that id, if there still is one. */
  pinById(id: string): void {
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

/** What ran: of it are the rows, whatever stands in the form by now. */
interface ExecutedPanelQuery extends PanelEndpoint {
  readonly filter: LogFilter;
  readonly form: QueryForm;
}

interface PanelQueryOptions {
  /** What the panel was opened with. */
  readonly form: QueryForm;
  readonly results: LogResults;
  readonly reader: RowReader;
  readonly onDidAsk: () => void;
  /** Of the network, or of what is known about the form. */
  readonly onDidChange: (what: 'network' | 'known') => void;
}

/** The form of a panel, the network that it asks, and the query that ran. */
export class PanelQuery {
  readonly network: PanelNetwork;
  readonly help: FormHelp;
  readonly #deps: PanelServices;
  readonly #options: PanelQueryOptions;
  readonly #disposables = new Disposables();
  #form: QueryForm;
  #problems: FormErrors = {};
  #asked: ExecutedPanelQuery | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: PanelServices, options: PanelQueryOptions) {
    const { results, onDidChange } = options;
    this.#deps = deps;
    this.#options = options;
    this.#form = options.form;
    this.network = this.#disposables.add(new PanelNetwork(deps));
    this.#disposables.add(
      this.network.onDidChange(() => {
        if (this.network.lost) results.leave();
        onDidChange('network');
      }),
    );
    const helpDeps = { ...deps, asked: this.network, l10n: vscode.l10n };
    this.help = this.#disposables.add(new FormHelp(helpDeps, () => onDidChange('known')));
  }

  /** Undefined before anything ran, and after the panel moved to another network. */
  get executed(): ExecutedPanelQuery | undefined {
    return this.#asked;
  }

  /** What ran; before that, what stands in the form, and whom it would be asked. */
  get current(): PanelQueryInput {
    return this.#asked ?? { form: this.help.parse(this.#form).form, network: this.network.network };
  }

  /** Settles when what was asked for last has come, failed or been cancelled. */
  get running(): Promise<void> {
    return this.#running;
  }

  /** As it was last given, and what keeps it from being asked. */
  get resolved(): ResolvedForm {
    return { form: this.#form, errors: this.#problems };
  }

  /** Begins the query, or says which fields keep it from it; has a network chosen first. */
  run(typed: QueryForm, portion: Portion = 'page'): ResolvedForm {
    const { form, errors, filter } = this.help.parse(typed);
    const { results, reader, onDidAsk } = this.#options;
    const { session } = this.#deps;
    this.#form = form;
    this.#problems = errors;
    if (filter && !session.isChosen)
      void session.choose().then((chosen) => chosen && this.run(typed, portion));
    else if (filter) {
      const { network, client } = this.network.pin();
      this.#asked = { network, client, filter, form };
      reader.queried = this.#asked;
      onDidAsk();
      this.#running = results.run(network, client, { filter, order: form.order, portion });
    }
    return this.resolved;
  }

  /** Goes on with what has failed; begins anew where the endpoint that failed is another one by now. */
  tryAgain(): void {
    if (this.network.lost && this.#asked) this.run(this.#asked.form);
    else void this.#options.results.tryAgain();
  }

  /** Asks `network` instead of the active one, if it is still there. */
  useNetwork({ id }: Pick<Network, 'id'>): void {
    this.network.pinById(id);
  }

  /** Moves to the active network. Rows of one network never stand under the name of another. */
  moveNetwork(chainId?: number): boolean {
    const { network } = this.#deps.session;
    const { results } = this.#options;
    if (chainId !== undefined && network.chainId !== chainId) return false;
    const isLeft = results.network && !isSameChain(results.network, network);
    this.network.move();
    if (isLeft) {
      this.#asked = undefined;
      results.clear('moved');
    }
    return true;
  }

  /** The query that the rows are of, in words; undefined before there are any. */
  describe(): QueryToDescribe | undefined {
    return (
      this.#options.results.network && this.#asked && this.#wordsOf(this.#asked.form, this.#asked.filter)
    );
  }

  /** After what ran; before that, after what the panel was opened with. */
  title(): { readonly title: string; readonly range: string } {
    const { form, filter } = this.#asked ?? { form: this.#form, filter: this.help.parse(this.#form).filter };
    const title = formatPanelTitle(filter && this.#wordsOf(form, filter), vscode.l10n);
    return { title, range: filter ? formatRangeTitle(filter, vscode.l10n) : '' };
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #wordsOf(form: QueryForm, filter: LogFilter): QueryToDescribe {
    const { results, reader } = this.#options;
    const { chainId } = this.#asked?.network ?? this.network.network;
    const nameOf = (address: Address) => this.#deps.meaning.nameOf(address, chainId);
    return { form, filter, event: reader.event(results.rows), nameOf };
  }
}
