import type { QueryForm } from '../../../core/index.ts';

/** What can be done about an answer without rows: another form to run, another chain to ask, or no filter of rows. */
export type EmptyOffer = { readonly label: string } & (
  | { readonly form: QueryForm; readonly chainId?: undefined }
  | { readonly chainId: number; readonly form?: undefined }
  | { readonly form?: undefined; readonly chainId?: undefined }
);

/** Why there may be no rows, as far as that is known. */
export interface EmptyReason {
  readonly text: string;
  readonly offers: readonly EmptyOffer[];
}

/** What stands in the place of the rows where there are none. */
export interface EmptyRows {
  readonly title: string;
  readonly detail: string;
  readonly reasons: readonly EmptyReason[];
}
