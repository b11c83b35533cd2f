import type { Verdict } from '../../../core/index.ts';
import type { Language, Localizer } from '../../../host/words/localizer.ts';
import { verdictReasonTexts } from '../../../host/words/verdictReasonTexts.ts';
import type { LogResults } from '../results/logResults.ts';

type Answer = Pick<LogResults, 'loading' | 'verdict' | 'notice' | 'error'>;

/** Why the status line says what it says, and what can be done: one paragraph a reason. None before an answer. */
export function verdictReasons(
  { loading, verdict, notice, error }: Answer,
  { l10n, locale }: Language,
): readonly string[] {
  if (!verdict || loading) return [];
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const stop = stopText(verdict, { notice, error }, { l10n, locale });
  return [
    ...(stop === undefined ? [] : [stop]),
    ...verdictReasonTexts(verdict.reasons, l10n, number),
    requestsText(verdict, l10n, number),
  ];
}

function stopText(
  { state, fromBlock, toBlock, head, readThrough }: Verdict,
  { notice, error }: Pick<Answer, 'notice' | 'error'>,
  { l10n, locale }: Language,
): string | undefined {
  const number = (value: bigint) => value.toLocaleString(locale);
  const reached = readThrough === undefined ? l10n.t('its first block') : number(readThrough);
  if (error !== undefined) {
    return l10n.t(
      'A request failed, as said above. What was loaded before is kept: every log through block {0}. Try again goes on from there.',
      reached,
    );
  }
  if (notice === 'cancelled' && state === 'more') {
    return l10n.t(
      'You cancelled it. Every log through block {0} is loaded. Load next page or Load all goes on from there.',
      reached,
    );
  }
  switch (state) {
    case 'more':
      return l10n.t(
        'Every log through block {0} is loaded; the blocks up to {1} are still to be read. Load next page brings up to 1,000 logs, Load all the rest.',
        reached,
        number(toBlock),
      );
    case 'complete':
      return toBlock === head
        ? l10n.t(
            'Every log that the query asks for in blocks {0} to {1} is loaded. {1} was the latest block then; run the query again for newer ones.',
            number(fromBlock),
            number(toBlock),
          )
        : l10n.t(
            'Every log that the query asks for in blocks {0} to {1} is loaded.',
            number(fromBlock),
            number(toBlock),
          );
    case 'uncertain':
      return undefined;
  }
}

function requestsText(
  { requests, head }: Verdict,
  l10n: Localizer,
  number: (value: number | bigint) => string,
): string {
  const block = number(head);
  return requests === 1
    ? l10n.t('1 request was made; the latest block was {0} when the query began.', block)
    : l10n.t(
        '{0} requests were made, retries included; the latest block was {1} when the query began.',
        number(requests),
        block,
      );
}
