import type { ReasonCode, Verdict, VerdictReason } from '../../core/index.ts';
import type { LogResults } from './logResults.ts';
import type { Localizer } from './strings.ts';

type Answer = Pick<LogResults, 'loading' | 'verdict' | 'notice' | 'error'>;

/** So many blocks are named in one paragraph; the others are counted. */
const NAMED = 12;

/** Why the status line says what it says, and what can be done: one paragraph a reason. None before an answer. */
export function verdictReasons(
  { loading, verdict, notice, error }: Answer,
  l10n: Localizer,
  locale: string,
): readonly string[] {
  if (!verdict || loading) return [];
  const number = (value: number | bigint) => value.toLocaleString(locale);
  const stop = stopText(verdict, notice, error, l10n, number);
  return [
    ...(stop === undefined ? [] : [stop]),
    ...byCode(verdict.reasons).map(([code, blocks]) =>
      reasonText(code, blocksText(blocks, l10n, number), l10n),
    ),
    requestsText(verdict, l10n, number),
  ];
}

function stopText(
  { state, fromBlock, toBlock, head, readThrough }: Verdict,
  notice: Answer['notice'],
  error: unknown,
  l10n: Localizer,
  number: (value: bigint) => string,
): string | undefined {
  const reached = readThrough === undefined ? l10n.t('its first block') : number(readThrough);
  if (error !== undefined) {
    return l10n.t(
      'A request failed, as told above. What was loaded before is kept: every log through block {0}. Try again goes on from there.',
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

/** What is true of many blocks is told once. */
function byCode(reasons: readonly VerdictReason[]): readonly (readonly [ReasonCode, readonly bigint[]])[] {
  const codes = new Set(reasons.map(({ code }) => code));
  return [...codes].map((code) => [
    code,
    reasons.flatMap(({ code: other, block }) => (other === code ? (block ?? []) : [])),
  ]);
}

function blocksText(blocks: readonly bigint[], l10n: Localizer, number: (value: bigint) => string): string {
  const named = blocks.slice(0, NAMED).map(number).join(', ');
  return blocks.length > NAMED ? l10n.t('{0} and {1} more', named, blocks.length - NAMED) : named;
}

/** Why an answer is in doubt, at `height`: a block or several. */
function reasonText(code: ReasonCode, height: string, l10n: Localizer): string {
  switch (code) {
    case 'beyondHead':
      return l10n.t(
        'The range begins above the latest block, {0}: there are no logs yet. Run the query again later.',
        height,
      );
    case 'blockNotWhole':
      return l10n.t(
        'In block {0} there are more matching logs than the server gives out, so that some are missing. Ask there with a narrower filter, or ask a node instead of an explorer.',
        height,
      );
    case 'cancelled':
      return l10n.t('The query was cancelled at block {0}; everything before it is loaded.', height);
    case 'forkRows':
      return l10n.t(
        'The server gave logs of two different blocks at height {0}; one of them is no longer in the chain. Compare the block hashes in the details of the logs there.',
        height,
      );
    case 'headWentBack':
      return l10n.t(
        'The newest block of the server fell below the range that was read: it lost blocks, or another server answered. Run the query again when it has caught up.',
      );
    case 'reorg':
      return l10n.t(
        'The chain was reorganised at block {0} while the query ran, so that logs from there on may have changed. Run the query again.',
        height,
      );
    case 'serverChanged':
      return l10n.t(
        'The server became another one, or another version, while the query ran, so that logs may be missing. Run the query again.',
      );
    case 'shortPages':
      return l10n.t(
        'Logs may be missing in block {0}: this version of the server (Blockscout v6.8 to v9.4) can leave logs of an address out of a page without a word. Ask a node, or another explorer of this chain, to be certain.',
        height,
      );
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
