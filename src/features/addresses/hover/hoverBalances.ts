import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  compareTokens,
  formatShortAddress,
  formatShortUnits,
  formatTimeOfDay,
  type IdentityKind,
  type Network,
  sanitizeText,
  type TokenBalance,
  type TokenBalances,
  toChecksumAddress,
} from '../../../core/index.ts';
import { describeError, type ServiceKind } from '../../../host/errors.ts';
import { formatAge } from '../../../host/formatTime.ts';
import { formatNumber } from '../../../host/numbers.ts';
import { createCommandLink, type MarkdownLines, type MarkdownPiece } from '../../../host/ui/markdown.ts';
import type { TextPlace } from '../../../manifest.ts';
import type { NativeBalanceRead } from '../balances/balanceReader.ts';
import { formatShortValue } from '../balances/formatBalance.ts';
import { formatCompletenessReasons } from '../balances/missingData.ts';
import type { HoverBalance, HoverBalances, ProviderTokens, WatchedBalance } from './hoverReader.ts';

interface BalanceLinesDeps {
  readonly network: Network;
  readonly place: TextPlace;
  readonly clock: Clock;
  readonly kind: IdentityKind | undefined;
}

/** The balance, then the tokens, as far as they are loaded; below each, why something is missing. */
export function createBalanceLines(figures: HoverBalances, deps: BalanceLinesDeps): MarkdownLines {
  return [...createNativeLines(figures, deps), ...createTokenLines(figures, deps)];
}

/** The block of the balances and its age; undefined without a balance. */
export function createSeenLine(
  native: HoverBalances['native'],
  clock: Clock,
): readonly MarkdownPiece[] | undefined {
  const figure = getValue(native);
  if (!figure) return undefined;
  const { head } = figure;
  return head
    ? [`#${formatNumber(head.block)}`, '·', formatBalanceAge(figure, clock)]
    : [formatBalanceAge(figure, clock)];
}

function createNativeLines(
  { native, provider }: HoverBalances,
  { network, clock, kind }: BalanceLinesDeps,
): MarkdownLines {
  const figure = getValue(native);
  const value = getAvailableTokens(provider);
  const worth = value?.tokens.find((token) => token.native && !token.absurdPrice)?.value;
  const worthPieces =
    !worth || !value ? [] : [{ gap: true } as const, formatShortValue(worth, value.quoteCurrency)];
  // An empty contract is the normal case.
  const isNews = kind !== 'contract' || !isZero(figure);
  const lines: MarkdownLines =
    figure && isNews ? [[...formatNativePieces(figure, network), ...worthPieces]] : [];
  return [
    ...lines,
    ...createMissingLines(native, { network, clock, service: 'endpoint', what: vscode.l10n.t('Balance') }),
  ];
}

function isZero(figure: NativeBalanceRead | undefined): boolean {
  return figure?.balance.state === 'known' && figure.balance.wei === 0n;
}

function formatNativePieces({ balance }: NativeBalanceRead, network: Network): readonly MarkdownPiece[] {
  if (balance.state === 'known') {
    return [`${formatShortUnits(balance.wei, network.decimals)} ${sanitizeText(network.symbol)}`];
  }
  return [vscode.l10n.t('Balance unknown'), '·', vscode.l10n.t('not indexed on this network')];
}

function createTokenLines(
  { native, watched, provider }: HoverBalances,
  deps: BalanceLinesDeps,
): MarkdownLines {
  const { l10n } = vscode;
  const { network, place, clock, kind } = deps;
  const watchedBalances = getValue<readonly WatchedBalance[]>(watched) ?? [];
  const balances = getAvailableTokens(provider);
  const holdings = formatHoldingsLine(watchedBalances, balances);
  const isNews = kind !== 'contract';
  const lacking = createIncompleteLines(balances);
  const isKnown = balances && provider.state === 'ready' && lacking.length === 0;
  const nothing = isKnown && isNews ? [[l10n.t('No tokens')]] : [];
  const lacksEthCall = watchedBalances.some(({ balance }) => balance.state === 'notOffered');
  const isUndecided = provider.state === 'ready' && provider.value.state === 'undecided';
  return [
    ...(holdings === '' ? nothing : [[holdings]]),
    ...(lacksEthCall
      ? [[{ icon: 'info' }, l10n.t('Watched tokens not loaded: the endpoint does not support eth_call.')]]
      : []),
    // The same endpoint, mostly with the same error.
    ...(native.state === 'failed'
      ? []
      : createMissingLines(watched, { network, clock, service: 'endpoint', what: l10n.t('Watched tokens') })),
    ...createMissingLines(provider, { network, clock, service: 'source', what: l10n.t('Tokens') }),
    ...lacking,
    ...(isUndecided ? [createChoiceLine(place, provider.value)] : []),
  ];
}

const MAX_SHOWN_TOKENS = 4;

/**
 * The holdings in one line: watched tokens, the most valuable tokens of the provider, the number of the others, NFTs.
 * Empty for none.
 */
export function formatHoldingsLine(
  watched: readonly WatchedBalance[],
  balances: TokenBalances | undefined,
): string {
  const isWatched = new Set(watched.map(({ contract }) => contract));
  // Spam is neither listed nor counted: its senders want to be read.
  const owned = (balances?.tokens ?? []).filter(
    ({ native, spam, amount }) => !native && !spam && amount !== 0n,
  );
  const tokens = owned
    .filter((token) => !isNft(token) && !isWatched.has(token.contract))
    .sort((a, b) => getRank(a) - getRank(b) || compareTokens(a, b));
  const some = watched.filter(({ balance }) => balance.state !== 'known' || balance.amount > 0n);
  // A zero amount of a watched token is shown only if there is nothing else.
  const shownWatched = some.length > 0 || tokens.length > 0 ? some : watched;
  const items = [
    ...shownWatched.flatMap((token) => formatWatched(token) ?? []),
    ...tokens.map(formatProviderTokens),
  ];
  const left = items.length - MAX_SHOWN_TOKENS;
  const nfts = owned.filter(isNft).reduce((sum, token) => sum + countNfts(token), 0n);
  return [
    ...distinguishTokens(items.slice(0, MAX_SHOWN_TOKENS)),
    ...(left > 0 ? [vscode.l10n.t('{0} more', left)] : []),
    ...(nfts === 0n ? [] : [nfts === 1n ? vscode.l10n.t('1 NFT') : vscode.l10n.t('{0} NFTs', String(nfts))]),
  ].join(', ');
}

interface TokenText {
  readonly text: string;
  readonly symbol: string | undefined;
  readonly contract: Address;
}

/** Appends the contract where several tokens have one symbol, such as a token that was deployed again. */
function distinguishTokens(tokens: readonly TokenText[]): readonly string[] {
  const isShared = ({ symbol, contract }: TokenText) =>
    symbol !== undefined && tokens.some((other) => other.symbol === symbol && other.contract !== contract);
  return tokens.map((token) =>
    isShared(token) ? `${token.text} (${formatShortAddress(toChecksumAddress(token.contract))})` : token.text,
  );
}

function createIncompleteLines(balances: TokenBalances | undefined): MarkdownLines {
  const { completeness } = balances ?? {};
  if (!completeness || completeness.state === 'complete') return [];
  const [first = ''] = formatCompletenessReasons(completeness.reasons, vscode.l10n);
  return [
    completeness.state === 'partial'
      ? [{ icon: 'warning' }, vscode.l10n.t('Tokens are missing. {0}', first)]
      : [{ icon: 'info' }, vscode.l10n.t('Tokens may be missing. {0}', first)],
  ];
}

/** The cost, before the first request, and the choice. */
function createChoiceLine(place: TextPlace, figure: ProviderTokens): readonly MarkdownPiece[] {
  const { l10n } = vscode;
  const price =
    figure.state === 'undecided' && typeof figure.price === 'object' ? figure.price.max : undefined;
  const text =
    price === undefined
      ? l10n.t('Showing all tokens uses API credits of your key.')
      : price === 1
        ? l10n.t('Showing all tokens uses 1 API credit for each hover.')
        : l10n.t('Showing all tokens uses {0} API credits for each hover.', price);
  return [
    { icon: 'key' },
    text,
    createCommandLink(l10n.t('Show Tokens'), 'chainside.showTokensInHovers', 'show', place),
    { gap: true },
    createCommandLink(l10n.t("Don't Show"), 'chainside.showTokensInHovers', 'hide', place),
  ];
}

interface MissingValue {
  readonly network: Network;
  readonly clock: Clock;
  readonly service: ServiceKind;
  readonly what: string;
}

/** Why a value is missing or outdated. */
function createMissingLines(
  figure: HoverBalance<unknown>,
  { network, clock, service, what }: MissingValue,
): MarkdownLines {
  const { l10n } = vscode;
  const { before } = figure;
  switch (figure.state) {
    case 'ready':
      return [];
    case 'pending':
      return [[{ icon: 'watch' }, l10n.t('{0}: still loading', what)]];
    case 'failed': {
      const { message } = describeError(figure.error, { service, network });
      if (before) {
        const age = formatAge(clock.elapsed() - before.readElapsed, vscode.l10n);
        return [[{ icon: 'warning' }, l10n.t('{0}: last read {1}. {2}', what, age, message)]];
      }
      const elsewhere = createCommandLink(l10n.t('Select Another Network'), 'chainside.selectNetwork');
      return [[{ icon: 'error' }, message, ...(service === 'endpoint' ? [elsewhere] : [])]];
    }
  }
}

function formatBalanceAge({ head, readAt }: NativeBalanceRead, clock: Clock): string {
  return head ? formatAge(clock.elapsed() - head.firstSeenElapsed, vscode.l10n) : formatTimeOfDay(readAt);
}

function getValue<T>(figure: HoverBalance<T>): T | undefined {
  return figure.state === 'ready' ? figure.value : figure.before?.value;
}

function getAvailableTokens(provider: HoverBalances['provider']) {
  const figure = getValue(provider);
  return figure?.state === 'ready' ? figure.balances : undefined;
}

/** Dust comes last. */
function getRank({ category }: TokenBalance): number {
  return category === 'dust' ? 1 : 0;
}

function isNft({ category, standard }: TokenBalance): boolean {
  return category === 'nft' || standard === 'erc721' || standard === 'erc1155';
}

function countNfts({ amount, nfts }: TokenBalance): bigint {
  return amount ?? BigInt(nfts?.length ?? 1);
}

function formatWatched({ contract, balance }: WatchedBalance): TokenText | undefined {
  const address = formatShortAddress(toChecksumAddress(contract));
  switch (balance.state) {
    case 'known': {
      const { amount, decimals, symbol } = balance;
      return { text: formatAmountWithSymbol(amount, decimals, symbol ?? address), symbol, contract };
    }
    case 'notAToken':
      return { text: vscode.l10n.t('{0}: not an ERC-20 token here', address), symbol: undefined, contract };
    case 'notOffered':
      return undefined;
  }
}

function formatProviderTokens({ amount, decimals, symbol, name, contract }: TokenBalance): TokenText {
  const ticker = symbol ?? name ?? formatShortAddress(toChecksumAddress(contract));
  const text =
    amount === undefined
      ? vscode.l10n.t('{0}: amount unknown', ticker)
      : formatAmountWithSymbol(amount, decimals, ticker);
  return { text, symbol: ticker, contract };
}

function formatAmountWithSymbol(amount: bigint, decimals: number | undefined, ticker: string): string {
  if (decimals !== undefined) return `${formatShortUnits(amount, decimals)} ${ticker}`;
  return amount === 1n
    ? vscode.l10n.t('1 smallest unit of {0}', ticker)
    : vscode.l10n.t('{0} smallest units of {1}', formatShortUnits(amount, 0), ticker);
}
