import * as vscode from 'vscode';
import { formatShortUnits, formatUnitsGrouped, groupDigits, toChecksumAddress } from '../../../core/index.ts';
import { valueAtHand } from '../../../host/loading/loadState.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { describeError } from '../../../host/words/describeError.ts';
import { failedRow, row, tokensOf } from '../../../host/words/treeRow.ts';
import { changeWords, figureSource, lastRead, spokenChange } from '../balances/figureWords.ts';
import type { WatchedTokenNode } from './addressNodes.ts';
import type { FigureContext } from './figureContext.ts';

/** How a watched token looks: the amount that its contract gives, or why there is none. */
export function watchedTokenItem(
  { contract, figure, change, parent }: WatchedTokenNode,
  { session, clock, onTooltip }: FigureContext,
): TreeRow {
  const { l10n } = vscode;
  const { network } = session;
  const written = toChecksumAddress(contract);
  const value = valueAtHand(figure);
  const failure =
    figure.state === 'failed' ? describeError(figure.error, { service: 'endpoint', network }) : undefined;
  if (!value) {
    return failure
      ? { ...failedRow(l10n.t('{0} not read', written), failure), tokens: ['watchedToken', 'failed'] }
      : row(l10n.t('Watched token…'), 'loading~spin');
  }
  if (value.balance.state !== 'known') {
    return {
      ...row(written, 'question', { description: l10n.t('not an ERC-20 token') }),
      tokens: ['token', 'watchedToken'],
    };
  }
  const { amount, decimals = 0, symbol = l10n.t('unnamed token') } = value.balance;
  const inUnits = value.balance.decimals === undefined;
  const unit = inUnits ? l10n.t('smallest units of {0}', symbol) : symbol;
  const words = `${formatShortUnits(amount, decimals)} ${unit}`;
  const kind = failure ? `${l10n.t('watched')} · ${lastRead(value, clock)}` : l10n.t('watched');
  const changed = change === undefined ? [] : [changeWords(change, decimals)];
  return {
    ...row(words, failure ? 'warning' : 'eye', {
      description: [...changed, kind].join(' · '),
      tooltip: () => {
        onTooltip(parent);
        return [
          `${formatUnitsGrouped(amount, decimals)} ${unit}`,
          inUnits ? undefined : l10n.t('{0} smallest units', groupDigits(amount)),
          l10n.t('Watched token, read from its contract'),
          l10n.t('Contract: {0}', written),
          figureSource(value, network, clock),
          failure && l10n.t('Not read again: {0}', failure.message),
        ];
      },
    }),
    spoken: [words, ...(change === undefined ? [] : [spokenChange(change, decimals)]), kind].join(', '),
    tokens: tokensOf({
      ...{ token: true, watchedToken: true, value: true, raw: true },
      explorer: network.explorerUrl !== undefined,
      failed: failure !== undefined,
    }),
  };
}
