import * as vscode from 'vscode';
import { formatIsoTime, groupDigits } from '../../../core/index.ts';
import { formatAge } from '../../../host/words/formatTime.ts';
import { verdictReasonTexts } from '../../../host/words/verdictReasonTexts.ts';
import type { EventCount } from './eventCounts.ts';

const TWO_DAYS_MS = 2 * 24 * 3600 * 1000;

/** How often an event has fired: `fired 12,034 times, last 3 min ago`. */
export function countTitle(counted: EventCount, now: number): string {
  const { l10n } = vscode;
  const { count, isWhole, doubts, toBlock, last, deployments } = counted;
  const number = groupDigits(count);
  if (count === 0) {
    const block = groupDigits(toBlock);
    if (!isWhole || doubts.length > 0) return l10n.t('not seen to block {0}, not certain', block);
    return deployments === 1
      ? l10n.t('never fired to block {0} at 1 deployment', block)
      : l10n.t('never fired to block {0} at {1} deployments', block, groupDigits(deployments));
  }
  const fired = !isWhole
    ? l10n.t('fired at least {0} times', number)
    : doubts.length > 0
      ? l10n.t('fired {0} times or more, not certain', number)
      : count === 1
        ? l10n.t('fired once')
        : l10n.t('fired {0} times', number);
  return [fired, last && lastWords(last, now)].filter((words) => words !== undefined).join(', ');
}

function lastWords({ block, time }: NonNullable<EventCount['last']>, now: number): string {
  const { l10n } = vscode;
  if (time === undefined) return l10n.t('last in block {0}', groupDigits(block));
  const age = Math.max(0, now - time);
  if (age < TWO_DAYS_MS) return l10n.t('last {0}', formatAge(age));
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' });
  return l10n.t('last on {0}', format.format(time));
}

/** What the figure is worth, and what it is of. */
export function countLines(counted: EventCount, network: string): readonly string[] {
  const { l10n } = vscode;
  const { isWhole, doubts, fromBlock, toBlock, last, addresses, deployments } = counted;
  const blocks = [groupDigits(fromBlock), groupDigits(toBlock)] as const;
  const verdict = !isWhole
    ? l10n.t('On {0}: counted in blocks {1} to {2}, there are more below', network, ...blocks)
    : doubts.length > 0
      ? l10n.t('On {0}: blocks {1} to {2}, not certain to be complete', network, ...blocks)
      : l10n.t('On {0}: complete, blocks {1} to {2}', network, ...blocks);
  const number = (block: bigint) => groupDigits(block);
  return [
    verdict,
    ...verdictReasonTexts(doubts, l10n, number),
    ...(last ? [l10n.t('Last in block {0}{1}', groupDigits(last.block), timeAfter(last.time))] : []),
    addresses.length < deployments
      ? l10n.t('At {0} of {1} deployments', groupDigits(addresses.length), groupDigits(deployments))
      : l10n.t('Deployments: {0}', groupDigits(deployments)),
  ];
}

function timeAfter(time: number | undefined): string {
  return time === undefined ? '' : `, ${formatIsoTime(time)}`;
}
