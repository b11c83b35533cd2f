import * as vscode from 'vscode';
import { formatUnitsGrouped, type Network, toChecksumAddress } from '../../../core/index.ts';
import { valueAtHand } from '../../../host/loading/loadState.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { describeError } from '../../../host/words/describeError.ts';
import { failedRow, row, tokensOf } from '../../../host/words/treeRow.ts';
import { chainSource } from '../balances/figureWords.ts';
import type { WatchedTokenNode } from './addressNodes.ts';

/** How a watched token looks: the amount that its contract gives, or why there is none. */
export function watchedTokenItem({ contract, figure }: WatchedTokenNode, network: Network): TreeRow {
  const { l10n } = vscode;
  const written = toChecksumAddress(contract);
  const value = valueAtHand(figure);
  const failure =
    figure.state === 'failed' ? describeError(figure.error, { service: 'endpoint', network }) : undefined;
  if (!value) {
    return failure
      ? { ...failedRow(l10n.t('{0} not loaded', written), failure), tokens: ['watchedToken', 'failed'] }
      : row(l10n.t('Watched token…'), 'loading~spin');
  }
  if (value.balance.state !== 'known') {
    return {
      ...row(written, 'question', { description: l10n.t('does not answer as a token') }),
      tokens: ['token', 'watchedToken'],
    };
  }
  const { amount, decimals, symbol = l10n.t('unnamed token') } = value.balance;
  const words =
    decimals === undefined
      ? l10n.t('{0} smallest units of {1}', amount.toString(), symbol)
      : `${formatUnitsGrouped(amount, decimals)} ${symbol}`;
  const source = chainSource(value, network);
  const tooltip = [
    words,
    l10n.t('A watched token, read from its contract.'),
    l10n.t('Contract: {0}', written),
    source,
    failure?.message,
  ];
  return {
    ...row(words, failure ? 'warning' : 'eye', {
      description: failure ? l10n.t('watched · not read again') : l10n.t('watched'),
      tooltip,
    }),
    tokens: tokensOf({
      ...{ token: true, watchedToken: true, value: true, raw: true },
      explorer: network.explorerUrl !== undefined,
      failed: failure !== undefined,
    }),
  };
}
