import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  formatLocalTime,
  isTopic0List,
  type LogFilter,
  type Network,
  parseDeclaredEvent,
  parseQueryForm,
  type QueryDefinition,
  type QueryForm,
  splitList,
  splitValues,
} from '../../../core/index.ts';
import { createCommand } from '../../../host/commands.ts';
import { Disposables } from '../../../host/disposables.ts';
import { formatAge } from '../../../host/formatTime.ts';
import type { Language, Localizer } from '../../../host/l10n.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { Session } from '../../../host/session/session.ts';
import type { TreeRow, TreeRowProvider } from '../../../host/ui/tree.ts';
import { createRow, listRowTokens } from '../../../host/ui/treeItem.ts';
import {
  formatPanelTitle,
  formatRangeTitle,
  makeTitlesDistinct,
  type QueryToDescribe,
} from '../panel/queryTitle.ts';
import { isCompleteRun, type StoredRun, type StoredVerdict } from './queryHistory.ts';
import type { QueryStore, StoredQuery } from './queryStore.ts';

interface QueryGroupNode {
  readonly kind: 'group';
  readonly group: 'recent' | 'saved';
}

interface QueryNode {
  readonly kind: 'query';
  readonly group: QueryGroupNode;
  readonly query: StoredQuery;
}

export type QueriesNode = QueryGroupNode | QueryNode;

interface QueryTreeDeps {
  readonly queries: QueryStore;
  readonly session: Pick<Session, 'network' | 'onDidChange'>;
  readonly names: () => Promise<AddressNames>;
  readonly clock: Clock;
  readonly view: Pick<vscode.TreeView<QueriesNode>, 'visible' | 'onDidChangeVisibility'>;
}

/** The ages of visible rows are updated this often. */
const AGE_REFRESH_MS = 60_000;

/** The stored queries in two groups. Empty without queries: then the view shows its welcome text. */
export class QueryTree implements TreeRowProvider<QueriesNode>, vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<QueriesNode | undefined>());
  readonly #deps: QueryTreeDeps;
  /** Nodes that this tree created: a command argument may come from anywhere. */
  readonly #rows = new WeakSet<object>();
  #names: Promise<AddressNames> | undefined;
  #loadedNames: AddressNames | undefined;
  #ageTimer: AbortController | undefined;
  /** Undefined after a change. */
  #titles: ReadonlyMap<string, string> | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: QueryTreeDeps) {
    this.#deps = deps;
    const refresh = () => this.#refresh();
    this.#disposables.add(deps.queries.onDidChange(refresh));
    this.#disposables.add(deps.session.onDidChange(refresh));
    this.#disposables.add(
      deps.view.onDidChangeVisibility(({ visible }) => {
        if (visible) refresh();
        this.#scheduleAgeRefresh();
      }),
    );
    this.#scheduleAgeRefresh();
  }

  /** The query of a menu's node, or of an ID; undefined if it is not from this view. */
  findQuery(argument: unknown): StoredQuery | undefined {
    if (typeof argument === 'string') return this.#deps.queries.byId(argument);
    const isRow = typeof argument === 'object' && argument !== null && this.#rows.has(argument);
    const node = isRow ? (argument as QueriesNode) : undefined;
    // Its current state: the node may be older than a run.
    return node?.kind === 'query' ? (this.#deps.queries.byId(node.query.id) ?? node.query) : undefined;
  }

  /** The context for rows, and for quick picks of the same queries. */
  async createContext(): Promise<QueryRowContext> {
    await this.#loadNames();
    return this.#toContext();
  }

  getTreeItem(node: QueriesNode): TreeRow {
    return createNodeRow(node, this.#toContext());
  }

  async getChildren(node?: QueriesNode): Promise<QueriesNode[]> {
    const { queries } = this.#deps;
    await Promise.all([queries.ready, this.#loadNames()]);
    const children = node ? this.#listQueries(node) : this.#listGroups();
    for (const child of children) this.#rows.add(child);
    return children;
  }

  getParent(node: QueriesNode): QueriesNode | undefined {
    return node.kind === 'query' ? node.group : undefined;
  }

  dispose(): void {
    this.#ageTimer?.abort();
    this.#disposables.dispose();
  }

  #refresh(): void {
    this.#titles = undefined;
    this.#changed.fire(undefined);
  }

  #listGroups(): QueryGroupNode[] {
    const { saved, recent } = this.#deps.queries;
    return [
      ...(saved.length > 0 ? [{ kind: 'group', group: 'saved' } as const] : []),
      ...(recent.length > 0 ? [{ kind: 'group', group: 'recent' } as const] : []),
    ];
  }

  #listQueries(node: QueriesNode): QueriesNode[] {
    if (node.kind === 'query') return [];
    return this.#deps.queries[node.group].map((query) => ({ kind: 'query', group: node, query }));
  }

  #toContext(): QueryRowContext {
    const { queries, session, clock } = this.#deps;
    const names = this.#loadedNames ?? { nameOf: () => undefined };
    this.#titles ??= createQueryTitles([...queries.saved, ...queries.recent], names, vscode.l10n);
    const titles = this.#titles;
    return {
      names,
      titles,
      network: session.network,
      now: clock.now(),
      l10n: vscode.l10n,
      locale: vscode.env.language,
    };
  }

  /** Loads the address names with the first row. */
  async #loadNames(): Promise<void> {
    this.#names ??= this.#deps.names();
    const names = await this.#names;
    if (this.#loadedNames) return;
    this.#loadedNames = names;
    this.#titles = undefined;
    this.#disposables.add(names.onDidChange(() => this.#refresh()));
  }

  /** Updates ages periodically while the view is visible. */
  #scheduleAgeRefresh(): void {
    this.#ageTimer?.abort();
    const { view, clock } = this.#deps;
    if (!view.visible) return;
    const timer = new AbortController();
    this.#ageTimer = timer;
    const refreshAges = () => {
      this.#refresh();
      this.#scheduleAgeRefresh();
    };
    clock.sleep(AGE_REFRESH_MS, { signal: timer.signal }).then(refreshAges, () => undefined);
  }
}

/** A stable ID, so that the view keeps selection and expansion. */
export function getQueryNodeId(node: QueriesNode): string {
  return node.kind === 'group' ? node.group : `${node.group.group}/${node.query.id}`;
}

/** What rows are formatted with. */
export interface QueryRowContext extends Language {
  readonly names: ChainNames;
  /** By query ID. */
  readonly titles: ReadonlyMap<string, string>;
  /** The active one. */
  readonly network: Network;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
}

interface ChainNames {
  nameOf(address: Address, chainId: number): { readonly name: string } | undefined;
}

function createNodeRow(node: QueriesNode, context: QueryRowContext): TreeRow {
  const row = node.kind === 'group' ? createGroupRow(node, context) : createQueryRow(node, context);
  return { ...row, id: getQueryNodeId(node) };
}

function createGroupRow({ group }: QueryGroupNode, { l10n }: QueryRowContext): TreeRow {
  const isSaved = group === 'saved';
  return {
    ...createRow(isSaved ? l10n.t('Saved') : l10n.t('Recent'), isSaved ? 'bookmark' : 'history'),
    tokens: listRowTokens({ recentGroup: !isSaved }),
    collapsibleState: vscode.TreeItemCollapsibleState.Expanded,
  };
}

function createQueryRow({ query }: QueryNode, context: QueryRowContext): TreeRow {
  const { l10n, names } = context;
  const title = getQueryTitle(query, context);
  const { icon, color } = getRunIcon(query.last);
  const contentTitle = query.name === undefined ? [] : [formatContentTitle(query, names, l10n)];
  const row = createRow(title, icon, {
    description: formatQueryDescription(query, context),
    tooltip: [
      title,
      ...contentTitle,
      ...formatQueryLines(query, l10n),
      query.network.name,
      query.last && formatRunWithTime(query.last, context),
      query.earlier && l10n.t('Previous complete run: {0}', formatRunWithTime(query.earlier, context)),
    ],
  });
  return {
    ...row,
    ...(color && { iconPath: new vscode.ThemeIcon(icon, new vscode.ThemeColor(color)) }),
    tokens: listRowTokens({
      query: true,
      saved: query.name !== undefined,
      unsaved: query.name === undefined,
    }),
    command: createCommand('chainside.openQuery', l10n.t('Run Query'), query.id),
  };
}

/** Distinct among all stored queries. */
export function getQueryTitle({ id }: StoredQuery, { titles }: QueryRowContext): string {
  return titles.get(id) ?? '';
}

/** The last run, and the network if it is not the active one. */
export function formatQueryDescription(query: StoredQuery, context: QueryRowContext): string {
  const { last, network } = query;
  const isElsewhere = network.id !== context.network.id;
  return [
    last ? formatRunWithAge(last, context.now, context) : context.l10n.t('not run in this workspace'),
    ...(isElsewhere ? [network.name] : []),
  ].join(' · ');
}

function getRunIcon(last: StoredRun | undefined): { readonly icon: string; readonly color?: string } {
  if (!last) return { icon: 'circle-outline' };
  if (isCompleteRun(last)) return { icon: 'pass' };
  if (last.ended === 'failed') return { icon: 'error', color: 'list.errorForeground' };
  if (last.verdict?.state === 'uncertain') return { icon: 'warning', color: 'list.warningForeground' };
  return { icon: 'circle-large-outline' };
}

/** The number of logs and their state: `12,034 logs, complete to 21,000,000`. */
function formatRun(run: StoredRun, { l10n, locale }: Language): string {
  const { count, verdict, ended } = run;
  const logs = count === 1 ? l10n.t('1 log') : l10n.t('{0} logs', count.toLocaleString(locale));
  if (isCompleteRun(run) && verdict) {
    return l10n.t('{0}, complete to {1}', logs, BigInt(verdict.toBlock).toLocaleString(locale));
  }
  if (ended === 'cancelled') return verdict ? l10n.t('{0}, cancelled', logs) : l10n.t('cancelled');
  if (ended === 'failed') return verdict ? l10n.t('{0}, stopped by an error', logs) : l10n.t('failed');
  if (!verdict) return l10n.t('not finished');
  if (verdict.state === 'unreached') return formatUnreached(verdict, logs, { l10n, locale });
  return verdict.state === 'more' ? l10n.t('{0}, partial', logs) : l10n.t('{0}, may be incomplete', logs);
}

function formatUnreached(
  { reasons, toBlock }: StoredVerdict,
  logs: string,
  { l10n, locale }: Language,
): string {
  if (reasons.some(({ code }) => code === 'beyondHead')) return l10n.t('range not reached yet');
  return l10n.t('{0}, complete so far, to {1}', logs, BigInt(toBlock).toLocaleString(locale));
}

/** As {@link formatRun}, with the age. */
function formatRunWithAge(run: StoredRun, now: number, language: Language): string {
  return `${formatRun(run, language)} · ${formatAge(Math.max(0, now - run.at), vscode.l10n)}`;
}

/** As {@link formatRun}, with the time. */
function formatRunWithTime(run: StoredRun, language: Language): string {
  return `${formatRun(run, language)} · ${formatLocalTime(run.at)}`;
}

export function getQueryForm({ question }: Pick<StoredQuery, 'question'>): QueryForm {
  return question.query;
}

/**
 * Titles by query id: the name, or what the query requests with current address names, plus the block range
 * where titles would be equal.
 */
function createQueryTitles(
  queries: readonly StoredQuery[],
  names: ChainNames,
  l10n: Localizer,
): ReadonlyMap<string, string> {
  const titled = queries.map((query) => {
    const { filter } = getQueryFacts(query);
    const range = filter ? formatRangeTitle(filter, l10n) : '';
    return query.name === undefined
      ? { title: formatContentTitle(query, names, l10n), range }
      : { title: query.name, range: '' };
  });
  const titles = makeTitlesDistinct(titled);
  return new Map(queries.map(({ id }, place) => [id, titles[place] ?? '']));
}

/** For example *Vault Transfer*. */
export function formatContentTitle(
  query: Pick<StoredQuery, 'question'>,
  names: ChainNames,
  l10n: Localizer,
): string {
  const { form, filter, event } = getQueryFacts(query);
  const { chainId = 0 } = query.question;
  const nameOf = (address: Address) => names.nameOf(address, chainId)?.name;
  return formatPanelTitle(filter && { form, filter, event, nameOf }, l10n);
}

type QueryFacts = Pick<QueryToDescribe, 'event' | 'form'> & { readonly filter: LogFilter | undefined };

/** Computed once per query: the view renders often. */
const factsCache = new WeakMap<QueryDefinition, QueryFacts>();

function getQueryFacts(query: Pick<StoredQuery, 'question'>): QueryFacts {
  const facts = factsCache.get(query.question);
  if (facts) return facts;
  const form = getQueryForm(query);
  const found = { form, filter: parseQueryForm(form).filter, event: parseDeclaredEvent(form.event) };
  factsCache.set(query.question, found);
  return found;
}

/** The addresses, event, values and blocks of a query as typed, one line each. */
export function formatQueryLines(
  { question }: Pick<StoredQuery, 'question'>,
  l10n: Localizer,
): readonly string[] {
  const { address, event, args, fromBlock, toBlock, ...topics } = question.query;
  const values = Object.entries(args).filter(([, text]) => text !== '');
  return [
    ...listFirst(splitList(address)),
    ...(isTopic0List(event) ? listFirst(splitList(event)) : [event]),
    ...values.map(([name, text]) => `${name}: ${listFirst(splitValues(text)).join(', ')}`),
    ...([1, 2, 3] as const).flatMap((position) => {
      const texts = splitList(topics[`topic${position}`]);
      return texts.length > 0 ? [l10n.t('topic {0}: {1}', position, listFirst(texts).join(', '))] : [];
    }),
    fromBlock === '' && toBlock === ''
      ? ''
      : l10n.t('blocks {0} to {1}', fromBlock || '0', toBlock || l10n.t('latest')),
  ].filter((line) => line !== '');
}

/** The first few. */
function listFirst(texts: readonly string[]): readonly string[] {
  const MAX_LISTED = 5;
  return texts.length > MAX_LISTED ? [...texts.slice(0, MAX_LISTED), `+${texts.length - MAX_LISTED}`] : texts;
}
