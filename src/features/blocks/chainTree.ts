import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import type { Credits } from '../../host/session/credits.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingProblem } from '../../host/settings/settingFault.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import type { RowProvider, TreeRow } from '../../host/surface/tree.ts';
import { type ChainFacts, type Fact, facts, networkFacts } from './chainFacts.ts';
import { copyTextOf, factItem } from './chainItems.ts';
import { DataApiState } from './dataApiState.ts';
import { keyRemedies, problemItem } from './failureItems.ts';
import type { HeadStore } from './headStore.ts';
import { isUnusable } from './headWords.ts';
import { tellsSecret } from './secretRow.ts';

/** A row of the view. `copyText` is what *Copy Value* copies. */
export type ChainRow =
  | { readonly kind: 'fact'; readonly fact: Fact; readonly copyText: string | undefined }
  | { readonly kind: 'problem'; readonly problem: SettingProblem };

interface ChainTreeDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly head: HeadStore;
  readonly clock: Clock;
  readonly credits: Pick<Credits, 'of'>;
}

/**
 * The network with its latest block, what is wrong with its endpoint, and token data, drawn from the stores; problems of
 * the settings stand on top. Empty until a network is chosen: the view's welcome leads there.
 */
export class ChainTree implements RowProvider<ChainRow>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<ChainRow | undefined>());
  readonly #deps: ChainTreeDeps;
  /** The same object for the same row each time, as the editor knows a row by it. */
  readonly #rows = new Map<Fact, ChainRow>();
  readonly #dataApi: DataApiState;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: ChainTreeDeps) {
    this.#deps = deps;
    this.#disposables.add(deps.head.onDidChange(() => this.#changed.fire(undefined)));
    this.#disposables.add(deps.settings.onDidChange(() => this.#changed.fire(undefined)));
    this.#dataApi = this.#disposables.add(new DataApiState(deps.session));
    this.#disposables.add(this.#dataApi.onDidChange(() => this.#changed.fire(undefined)));
  }

  /** Draws the age of the block again. */
  tick(): void {
    // With the rows below it, which may say what is left of the credits.
    if (this.#deps.session.isChosen) this.#changed.fire(this.row('network'));
  }

  async getChildren(parent?: ChainRow): Promise<ChainRow[]> {
    if (parent !== undefined) return isNetwork(parent) ? this.#networkRows() : [];
    await this.#dataApi.ready();
    const { settings, session } = this.#deps;
    const problems = settings.problems.map((problem) => ({ kind: 'problem' as const, problem }));
    if (!session.isChosen) return problems.length === 0 ? [] : [...problems, this.row('choose')];
    return [...problems, ...this.#shownFacts().map((fact) => this.row(fact))];
  }

  getTreeItem(row: ChainRow): TreeRow {
    return row.kind === 'problem' ? problemItem(row.problem) : factItem(row.fact, this.#known);
  }

  getParent(row: ChainRow): ChainRow | undefined {
    const isBelow = row.kind === 'fact' && networkFacts.some((fact) => fact === row.fact);
    return isBelow ? this.row('network') : undefined;
  }

  /** The row of a fact. */
  row(fact: Fact): ChainRow {
    const known = this.#rows.get(fact);
    if (known) return known;
    const copyText = () => copyTextOf(fact, this.#known);
    const row: ChainRow = {
      kind: 'fact',
      fact,
      get copyText() {
        return copyText();
      },
    };
    this.#rows.set(fact, row);
    return row;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  get #known(): ChainFacts {
    return { ...this.#deps, dataApi: this.#dataApi.state, secret: this.#dataApi.secret };
  }

  /** Without what is not known yet: a server shows what it is with its first answer to a query. */
  #networkRows(): ChainRow[] {
    const known = this.#known;
    const shown = networkFacts.filter((fact) => {
      if (fact === 'secret') return tellsSecret(known);
      return fact === 'block' || copyTextOf(fact, known) !== undefined;
    });
    return shown.map((fact) => this.row(fact));
  }

  #shownFacts(): readonly Fact[] {
    const { state, otherChain } = this.#deps.head;
    const fails = isUnusable(state) || otherChain !== undefined;
    if (!fails) return ['network', 'tokenData'];
    const remedies = otherChain === undefined ? keyRemedies(this.#known).length : 0;
    return facts.filter((fact) => {
      if (fact === 'firstRemedy') return remedies > 0;
      return fact === 'secondRemedy' ? remedies > 1 : true;
    });
  }
}

function isNetwork(row: ChainRow): boolean {
  return row.kind === 'fact' && row.fact === 'network';
}
