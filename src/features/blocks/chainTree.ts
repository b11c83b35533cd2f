import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingProblem } from '../../host/settings/settingFault.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import type { RowProvider, TreeRow } from '../../host/surface/tree.ts';
import { type Fact, factItem, facts, problemItem } from './chainItems.ts';
import { DataApiState } from './dataApiState.ts';
import type { HeadStore } from './headStore.ts';

/** A row of the view. `copyText` is what *Copy Value* copies. */
export type ChainRow =
  | { readonly kind: 'fact'; readonly fact: Fact; readonly copyText: string | undefined }
  | { readonly kind: 'problem'; readonly problem: SettingProblem };

interface ChainTreeDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly head: HeadStore;
  readonly clock: Clock;
}

/** Network, latest block and health, drawn from the stores; problems of the settings stand on top. */
export class ChainTree implements RowProvider<ChainRow>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<ChainRow | undefined>());
  readonly #deps: ChainTreeDeps;
  readonly #facts: Readonly<Record<Fact, ChainRow>>;
  readonly #dataApi: DataApiState;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: ChainTreeDeps) {
    this.#deps = deps;
    this.#facts = this.#createFacts();
    this.#disposables.add(deps.head.onDidChange(() => this.#changed.fire(undefined)));
    this.#disposables.add(deps.settings.onDidChange(() => this.#changed.fire(undefined)));
    this.#dataApi = this.#disposables.add(new DataApiState(deps.session));
    this.#disposables.add(this.#dataApi.onDidChange(() => this.#changed.fire(undefined)));
  }

  /** Draws the age of the block again. */
  tick(): void {
    this.#changed.fire(this.#facts.block);
  }

  async getChildren(row?: ChainRow): Promise<ChainRow[]> {
    if (row !== undefined) return [];
    await this.#dataApi.ready();
    const problems = this.#deps.settings.problems.map((problem) => ({ kind: 'problem' as const, problem }));
    return [...problems, ...facts.map((fact) => this.#facts[fact])];
  }

  getTreeItem(row: ChainRow): TreeRow {
    return row.kind === 'problem'
      ? problemItem(row.problem)
      : factItem(row.fact, { ...this.#deps, dataApi: this.#dataApi.state });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #createFacts(): Readonly<Record<Fact, ChainRow>> {
    const { session, head } = this.#deps;
    const fact = (name: Fact, copyText: () => string | undefined): ChainRow => ({
      kind: 'fact',
      fact: name,
      get copyText() {
        return copyText();
      },
    });
    return {
      network: fact('network', () => session.network.name),
      chainId: fact('chainId', () => String(session.network.chainId)),
      block: fact('block', () => head.state.head?.block.toString()),
      health: fact('health', () => undefined),
      dataApi: fact('dataApi', () => undefined),
    };
  }
}
