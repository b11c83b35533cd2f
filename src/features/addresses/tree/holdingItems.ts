import * as vscode from 'vscode';
import {
  groupDigits,
  type Network,
  type TokenBalance,
  type TokenBalances,
  toChecksumAddress,
} from '../../../core/index.ts';
import { commandOf } from '../../../host/commands/commands.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { sourceName } from '../../../host/words/sourceName.ts';
import { row, tokensOf } from '../../../host/words/treeRow.ts';
import {
  collectionName,
  holdingsSource,
  holdingWords,
  shortHoldingWords,
  valueWords,
} from '../balances/figureWords.ts';
import { formatPrice } from '../balances/money.ts';
import type { CollectionNode, FoldNode, MoreNode, NftNode, TokenNode, TotalNode } from './addressNodes.ts';
import { foldItem, totalItem } from './foldItems.ts';
import { PAGE } from './heldNodes.ts';
import { nodeId } from './nodeId.ts';

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

function tokenItem({ token, source, copyText, rawAmount }: TokenNode, network: Network): TreeRow {
  const { balances } = source.holdings;
  const exact = holdingWords(token);
  const value = valueWords(token, balances.quoteCurrency);
  const tooltip = [
    exact,
    value,
    token.absurdPrice && absurdPriceWords(token, balances),
    token.name,
    contractWords(token.contract),
    holdingsSource(source, network),
  ];
  return {
    ...row(shortHoldingWords(token), token.absurdPrice ? 'warning' : 'circle-large', {
      description: value,
      tooltip,
    }),
    tokens: tokensOf({
      token: true,
      value: copyText !== undefined,
      raw: rawAmount !== undefined,
      explorer: hasExplorer(network),
    }),
  };
}

function absurdPriceWords({ price }: TokenBalance, { source, quoteCurrency }: TokenBalances): string {
  const from = sourceName(source, vscode.l10n);
  return price === undefined
    ? vscode.l10n.t('The price from {0} is below zero or infinite. The total leaves it out.', from)
    : vscode.l10n.t(
        'The price from {0} is {1} each, which cannot be true. The total leaves it out.',
        from,
        formatPrice(price, quoteCurrency),
      );
}

function collectionItem({ collection, source }: CollectionNode, network: Network): TreeRow {
  const { contract, amount, standard } = collection;
  const words = collectionName(collection);
  const description =
    amount === undefined
      ? vscode.l10n.t('amount unknown')
      : amount === 1n
        ? vscode.l10n.t('1 NFT')
        : vscode.l10n.t('{0} NFTs', groupDigits(amount));
  return {
    ...row(words, 'layers', {
      description,
      tooltip: [
        ...[words, description, standard && standardNames[standard], contractWords(contract)],
        holdingsSource(source, network),
      ],
    }),
    tokens: tokensOf({ collection: true, explorer: hasExplorer(network) }),
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
      tooltip: [words, description, name, contractWords(parent.contract)],
    }),
    tokens: tokensOf({ nft: true, value: true, explorer: hasExplorer(network) }),
    command: commandOf(
      'chainside.showNftTransfers',
      vscode.l10n.t('Show NFT Transfers…'),
      parent.contract,
      nft.tokenId.toString(),
    ),
  };
}

function moreItem({ parent, remaining }: MoreNode): TreeRow {
  const title = vscode.l10n.t('Show {0} more…', Math.min(PAGE, remaining));
  return {
    ...row(title, 'ellipsis', { description: vscode.l10n.t('{0} not shown', groupDigits(remaining)) }),
    command: commandOf('chainside.showMoreHoldings', title, nodeId(parent)),
  };
}

function contractWords(contract: TokenBalance['contract']): string {
  return vscode.l10n.t('Contract: {0}', toChecksumAddress(contract));
}

function hasExplorer({ explorerUrl }: Network): boolean {
  return explorerUrl !== undefined;
}
