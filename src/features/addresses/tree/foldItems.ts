import * as vscode from 'vscode';
import { groupDigits, type Network, type TokenBalance } from '../../../core/index.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { row } from '../../../host/words/treeRow.ts';
import { holdingsSource } from '../balances/figureWords.ts';
import { formatValue } from '../balances/money.ts';
import type { Fold, FoldNode, TotalNode } from './addressNodes.ts';
import { foldCount } from './holdingNodes.ts';

/** What the holdings of an address are worth together, and what that leaves out. */
export function totalItem({ source }: TotalNode, network: Network): TreeRow {
  const { l10n } = vscode;
  const { value, quoteCurrency, ...left } = source.holdings.portfolio.total;
  const leftOut = [
    left.withoutValue > 0 && l10n.t('{0} without a price', left.withoutValue),
    left.absurdPrice > 0 && l10n.t('{0} with a price not believable', left.absurdPrice),
    left.nftCollections > 0 && l10n.t('NFTs'),
  ].filter((words) => words !== false);
  const words =
    value === undefined
      ? l10n.t('Total not known')
      : l10n.t('{0} in total', formatValue(value, quoteCurrency));
  const without = leftOut.length > 0 ? l10n.t('not counted: {0}', leftOut.join(', ')) : '';
  return row(words, 'graph', {
    description: without,
    tooltip: [words, without, holdingsSource(source, network)],
  });
}

const foldIcons: Readonly<Record<Fold, string>> = {
  collections: 'layers',
  dust: 'circle-small',
  spam: 'circle-slash',
  spamCollections: 'circle-slash',
};

/** A group of holdings, with their number and what they are worth. */
export function foldItem(node: FoldNode): TreeRow {
  const { fold, source } = node;
  const { portfolio } = source.holdings;
  const count = groupDigits(foldCount(node));
  const value = fold === 'dust' ? sumOf(portfolio[fold], portfolio.total.quoteCurrency) : undefined;
  return {
    ...row(foldName(fold), foldIcons[fold], { description: value ? `${count} · ${value}` : count }),
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
  };
}

function foldName(fold: Fold): string {
  const { l10n } = vscode;
  switch (fold) {
    case 'collections':
      return l10n.t('NFT Collections');
    case 'dust':
      return l10n.t('Dust');
    case 'spam':
      return l10n.t('Spam');
    case 'spamCollections':
      return l10n.t('Spam NFT Collections');
  }
}

/** What is believed of the values of `tokens`, added up; undefined where nothing is. */
function sumOf(tokens: readonly TokenBalance[], currency: string): string | undefined {
  const values = tokens.filter((token) => !token.absurdPrice).flatMap(({ value }) => value ?? []);
  if (values.length === 0) return undefined;
  return formatValue(
    values.reduce((sum, value) => sum + value),
    currency,
  );
}
