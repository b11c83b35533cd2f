import * as vscode from 'vscode';
import { isAppError, type Network, shortAddress, toChecksumAddress } from '../../core/index.ts';
import { commandOf } from '../../host/commands.ts';
import { describeError, type ErrorDescription } from '../../host/describeError.ts';
import type { AddressBook } from './addressBook.ts';
import {
  type AddressGroup,
  type AddressNode,
  type NativeNode,
  type Note,
  type NoteNode,
  nodeId,
  type TokenNode,
  type TreeNode,
} from './addressNodes.ts';
import type { BalanceStore } from './balanceStore.ts';
import { nativeSource, nativeWords, tokensSource, tokenWords, valueWords } from './figureWords.ts';
import { figureAtHand } from './loadables.ts';
import { MOST_ADDRESSES } from './workspaceAddresses.ts';

export interface ItemContext {
  readonly network: Network;
  readonly book: AddressBook;
  readonly balances: BalanceStore;
}

/** How a row looks. */
export function addressItem(node: TreeNode, context: ItemContext): vscode.TreeItem {
  switch (node.kind) {
    case 'group':
      return groupItem(node.group, context);
    case 'address':
      return { ...rowOfAddress(node, context), id: nodeId(node) };
    case 'native':
      return { ...rowOfNative(node, context.network), id: nodeId(node) };
    case 'token':
      return { ...rowOfToken(node, context.network), id: nodeId(node) };
    case 'note':
      return { ...rowOfNote(node, context.network), id: nodeId(node) };
  }
}

function groupItem(group: AddressGroup, { book }: ItemContext): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  switch (group) {
    case 'watched':
      return {
        ...row(vscode.l10n.t('Watched'), 'eye', { description: String(book.watched.length) }),
        id: group,
        contextValue: 'group',
        collapsibleState: Expanded,
      };
    case 'recent':
      return {
        ...row(vscode.l10n.t('Recent'), 'history', { description: String(book.recent.length) }),
        id: group,
        contextValue: 'group',
        collapsibleState: Expanded,
      };
    case 'workspace':
      return {
        ...row(vscode.l10n.t('In This Workspace'), 'files'),
        id: group,
        contextValue: 'group',
        collapsibleState: Collapsed,
      };
  }
}

function rowOfAddress(node: AddressNode, { network, book, balances }: ItemContext): vscode.TreeItem {
  const checksummed = toChecksumAddress(node.address);
  const label = book.label(node.address);
  const native = balances.native(node.address);
  const figure = figureAtHand(native);
  const balance = figure && nativeWords(figure, network);
  const failed = native.state === 'failed' ? vscode.l10n.t('balance not loaded') : undefined;
  const place = node.occurrence && placeWords(node.occurrence);
  const details = [label && shortAddress(checksummed), failed ?? balance, place].filter((part) => part);
  const tooltip = [label, checksummed, balance, figure && nativeSource(figure, network), place];
  return {
    ...row(label ?? shortAddress(checksummed), 'account', {
      description: details.join(' · '),
      tooltip: tooltip.filter(Boolean).join('\n'),
    }),
    contextValue: [
      'address',
      book.isWatched(node.address) ? 'watched' : 'unwatched',
      ...(network.explorerUrl === undefined ? [] : ['explorer']),
    ].join(' '),
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
  };
}

function rowOfNative({ figure }: NativeNode, network: Network): vscode.TreeItem {
  const value = figureAtHand(figure);
  if (figure.state === 'failed') {
    const described = describeError(figure.error, { service: 'endpoint', network });
    return failedRow(vscode.l10n.t('Balance not loaded'), described);
  }
  if (!value) return row(vscode.l10n.t('Native balance…'), 'loading~spin');
  const source = nativeSource(value, network);
  if (value.balance.state === 'unknown') {
    return row(vscode.l10n.t('No balance recorded'), 'question', {
      description: vscode.l10n.t('unknown to this explorer'),
      tooltip: vscode.l10n.t(
        'The explorer has no balance on record for this address, as for one that was never used. That is not the same as zero.\n{0}',
        source,
      ),
    });
  }
  return {
    ...row(nativeWords(value, network), 'circle-large-filled', {
      description: vscode.l10n.t('native'),
      tooltip: `${nativeWords(value, network)}\n${source}`,
    }),
    contextValue: 'value',
  };
}

function rowOfToken({ token, source }: TokenNode, network: Network): vscode.TreeItem {
  const words = tokenWords(token);
  const value = valueWords(token, source.balances.quoteCurrency);
  const tooltip = [
    words,
    value,
    token.name,
    vscode.l10n.t('Contract: {0}', toChecksumAddress(token.contract)),
    tokensSource(source, network),
  ];
  return {
    ...row(words, 'circle-large', { description: value, tooltip: tooltip.filter(Boolean).join('\n') }),
    contextValue: 'token value',
  };
}

function rowOfNote({ content, parent }: NoteNode, network: Network): vscode.TreeItem {
  if (content.note !== 'tokensFailed') return noteRow(content);
  const described = describeError(content.error, { service: 'dataApi', network });
  const failed = failedRow(vscode.l10n.t('Tokens not loaded'), described);
  const keyAtFault = isAppError(content.error, 'unauthorized', 'forbidden', 'creditsUsedUp');
  const title = described.remedies[0]?.title ?? '';
  return keyAtFault && parent.kind === 'address'
    ? { ...failed, command: commandOf('chainside.setApiKey', title) }
    : failed;
}

function noteRow(content: Exclude<Note, { note: 'tokensFailed' }>): vscode.TreeItem {
  switch (content.note) {
    case 'tokensLoading':
      return row(vscode.l10n.t('Tokens…'), 'loading~spin');
    case 'noTokens':
      return row(vscode.l10n.t('No tokens'), 'circle-slash');
    case 'noKey': {
      const title = vscode.l10n.t('Set Data API Key…');
      return {
        ...row(vscode.l10n.t('Tokens: no key'), 'key', {
          description: title,
          tooltip: vscode.l10n.t('Token balances come from the data API, which asks for a key.'),
        }),
        command: commandOf('chainside.setApiKey', title),
      };
    }
    case 'notServed':
      return row(vscode.l10n.t('No token data'), 'circle-slash', {
        description: vscode.l10n.t('this network has no data API'),
      });
    case 'tokensSkipped':
      return row(vscode.l10n.t('{0} entries could not be read', content.count), 'warning', {
        description: vscode.l10n.t('they are missing above'),
      });
    case 'moreAddresses':
      return row(vscode.l10n.t('There are more'), 'warning', {
        description: vscode.l10n.t('the search ends at {0} addresses', MOST_ADDRESSES),
      });
    case 'moreFiles':
      return row(vscode.l10n.t('There may be more'), 'warning', {
        description: vscode.l10n.t('the workspace has more files than are searched'),
      });
    case 'noAddress':
      return row(vscode.l10n.t('No address found'), 'circle-slash');
  }
}

function failedRow(label: string, { reason, message }: ErrorDescription): vscode.TreeItem {
  const icon = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  return {
    ...row(label, 'error', { description: reason, tooltip: `${label}\n${message}` }),
    iconPath: icon,
    contextValue: 'failed',
  };
}

function row(
  label: string,
  icon: string,
  { description = '', tooltip }: { readonly description?: string; readonly tooltip?: string } = {},
): vscode.TreeItem {
  const text = description === '' ? label : `${label}, ${description}`;
  return {
    label,
    description,
    tooltip: tooltip ?? text,
    iconPath: new vscode.ThemeIcon(icon),
    accessibilityInformation: { label: text },
  };
}

function placeWords({ uri, line }: NonNullable<AddressNode['occurrence']>): string {
  return `${vscode.workspace.asRelativePath(uri)}:${line + 1}`;
}
