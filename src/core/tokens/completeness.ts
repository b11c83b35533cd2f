/**
 * Why a result of an index is or may be incomplete:
 *
 * - `scamHidden`: the index counts more tokens than it lists; it may hide those that it considers scams.
 * - `indexing`: the index has not processed every block yet; `ratio` from 0 to 1, undefined if not reported.
 * - `indexingUnknown`: the index does not report whether it has processed every block.
 * - `pageRepeated`: the index returned the same page twice, so reading stopped.
 * - `listBroken`: a later page of the list could not be read.
 * - `bound`: the list is longer than the limit of `most` entries.
 * - `recentDays`: the index covers only that many recent days; undefined if not reported.
 * - `unreadable`: unreadable entries are missing.
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

/** `partial` means that something is missing; `uncertain` means that something may be missing. */
export interface Completeness {
  readonly state: 'complete' | 'partial' | 'uncertain';
  readonly reasons: readonly CompletenessReason[];
}

/** The paged lists of an index, which may end early. */
export type HoldingsList = 'coinBalances' | 'nfts' | 'tokens' | 'transfers';

const partialCodes: readonly CompletenessReason['code'][] = [
  'bound',
  'coinUnread',
  'listBroken',
  'unreadable',
];

/**
 * The completeness that follows from these reasons.
 *
 * @example
 * toCompleteness([{ code: 'indexing', ratio: 0.5 }]).state; // 'uncertain'
 */
export function toCompleteness(reasons: readonly CompletenessReason[]): Completeness {
  if (reasons.length === 0) return { state: 'complete', reasons };
  return {
    state: reasons.some(({ code }) => partialCodes.includes(code)) ? 'partial' : 'uncertain',
    reasons,
  };
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

const listNames: Readonly<Record<HoldingsList, string>> = {
  coinBalances: 'balances',
  nfts: 'NFTs',
  tokens: 'tokens',
  transfers: 'transfers',
};

/**
 * Formats a reason in English, for logs and the command line.
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
 * Formats a ratio in per cent, rounded down: only the whole is 100 %.
 *
 * @example
 * formatPercent(0.99999); // '99.99 %'
 */
export function formatPercent(ratio: number): string {
  return `${Math.floor(ratio * 10_000) / 100} %`;
}
