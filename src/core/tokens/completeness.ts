import { type Judgement, judge } from '../base/judgement.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';

/**
 * Why a result of an index is or may be incomplete:
 *
 * - `scamHidden`: the index counts more tokens than it lists; it may hide those that it considers scams.
 * - `indexing`: the index has not processed every block yet; `ratio` from 0 to 1, undefined if not reported.
 * - `indexingUnknown`: the index does not report whether it has processed every block.
 * - `pageRepeated`: the index returned the same page twice, so reading stopped.
 * - `listBroken`: a later page of the list could not be read.
 * - `bound`: the list is longer than the limit of `most` entries.
 * - `blockCut`: one block has more transfers than can be read.
 * - `recentDays`: the index covers only that many recent days; undefined if not reported.
 * - `unreadable`: unreadable entries are missing.
 * - `coinUnread`: the chain's own coin is missing, with its value.
 * - `nftsMissing`: the index counts more tokens of NFT contracts than it lists.
 */
export type CompletenessReason =
  | { readonly code: 'scamHidden'; readonly listed: number; readonly counted: number }
  | { readonly code: 'nftsMissing'; readonly listed: number; readonly missing: number }
  | { readonly code: 'indexing'; readonly ratio: number | undefined }
  | { readonly code: 'indexingUnknown' | 'coinUnread' }
  | { readonly code: 'pageRepeated' | 'listBroken'; readonly list: HoldingsList }
  | { readonly code: 'bound'; readonly list: HoldingsList; readonly most: number }
  | { readonly code: 'blockCut'; readonly block: bigint; readonly most: number }
  | { readonly code: 'recentDays'; readonly days: number | undefined }
  | { readonly code: 'unreadable'; readonly count: number };

/** `partial` means that something is missing; `uncertain` means that something may be missing. */
export type Completeness = Judgement<'partial' | 'uncertain', CompletenessReason>;

/** The paged lists of an index, which may end early. */
export type HoldingsList = 'coinBalances' | 'nfts' | 'tokens' | 'transfers';

const partialCodes: readonly CompletenessReason['code'][] = [
  'blockCut',
  'bound',
  'coinUnread',
  'listBroken',
  'nftsMissing',
  'unreadable',
];

/**
 * The completeness that follows from these reasons.
 *
 * @example
 * toCompleteness([{ code: 'indexing', ratio: 0.5 }]).state; // 'uncertain'
 */
export function toCompleteness(reasons: readonly CompletenessReason[]): Completeness {
  const otherwise = reasons.some(({ code }) => partialCodes.includes(code)) ? 'partial' : 'uncertain';
  return judge({ state: 'complete', otherwise, reasons });
}

/**
 * Merges parts of a result: the weakest one wins. Undefined parts are ignored.
 *
 * @example
 * mergeCompleteness([toCompleteness([]), undefined])?.state; // 'complete'
 */
export function mergeCompleteness(parts: readonly (Completeness | undefined)[]): Completeness | undefined {
  const defined = parts.filter((part) => part !== undefined);
  return defined.length === 0 ? undefined : toCompleteness(defined.flatMap(({ reasons }) => reasons));
}

/**
 * What is missing, or may be, as a sentence.
 *
 * @example
 * formatMessage(describeCompleteness({ code: 'unreadable', count: 2 })); // 'Entries that could not be read: 2.'
 */
export function describeCompleteness(reason: CompletenessReason): Message {
  switch (reason.code) {
    case 'scamHidden':
      return createMessage(
        'The explorer counts {0} tokens but lists {1}. It may hide tokens that it considers scams.',
        reason.counted,
        reason.listed,
      );
    case 'nftsMissing':
      return createMessage('The explorer lists {0} NFTs but counts {1} more.', reason.listed, reason.missing);
    case 'indexing':
      return reason.ratio === undefined
        ? createMessage('The explorer has not indexed every block yet.')
        : createMessage('The explorer has indexed {0} of the blocks.', foreign(formatPercent(reason.ratio)));
    case 'indexingUnknown':
      return createMessage('The explorer does not report whether it has indexed every block.');
    case 'pageRepeated':
      return createMessage('The explorer returned the same page of {0} twice.', listNames[reason.list]);
    case 'listBroken':
      return createMessage('A later page of {0} could not be read.', listNames[reason.list]);
    case 'bound':
      return createMessage('Only the first {0} {1} were read.', reason.most, listNames[reason.list]);
    case 'blockCut':
      return createMessage(
        'Block {0} has more than {1} transfers. The others could not be read.',
        decimal(reason.block),
        reason.most,
      );
    case 'recentDays':
      return reason.days === undefined
        ? createMessage('The explorer covers recent days only, and does not report how many.')
        : createMessage('The explorer covers the last {0} days only.', reason.days);
    case 'unreadable':
      return createMessage('Entries that could not be read: {0}.', reason.count);
    case 'coinUnread':
      return createMessage("The chain's own coin is missing because it could not be read.");
  }
}

const listNames: Readonly<Record<HoldingsList, Message>> = {
  coinBalances: createMessage('balances'),
  nfts: createMessage('NFTs'),
  tokens: createMessage('tokens'),
  transfers: createMessage('transfers'),
};

/**
 * Formats a ratio in per cent, rounded down: only 1 is 100 %.
 *
 * @example
 * formatPercent(0.99999); // '99.99 %'
 */
export function formatPercent(ratio: number): string {
  return `${Math.floor(ratio * 10_000) / 100} %`;
}
