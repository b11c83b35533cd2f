import * as vscode from 'vscode';
import type { Address, LogFilter, Network, QueryForm } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import { isSameChain } from '../../../host/session/sameChain.ts';
import type { RowReader } from '../decoded/rowReader.ts';
import { FormHelp } from '../form/formHelp.ts';
import type { PanelQuestion } from '../kept/panelRuns.ts';
import type { SettledForm } from '../protocol/formHelp.ts';
import type { FormProblems } from '../protocol/queryForm.ts';
import type { LogResults } from '../results/logResults.ts';
import type { Portion } from '../results/portions.ts';
import type { AskedQuery } from '../words/askedFor.ts';
import { panelTitle, rangeTitle } from '../words/panelTitle.ts';
import type { OpenedDeps } from './deps.ts';
import { type Endpoint, PanelNetwork } from './panelNetwork.ts';

/** What ran: of it are the rows, whatever stands in the form by now. */
interface Asked extends Endpoint {
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
  readonly #deps: OpenedDeps;
  readonly #options: PanelQueryOptions;
  readonly #disposables = new Disposables();
  #form: QueryForm;
  #problems: FormProblems = {};
  #asked: Asked | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: OpenedDeps, options: PanelQueryOptions) {
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
  get asked(): Asked | undefined {
    return this.#asked;
  }

  /** What ran; before that, what stands in the form, and whom it would be asked. */
  get question(): PanelQuestion {
    return this.#asked ?? { form: this.help.read(this.#form).form, network: this.network.network };
  }

  /** Settles when what was asked for last has come, failed or been cancelled. */
  get running(): Promise<void> {
    return this.#running;
  }

  /** As it was last given, and what keeps it from being asked. */
  get settled(): SettledForm {
    return { form: this.#form, problems: this.#problems };
  }

  /** Begins the query, or says which fields keep it from it; has a network chosen first. */
  run(typed: QueryForm, portion: Portion = 'page'): SettledForm {
    const { form, problems, filter } = this.help.read(typed);
    const { results, reader, onDidAsk } = this.#options;
    const { session } = this.#deps;
    this.#form = form;
    this.#problems = problems;
    if (filter && !session.isChosen)
      void session.choose().then((chosen) => chosen && this.run(typed, portion));
    else if (filter) {
      const { network, client } = this.network.keep();
      this.#asked = { network, client, filter, form };
      reader.asked = this.#asked;
      onDidAsk();
      this.#running = results.run(network, client, { filter, order: form.order, portion });
    }
    return this.settled;
  }

  /** Goes on with what has failed; begins anew where the endpoint that failed is another one by now. */
  tryAgain(): void {
    if (this.network.lost && this.#asked) this.run(this.#asked.form);
    else void this.#options.results.tryAgain();
  }

  /** Asks `network` instead of the active one, if it is still there. */
  ask({ id }: Pick<Network, 'id'>): void {
    this.network.keepKnown(id);
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
  words(): AskedQuery | undefined {
    return (
      this.#options.results.network && this.#asked && this.#wordsOf(this.#asked.form, this.#asked.filter)
    );
  }

  /** After what ran; before that, after what the panel was opened with. */
  title(): { readonly title: string; readonly range: string } {
    const { form, filter } = this.#asked ?? { form: this.#form, filter: this.help.read(this.#form).filter };
    const title = panelTitle(filter && this.#wordsOf(form, filter), vscode.l10n);
    return { title, range: filter ? rangeTitle(filter, vscode.l10n) : '' };
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #wordsOf(form: QueryForm, filter: LogFilter): AskedQuery {
    const { results, reader } = this.#options;
    const { chainId } = this.#asked?.network ?? this.network.network;
    const nameOf = (address: Address) => this.#deps.meaning.nameOf(address, chainId);
    return { form, filter, event: reader.event(results.rows), nameOf };
  }
}
