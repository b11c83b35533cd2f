import * as vscode from 'vscode';
import { valueAtHand } from '../../../host/loading/loadState.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { describeError } from '../../../host/words/describeError.ts';
import { failedRow, row, tokensOf } from '../../../host/words/treeRow.ts';
import { figureSource, lastRead, nativeWords, smallestWords } from '../balances/figureWords.ts';
import type { NativeNode } from './addressNodes.ts';
import { unknownWords } from './balanceLook.ts';
import type { FigureContext } from './figureContext.ts';

/** How the native balance under an address looks: exact, or why there is none. */
export function nativeItem(
  { figure, parent }: NativeNode,
  { session, clock, onTooltip }: FigureContext,
): TreeRow {
  const { l10n } = vscode;
  const { network } = session;
  const value = valueAtHand(figure);
  const failure =
    figure.state === 'failed' ? describeError(figure.error, { service: 'endpoint', network }) : undefined;
  if (!value) {
    return failure
      ? failedRow(l10n.t('Balance not read'), failure)
      : row(l10n.t('Native balance…'), 'loading~spin');
  }
  const aged = (...words: readonly (string | undefined)[]) => {
    onTooltip(parent);
    return [...words, figureSource(value, network, clock), again];
  };
  const again = failure && l10n.t('Not read again: {0}', failure.message);
  if (value.balance.state === 'unknown') {
    return row(l10n.t('Unknown balance'), 'question', {
      description: l10n.t('no balance on record at this explorer'),
      tooltip: () => aged(unknownWords()),
    });
  }
  const words = nativeWords(value, network);
  return {
    ...row(words, failure ? 'warning' : 'circle-large-filled', {
      description: failure ? `${l10n.t('native')} · ${lastRead(value, clock)}` : l10n.t('native'),
      tooltip: () => aged(words, smallestWords(value, network)),
    }),
    tokens: tokensOf({ value: true, failed: failure !== undefined }),
  };
}
