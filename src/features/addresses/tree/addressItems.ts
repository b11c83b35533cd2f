import * as vscode from 'vscode';
import { type Network, shortAddress, toChecksumAddress } from '../../../core/index.ts';
import { valueAtHand } from '../../../host/loading/loadState.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import { elsewhereWords } from '../../../host/names/elsewhere.ts';
import { nameDetail } from '../../../host/names/nameWords.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { describeError } from '../../../host/words/describeError.ts';
import { failedRow, row, tokensOf } from '../../../host/words/treeRow.ts';
import type { BalanceStore } from '../balances/balanceStore.ts';
import { chainSource, nativeWords } from '../balances/figureWords.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { AddressGroup, AddressNode, NativeNode, TreeNode } from './addressNodes.ts';
import { holdingItem } from './holdingItems.ts';
import { nodeId } from './nodeId.ts';
import { noteItem } from './noteItems.ts';
import { watchedTokenItem } from './watchedTokenItem.ts';

interface ItemContext extends ChainDeps {
  readonly book: AddressBook;
  readonly balances: BalanceStore;
  readonly names: AddressNames;
}

/** How a row looks. */
export function addressItem(node: TreeNode, context: ItemContext): TreeRow {
  const { network } = context.session;
  switch (node.kind) {
    case 'group':
      return groupItem(node.group, context);
    case 'address':
      return { ...rowOfAddress(node, context), id: nodeId(node) };
    case 'native':
      return { ...rowOfNative(node, network), id: nodeId(node) };
    case 'watchedToken':
      return { ...watchedTokenItem(node, network), id: nodeId(node) };
    case 'note':
      return { ...noteItem(node, { network, price: context.balances.holdingsPrice }), id: nodeId(node) };
    default:
      return { ...holdingItem(node, network), id: nodeId(node) };
  }
}

function groupItem(group: AddressGroup, { book }: ItemContext): TreeRow {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  switch (group) {
    case 'watched':
      return {
        ...row(vscode.l10n.t('Watched'), 'eye', { description: String(book.watched.length) }),
        id: group,
        collapsibleState: Expanded,
      };
    case 'recent':
      return {
        ...row(vscode.l10n.t('Recent'), 'history', { description: String(book.recent.length) }),
        id: group,
        collapsibleState: Expanded,
      };
    case 'workspace':
      return {
        ...row(vscode.l10n.t('In This Workspace'), 'files'),
        id: group,
        collapsibleState: Collapsed,
      };
  }
}

function rowOfAddress(node: AddressNode, context: ItemContext): TreeRow {
  const { book, balances, names } = context;
  const { network } = context.session;
  const checksummed = toChecksumAddress(node.account);
  const name = names.nameOf(node.account, network.chainId);
  const away = name ? undefined : elsewhereWords(names.elsewhere(node.account, network.chainId), context);
  const watched = book.isWatched(node.account);
  const native = balances.native(node.account);
  const figure = valueAtHand(native);
  const balance = figure && nativeWords(figure, network);
  const failed = native.state === 'failed' && !figure ? vscode.l10n.t('balance not loaded') : undefined;
  const place = node.occurrence && placeWords(node.occurrence);
  const details = [name && shortAddress(checksummed), away, failed ?? balance, place].filter((part) => part);
  const tooltip = [
    ...[name && `${name.name} (${nameDetail(name)})`, checksummed, away],
    ...[balance, figure && chainSource(figure, network), place],
  ];
  return {
    ...row(name?.name ?? shortAddress(checksummed), 'account', {
      description: details.join(' · '),
      tooltip,
    }),
    tokens: tokensOf({
      address: true,
      watched,
      unwatched: !watched,
      explorer: network.explorerUrl !== undefined,
      placed: node.occurrence !== undefined,
      tokens: balances.holdingsAtHand(node.account) !== undefined,
      elsewhere: away !== undefined,
    }),
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
  };
}

function rowOfNative({ figure }: NativeNode, network: Network): TreeRow {
  const value = valueAtHand(figure);
  const failure =
    figure.state === 'failed' ? describeError(figure.error, { service: 'endpoint', network }) : undefined;
  if (!value) {
    return failure
      ? failedRow(vscode.l10n.t('Balance not loaded'), failure)
      : row(vscode.l10n.t('Native balance…'), 'loading~spin');
  }
  const source = chainSource(value, network);
  if (value.balance.state === 'unknown') {
    return row(vscode.l10n.t('No balance recorded'), 'question', {
      description: vscode.l10n.t('unknown to this explorer'),
      tooltip: [
        vscode.l10n.t(
          'The explorer has no balance on record for this address, as for one that was never used. That is not the same as zero.',
        ),
        source,
      ],
    });
  }
  const words = nativeWords(value, network);
  return {
    ...row(words, failure ? 'warning' : 'circle-large-filled', {
      description: failure ? vscode.l10n.t('native · not read again') : vscode.l10n.t('native'),
      tooltip: [words, source, failure?.message],
    }),
    tokens: tokensOf({ value: true, failed: failure !== undefined }),
  };
}

function placeWords({ uri, line }: NonNullable<AddressNode['occurrence']>): string {
  return `${vscode.workspace.asRelativePath(uri)}:${line + 1}`;
}
