import type { Hex } from 'ox';

/** What one instance of an explorer does otherwise than others of its release. */
export type RestKnobs = {
  /** `API_V2_ENABLED=false`: there is no route below `/api/v2`. */
  readonly off?: boolean;
  /** Addresses, in lower case, of which the instance may not tell. */
  readonly restricted?: readonly Hex.Hex[];
  /** Routes that this release does not have yet, by the end of their path. */
  readonly lacks?: readonly string[];
  /** How much of the blocks is indexed, from 0 to 1; default all. */
  readonly indexedBlocks?: number;
  /** Tokens, in lower case, that the instance calls scam. */
  readonly scam?: readonly Hex.Hex[];
  /**
   * `HIDE_SCAM_ADDRESSES`: those are left out of every list, but for who asks for them by header (since v10) or cookie;
   * `always` where something in front of the instance lets neither through.
   */
  readonly hidesScam?: 'unlessAsked' | 'always';
  /** What one whole token or coin costs, by symbol, in the place of the usual price. */
  readonly prices?: Readonly<Record<string, string>>;
  /** So many tokens more that an address, in lower case, is told to hold, each worth nothing that is known. */
  readonly crowd?: { readonly holder: Hex.Hex; readonly count: number };
};
