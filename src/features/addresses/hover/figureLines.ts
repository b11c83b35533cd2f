import * as vscode from 'vscode';
import {
  type Clock,
  formatShortUnits,
  groupDigits,
  type IdentityKind,
  type Network,
  sanitizeText,
  type TokenBalances,
} from '../../../core/index.ts';
import { commandLink, type MarkdownLines, type Piece } from '../../../host/surface/markdown.ts';
import { completenessTexts } from '../../../host/words/completenessTexts.ts';
import { describeError, type Service } from '../../../host/words/describeError.ts';
import { formatAge, formatTime } from '../../../host/words/formatTime.ts';
import type { TextPlace } from '../../../manifest.ts';
import type { NativeFigure } from '../balances/balanceReader.ts';
import type { HoverFigures, SourceFigure, WatchedFigure } from './hoverReader.ts';
import type { HoveredFigure } from './lastFigures.ts';
import { shortValue, tokensHeld } from './tokensHeld.ts';

interface FigureDeps {
  readonly network: Network;
  readonly place: TextPlace;
  readonly clock: Clock;
  /** What the address is known to be. */
  readonly kind: IdentityKind | undefined;
}

/** What an address holds, as far as it has come: the balance, then the tokens; why something is missing below each. */
export function figureLines(figures: HoverFigures, deps: FigureDeps): MarkdownLines {
  return [...nativeLines(figures, deps), ...tokenLines(figures, deps)];
}

function nativeLines({ native, source }: HoverFigures, { network, clock, kind }: FigureDeps): MarkdownLines {
  const figure = atHand(native);
  const value = sourceAtHand(source);
  const worth = value?.tokens.find((token) => token.native && !token.absurdPrice)?.value;
  const money = !worth || !value ? [] : [{ gap: true } as const, shortValue(worth, value.quoteCurrency)];
  // That a contract holds nothing is no news.
  const isNews = kind !== 'contract' || !isZero(figure);
  const lines: MarkdownLines = figure && isNews ? [[...balancePieces(figure, network), ...money]] : [];
  return [
    ...lines,
    ...missingLines(native, { network, clock, service: 'endpoint', what: vscode.l10n.t('Balance') }),
  ];
}

function isZero(figure: NativeFigure | undefined): boolean {
  return figure?.balance.state === 'known' && figure.balance.wei === 0n;
}

function balancePieces({ balance }: NativeFigure, network: Network): readonly Piece[] {
  if (balance.state === 'known') {
    return [`${formatShortUnits(balance.wei, network.decimals)} ${sanitizeText(network.symbol)}`];
  }
  return [vscode.l10n.t('Balance unknown'), '·', vscode.l10n.t('Not indexed here (another network?)')];
}

function tokenLines({ native, watched, source }: HoverFigures, deps: FigureDeps): MarkdownLines {
  const { l10n } = vscode;
  const { network, place, clock, kind } = deps;
  const seen = atHand<readonly WatchedFigure[]>(watched) ?? [];
  const balances = sourceAtHand(source);
  const held = tokensHeld(seen, balances);
  const isNews = kind !== 'contract';
  const nothing = balances && isNews && source.state === 'ready' ? [[l10n.t('No tokens')]] : [];
  const cannot = seen.some(({ balance }) => balance.state === 'notOffered');
  const undecided = source.state === 'ready' && source.value.state === 'undecided';
  return [
    ...(held === '' ? nothing : [[held]]),
    ...(cannot
      ? [[{ icon: 'info' }, l10n.t('Watched tokens not read: the endpoint does not support eth_call.')]]
      : []),
    // The same endpoint, mostly with the same words.
    ...(native.state === 'failed'
      ? []
      : missingLines(watched, { network, clock, service: 'endpoint', what: l10n.t('Watched tokens') })),
    ...missingLines(source, { network, clock, service: 'source', what: l10n.t('Tokens') }),
    ...lackLines(balances),
    ...(undecided ? [choiceLine(place, source.value)] : []),
  ];
}

/** That the tokens are not, or may not be, all that is held. */
function lackLines(balances: TokenBalances | undefined): MarkdownLines {
  const { completeness } = balances ?? {};
  if (!completeness || completeness.state === 'complete') return [];
  const [first = ''] = completenessTexts(completeness.reasons, vscode.l10n);
  return [
    completeness.state === 'partial'
      ? [{ icon: 'warning' }, vscode.l10n.t('Tokens are missing. {0}', first)]
      : [{ icon: 'info' }, vscode.l10n.t('Tokens may be missing. {0}', first)],
  ];
}

/** What a look would cost, before any is taken, and the choice. */
function choiceLine(place: TextPlace, figure: SourceFigure): readonly Piece[] {
  const { l10n } = vscode;
  const price =
    figure.state === 'undecided' && typeof figure.price === 'object' ? figure.price.most : undefined;
  const words =
    price === undefined
      ? l10n.t('Showing all tokens uses API credits of your key.')
      : price === 1
        ? l10n.t('Showing all tokens uses 1 API credit for each hover.')
        : l10n.t('Showing all tokens uses {0} API credits for each hover.', price);
  return [
    ...[{ icon: 'key' }, words],
    commandLink(l10n.t('Show Tokens'), 'chainside.showTokensInHovers', 'show', place),
    { gap: true },
    commandLink(l10n.t("Don't Show"), 'chainside.showTokensInHovers', 'hide', place),
  ];
}

/** Why a figure is not there, or not of now. */
function missingLines(
  figure: HoveredFigure<unknown>,
  { network, clock, service, what }: Missing,
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
        const age = formatAge(clock.elapsed() - before.readElapsed);
        return [[{ icon: 'warning' }, l10n.t('{0} read {1}, not refreshed since. {2}', what, age, message)]];
      }
      const elsewhere = commandLink(l10n.t('Choose Another Network'), 'chainside.selectNetwork');
      return [[{ icon: 'error' }, message, ...(service === 'endpoint' ? [elsewhere] : [])]];
    }
  }
}

interface Missing {
  readonly network: Network;
  readonly clock: Clock;
  readonly service: Service;
  readonly what: string;
}

/** Of which block the figures are, and how long ago it was seen; undefined where there is none. */
export function seenLine(native: HoverFigures['native'], clock: Clock): readonly Piece[] | undefined {
  const figure = atHand(native);
  if (!figure) return undefined;
  const { head } = figure;
  return head ? [`#${groupDigits(head.block)}`, '·', ageOf(figure, clock)] : [ageOf(figure, clock)];
}

function ageOf({ head, readAt }: NativeFigure, clock: Clock): string {
  return head ? formatAge(clock.elapsed() - head.firstSeenElapsed) : formatTime(readAt);
}

function atHand<T>(figure: HoveredFigure<T>): T | undefined {
  return figure.state === 'ready' ? figure.value : figure.before?.value;
}

function sourceAtHand(source: HoverFigures['source']) {
  const figure = atHand(source);
  return figure?.state === 'ready' ? figure.balances : undefined;
}
