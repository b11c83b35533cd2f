import * as vscode from 'vscode';
import { groupDigits, type Network, type TokenBalance, toChecksumAddress } from '../../../core/index.ts';
import { commandOf } from '../../../host/commands/commands.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { collectionName, holdingsSource, holdingWords, valueWords } from '../balances/figureWords.ts';
import { formatPrice, formatValue } from '../balances/money.ts';
import {
  type CollectionNode,
  type Fold,
  type FoldNode,
  type MoreNode,
  type NftNode,
  nodeId,
  type TokenNode,
  type TotalNode,
} from './addressNodes.ts';
import { foldCount, PAGE } from './holdingNodes.ts';
import { row } from './treeRow.ts';

/** How a row of what an address holds looks. */
export function holdingItem(
  node: TotalNode | FoldNode | TokenNode | CollectionNode | NftNode | MoreNode,
  network: Network,
): TreeRow {
  switch (node.kind) {
    case 'total':
      return totalItem(node, network);
    case 'fold':
      return foldItem(node);
    case 'token':
      return tokenItem(node, network);
    case 'collection':
      return collectionItem(node, network);
    case 'nft':
      return nftItem(node, network);
    case 'more':
      return moreItem(node);
  }
}

function totalItem({ source }: TotalNode, network: Network): TreeRow {
  const { l10n } = vscode;
  const { value, quoteCurrency, ...left } = source.holdings.portfolio.total;
  const leftOut = [
    left.withoutValue > 0 && l10n.t('{0} without a price', left.withoutValue),
    left.absurdPrice > 0 && l10n.t('{0} with a price not believable', left.absurdPrice),
    left.spam > 0 && l10n.t('{0} taken for spam', left.spam),
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
  stablecoins: 'circle-large',
  collections: 'layers',
  dust: 'circle-small',
  spam: 'circle-slash',
  spamCollections: 'circle-slash',
};

function foldItem(node: FoldNode): TreeRow {
  const { fold, source } = node;
  const { portfolio } = source.holdings;
  const count = groupDigits(foldCount(node));
  const priced = fold === 'stablecoins' || fold === 'dust';
  const value = priced ? sumOf(portfolio[fold], portfolio.total.quoteCurrency) : undefined;
  return {
    ...row(foldName(fold), foldIcons[fold], { description: value ? `${count} · ${value}` : count }),
    contextValue: 'fold',
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
  };
}

function foldName(fold: Fold): string {
  const { l10n } = vscode;
  switch (fold) {
    case 'stablecoins':
      return l10n.t('Stablecoins');
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

function tokenItem({ token, source, copyText, rawAmount }: TokenNode, network: Network): TreeRow {
  const { quoteCurrency } = source.holdings.balances;
  const words = holdingWords(token);
  const value = valueWords(token, quoteCurrency);
  const tooltip = [
    words,
    value,
    token.absurdPrice && absurdPriceWords(token, quoteCurrency),
    token.name,
    contractWords(token.contract),
    holdingsSource(source, network),
  ];
  return {
    ...row(words, token.absurdPrice ? 'warning' : 'circle-large', {
      description: value,
      tooltip,
    }),
    contextValue: [
      'token',
      ...(copyText === undefined ? [] : ['value']),
      ...(rawAmount === undefined ? [] : ['raw']),
      ...explorerMark(network),
    ].join(' '),
  };
}

function absurdPriceWords({ price }: TokenBalance, currency: string): string {
  return price === undefined
    ? vscode.l10n.t('The price from the data API is below zero or infinite. The total leaves it out.')
    : vscode.l10n.t(
        'The price from the data API is {0} each, which cannot be true. The total leaves it out.',
        formatPrice(price, currency),
      );
}

function collectionItem({ collection, source }: CollectionNode, network: Network): TreeRow {
  const { contract, amount, standard } = collection;
  const words = collectionName(collection);
  const description = [
    amount === undefined ? vscode.l10n.t('amount unknown') : groupDigits(amount),
    standard && standardNames[standard],
  ].join(' · ');
  return {
    ...row(words, 'layers', {
      description,
      tooltip: [words, description, contractWords(contract), holdingsSource(source, network)],
    }),
    contextValue: ['collection', ...explorerMark(network)].join(' '),
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
  };
}

const standardNames = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

function nftItem({ nft, parent }: NftNode, network: Network): TreeRow {
  const words = `#${nft.tokenId}`;
  const { name, standard } = parent.collection;
  const several = standard === 'erc1155' || (nft.amount !== undefined && nft.amount !== 1n);
  const amount =
    nft.amount === undefined
      ? vscode.l10n.t('amount unknown')
      : vscode.l10n.t('{0} held', groupDigits(nft.amount));
  const description = several ? amount : '';
  return {
    ...row(words, 'symbol-misc', {
      description,
      tooltip: [words, description, name, contractWords(parent.address)],
    }),
    contextValue: ['nft value', ...explorerMark(network)].join(' '),
    command: commandOf(
      'chainside.showNftTransfers',
      vscode.l10n.t('Show NFT Transfers…'),
      parent.address,
      nft.tokenId.toString(),
    ),
  };
}

function moreItem({ parent, remaining }: MoreNode): TreeRow {
  const title = vscode.l10n.t('Show {0} more…', Math.min(PAGE, remaining));
  return {
    ...row(title, 'ellipsis', { description: vscode.l10n.t('{0} not shown', groupDigits(remaining)) }),
    command: commandOf('chainside.showMoreHoldings', title, nodeId(parent)),
    contextValue: 'more',
  };
}

function contractWords(contract: TokenBalance['contract']): string {
  return vscode.l10n.t('Contract: {0}', toChecksumAddress(contract));
}

function explorerMark({ explorerUrl }: Network): readonly string[] {
  return explorerUrl === undefined ? [] : ['explorer'];
}
