import * as vscode from 'vscode';
import type { Clock, Network } from '../../../core/index.ts';
import { type LoadState, valueAtHand } from '../../../host/loading/loadState.ts';
import { describeError, type ErrorDescription } from '../../../host/words/describeError.ts';
import { plainIcon } from '../../../host/words/treeRow.ts';
import type { NativeFigure } from '../balances/balanceReader.ts';
import {
  figureAge,
  figureSource,
  lastRead,
  nativeWords,
  shortNativeWords,
  smallestWords,
  spokenChange,
} from '../balances/figureWords.ts';

/** How a native balance is shown in the row of its address: zero, unknown, old and not read each in its own way. */
export interface BalanceLook {
  /** Empty while nothing is asked. */
  readonly words: string;
  readonly spoken: string;
  /** The icon of the row, for what is not as it should be, or not as it was. */
  readonly icon: (ofKind: string) => vscode.ThemeIcon;
  readonly tooltip: () => readonly (string | undefined)[];
}

export interface ShownBalance {
  readonly figure: LoadState<NativeFigure>;
  /** In wei, a moment ago. */
  readonly change: bigint | undefined;
}

export function balanceLook(
  { figure, change }: ShownBalance,
  network: Network,
  clock: Pick<Clock, 'now'>,
): BalanceLook {
  const value = valueAtHand(figure);
  const failure =
    figure.state === 'failed' ? describeError(figure.error, { service: 'endpoint', network }) : undefined;
  if (!value) return failure ? notRead(failure) : plainLook(figure.state === 'loading' ? '…' : '');
  const { l10n } = vscode;
  const words = shortNativeWords(value, network);
  const tooltip = () => [
    value.balance.state === 'unknown' ? unknownWords() : nativeWords(value, network),
    smallestWords(value, network),
    figureSource(value, network, clock),
    failure && l10n.t('Not read again: {0}', failure.message),
  ];
  if (failure) {
    return {
      words: `${words} · ${figureAge(value, clock)}`,
      spoken: `${words}, ${lastRead(value, clock)}`,
      icon: () => coloured('warning', 'list.warningForeground'),
      tooltip,
    };
  }
  if (value.balance.state === 'unknown') {
    return { ...plainLook(words), icon: () => new vscode.ThemeIcon('question'), tooltip };
  }
  if (change === undefined) return { ...plainLook(words), tooltip };
  return {
    words: shortNativeWords(value, network, change),
    spoken: `${words}, ${spokenChange(change, network.decimals)}`,
    icon: (ofKind) => coloured(ofKind, change < 0n ? 'charts.red' : 'charts.green'),
    tooltip,
  };
}

/** What it means that an explorer has no balance of an address. */
export function unknownWords(): string {
  return vscode.l10n.t(
    'Unknown: the explorer has no balance on record for this address, as for one that was never used. That is not the same as zero.',
  );
}

function plainLook(words: string): BalanceLook {
  return { words, spoken: words, icon: plainIcon, tooltip: () => [] };
}

function notRead({ reason, message, advice }: ErrorDescription): BalanceLook {
  const words = vscode.l10n.t('Not read: {0}', reason);
  return {
    ...{ words, spoken: words },
    icon: () => coloured('error', 'list.errorForeground'),
    tooltip: () => [vscode.l10n.t('Not read: {0}', message), advice],
  };
}

function coloured(icon: string, colour: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(colour));
}
