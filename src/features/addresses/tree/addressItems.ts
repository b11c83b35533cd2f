import * as vscode from 'vscode';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { row } from '../../../host/words/treeRow.ts';
import { factRow } from '../identity/factRow.ts';
import type { AddressGroup, TreeNode } from './addressNodes.ts';
import { type AddressRowContext, addressRow } from './addressRow.ts';
import { holdingItem } from './holdingItems.ts';
import { nativeItem } from './nativeItem.ts';
import { nodeId } from './nodeId.ts';
import { noteItem } from './noteItems.ts';
import { fileItem, placeItem } from './placedItems.ts';
import { watchedTokenItem } from './watchedTokenItem.ts';

/** How a row looks. */
export function addressItem(node: TreeNode, context: AddressRowContext): TreeRow {
  const { network } = context.session;
  switch (node.kind) {
    case 'group':
      return groupItem(node.group, context);
    case 'address':
      return { ...addressRow(node, context), id: nodeId(node) };
    case 'file':
      return { ...fileItem(node), id: nodeId(node) };
    case 'place':
      return { ...placeItem(node), id: nodeId(node) };
    case 'fact':
      return {
        ...factRow(node, { ...context, onTooltip: () => context.onTooltip(node.parent) }),
        id: nodeId(node),
      };
    case 'native':
      return { ...nativeItem(node, context), id: nodeId(node) };
    case 'watchedToken':
      return { ...watchedTokenItem(node, context), id: nodeId(node) };
    case 'note':
      return {
        ...noteItem(node, { ...context, network, price: context.balances.holdingsPrice }),
        id: nodeId(node),
      };
    default:
      return { ...holdingItem(node, network), id: nodeId(node) };
  }
}

function groupItem(group: AddressGroup, { book }: Pick<AddressRowContext, 'book'>): TreeRow {
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
