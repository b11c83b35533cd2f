import { isHttpUrl, trimTrailingSlashes } from '../../core/index.ts';

export type ExplorerPage = 'transaction' | 'address' | 'block';

const paths: Readonly<Record<ExplorerPage, string>> = {
  transaction: 'tx',
  address: 'address',
  block: 'block',
};

/** A page of the explorer website, by the paths that Blockscout and Etherscan share; undefined where there is none. */
export function explorerLink(
  explorerUrl: string | undefined,
  page: ExplorerPage,
  subject: string | bigint,
): string | undefined {
  if (!explorerUrl || !isHttpUrl(explorerUrl)) return undefined;
  // As the web writes it: what a person or a tool put in between, such as a line end, is gone or encoded.
  return `${trimTrailingSlashes(new URL(explorerUrl).href)}/${paths[page]}/${subject}`;
}
