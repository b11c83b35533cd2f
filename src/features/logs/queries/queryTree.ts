import * as vscode from 'vscode';
import type { Clock } from '../../../core/index.ts';
import { Disposables } from '../../../host/disposables.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { Session } from '../../../host/session/session.ts';
import type { RowProvider, TreeRow } from '../../../host/surface/tree.ts';
import type { KeptQueries, KeptQuery } from '../kept/keptQueries.ts';
import { type GroupNode, type QueriesNode, type RowContext, rowOf } from './queryNodes.ts';
import { queryTitles } from './queryWords.ts';

/** After this long the ages of the rows in sight are told anew. */
const AGES_MS = 60_000;

interface QueryTreeDeps {
  readonly queries: KeptQueries;
  readonly session: Pick<Session, 'network' | 'onDidChange'>;
  readonly names: () => Promise<AddressNames>;
  readonly clock: Clock;
  readonly view: Pick<vscode.TreeView<QueriesNode>, 'visible' | 'onDidChangeVisibility'>;
}

/** The queries that are kept, in two groups. Empty where there are none: then the view says how to come by some. */
export class QueryTree implements RowProvider<QueriesNode>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<QueriesNode | undefined>());
  readonly #deps: QueryTreeDeps;
  /** Those handed out: what a menu hands over may come from anywhere. */
  readonly #rows = new WeakSet<object>();
  #names: Promise<AddressNames> | undefined;
  #known: AddressNames | undefined;
  #waiting: AbortController | undefined;
  /** Until something changes. */
  #titles: ReadonlyMap<string, string> | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: QueryTreeDeps) {
    this.#deps = deps;
    const tell = () => this.#tell();
    this.#disposables.add(deps.queries.onDidChange(tell));
    this.#disposables.add(deps.session.onDidChange(tell));
    this.#disposables.add(
      deps.view.onDidChangeVisibility(({ visible }) => {
        if (visible) tell();
        this.#tellAges();
      }),
    );
    this.#tellAges();
  }

  /** The query of the row that a menu handed over, or that has this id; undefined for what is none of this view. */
  queryOf(argument: unknown): KeptQuery | undefined {
    if (typeof argument === 'string') return this.#deps.queries.byId(argument);
    const isRow = typeof argument === 'object' && argument !== null && this.#rows.has(argument);
    const node = isRow ? (argument as QueriesNode) : undefined;
    // As it is now: a row may be older than a run.
    return node?.kind === 'query' ? (this.#deps.queries.byId(node.query.id) ?? node.query) : undefined;
  }

  /** What rows, and lists of the same, are worded with now. */
  async context(): Promise<RowContext> {
    await this.#loadNames();
    return this.#context();
  }

  getTreeItem(node: QueriesNode): TreeRow {
    return rowOf(node, this.#context());
  }

  async getChildren(node?: QueriesNode): Promise<QueriesNode[]> {
    const { queries } = this.#deps;
    await Promise.all([queries.ready, this.#loadNames()]);
    const children = node ? this.#inside(node) : this.#groups();
    for (const child of children) this.#rows.add(child);
    return children;
  }

  getParent(node: QueriesNode): QueriesNode | undefined {
    return node.kind === 'query' ? node.group : undefined;
  }

  dispose(): void {
    this.#waiting?.abort();
    this.#disposables.dispose();
  }

  #tell(): void {
    this.#titles = undefined;
    this.#changed.fire(undefined);
  }

  #groups(): GroupNode[] {
    const { saved, recent } = this.#deps.queries;
    return [
      ...(saved.length > 0 ? [{ kind: 'group', group: 'saved' } as const] : []),
      ...(recent.length > 0 ? [{ kind: 'group', group: 'recent' } as const] : []),
    ];
  }

  #inside(node: QueriesNode): QueriesNode[] {
    if (node.kind === 'query') return [];
    return this.#deps.queries[node.group].map((query) => ({ kind: 'query', group: node, query }));
  }

  #context(): RowContext {
    const { queries, session, clock } = this.#deps;
    const names = this.#known ?? { nameOf: () => undefined };
    this.#titles ??= queryTitles([...queries.saved, ...queries.recent], names, vscode.l10n);
    const titles = this.#titles;
    return {
      ...{ names, titles, network: session.network, now: clock.now() },
      ...{ l10n: vscode.l10n, locale: vscode.env.language },
    };
  }

  /** What addresses are called is loaded with the first row. */
  async #loadNames(): Promise<void> {
    this.#names ??= this.#deps.names();
    const names = await this.#names;
    if (this.#known) return;
    this.#known = names;
    this.#titles = undefined;
    this.#disposables.add(names.onDidChange(() => this.#tell()));
  }

  /** From now on, while the view is in sight. */
  #tellAges(): void {
    this.#waiting?.abort();
    const { view, clock } = this.#deps;
    if (!view.visible) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    const over = () => {
      this.#tell();
      this.#tellAges();
    };
    clock.sleep(AGES_MS, { signal: waiting.signal }).then(over, () => undefined);
  }
}
