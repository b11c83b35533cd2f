import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  formatShortAddress,
  type Identity,
  isNftContract,
  type Network,
  toChecksumAddress,
} from '../../../core/index.ts';
import { createCommand } from '../../../host/commands.ts';
import { describeError } from '../../../host/errors.ts';
import { getFileName } from '../../../host/files/fileNames.ts';
import { idleState } from '../../../host/loading.ts';
import { isMissingDeployment } from '../../../host/names/addressName.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import { formatNameDetail } from '../../../host/names/addressPicker.ts';
import type { FileLocation } from '../../../host/rowArguments.ts';
import {
  type ChainDeps,
  formatOtherChains,
  offersHistory,
  offersKeyedHistory,
} from '../../../host/session/chains.ts';
import type { TreeRow } from '../../../host/ui/tree.ts';
import { createRow, listRowTokens } from '../../../host/ui/treeItem.ts';
import type { Line } from '../../../host/ui/untrustedText.ts';
import type { AddressBook } from '../addressBook.ts';
import type { BalanceStore } from '../balances/balanceStore.ts';
import type { AddressIdentityCache } from '../identityCache.ts';
import {
  formatIdentityOrigin,
  formatShortIdentity,
  formatUnknownIdentity,
  type IdentityFact,
} from '../identityFacts.ts';
import type { WatchedValues } from '../values/watchedValues.ts';
import {
  type AddressGroupNode,
  type AddressNode,
  type AddressTreeNode,
  getAddressNodeId,
  type PlaceNode,
  type ValueGroupNode,
} from './addressNodes.ts';
import {
  type BalanceRowContext,
  createHoldingRow,
  createNativeRow,
  createWatchedTokenRow,
  getBalanceDisplay,
  type ShownBalance,
} from './holdingItems.ts';
import { createNoteRow } from './noteItems.ts';
import { createValueRow } from './valueItems.ts';

interface AddressRowContext extends ChainDeps, BalanceRowContext {
  readonly book: AddressBook;
  readonly balances: BalanceStore;
  readonly identities: AddressIdentityCache;
  readonly names: AddressNames;
  readonly values: Pick<WatchedValues, 'list'>;
  /** Whether the row is expanded when it first appears. */
  startsUnfolded(row: AddressNode): boolean;
}

export function createNodeRow(node: AddressTreeNode, context: AddressRowContext): TreeRow {
  const { network } = context.session;
  const nameOf = (address: Address) => context.names.nameOf(address, network.chainId)?.name;
  switch (node.kind) {
    case 'group':
      return createGroupRow(node.group, context);
    case 'value':
      return { ...createValueRow(node, { ...context, nameOf }), id: getAddressNodeId(node) };
    case 'address':
      return { ...createAddressRow(node, context), id: getAddressNodeId(node) };
    case 'place':
      return { ...createOccurrenceRow(node), id: getAddressNodeId(node) };
    case 'fact':
      return {
        ...createIdentityFactRow(node, { ...context, onTooltip: () => context.onTooltip(node.parent) }),
        id: getAddressNodeId(node),
      };
    case 'native':
      return { ...createNativeRow(node, context), id: getAddressNodeId(node) };
    case 'watchedToken':
      return { ...createWatchedTokenRow(node, context), id: getAddressNodeId(node) };
    case 'note':
      return {
        ...createNoteRow(node, { ...context, network, price: context.balances.holdingsPrice }),
        id: getAddressNodeId(node),
      };
    default:
      return {
        ...createHoldingRow(node, network, nameOf),
        id: getAddressNodeId(node),
      };
  }
}

function createGroupRow(
  group: (AddressGroupNode | ValueGroupNode)['group'],
  { book, values }: Pick<AddressRowContext, 'book' | 'values'>,
): TreeRow {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  switch (group) {
    case 'values':
      return {
        ...createRow(vscode.l10n.t('Watched Values'), 'eye', { description: String(values.list.length) }),
        id: group,
        collapsibleState: Expanded,
      };
    case 'watched':
      return {
        ...createRow(vscode.l10n.t('Watched'), 'eye', { description: String(book.watched.length) }),
        id: group,
        collapsibleState: Expanded,
      };
    case 'recent':
      return {
        ...createRow(vscode.l10n.t('Recent'), 'history', { description: String(book.recent.length) }),
        id: group,
        collapsibleState: Expanded,
      };
    case 'workspace':
      return {
        ...createRow(vscode.l10n.t('In This Workspace'), 'files'),
        id: group,
        collapsibleState: Collapsed,
      };
  }
}

interface ShownFact {
  readonly fact: IdentityFact;
  readonly identity: Identity;
}

/** A click on a fact about another address looks that one up. */
function createIdentityFactRow(
  { fact, identity }: ShownFact,
  { clock, onTooltip }: { readonly clock: Pick<Clock, 'now'>; readonly onTooltip: () => void },
): TreeRow {
  const { label, detail, icon, subject, isWarning } = fact;
  const checksummed = subject && toChecksumAddress(subject);
  return {
    ...createRow(label, icon, {
      description: detail,
      tooltip: () => {
        onTooltip();
        return [
          detail === '' ? label : `${label}: ${detail}`,
          checksummed,
          formatIdentityOrigin(identity, clock),
        ];
      },
    }),
    ...(isWarning && {
      iconPath: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
    }),
    ...(checksummed && {
      command: createCommand('chainside.lookUpAddress', vscode.l10n.t('Look Up'), checksummed),
    }),
  };
}

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** The name, its balance right after it, the short address if a name is shown, and last its place in a file. */
function createAddressRow(node: AddressNode, context: AddressRowContext): TreeRow {
  const { book, balances, names, clock } = context;
  const { account } = node;
  const { network, isChosen } = context.session;
  const checksummed = toChecksumAddress(account);
  const name = names.nameOf(account, network.chainId);
  const otherChains = name
    ? undefined
    : formatOtherChains(names.elsewhere(account, network.chainId), context);
  const watched = book.isWatched(account);
  const balance = {
    figure: isChosen ? balances.native(account) : idleState,
    change: balances.nativeChange(account),
  };
  const display = getBalanceDisplay(balance, network, clock);
  const identity = isChosen ? context.identities.get(account) : undefined;
  const kind = describeKind(account, context, identity);
  const placeParts = getOccurrenceParts(node);
  const short = formatShortAddress(checksummed);
  const label = name?.name ?? node.occurrence?.name ?? short;
  const missing = isMissingDeployment(identity, names.namesOf(account, network.chainId))
    ? vscode.l10n.t('not on this node')
    : undefined;
  const extras = [label === short ? undefined : short, otherChains, missing].filter(
    (part) => part !== undefined,
  );
  // An empty contract is the normal case: show its kind instead of a zero.
  const shortIdentity = identity && formatShortIdentity(identity);
  const isEmpty = identity?.kind === 'contract' && isPlainZero(balance);
  const joinDescription = (balanceText: string) => {
    const figure = balanceText === '' || isEmpty ? [] : [balanceText];
    return [
      ...(shortIdentity === undefined ? [] : [shortIdentity]),
      ...figure,
      ...extras,
      ...placeParts.description,
    ];
  };
  return {
    ...createRow(label, kind.icon, {
      description: joinDescription(display.text).join(' · '),
      tooltip: () => {
        context.onTooltip(node);
        return [
          name && `${name.name} (${formatNameDetail(name)})`,
          checksummed,
          name?.provider === 'deployment' && shortIdentity === undefined ? undefined : kind.label,
          otherChains,
          identity && formatUnknownIdentity(identity),
          identity ? undefined : formatIdentityError(context.identities.errorOf(account), network),
          ...display.tooltip(),
          ...placeParts.tooltip,
        ];
      },
    }),
    iconPath: display.icon(kind.icon),
    accessibleLabel: [
      label,
      kind.label === shortIdentity ? undefined : kind.label,
      ...joinDescription(display.accessibleText),
    ]
      .filter((part) => part !== undefined)
      .join(', '),
    tokens: listRowTokens({
      address: true,
      watched,
      unwatched: !watched,
      explorer: network.explorerUrl !== undefined,
      placed: node.occurrence !== undefined,
      tokens: balances.availableHoldings(account) !== undefined,
      history: offersHistory(network),
      keyedHistory: offersKeyedHistory(network),
      nftContract: identity !== undefined && isNftContract(identity),
      elsewhere: otherChains !== undefined,
    }),
    ...(placeParts.command && { command: placeParts.command }),
    collapsibleState: context.startsUnfolded(node) ? Expanded : Collapsed,
  };
}

function formatIdentityError(error: unknown, network: Network): string | undefined {
  if (error === undefined) return undefined;
  const { message } = describeError(error, { service: 'endpoint', network });
  return vscode.l10n.t('Address type unknown. {0}', message);
}

/** Zero, and not changed a moment ago. */
function isPlainZero({ figure, change }: ShownBalance): boolean {
  if (figure.state !== 'loaded' || change !== undefined) return false;
  const { balance } = figure.value;
  return balance.state === 'known' && balance.wei === 0n;
}

/** An icon by what is loaded, and a label where that says more than the icon. */
function describeKind(
  account: Address,
  { book, names, session }: AddressRowContext,
  identity: Identity | undefined,
): { readonly icon: string; readonly label?: string } {
  if (book.tokens.includes(account)) return { icon: 'circle-large', label: vscode.l10n.t('watched token') };
  const label = identity && formatShortIdentity(identity);
  if (label !== undefined) return { icon: identity?.kind === 'contract' ? 'symbol-class' : 'account', label };
  if (identity?.kind === 'account') return { icon: 'account' };
  const isDeployed = names
    .namesOf(account, session.network.chainId)
    .some(({ provider }) => provider === 'deployment');
  return isDeployed ? { icon: 'symbol-class', label: vscode.l10n.t('contract') } : { icon: 'account' };
}

const MAX_TOOLTIP_OCCURRENCES = 8;

/** A click opens the file there. */
function createOccurrenceRow({ occurrence }: PlaceNode): TreeRow {
  return {
    ...createRow(formatPlace(occurrence), 'go-to-file', { tooltip: [formatPath(occurrence)] }),
    tokens: listRowTokens({ placed: true }),
    command: createOpenCommand(occurrence),
  };
}

/**
 * Parts of the row of an address in the workspace: its place, its places in the tooltip, a click that
 * opens the file.
 */
function getOccurrenceParts({ occurrence, places = [] }: AddressNode): {
  readonly description: readonly string[];
  readonly tooltip: readonly Line[];
  readonly command?: vscode.Command;
} {
  if (!occurrence) return { description: [], tooltip: [] };
  const count = places.length > 1 ? [vscode.l10n.t('{0} places', places.length)] : [];
  const shownPlaces = places.slice(0, MAX_TOOLTIP_OCCURRENCES).map(formatPath);
  const left = places.length - MAX_TOOLTIP_OCCURRENCES;
  const leftText = left === 1 ? vscode.l10n.t('1 more place') : vscode.l10n.t('{0} more places', left);
  const more = left > 0 ? [leftText] : [];
  return {
    description: [formatPlace(occurrence), ...count],
    tooltip: places.length > 0 ? [...shownPlaces, ...more] : [formatPath(occurrence)],
    command: createOpenCommand(occurrence),
  };
}

function createOpenCommand(occurrence: FileLocation): vscode.Command {
  return createCommand('chainside.goToPlace', vscode.l10n.t('Go to File'), { occurrence });
}

/** `Clones.sol:124` */
function formatPlace({ uri, line }: FileLocation): string {
  return `${getFileName(uri)}:${line + 1}`;
}

function formatPath({ uri, line }: FileLocation): string {
  return `${vscode.workspace.asRelativePath(uri)}:${line + 1}`;
}
