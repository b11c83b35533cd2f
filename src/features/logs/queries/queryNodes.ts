import * as vscode from 'vscode';
import type { Network } from '../../../core/index.ts';
import { commandOf } from '../../../host/commands/commands.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import type { Language } from '../../../host/words/localizer.ts';
import { row, tokensOf } from '../../../host/words/treeRow.ts';
import type { KeptQuery } from '../kept/keptQueries.ts';
import { isWhole, type KeptRun } from '../kept/keptRun.ts';
import { agedRunWords, timedRunWords } from '../kept/runWords.ts';
import { askedTitle, type ChainNames, queryLines } from './queryWords.ts';

export interface GroupNode {
  readonly kind: 'group';
  readonly group: 'recent' | 'saved';
}

export interface QueryNode {
  readonly kind: 'query';
  readonly group: GroupNode;
  readonly query: KeptQuery;
}

export type QueriesNode = GroupNode | QueryNode;

/** An id that stays the same for what is the same row, so that the view keeps selection and expansion. */
export function nodeId(node: QueriesNode): string {
  return node.kind === 'group' ? node.group : `${node.group.group}/${node.query.id}`;
}

/** What rows are worded with. */
export interface RowContext extends Language {
  readonly names: ChainNames;
  /** By their ids. */
  readonly titles: ReadonlyMap<string, string>;
  /** The active one. */
  readonly network: Network;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
}

export function rowOf(node: QueriesNode, context: RowContext): TreeRow {
  const row = node.kind === 'group' ? rowOfGroup(node, context) : rowOfQuery(node, context);
  return { ...row, id: nodeId(node) };
}

function rowOfGroup({ group }: GroupNode, { l10n }: RowContext): TreeRow {
  const isSaved = group === 'saved';
  return {
    ...row(isSaved ? l10n.t('Saved') : l10n.t('Recent'), isSaved ? 'bookmark' : 'history'),
    tokens: tokensOf({ recentGroup: !isSaved }),
    collapsibleState: vscode.TreeItemCollapsibleState.Expanded,
  };
}

function rowOfQuery({ query }: QueryNode, context: RowContext): TreeRow {
  const { l10n, names } = context;
  const title = titleOf(query, context);
  const { icon, color } = lookOf(query.last);
  const asked = query.name === undefined ? [] : [askedTitle(query, names, l10n)];
  const words = row(title, icon, {
    description: descriptionOf(query, context),
    tooltip: [
      title,
      ...asked,
      ...queryLines(query, l10n),
      query.network.name,
      query.last && timedRunWords(query.last, context),
      query.earlier && l10n.t('Before: {0}', timedRunWords(query.earlier, context)),
    ],
  });
  return {
    ...words,
    ...(color && { iconPath: new vscode.ThemeIcon(icon, new vscode.ThemeColor(color)) }),
    tokens: tokensOf({
      query: true,
      saved: query.name !== undefined,
      unsaved: query.name === undefined,
      ran: [query.last, query.earlier].some((run) => run && isWhole(run)),
    }),
    command: commandOf('chainside.openQuery', l10n.t('Run Query'), query.id),
  };
}

/** As it is told from all others. */
export function titleOf({ id }: KeptQuery, { titles }: RowContext): string {
  return titles.get(id) ?? '';
}

/** What came of it, and of which network, where that is not the active one. */
export function descriptionOf(query: KeptQuery, context: RowContext): string {
  const { last, network } = query;
  const isElsewhere = network.id !== context.network.id;
  return [
    last ? agedRunWords(last, context.now, context) : context.l10n.t('not run in this workspace'),
    ...(isElsewhere ? [network.name] : []),
  ].join(' · ');
}

function lookOf(last: KeptRun | undefined): { readonly icon: string; readonly color?: string } {
  if (!last) return { icon: 'circle-outline' };
  if (isWhole(last)) return { icon: 'pass' };
  if (last.ended === 'failed') return { icon: 'error', color: 'list.errorForeground' };
  if (last.verdict?.state === 'uncertain') return { icon: 'warning', color: 'list.warningForeground' };
  return { icon: 'circle-large-outline' };
}
