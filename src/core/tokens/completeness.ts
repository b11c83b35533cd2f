/** The lists that an index gives by pages, and so may not give to their end. */
export type HoldingsList = 'coinBalances' | 'nfts' | 'tokens' | 'transfers';

/**
 * Why an answer of an index may lack something, or does:
 *
 * - `scamHidden`: it counts more tokens of the address than it lists. It may hide those that it calls scam.
 * - `indexing`: it has not indexed every block yet; `ratio` from 0 to 1, undefined where it does not tell.
 * - `indexingUnknown`: it does not tell whether it has.
 * - `pageRepeated`: a page came again in the place of the next one, so that reading ended there.
 * - `listBroken`: a later page of the list could not be read.
 * - `bound`: the list is longer than what is read of it.
 * - `recentDays`: it looks back so many days, and no further; undefined where it does not tell how many.
 * - `unreadable`: entries that could not be read are missing.
 * - `coinUnread`: the chain's own coin is missing, with its value.
 */
export type CompletenessReason =
  | { readonly code: 'scamHidden'; readonly listed: number; readonly counted: number }
  | { readonly code: 'indexing'; readonly ratio: number | undefined }
  | { readonly code: 'indexingUnknown' | 'coinUnread' }
  | { readonly code: 'pageRepeated' | 'listBroken'; readonly list: HoldingsList }
  | { readonly code: 'bound'; readonly list: HoldingsList; readonly most: number }
  | { readonly code: 'recentDays'; readonly days: number | undefined }
  | { readonly code: 'unreadable'; readonly count: number };

/** What an answer is worth: `partial` lacks something, `uncertain` may lack something. */
export interface Completeness {
  readonly state: 'complete' | 'partial' | 'uncertain';
  readonly reasons: readonly CompletenessReason[];
}

const certain: readonly CompletenessReason['code'][] = ['bound', 'coinUnread', 'listBroken', 'unreadable'];

/**
 * What an answer is worth for which these reasons hold.
 *
 * @example
 * toCompleteness([{ code: 'indexing', ratio: 0.5 }]).state; // 'uncertain'
 */
export function toCompleteness(reasons: readonly CompletenessReason[]): Completeness {
  if (reasons.length === 0) return { state: 'complete', reasons };
  return { state: reasons.some(({ code }) => certain.includes(code)) ? 'partial' : 'uncertain', reasons };
}

/**
 * Answers put together: what the least of them is worth. Undefined ones tell nothing.
 *
 * @example
 * mergeCompleteness([toCompleteness([]), undefined])?.state; // 'complete'
 */
export function mergeCompleteness(parts: readonly (Completeness | undefined)[]): Completeness | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : toCompleteness(known.flatMap(({ reasons }) => reasons));
}

const listNames: Readonly<Record<HoldingsList, string>> = {
  coinBalances: 'balances',
  nfts: 'NFTs',
  tokens: 'tokens',
  transfers: 'transfers',
};

/**
 * A reason in English, for logs and for the headless runner.
 *
 * @example
 * formatCompletenessReason({ code: 'unreadable', count: 2 }); // '2 entries could not be read and are missing'
 */
export function formatCompletenessReason(reason: CompletenessReason): string {
  switch (reason.code) {
    case 'scamHidden':
      return `the explorer counts ${reason.counted} tokens and lists ${reason.listed}: it may hide those that it calls scam`;
    case 'indexing':
      return reason.ratio === undefined
        ? 'the explorer has not indexed every block yet'
        : `the explorer has indexed ${formatPercent(reason.ratio)} of the blocks`;
    case 'indexingUnknown':
      return 'the explorer does not tell whether it has indexed every block';
    case 'pageRepeated':
      return `the explorer gave a page of the ${listNames[reason.list]} again in the place of the next one`;
    case 'listBroken':
      return `a later page of the ${listNames[reason.list]} could not be read`;
    case 'bound':
      return `the list of ${listNames[reason.list]} is longer than the ${reason.most} entries that are read`;
    case 'recentDays':
      return reason.days === undefined
        ? 'the explorer looks back some days, and does not tell how many'
        : `the explorer looks back ${reason.days} days, and no further`;
    case 'unreadable':
      return `${reason.count} entries could not be read and are missing`;
    case 'coinUnread':
      return "the chain's own coin could not be read";
  }
}

/**
 * A ratio in per cent, never more than there is: what is not all is no 100.
 *
 * @example
 * formatPercent(0.99999); // '99.99 %'
 */
export function formatPercent(ratio: number): string {
  return `${Math.floor(ratio * 10_000) / 100} %`;
}
