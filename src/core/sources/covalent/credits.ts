import type { DataApiClient } from './dataApiClient.ts';

/** What a call costs of the key's credits. */
export interface CreditCost {
  readonly credits: number;
  /** `row`: for each entry of the answer, whose number is not known before. */
  readonly per: 'call' | 'row';
}

/** The calls that send a request of their own. */
export type DataApiCall = Exclude<keyof DataApiClient, 'checkKey'>;

/**
 * Prices of the service (GoldRush documentation and SDK 2.3.8, 2026); undefined where none is published.
 * A list by pages costs this for each page or row that is read.
 */
export const creditCosts: Readonly<Record<DataApiCall, CreditCost | undefined>> = {
  tokenBalances: { credits: 1, per: 'call' },
  nftBalances: { credits: 1, per: 'call' },
  nftTransfers: { credits: 0.1, per: 'row' },
  nftContract: undefined,
  nftToken: undefined,
  nftTokenIds: undefined,
  nftCollections: undefined,
  tokenTransfers: { credits: 0.05, per: 'row' },
  servedChains: { credits: 0.01, per: 'call' },
};

/** What calls cost that bring `rows` rows in all; undefined where no price is published. Rounded to a hundredth. */
export function creditsOf(call: DataApiCall, { calls = 1, rows = 0 } = {}): number | undefined {
  const cost = creditCosts[call];
  if (!cost) return undefined;
  return Math.round(cost.credits * (cost.per === 'call' ? calls : rows) * 100) / 100;
}
