import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  formatShortAddress,
  formatShortUnits,
  formatUnitsGrouped,
  groupDigits,
  type Network,
  type TokenBalance,
  type TokenBalances,
  toChecksumAddress,
} from '../../../core/index.ts';
import { createCommand } from '../../../host/commands.ts';
import { describeError, type ErrorDescription } from '../../../host/errors.ts';
import { formatProviderName } from '../../../host/formatting.ts';
import { getAvailableValue, type LoadState } from '../../../host/loading.ts';
import { formatNumber } from '../../../host/numbers.ts';
import type { Session } from '../../../host/session/session.ts';
import type { TreeRow } from '../../../host/ui/tree.ts';
import { createErrorRow, createPlainIcon, createRow, listRowTokens } from '../../../host/ui/treeItem.ts';
import type { NativeBalanceRead } from '../balances/balanceReader.ts';
import {
  formatBalanceAge,
  formatBalanceOrigin,
  formatChange,
  formatHolding,
  formatHoldingsOrigin,
  formatHoldingValue,
  formatLastRead,
  formatNative,
  formatPrice,
  formatShortHolding,
  formatShortNative,
  formatSmallestUnit,
  formatSpokenChange,
  formatValue,
  getCollectionName,
} from '../balances/formatBalance.ts';
import {
  type AddressNode,
  type CollectionNode,
  type Fold,
  type FoldNode,
  getAddressNodeId,
  type MoreHoldingsNode,
  type NativeNode,
  type NftNode,
  type TokenNode,
  type TotalNode,
  type ValueGroupNode,
  type WatchedTokenNode,
} from './addressNodes.ts';
import { countFold, PAGE_SIZE } from './holdingNodes.ts';

/** How a native balance is shown in the row of its address; zero, unknown, outdated and failed differ. */
interface BalanceDisplay {
  /** Empty before the first request. */
  readonly text: string;
  readonly accessibleText: string;
  /** Changes the icon of the row on a warning, an error or a recent change. */
  readonly icon: (ofKind: string) => vscode.ThemeIcon;
  readonly tooltip: () => readonly (string | undefined)[];
}

export interface ShownBalance {
  readonly figure: LoadState<NativeBalanceRead>;
  /** In wei, if it changed a moment ago. */
  readonly change: bigint | undefined;
}

export function getBalanceDisplay(
  { figure, change }: ShownBalance,
  network: Network,
  clock: Pick<Clock, 'now'>,
): BalanceDisplay {
  const value = getAvailableValue(figure);
  const failure =
    figure.state === 'failed' ? describeError(figure.error, { service: 'endpoint', network }) : undefined;
  if (!value)
    return failure ? createErrorDisplay(failure) : createPlainDisplay(figure.state === 'loading' ? '…' : '');
  const { l10n } = vscode;
  const shortBalance = formatShortNative(value, network);
  const tooltip = () => [
    value.balance.state === 'unknown' ? formatUnknownBalance() : formatNative(value, network),
    formatSmallestUnit(value, network),
    formatBalanceOrigin(value, network, clock),
    failure && l10n.t('Could not refresh: {0}', failure.message),
  ];
  if (failure) {
    return {
      text: `${shortBalance} · ${formatBalanceAge(value, clock)}`,
      accessibleText: `${shortBalance}, ${formatLastRead(value, clock)}`,
      icon: () => createColoredIcon('warning', 'list.warningForeground'),
      tooltip,
    };
  }
  if (value.balance.state === 'unknown') {
    return { ...createPlainDisplay(shortBalance), icon: () => new vscode.ThemeIcon('question'), tooltip };
  }
  if (change === undefined) return { ...createPlainDisplay(shortBalance), tooltip };
  return {
    text: formatShortNative(value, network, change),
    accessibleText: `${shortBalance}, ${formatSpokenChange(change, network.decimals)}`,
    icon: (ofKind) => createColoredIcon(ofKind, change < 0n ? 'charts.red' : 'charts.green'),
    tooltip,
  };
}

function formatUnknownBalance(): string {
  return vscode.l10n.t(
    'Unknown: the explorer has no balance on record for this address. The address may be unused. Unknown is not zero.',
  );
}

function createPlainDisplay(text: string): BalanceDisplay {
  return { text, accessibleText: text, icon: createPlainIcon, tooltip: () => [] };
}

function createErrorDisplay({ reason, message, advice }: ErrorDescription): BalanceDisplay {
  const text = vscode.l10n.t('Not loaded: {0}', reason);
  return {
    text,
    accessibleText: text,
    icon: () => createColoredIcon('error', 'list.errorForeground'),
    tooltip: () => [vscode.l10n.t('Not loaded: {0}', message), advice],
  };
}

function createColoredIcon(icon: string, colour: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(colour));
}

export interface BalanceRowContext {
  readonly session: Session;
  readonly clock: Pick<Clock, 'now'>;
  /** Called when a tooltip with an age is shown, of this row or of one right under it. */
  readonly onTooltip: (row: AddressNode | ValueGroupNode) => void;
}

export function createNativeRow(
  { figure, parent }: NativeNode,
  { session, clock, onTooltip }: BalanceRowContext,
): TreeRow {
  const { l10n } = vscode;
  const { network } = session;
  const value = getAvailableValue(figure);
  const failure =
    figure.state === 'failed' ? describeError(figure.error, { service: 'endpoint', network }) : undefined;
  if (!value) {
    return failure
      ? createErrorRow(l10n.t('Could not load balance'), failure)
      : createRow(l10n.t('Native balance…'), 'loading~spin');
  }
  const createTooltip = (...lines: readonly (string | undefined)[]) => {
    onTooltip(parent);
    return [...lines, formatBalanceOrigin(value, network, clock), failureLine];
  };
  const failureLine = failure && l10n.t('Could not refresh: {0}', failure.message);
  if (value.balance.state === 'unknown') {
    return createRow(l10n.t('Unknown balance'), 'question', {
      description: l10n.t('the explorer has no balance on record'),
      tooltip: () => createTooltip(formatUnknownBalance()),
    });
  }
  const label = formatNative(value, network);
  return {
    ...createRow(label, failure ? 'warning' : 'circle-large-filled', {
      description: failure ? `${l10n.t('native')} · ${formatLastRead(value, clock)}` : l10n.t('native'),
      tooltip: () => createTooltip(label, formatSmallestUnit(value, network)),
    }),
    tokens: listRowTokens({ value: true, failed: failure !== undefined }),
  };
}

export function createWatchedTokenRow(
  { contract, isWatched, figure, change, parent }: WatchedTokenNode,
  { session, clock, onTooltip }: BalanceRowContext,
): TreeRow {
  const { l10n } = vscode;
  const { network } = session;
  const checksummed = toChecksumAddress(contract);
  const value = getAvailableValue(figure);
  const failure =
    figure.state === 'failed' ? describeError(figure.error, { service: 'endpoint', network }) : undefined;
  if (!value) {
    return failure
      ? {
          ...createErrorRow(l10n.t('Could not load {0}', checksummed), failure),
          tokens: ['watchedToken', 'failed'],
        }
      : createRow(l10n.t('Watched token…'), 'loading~spin');
  }
  if (value.balance.state !== 'known') {
    return {
      ...createRow(checksummed, 'question', { description: l10n.t('not an ERC-20 token') }),
      tokens: ['token', 'watchedToken'],
    };
  }
  const { amount, decimals = 0, symbol = l10n.t('unnamed token') } = value.balance;
  const inUnits = value.balance.decimals === undefined;
  const units =
    amount === 1n ? l10n.t('smallest unit of {0}', symbol) : l10n.t('smallest units of {0}', symbol);
  const unit = inUnits ? units : symbol;
  const label = `${formatShortUnits(amount, decimals)} ${unit}`;
  const origin = isWatched ? l10n.t('watched') : l10n.t('of this workspace');
  const kind = failure ? `${origin} · ${formatLastRead(value, clock)}` : origin;
  const changed = change === undefined ? [] : [formatChange(change, decimals)];
  return {
    ...createRow(label, failure ? 'warning' : isWatched ? 'eye' : 'circle-large', {
      description: [...changed, formatShortAddress(checksummed), kind].join(' · '),
      tooltip: () => {
        onTooltip(parent);
        return [
          `${formatUnitsGrouped(amount, decimals)} ${unit}`,
          inUnits ? undefined : formatRawAmount(amount),
          isWatched
            ? l10n.t('Watched token, read from its contract')
            : l10n.t('Token that this workspace deployed, read from its contract'),
          l10n.t('Contract: {0}', checksummed),
          formatBalanceOrigin(value, network, clock),
          failure && l10n.t('Could not refresh: {0}', failure.message),
        ];
      },
    }),
    accessibleLabel: [
      label,
      ...(change === undefined ? [] : [formatSpokenChange(change, decimals)]),
      kind,
    ].join(', '),
    tokens: listRowTokens({
      token: true,
      watchedToken: isWatched,
      value: true,
      raw: true,
      explorer: network.explorerUrl !== undefined,
      failed: failure !== undefined,
    }),
  };
}

export function formatRawAmount(amount: bigint): string {
  const { l10n } = vscode;
  return amount === 1n ? l10n.t('1 smallest unit') : l10n.t('{0} smallest units', groupDigits(amount));
}

/** The name that the workspace or the user gives an address. */
type NameOf = (address: Address) => string | undefined;

export function createHoldingRow(
  node: TotalNode | FoldNode | TokenNode | CollectionNode | NftNode | MoreHoldingsNode,
  network: Network,
  nameOf: NameOf,
): TreeRow {
  switch (node.kind) {
    case 'total':
      return createTotalRow(node, network);
    case 'fold':
      return createFoldRow(node);
    case 'token':
      return createTokenRow(node, network);
    case 'collection':
      return createCollectionRow(node, network, nameOf);
    case 'nft':
      return createNftRow(node, network, nameOf);
    case 'more':
      return createMoreRow(node);
  }
}

function createTotalRow({ loaded }: TotalNode, network: Network): TreeRow {
  const { l10n } = vscode;
  const { value, quoteCurrency, ...left } = loaded.holdings.portfolio.total;
  const leftOut = [
    left.withoutValue > 0 && l10n.t('{0} without a price', left.withoutValue),
    left.absurdPrice > 0 && l10n.t('{0} with an implausible price', left.absurdPrice),
    left.nftCollections > 0 && l10n.t('NFTs'),
  ].filter((part) => part !== false);
  const label =
    value === undefined ? l10n.t('Total unknown') : l10n.t('{0} in total', formatValue(value, quoteCurrency));
  const without = leftOut.length > 0 ? l10n.t('not included: {0}', leftOut.join(', ')) : '';
  return createRow(label, 'graph', {
    description: without,
    tooltip: [label, without, formatHoldingsOrigin(loaded, network)],
  });
}

const foldIcons: Readonly<Record<Fold, string>> = {
  collections: 'layers',
  dust: 'circle-small',
  spam: 'circle-slash',
  spamCollections: 'circle-slash',
};

function createFoldRow(node: FoldNode): TreeRow {
  const { fold, loaded } = node;
  const { portfolio } = loaded.holdings;
  const count = formatNumber(countFold(node));
  const value = fold === 'dust' ? formatSum(portfolio[fold], portfolio.total.quoteCurrency) : undefined;
  return {
    ...createRow(formatFold(fold), foldIcons[fold], { description: value ? `${count} · ${value}` : count }),
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
  };
}

function formatFold(fold: Fold): string {
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

/** The sum of all plausible values; undefined if there are none. */
function formatSum(tokens: readonly TokenBalance[], currency: string): string | undefined {
  const values = tokens.filter((token) => !token.absurdPrice).flatMap(({ value }) => value ?? []);
  if (values.length === 0) return undefined;
  return formatValue(
    values.reduce((sum, value) => sum + value),
    currency,
  );
}

function createTokenRow({ token, loaded, copyText, rawAmount }: TokenNode, network: Network): TreeRow {
  const { balances } = loaded.holdings;
  const exact = formatHolding(token);
  const value = formatHoldingValue(token, balances.quoteCurrency);
  const tooltip = [
    exact,
    value,
    token.absurdPrice && formatAbsurdPrice(token, balances),
    token.name,
    formatContract(token.contract),
    formatHoldingsOrigin(loaded, network),
  ];
  return {
    ...createRow(formatShortHolding(token), token.absurdPrice ? 'warning' : 'circle-large', {
      description: value,
      tooltip,
    }),
    tokens: listRowTokens({
      token: true,
      value: copyText !== undefined,
      raw: rawAmount !== undefined,
      explorer: hasExplorer(network),
    }),
  };
}

function formatAbsurdPrice({ price }: TokenBalance, { source, quoteCurrency }: TokenBalances): string {
  const from = formatProviderName(source, vscode.l10n);
  return price === undefined
    ? vscode.l10n.t('The price from {0} is negative or infinite. The total excludes it.', from)
    : vscode.l10n.t(
        'The price from {0}, {1} each, is implausible. The total excludes it.',
        from,
        formatPrice(price, quoteCurrency),
      );
}

const standardNames = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

function createCollectionRow(
  { collection, loaded }: CollectionNode,
  network: Network,
  nameOf: NameOf,
): TreeRow {
  const { contract, amount, standard } = collection;
  const label = getCollectionName(collection, nameOf);
  const description =
    amount === undefined
      ? vscode.l10n.t('amount unknown')
      : amount === 1n
        ? vscode.l10n.t('1 NFT')
        : vscode.l10n.t('{0} NFTs', formatNumber(amount));
  return {
    ...createRow(label, 'layers', {
      description,
      tooltip: [
        label,
        description,
        standard && standardNames[standard],
        formatContract(contract),
        formatHoldingsOrigin(loaded, network),
      ],
    }),
    tokens: listRowTokens({ collection: true, explorer: hasExplorer(network) }),
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
  };
}

function createNftRow({ nft, parent }: NftNode, network: Network, nameOf: NameOf): TreeRow {
  const { standard } = parent.collection;
  const label = `${getCollectionName(parent.collection, nameOf)} #${nft.tokenId}`;
  const several = standard === 'erc1155' || (nft.amount !== undefined && nft.amount !== 1n);
  const amount =
    nft.amount === undefined
      ? vscode.l10n.t('amount unknown')
      : vscode.l10n.t('{0} owned', formatNumber(nft.amount));
  const description = several ? amount : '';
  return {
    ...createRow(label, 'symbol-misc', {
      description,
      tooltip: [label, description, formatContract(parent.contract)],
    }),
    tokens: listRowTokens({ nft: true, value: true, explorer: hasExplorer(network) }),
    command: createCommand(
      'chainside.showNftTransfers',
      vscode.l10n.t('Show NFT Transfers…'),
      parent.contract,
      nft.tokenId.toString(),
    ),
  };
}

function createMoreRow({ parent, remaining }: MoreHoldingsNode): TreeRow {
  const title = vscode.l10n.t('Show {0} more…', Math.min(PAGE_SIZE, remaining));
  return {
    ...createRow(title, 'ellipsis', { description: vscode.l10n.t('{0} not shown', formatNumber(remaining)) }),
    command: createCommand('chainside.showMoreHoldings', title, getAddressNodeId(parent)),
  };
}

function formatContract(contract: TokenBalance['contract']): string {
  return vscode.l10n.t('Contract: {0}', toChecksumAddress(contract));
}

function hasExplorer({ explorerUrl }: Network): boolean {
  return explorerUrl !== undefined;
}
